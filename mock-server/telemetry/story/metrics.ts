import { minute } from '../../words/durations.ts'
import { seedOf } from '../../world/random.ts'
import { slotLength, type TimedRow, type TimedRows } from '../telemetry.ts'
import { chanceOf, eventsBefore } from './arrivals.ts'
import { affects, type Incident, incidentAt } from './incident.ts'
import { poolSizes, requestsInTwoWeeks, type Shop, sampleSpans } from './requests.ts'
import { relativeLoad, requestTemplates, services } from './shop.ts'

/** The time between two points: a minute, or half an hour in a small world. */
const intervalFor = (logs: number) => (logs > 50_000 ? minute : slotLength)

/** The bounds of the histogram of request durations, in milliseconds. */
const bounds = [5, 10, 25, 50, 75, 100, 250, 500, 1000, 2500, 5000]

/** The number of simulated requests per percent of the share of a template, from which loads are computed. */
const samplesPerPercent = 4

/** The load of each service: its requests per request to the shop, and the share of each bin of durations. */
function loadsIn(incidents: readonly Incident[]) {
  const counts = new Map(services.map(service => [service, [...bounds, 0].map(() => 0)]))
  for (const requestTemplate of requestTemplates) {
    const spans = sampleSpans(requestTemplate, incidents, samplesPerPercent * requestTemplate.share)
    for (const { template, duration } of spans) {
      if (template.route === undefined) continue
      const bin = bounds.findIndex(bound => duration <= bound)
      counts.get(template.service)![bin === -1 ? bounds.length : bin]!++
    }
  }
  const load = (counts: readonly number[]) => {
    const total = counts.reduce((sum, count) => sum + count, 0)
    return { requests: total / (samplesPerPercent * 100), shares: counts.map(count => count / Math.max(total, 1)) }
  }
  return new Map([...counts].map(([service, bins]) => [service, load(bins)]))
}

/** Per service: processor, memory, pool connections, request counter and request durations. */
export const metricsOf = (shop: Shop) => () => {
  const step = intervalFor(shop.logs)
  const requests = requestsInTwoWeeks(shop)
  const incidents = shop.incidents()
  const endlessIncidents = incidents.map(one => ({
    ...one,
    start: Number.NEGATIVE_INFINITY,
    end: Number.POSITIVE_INFINITY,
  }))
  const [normalLoads, incidentLoads] = [loadsIn([]), loadsIn(endlessIncidents)]
  const loads = services.map(service => ({
    service,
    normal: normalLoads.get(service)!,
    incidentShares: incidentLoads.get(service)!.shares,
    affectingIncidents: incidents.filter(incident => affects(incident, service)),
  }))
  return function* (slot: number): TimedRows {
    for (let time = slot * slotLength; time < (slot + 1) * slotLength; time += step) {
      const seed = seedOf(shop.seed, 'metrics', time / step)
      for (const [i, { service, normal, incidentShares, affectingIncidents }] of loads.entries()) {
        // The service is also an attribute, because series differ by their attributes only.
        const ResourceAttributes = { 'service.name': service }
        const chance = (draw: number) => chanceOf(seed, i, draw)
        const isDisturbed = incidentAt(incidents, service, time) !== undefined
        const shopLoad = relativeLoad(time) / 1.8
        const point = (MetricType: string, MetricName: string, values: object): TimedRow => {
          const MetricUnit = units[MetricName] ?? '1'
          return [time, { ServiceName: service, ResourceAttributes, MetricType, MetricName, MetricUnit, ...values }]
        }
        const gauge = (name: string, value: number) => point('gauge', name, { Value: Math.round(value * 1000) / 1000 })
        yield gauge(
          'system.cpu.utilization',
          0.06 + 0.05 * i + 0.3 * shopLoad + 0.06 * chance(0) + (isDisturbed ? 0.25 : 0),
        )
        yield gauge('system.memory.utilization', 0.35 + 0.08 * ((i * 3) % 5) + 0.06 * shopLoad + 0.02 * chance(1))
        const openConnections = isDisturbed
          ? poolSizes.duringIncident
          : Math.round(2 + 28 * shopLoad * (0.7 + 0.3 * chance(2)))
        yield gauge('db.client.connections.usage', openConnections)
        yield gauge('db.client.connections.pending_requests', isDisturbed ? Math.round(9 + 40 * chance(3)) : 0)
        const requestCount = eventsBefore(time, requests) * normal.requests
        yield point('sum', 'http.server.requests', { Value: Math.floor(requestCount), IsMonotonic: 1, ...cumulative })
        // Computed from the time alone, so that bucket counts never decrease.
        const disturbedCount = requestsDuring(affectingIncidents, time, requests) * normal.requests
        const counts = normal.shares.map((share, bin) =>
          Math.floor(share * (requestCount - disturbedCount) + incidentShares[bin]! * disturbedCount),
        )
        yield point('histogram', 'http.server.duration', histogram(counts))
      }
    }
  }
}

const cumulative = { AggregationTemporality: 2 }

const histogram = (counts: readonly number[]) => ({
  ...cumulative,
  BucketCounts: counts,
  ExplicitBounds: bounds,
  Count: counts.reduce((sum, count) => sum + count, 0),
  Sum: counts.reduce((sum, count, bin) => sum + count * (bounds[bin] ?? 2 * bounds.at(-1)!), 0),
})

/** The number of requests during incidents up to a time, if two weeks have `count`. Overlapping incidents count once. */
function requestsDuring(incidents: readonly Incident[], time: number, count: number): number {
  let countedUntil = Number.NEGATIVE_INFINITY
  let requests = 0
  for (const { start, end } of incidents.toSorted((a, b) => a.start - b.start)) {
    const [begin, stop] = [Math.max(start, countedUntil), Math.min(end, time)]
    if (begin < stop) requests += eventsBefore(stop, count) - eventsBefore(begin, count)
    countedUntil = Math.max(countedUntil, stop)
  }
  return requests
}

const units: Readonly<Record<string, string>> = {
  'db.client.connections.usage': '{connection}',
  'db.client.connections.pending_requests': '{request}',
  'http.server.requests': '{request}',
  'http.server.duration': 'ms',
}
