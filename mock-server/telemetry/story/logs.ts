import { type Row, slotLength, type TimedRows } from '../telemetry.ts'
import { chanceOf } from './arrivals.ts'
import type { Incident } from './incident.ts'
import { poolSizes, type Request, type Requests, type Shop, type Span, spanIdOf, traceIdOf } from './requests.ts'

const severities = { DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17 } as const
type Level = keyof typeof severities

interface Line {
  readonly time: number
  readonly level: Level
  readonly service: string
  readonly body: string
  readonly request?: Request
  readonly span?: Span
  readonly host: number
}

export const narrowColumns: ReadonlySet<string> = new Set([
  'Timestamp',
  'ServiceName',
  'SeverityText',
  'SeverityNumber',
])

export const logsOf = (shop: Shop, requests: Requests) => () =>
  function* (slot: number, _metric?: string, isNarrow = false): TimedRows {
    const lines: Line[] = linesOfIncidents(shop.incidents(), slot)
    for (const request of requests.all(slot)) if (!request.isUnlogged) addLinesOf(request, lines, isNarrow)
    lines.sort((a, b) => a.time - b.time)
    for (const line of lines) yield [line.time, isNarrow ? narrowRowOf(line) : rowOf(line)]
  }

/** Adds the lines of a request. Those of narrow rows know no more than they need, so that the request is soon forgotten. */
function addLinesOf(request: Request, lines: Line[], isNarrow: boolean) {
  for (let index = 0; index < request.spans.length; index++) {
    const span = request.spans[index]!
    const { template, start, duration, code, error } = span
    const { service } = template
    const time = Math.floor(start + duration)
    const chance = chanceOf(request.user, time, index)
    const host = 1 + Math.floor(chance * 3)
    const add = (time: number, level: Level, body: () => string) =>
      lines.push(
        isNarrow
          ? { time, level, service, body: '', host }
          : { time, level, service, body: body(), request, span, host },
      )
    if (template.kind === 'Internal') add(time, error ? 'ERROR' : 'WARN', () => error || slowPoolMessage(service))
    const { route } = template
    if (route === undefined) continue
    const path = () => route.replace('{id}', String(request.product))
    const reason = () => (error ? `: ${error}` : code === 402 ? ': card declined' : '')
    const level = error ? 'ERROR' : code >= 400 ? 'WARN' : 'INFO'
    add(time, level, () => `${template.method} ${path()} ${code}${reason()}`)
    if (chance < 0.08 && service === 'api') add(Math.floor(start), 'DEBUG', () => `cache miss for ${path()}`)
  }
}

const slowPoolMessage = (service: string) =>
  `waited for a connection of the pool ${service}-db: ${poolSizes.duringIncident} of ${poolSizes.duringIncident} in use`

function linesOfIncidents(incidents: readonly Incident[], slot: number): Line[] {
  const { normal, duringIncident } = poolSizes
  return incidents
    .flatMap(({ service, start, end }) => {
      const line = (time: number, level: Level, body: string): Line => ({ time, level, service, body, host: 1 })
      return [
        line(start, 'INFO', `release 2.14.1 deployed: db.pool.max ${normal} -> ${duringIncident}`),
        line(start + 20_000, 'WARN', `connection pool ${service}-db: ${duringIncident} of ${duringIncident} in use`),
        line(end, 'INFO', `release 2.14.1 rolled back: db.pool.max ${duringIncident} -> ${normal}`),
      ]
    })
    .filter(({ time }) => Math.floor(time / slotLength) === slot)
}

const narrowRowOf = ({ service, level }: Line): Row => ({
  ServiceName: service,
  SeverityText: level,
  SeverityNumber: severities[level],
})

const rowOf = (line: Line): Row => {
  const { service, body, host, request, span } = line
  return {
    ...narrowRowOf(line),
    Body: body,
    ResourceAttributes: { 'host.name': `${service}-${host}`, 'deployment.environment': 'production' },
    TraceId: request?.isTraced ? traceIdOf(request) : undefined,
    SpanId: request?.isTraced ? spanIdOf(request, span!.id) : undefined,
    LogAttributes: request && attributesOf(request, span!),
  }
}

/** Common attributes come first, so that the order of keys does not depend on which row is generated first. */
const attributesOf = ({ user }: Request, { template, code, duration }: Span) =>
  template.route === undefined
    ? { 'user.id': `u-${user}` }
    : {
        'user.id': `u-${user}`,
        'http.method': template.method,
        'http.route': template.route,
        'http.status_code': code,
        method: template.method,
        dur: Math.ceil(duration),
      }
