import type { Row, TimedRows } from '../telemetry.ts'
import { generateRequests, type Request, type Shop, type Span, spanIdOf, traceIdOf } from './requests.ts'

export const tracesOf = (shop: Shop) => () =>
  function* (slot: number): TimedRows {
    const traced = [...generateRequests(shop, slot)].filter(({ isTraced }) => isTraced)
    const spans = traced.flatMap(request => request.spans.map(span => ({ request, span })))
    spans.sort((a, b) => a.span.start - b.span.start)
    for (const { request, span } of spans) yield [span.start, rowOf(request, span)]
  }

const rowOf = (request: Request, { template, id, parent, duration, code, error }: Span): Row => ({
  TraceId: traceIdOf(request),
  SpanId: spanIdOf(request, id),
  ParentSpanId: spanIdOf(request, parent),
  ServiceName: template.service,
  SpanName: template.name,
  SpanKind: template.kind,
  StatusCode: error ? 'Error' : 'Unset',
  StatusMessage: error,
  ResourceAttributes: { 'deployment.environment': 'production' },
  // In nanoseconds.
  Duration: Math.round(duration * 1e6),
  SpanAttributes: template.attributes ?? {
    'http.method': template.method,
    'http.route': template.route,
    'http.status_code': template.route && code,
    'user.id': template.route && parent === 0 ? `u-${request.user}` : undefined,
  },
})
