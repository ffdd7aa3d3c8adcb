import { type Row, slotLength, type TimedRow, type TimedRows } from '../telemetry.ts'
import { chanceOf } from './arrivals.ts'
import type { Incident } from './incident.ts'
import { poolSizes, type Request, type Requests, type Shop, type Span, spanIdOf, traceIdOf } from './requests.ts'

const severities = { DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17 } as const
type Level = keyof typeof severities

/** All columns but ids and attributes. */
export const narrowColumns: ReadonlySet<string> = new Set([
  'Timestamp',
  'ServiceName',
  'SeverityText',
  'SeverityNumber',
  'Body',
])

export const logsOf =
  (shop: Shop, requests: Requests) =>
  () =>
  (slot: number, _metric?: string, isNarrow = false): TimedRows => {
    const lines = linesOfIncidents(shop.incidents(), slot)
    for (const request of requests.all(slot)) if (!request.isUnlogged) addLinesOf(request, lines, isNarrow)
    return lines.sort(byTime).values()
  }

export const byTime = (a: TimedRow, b: TimedRow) => a[0] - b[0]

function addLinesOf(request: Request, lines: TimedRow[], isNarrow: boolean) {
  for (let index = 0; index < request.spans.length; index++) {
    const span = request.spans[index]!
    const { template, start, duration, code, error } = span
    const { service, route } = template
    const time = Math.floor(start + duration)
    const chance = chanceOf(request.user, time, index)
    const host = 1 + Math.floor(chance * 3)
    const context = isNarrow ? undefined : contextOf(request, span, host)
    if (template.kind === 'Internal')
      lines.push(lineOf(time, service, error ? 'ERROR' : 'WARN', error || slowPoolMessage(service), context))
    if (route === undefined) continue
    const path = route.replace('{id}', String(request.product))
    const reason = error ? `: ${error}` : code === 402 ? ': card declined' : ''
    const level = error ? 'ERROR' : code >= 400 ? 'WARN' : 'INFO'
    lines.push(lineOf(time, service, level, `${template.method} ${path} ${code}${reason}`, context))
    if (chance < 0.08 && service === 'api')
      lines.push(lineOf(Math.floor(start), service, 'DEBUG', `cache miss for ${path}`, context))
  }
}

const slowPoolMessage = (service: string) =>
  `waited for a connection of the pool ${service}-db: ${poolSizes.duringIncident} of ${poolSizes.duringIncident} in use`

function linesOfIncidents(incidents: readonly Incident[], slot: number): TimedRow[] {
  const { normal, duringIncident } = poolSizes
  return incidents
    .flatMap(({ service, start, end }) => {
      const context = { ResourceAttributes: resourceOf(service, 1) }
      const line = (time: number, level: Level, body: string) => lineOf(time, service, level, body, context)
      return [
        line(start, 'INFO', `release 2.14.1 deployed: db.pool.max ${normal} -> ${duringIncident}`),
        line(start + 20_000, 'WARN', `connection pool ${service}-db: ${duringIncident} of ${duringIncident} in use`),
        line(end, 'INFO', `release 2.14.1 rolled back: db.pool.max ${duringIncident} -> ${normal}`),
      ]
    })
    .filter(([time]) => Math.floor(time / slotLength) === slot)
}

const lineOf = (time: number, service: string, level: Level, body: string, context?: Row): TimedRow => [
  time,
  { ServiceName: service, SeverityText: level, SeverityNumber: severities[level], Body: body, ...context },
]

const contextOf = (request: Request, span: Span, host: number): Row => ({
  ResourceAttributes: resourceOf(span.template.service, host),
  TraceId: request.isTraced ? traceIdOf(request) : undefined,
  SpanId: request.isTraced ? spanIdOf(request, span.id) : undefined,
  LogAttributes: attributesOf(request, span),
})

const resourceOf = (service: string, host: number) => ({
  'host.name': `${service}-${host}`,
  'deployment.environment': 'production',
})

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
