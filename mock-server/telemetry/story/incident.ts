import { type Hop, journeys } from './shop.ts'

/** A service of the shop whose connection pool is exhausted for a while. */
export interface Incident {
  readonly service: string
  /** Start and end in epoch milliseconds; `end` itself is excluded. */
  readonly start: number
  readonly end: number
}

/**
 * An incident from a moment on (epoch milliseconds) at a service of the shop. A release cuts the connection pool of the
 * service to a tenth; requests then wait for a connection, and most of them fail. It shows in
 *
 * - logs: the release that caused it, warnings of the pool, errors of the service and of all that call it, the rollback;
 * - traces: a span `pool.acquire` of some seconds below each slow request, with the error that goes up from there;
 * - metrics: the pool's connections and what waits for them, durations, processor.
 *
 * To set one off in a stack, create the record: `mock.records.create('incident', { service: 'payments' })`, which is
 * `POST /control/records/incidents {"service": "payments"}`, begins now and lasts half an hour unless `startTime` and
 * `endTime` say otherwise. Alerts then fire as the clock moves on; removing the record undoes the incident as if it had never
 * been, and setting its `endTime` to now ends it. Throws an Error that names the services when there is no such service.
 */
export function incidentFrom(service: string, start: number, minutes = 30): Incident {
  if (!incidentServices.includes(service)) {
    throw new Error(`an incident at ${service}: Expected a service of the shop: ${incidentServices.join(', ')}`)
  }
  return { service, start, end: start + minutes * 60_000 }
}

const hops = (hop: Hop): readonly Hop[] => [hop, ...(hop.calls ?? []).flatMap(hops)]

/** The services at which an incident can happen. */
export const incidentServices: readonly string[] = [
  ...new Set(journeys.flatMap(({ root }) => hops(root).map(({ service }) => service))),
]

/** The incident at a service at a time, if any. */
export const incidentAt = (incidents: readonly Incident[], service: string, time: number): Incident | undefined =>
  incidents.find(one => one.service === service && time >= one.start && time < one.end)

/** Whether an incident at one service affects another: itself and all its callers. */
export function reaches(service: string, at: string): boolean {
  const feels = (hop: Hop): boolean =>
    hop.service === service && hops(hop).some(one => one.service === at && !one.isLater)
  return journeys.some(({ root }) => hops(root).some(feels))
}
