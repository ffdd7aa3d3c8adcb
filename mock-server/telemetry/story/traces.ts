import type { Arrivals, RowStore } from '../telemetry.ts'
import { dealRequests, type Request, type Shop, type Span, spanIdOf, traceIdOf } from './requests.ts'

/** The spans of the requests that are traced, by the time at which they begin. */
export function tracesOf(shop: Shop): (store: RowStore) => (slot: number) => Arrivals {
  return store => {
    const write = createWriter(store)
    return function* (slot) {
      const spans: { readonly span: Span; readonly request: Request }[] = []
      for (const request of dealRequests(shop, slot)) {
        if (request.isTraced) for (const span of request.spans) spans.push({ span, request })
      }
      spans.sort((a, b) => a.span.start - b.span.start)
      for (const { span, request } of spans) {
        yield span.start
        write(span, request)
      }
    }
  }
}

const attributeNames = ['peer.service', 'db.system', 'db.statement', 'pool.name', 'pool.max'] as const

function createWriter(store: RowStore): (span: Span, request: Request) => void {
  const [service, name, kind] = ['ServiceName', 'SpanName', 'SpanKind'].map(column => store.text(column))
  const [traceId, spanId, parentId] = ['TraceId', 'SpanId', 'ParentSpanId'].map(column => store.text(column))
  const [status, message] = ['StatusCode', 'StatusMessage'].map(column => store.text(column))
  const attribute = (key: string) => store.text('SpanAttributes', key)
  const [method, route, code, user] = ['http.method', 'http.route', 'http.status_code', 'user.id'].map(attribute)
  const attributes = Object.fromEntries(attributeNames.map(key => [key, attribute(key)]))
  const environment = store.text('ResourceAttributes', 'deployment.environment')
  const duration = store.number('Duration')
  return ({ hop, ...span }, request) => {
    const row = store.start(span.start)
    traceId!.write(row, traceIdOf(request))
    spanId!.write(row, spanIdOf(request, span.id))
    if (span.parent > 0) parentId!.write(row, spanIdOf(request, span.parent))
    service!.write(row, hop.service)
    name!.write(row, hop.name)
    kind!.write(row, hop.kind)
    status!.write(row, span.error ? 'Error' : 'Unset')
    if (span.error) message!.write(row, span.error)
    environment.write(row, 'production')
    // In nanoseconds.
    duration.write(row, Math.round(span.duration * 1e6))
    for (const [key, text] of Object.entries(hop.attributes ?? {})) attributes[key]!.write(row, text)
    if (hop.route === undefined) return
    method!.write(row, hop.method!)
    route!.write(row, hop.route)
    code!.write(row, String(span.code))
    if (span.parent === 0) user!.write(row, `u-${request.user}`)
  }
}
