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
  return (slot: number, only?: string): TimedRows => {
    const names = only === undefined ? metricNames : metricNames.filter(name => name === only)
    const rows: TimedRow[] = []
    for (let time = slot * slotLength; time < (slot + 1) * slotLength; time += step) {
      const seed = seedOf(shop.seed, 'metrics', time / step)
      const load = relativeLoad(time) / 1.8
      for (const [place, { service, normal, incidentShares, affectingIncidents }] of loads.entries()) {
        // The service is also an attribute, because series differ by their attributes only.
        const ResourceAttributes = { 'service.name': service }
        const moment: Moment = {
          place,
          load,
          isDisturbed: incidentAt(incidents, service, time) !== undefined,
          chance: draw => chanceOf(seed, place, draw),
          requests: () => eventsBefore(time, requests) * normal.requests,
          durations() {
            // Computed from the time alone, so that bucket counts never decrease.
            const disturbed = requestsDuring(affectingIncidents, time, requests) * normal.requests
            const undisturbed = this.requests() - disturbed
            return normal.shares.map((share, bin) => Math.floor(share * undisturbed + incidentShares[bin]! * disturbed))
          },
        }
        for (const MetricName of names) {
          const { type: MetricType, unit: MetricUnit, read } = metrics[MetricName]!
          rows.push([
            time,
            { ServiceName: service, ResourceAttributes, MetricType, MetricName, MetricUnit, ...read(moment) },
          ])
        }
      }
    }
    return rows.values()
  }
}

/** A service at one time. */
interface Moment {
  /** Its number in the list of services. */
  readonly place: number
  /** From 0 to 1. */
  readonly load: number
  readonly isDisturbed: boolean
  chance(draw: number): number
  /** The number of requests so far, and by their duration. */
  requests(): number
  durations(): readonly number[]
}

interface ShopMetric {
  readonly type: 'gauge' | 'sum' | 'histogram'
  readonly unit: string
  read(moment: Moment): object
}

const gauge = (read: (moment: Moment) => number, unit = '1'): ShopMetric => ({
  type: 'gauge',
  unit,
  read: moment => ({ Value: Math.round(read(moment) * 1000) / 1000 }),
})

const metrics: Readonly<Record<string, ShopMetric>> = {
  'system.cpu.utilization': gauge(
    ({ place, load, chance, isDisturbed }) =>
      0.06 + 0.05 * place + 0.3 * load + 0.06 * chance(0) + (isDisturbed ? 0.25 : 0),
  ),
  'system.memory.utilization': gauge(
    ({ place, load, chance }) => 0.35 + 0.08 * ((place * 3) % 5) + 0.06 * load + 0.02 * chance(1),
  ),
  'db.client.connections.usage': gauge(
    ({ load, chance, isDisturbed }) =>
      isDisturbed ? poolSizes.duringIncident : Math.round(2 + 28 * load * (0.7 + 0.3 * chance(2))),
    '{connection}',
  ),
  'db.client.connections.pending_requests': gauge(
    ({ chance, isDisturbed }) => (isDisturbed ? Math.round(9 + 40 * chance(3)) : 0),
    '{request}',
  ),
  'http.server.requests': {
    type: 'sum',
    unit: '{request}',
    read: moment => ({ Value: Math.floor(moment.requests()), IsMonotonic: 1, ...cumulative }),
  },
  'http.server.duration': { type: 'histogram', unit: 'ms', read: moment => histogram(moment.durations()) },
}

export const metricNames: readonly string[] = Object.keys(metrics)

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
