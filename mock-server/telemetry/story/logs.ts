import { type Arrivals, type Row, slotLength } from '../telemetry.ts'
import { chanceOf } from './arrivals.ts'
import type { Incident } from './incident.ts'
import { generateRequests, poolSizes, type Request, type Shop, type Span, spanIdOf, traceIdOf } from './requests.ts'

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

export const logsOf = (shop: Shop) => () =>
  function* (slot: number): Arrivals {
    const lines: Line[] = linesOfIncidents(shop.incidents(), slot)
    for (const request of generateRequests(shop, slot)) if (!request.isUnlogged) linesOf(request, lines)
    lines.sort((a, b) => a.time - b.time)
    for (const line of lines) yield [line.time, rowOf(line)]
  }

function linesOf(request: Request, lines: Line[]) {
  for (let index = 0; index < request.spans.length; index++) {
    const span = request.spans[index]!
    const { hop, start, duration, code, error } = span
    const { service } = hop
    const time = Math.floor(start + duration)
    const chance = chanceOf(request.user, time, index)
    const host = 1 + Math.floor(chance * 3)
    if (hop.kind === 'Internal') {
      const level = error ? 'ERROR' : 'WARN'
      lines.push({ time, level, service, body: error || slowPool(service), request, span, host })
    }
    if (hop.route === undefined) continue
    const path = hop.route.replace('{id}', String(request.product))
    const level = error ? 'ERROR' : code >= 400 ? 'WARN' : 'INFO'
    const why = error ? `: ${error}` : code === 402 ? ': card declined' : ''
    lines.push({ time, level, service, body: `${hop.method} ${path} ${code}${why}`, request, span, host })
    if (chance < 0.08 && service === 'api') {
      const body = `cache miss for ${path}`
      lines.push({ time: Math.floor(start), level: 'DEBUG', service, body, request, span, host })
    }
  }
}

const slowPool = (service: string) =>
  `waited for a connection of the pool ${service}-db: ${poolSizes.cut} of ${poolSizes.cut} in use`

function linesOfIncidents(incidents: readonly Incident[], slot: number): Line[] {
  const { usual, cut } = poolSizes
  return incidents
    .flatMap(({ service, start, end }) => {
      const line = (time: number, level: Level, body: string): Line => ({ time, level, service, body, host: 1 })
      return [
        line(start, 'INFO', `release 2.14.1 deployed: db.pool.max ${usual} -> ${cut}`),
        line(start + 20_000, 'WARN', `connection pool ${service}-db: ${cut} of ${cut} in use`),
        line(end, 'INFO', `release 2.14.1 rolled back: db.pool.max ${cut} -> ${usual}`),
      ]
    })
    .filter(({ time }) => Math.floor(time / slotLength) === slot)
}

const rowOf = ({ service, level, body, host, request, span }: Line): Row => ({
  ServiceName: service,
  SeverityText: level,
  SeverityNumber: severities[level],
  Body: body,
  ResourceAttributes: { 'host.name': `${service}-${host}`, 'deployment.environment': 'production' },
  TraceId: request?.isTraced ? traceIdOf(request) : undefined,
  SpanId: request?.isTraced ? spanIdOf(request, span!.id) : undefined,
  LogAttributes: request && attributesOf(request, span!),
})

/** Common attributes come first, so that the order of keys does not depend on which row is generated first. */
const attributesOf = ({ user }: Request, { hop, code, duration }: Span) =>
  hop.route === undefined
    ? { 'user.id': `u-${user}` }
    : {
        'user.id': `u-${user}`,
        'http.method': hop.method,
        'http.route': hop.route,
        'http.status_code': code,
        method: hop.method,
        dur: Math.ceil(duration),
      }
