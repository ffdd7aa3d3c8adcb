import type { Arrivals, Row } from '../telemetry.ts'
import { generateRequests, type Request, type Shop, type Span, spanIdOf, traceIdOf } from './requests.ts'

export const tracesOf = (shop: Shop) => () =>
  function* (slot: number): Arrivals {
    const traced = [...generateRequests(shop, slot)].filter(({ isTraced }) => isTraced)
    const spans = traced.flatMap(request => request.spans.map(span => ({ request, span })))
    spans.sort((a, b) => a.span.start - b.span.start)
    for (const { request, span } of spans) yield [span.start, rowOf(request, span)]
  }

const rowOf = (request: Request, { hop, id, parent, duration, code, error }: Span): Row => ({
  TraceId: traceIdOf(request),
  SpanId: spanIdOf(request, id),
  ParentSpanId: spanIdOf(request, parent),
  ServiceName: hop.service,
  SpanName: hop.name,
  SpanKind: hop.kind,
  StatusCode: error ? 'Error' : 'Unset',
  StatusMessage: error,
  ResourceAttributes: { 'deployment.environment': 'production' },
  // In nanoseconds.
  Duration: Math.round(duration * 1e6),
  SpanAttributes: hop.attributes ?? {
    'http.method': hop.method,
    'http.route': hop.route,
    'http.status_code': hop.route && code,
    'user.id': hop.route && parent === 0 ? `u-${request.user}` : undefined,
  },
})
