import type { Arrivals, RowStore } from '../telemetry.ts'
import { slotLength } from '../telemetry.ts'
import { chanceOf } from './arrivals.ts'
import type { Incident } from './incident.ts'
import { dealRequests, poolSizes, type Request, type Shop, type Span, spanIdOf, traceIdOf } from './requests.ts'

type Level = 'DEBUG' | 'INFO' | 'WARN' | 'ERROR'
const severities = { DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17 } as const satisfies Record<Level, number>

interface Line {
  readonly time: number
  readonly level: Level
  readonly service: string
  readonly body: string
  readonly request?: Request
  readonly span?: Span
  readonly host: number
}

/** Each service writes a line when it has answered a request; what is out of the ordinary has lines of its own. */
export function logsOf(shop: Shop): (store: RowStore) => (slot: number) => Arrivals {
  return store => {
    const write = createWriter(store)
    return function* (slot) {
      const lines: Line[] = linesOfIncidents(shop.incidents(), slot)
      for (const request of dealRequests(shop, slot)) if (!request.isUnlogged) linesOf(request, lines)
      lines.sort((a, b) => a.time - b.time)
      for (const line of lines) {
        yield line.time
        write(line)
      }
    }
  }
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

/** What causes an incident, and what ends it. */
function linesOfIncidents(incidents: readonly Incident[], slot: number): Line[] {
  return incidents
    .flatMap(({ service, start, end }): Line[] => {
      const said = { service, host: 1 } as const
      const [usual, cut] = [poolSizes.usual, poolSizes.cut]
      return [
        { ...said, time: start, level: 'INFO', body: `release 2.14.1 deployed: db.pool.max ${usual} -> ${cut}` },
        {
          ...said,
          time: start + 20_000,
          level: 'WARN',
          body: `connection pool ${service}-db: ${cut} of ${cut} in use`,
        },
        { ...said, time: end, level: 'INFO', body: `release 2.14.1 rolled back: db.pool.max ${cut} -> ${usual}` },
      ]
    })
    .filter(({ time }) => Math.floor(time / slotLength) === slot)
}

function createWriter(store: RowStore): (line: Line) => void {
  const [service, severity, body] = ['ServiceName', 'SeverityText', 'Body'].map(name => store.text(name))
  const [traceId, spanId] = ['TraceId', 'SpanId'].map(name => store.text(name))
  const severityNumber = store.number('SeverityNumber')
  const attribute = (key: string) => store.text('LogAttributes', key)
  const [method, route, status] = ['http.method', 'http.route', 'http.status_code'].map(attribute)
  const [plainMethod, user, duration] = ['method', 'user.id', 'dur'].map(attribute)
  const host = store.text('ResourceAttributes', 'host.name')
  const environment = store.text('ResourceAttributes', 'deployment.environment')
  return line => {
    const row = store.start(line.time)
    service!.write(row, line.service)
    severity!.write(row, line.level)
    severityNumber.write(row, severities[line.level])
    body!.write(row, line.body)
    host.write(row, `${line.service}-${line.host}`)
    environment.write(row, 'production')
    const { request, span } = line
    if (!request || !span) return
    const { hop } = span
    if (request.isTraced) {
      traceId!.write(row, traceIdOf(request))
      spanId!.write(row, spanIdOf(request, span.id))
    }
    user!.write(row, `u-${request.user}`)
    if (hop.route === undefined) return
    method!.write(row, hop.method!)
    plainMethod!.write(row, hop.method!)
    route!.write(row, hop.route)
    status!.write(row, String(span.code))
    duration!.write(row, String(Math.ceil(span.duration)))
  }
}
