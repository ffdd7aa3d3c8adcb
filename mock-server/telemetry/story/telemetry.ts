import type { Source } from '../../words/resources.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { type Row, slotLength, type Telemetry, type TimedRow, type TimedRows } from '../telemetry.ts'
import { eventsOfSlot } from './arrivals.ts'
import { byTime, logsOf, narrowColumns } from './logs.ts'
import { metricNames, metricsOf } from './metrics.ts'
import { createRequests, type Request, type Requests, type Shop, type Span, spanIdOf, traceIdOf } from './requests.ts'
import { type SourceExtras, withExtras } from './source-extras.ts'

/** Generates the telemetry of a shop for the sources of a stack. A changed incident shows in the next query. */
export function generateShopTelemetry(
  sources: readonly Source[],
  telemetry: Telemetry,
  shop: Shop,
  extrasOf: (source: Source) => SourceExtras | undefined,
): void {
  const revision = () => JSON.stringify(shop.incidents())
  const requests = createRequests(shop)
  for (const source of sources) {
    const { id, kind } = source
    const extras = extrasOf(source)
    if (kind === 'promql' || (shop.logs === 0 && !extras)) continue
    const open = shop.logs === 0 ? () => noRows : generatorOfKind[kind](shop, requests)
    telemetry.generate(
      id,
      kind,
      extras
        ? { open: withExtras(open, extras, shop.seed), revision, columns: extras.columns }
        : {
            open,
            revision,
            ...(kind === 'log' && { narrow: narrowColumns }),
            ...(kind === 'trace' && { narrow: narrowColumnsOfSpans }),
            ...(kind === 'metric' && shop.logs > 0 && { metrics: metricNames }),
          },
    )
  }
}

function* noRows(): TimedRows {}

/** All columns but ids and attributes. */
const narrowColumnsOfSpans: ReadonlySet<string> = new Set([
  'Timestamp',
  'ServiceName',
  'SpanName',
  'SpanKind',
  'StatusCode',
  'StatusMessage',
  'Duration',
])

const tracesOf =
  (_: Shop, requests: Requests) =>
  () =>
  (slot: number, _metric?: string, isNarrow = false): TimedRows => {
    const spans: TimedRow[] = []
    for (const request of requests.traced(slot)) {
      for (const span of request.spans) {
        const row = rowOfSpan(span)
        spans.push([span.start, isNarrow ? row : { ...row, ...contextOf(request, span) }])
      }
    }
    return spans.sort(byTime).values()
  }

const rowOfSpan = ({ template, duration, error }: Span): Row => ({
  ServiceName: template.service,
  SpanName: template.name,
  SpanKind: template.kind,
  StatusCode: error ? 'Error' : 'Unset',
  StatusMessage: error,
  // In nanoseconds.
  Duration: Math.round(duration * 1e6),
})

const contextOf = (request: Request, { template, id, parent, code }: Span): Row => ({
  TraceId: traceIdOf(request),
  SpanId: spanIdOf(request, id),
  ParentSpanId: spanIdOf(request, parent),
  ResourceAttributes: { 'deployment.environment': 'production' },
  SpanAttributes: template.attributes ?? {
    'http.method': template.method,
    'http.route': template.route,
    'http.status_code': template.route && code,
    'user.id': template.route && parent === 0 ? `u-${request.user}` : undefined,
  },
})

const sessionEvents = ['page loaded', 'clicked on a product', 'scrolled', 'put into the cart', 'left the page']

const sessionsOf = ({ seed, logs }: Shop) => {
  const events = Math.min(Math.ceil(logs / 5), 20_000)
  return () =>
    function* (slot: number): TimedRows {
      const { first, next } = eventsOfSlot(slot, events, seed)
      const random = createRandom(seedOf(seed, 'sessions', slot))
      for (let event = first; event < next; event++) {
        const time = Math.floor((slot + (event - first + random.next()) / (next - first)) * slotLength)
        const visitor = createRandom(seedOf(seed, 'session', Math.floor(event / sessionEvents.length)))
        const row = {
          ServiceName: 'web',
          Body: sessionEvents[event % sessionEvents.length],
          ResourceAttributes: { 'rum.sessionId': visitor.hex(32) },
          LogAttributes: { 'user.id': `u-${visitor.int(1, 400)}` },
        }
        yield [time, row]
      }
    }
}

const generatorOfKind = { log: logsOf, trace: tracesOf, session: sessionsOf, metric: metricsOf }
