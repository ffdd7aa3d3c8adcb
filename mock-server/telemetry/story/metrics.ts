import { seedOf } from '../../world/random.ts'
import { type Arrival, type Arrivals, slotLength } from '../telemetry.ts'
import { amountBefore, chanceOf } from './arrivals.ts'
import { affects, type Incident, incidentAt } from './incident.ts'
import { poolSizes, requestsOf, type Shop, sampleSpans } from './requests.ts'
import { journeys, relativeLoad, services } from './shop.ts'

/** Metrics are collected every minute, in a small world twice an hour. */
const interval = (logs: number) => (logs > 50_000 ? 60_000 : 1_800_000)

/** The bounds of the histogram of request durations, in milliseconds. */
const bounds = [5, 10, 25, 50, 75, 100, 250, 500, 1000, 2500, 5000]

/** Of one service: its requests per request of the shop, and the share of each bin of durations. */
interface Load {
  readonly requests: number
  readonly shares: readonly number[]
}

/** The number of simulated requests per journey from which the shares are computed. */
const samples = 4

function loadsIn(incidents: readonly Incident[]): ReadonlyMap<string, Load> {
  const counts = new Map(services.map(service => [service, [...bounds, 0].map(() => 0)]))
  for (const journey of journeys) {
    for (const { hop, duration } of sampleSpans(journey, incidents, samples * journey.share)) {
      if (hop.route === undefined) continue
      const place = bounds.findIndex(bound => duration <= bound)
      counts.get(hop.service)![place === -1 ? bounds.length : place]!++
    }
  }
  const load = (counts: readonly number[]): Load => {
    const all = counts.reduce((sum, count) => sum + count, 0)
    return { requests: all / (samples * 100), shares: counts.map(count => count / Math.max(all, 1)) }
  }
  return new Map([...counts].map(([service, ofService]) => [service, load(ofService)]))
}

/** Per service: processor, memory, pool connections, request counter and request durations. */
export const metricsOf = (shop: Shop) => () => {
  const step = interval(shop.logs)
  const requests = requestsOf(shop)
  const incidents = shop.incidents()
  const always = incidents.map(one => ({ ...one, start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY }))
  const [usualLoads, slowLoads] = [loadsIn([]), loadsIn(always)]
  const loads = services.map(service => ({
    service,
    usual: usualLoads.get(service)!,
    slow: slowLoads.get(service)!.shares,
    affecting: incidents.filter(incident => affects(incident, service)),
  }))
  return function* (slot: number): Arrivals {
    for (let time = slot * slotLength; time < (slot + 1) * slotLength; time += step) {
      const seed = seedOf(shop.seed, 'metrics', time / step)
      for (const [i, { service, usual, slow, affecting }] of loads.entries()) {
        // Series differ by their attributes only.
        const ResourceAttributes = { 'service.name': service }
        const chance = (what: number) => chanceOf(seed, i, what)
        const isDisturbed = incidentAt(incidents, service, time) !== undefined
        const busy = relativeLoad(time) / 1.8
        const point = (MetricType: string, MetricName: string, values: object): Arrival => {
          const MetricUnit = units[MetricName] ?? '1'
          return [time, { ServiceName: service, ResourceAttributes, MetricType, MetricName, MetricUnit, ...values }]
        }
        const gauge = (name: string, value: number) => point('gauge', name, { Value: Math.round(value * 1000) / 1000 })
        yield gauge(
          'system.cpu.utilization',
          0.06 + 0.05 * i + 0.3 * busy + 0.06 * chance(0) + (isDisturbed ? 0.25 : 0),
        )
        yield gauge('system.memory.utilization', 0.35 + 0.08 * ((i * 3) % 5) + 0.06 * busy + 0.02 * chance(1))
        const open = isDisturbed ? poolSizes.cut : Math.round(2 + 28 * busy * (0.7 + 0.3 * chance(2)))
        yield gauge('db.client.connections.usage', open)
        yield gauge('db.client.connections.pending_requests', isDisturbed ? Math.round(9 + 40 * chance(3)) : 0)
        const answered = amountBefore(time, requests) * usual.requests
        yield point('sum', 'http.server.requests', { Value: Math.floor(answered), IsMonotonic: 1, ...cumulative })
        // Bucket counts follow from the time, like counters, so that none ever falls.
        const slowed = requestsDuring(affecting, time, requests) * usual.requests
        const counts = usual.shares.map((share, at) => Math.floor(share * (answered - slowed) + slow[at]! * slowed))
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
  Count: counts.reduce((all, one) => all + one, 0),
  Sum: counts.reduce((all, one, at) => all + one * (bounds[at] ?? 2 * bounds.at(-1)!), 0),
})

/** The number of requests of the shop during incidents, up to a time; overlapping incidents count once. */
function requestsDuring(incidents: readonly Incident[], time: number, count: number): number {
  let from = Number.NEGATIVE_INFINITY
  let requests = 0
  for (const { start, end } of incidents.toSorted((a, b) => a.start - b.start)) {
    const [begin, stop] = [Math.max(start, from), Math.min(end, time)]
    if (begin < stop) requests += amountBefore(stop, count) - amountBefore(begin, count)
    from = Math.max(from, stop)
  }
  return requests
}

const units: Readonly<Record<string, string>> = {
  'db.client.connections.usage': '{connection}',
  'db.client.connections.pending_requests': '{request}',
  'http.server.requests': '{request}',
  'http.server.duration': 'ms',
}
