import { requestTemplates, type SpanTemplate } from './shop.ts'

/**
 * An incident: a release reduces the connection pool of a service to a tenth. Requests wait for a connection, and most of
 * them fail. This shows in
 *
 * - logs: the release, warnings of the pool, errors of the service and of all its callers, the rollback;
 * - traces: a span `pool.acquire` of some seconds below each slow request, with the error that its callers pass on;
 * - metrics: connections of the pool and requests that wait for them, durations, CPU.
 *
 * `POST /control/records/incidents {"service": "payments"}` starts an incident. Removing the record removes its telemetry;
 * setting `endTime` to now ends it.
 */
export interface Incident {
  readonly service: string
  /** Epoch milliseconds; `end` itself is excluded. */
  readonly start: number
  readonly end: number
}

/** A template and all templates below it. */
const withCalls = (template: SpanTemplate): readonly SpanTemplate[] => [
  template,
  ...(template.calls ?? []).flatMap(withCalls),
]

export const incidentServices: readonly string[] = [
  ...new Set(requestTemplates.flatMap(({ root }) => withCalls(root).map(({ service }) => service))),
]

export const incidentAt = (incidents: readonly Incident[], service: string, time: number): Incident | undefined =>
  incidents.find(incident => incident.service === service && time >= incident.start && time < incident.end)

/** Whether an incident affects a service: the disturbed service itself and all services that wait for it. */
export const affects = ({ service: disturbed }: Incident, service: string): boolean =>
  requestTemplates
    .flatMap(({ root }) => withCalls(root))
    .some(
      caller =>
        caller.service === service &&
        withCalls(caller).some(callee => callee.service === disturbed && !callee.isAsynchronous),
    )
