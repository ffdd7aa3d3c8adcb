import { journeys, type SpanTemplate } from './shop.ts'

/**
 * A release cuts the connection pool of a service to a tenth for a while. Requests wait for a connection, and most of them
 * fail. This shows in
 *
 * - logs: the release, warnings of the pool, errors of the service and of all its callers, the rollback;
 * - traces: a span `pool.acquire` of some seconds below each slow request, with the error that its callers pass on;
 * - metrics: connections of the pool and requests that wait for them, durations, processor.
 *
 * `POST /control/records/incidents {"service": "payments"}` starts one. Removing the record removes its telemetry, too;
 * setting `endTime` to now ends it.
 */
export interface Incident {
  readonly service: string
  /** Epoch milliseconds; `end` itself is excluded. */
  readonly start: number
  readonly end: number
}

const hops = (hop: SpanTemplate): readonly SpanTemplate[] => [hop, ...(hop.calls ?? []).flatMap(hops)]

export const incidentServices: readonly string[] = [
  ...new Set(journeys.flatMap(({ root }) => hops(root).map(({ service }) => service))),
]

export const incidentAt = (incidents: readonly Incident[], service: string, time: number): Incident | undefined =>
  incidents.find(one => one.service === service && time >= one.start && time < one.end)

/** Whether an incident affects a service: its own one or a caller of that. */
export const affects = ({ service: broken }: Incident, service: string): boolean =>
  journeys
    .flatMap(({ root }) => hops(root))
    .some(hop => hop.service === service && hops(hop).some(one => one.service === broken && !one.isAsynchronous))
