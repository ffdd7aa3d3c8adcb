import type { Source } from '../../words/resources.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import type { RowStore, Telemetry } from '../telemetry.ts'
import { dealMoment, slotsFrom } from './arrivals.ts'
import { type Endpoint, endpoints, hour, incidentBefore, isIncident, pickEndpoint, services } from './shop.ts'

/**
 * What a row is made of: the seed, the size and its own time, so that it is the same from wherever one looks. Only the
 * incident hangs on the start.
 */
interface Shop {
  readonly seed: number
  /** How many rows of logs two weeks have; the other kinds follow from it. */
  readonly logs: number
  /** When the mock was started, in epoch milliseconds. */
  readonly start: number
}

/** Rows in order of time, without end. Each says its time first, and is written when the next one is asked for. */
type Arrivals = Generator<number, void>

/** Has the sources of a stack observe a shop, as time goes on. */
export function observeShop(sources: readonly Source[], telemetry: Telemetry, shop: Shop): void {
  if (shop.logs === 0) return
  for (const { id, kind } of sources) {
    if (kind === 'promql') continue
    telemetry.follow(id, kind, (store, since) => writers[kind](store, since, shop))
  }
}

const writers = { log: writeLogs, trace: writeTraces, session: writeSessions, metric: writeMetrics }

/** Every second request is traced, in a large world fewer: the ids of a million traces would fill the memory. */
const spans = (logs: number) => Math.min(Math.ceil(logs / 2), 20_000)
/** Somebody shops in every half-hour, also at night. */
const leastSpans = 1
const traceOf = (seed: number, slot: number, index: number) => createRandom(seedOf(seed, 'trace', slot, index))

/** One request in so many is a payment that was declined: some every day. */
const declinedEvery = 100
const charge = endpoints.find(({ service }) => service === 'payments')!

function* writeLogs(store: RowStore, since: number, { seed, logs, start }: Shop): Arrivals {
  const [service, severity, body] = ['ServiceName', 'SeverityText', 'Body'].map(name => store.text(name))
  const [trace, span] = ['TraceId', 'SpanId'].map(name => store.text(name))
  const severityNumber = store.number('SeverityNumber')
  const attribute = (key: string) => store.text('LogAttributes', key)
  const [method, route, status] = ['http.method', 'http.route', 'http.status_code'].map(attribute)
  const [plainMethod, user, duration] = ['method', 'user.id', 'dur'].map(attribute)
  const host = store.text('ResourceAttributes', 'host.name')
  const environment = store.text('ResourceAttributes', 'deployment.environment')

  const traced = Math.ceil(logs / spans(logs))
  for (const slot of slotsFrom(since, logs)) {
    const random = createRandom(seedOf(seed, 'logs', slot.number))
    for (let index = 0; index < slot.count; index++) {
      const time = dealMoment(slot, index, random)
      yield time
      const isDeclined = (slot.first + index) % declinedEvery === 0
      const endpoint = isDeclined ? charge : pickEndpoint(random)
      const chance = random.next()
      const isFailing = isIncident(time, start) && /payments|checkout/.test(endpoint.service)
      const code = isDeclined ? 402 : codeOf(chance, isFailing ? 0.6 : 0.01, endpoint.method)
      const level = code === 500 ? 'ERROR' : code === 404 || code === 402 ? 'WARN' : chance < 0.1 ? 'DEBUG' : 'INFO'
      const row = store.start(time)
      service!.write(row, endpoint.service)
      severity!.write(row, level)
      severityNumber.write(row, severities[level])
      body!.write(row, code === 500 ? failures[endpoint.service]! : `${endpoint.method} ${endpoint.route} ${code}`)
      method!.write(row, endpoint.method)
      plainMethod!.write(row, endpoint.method)
      route!.write(row, endpoint.route)
      status!.write(row, String(code))
      user!.write(row, `u-${random.int(1, 400)}`)
      duration!.write(row, String(Math.ceil(endpoint.duration * (0.5 + random.next()) * (isFailing ? 8 : 1))))
      host.write(row, `${endpoint.service}-${random.int(1, 3)}`)
      environment.write(row, 'production')
      if (index % traced === 0) {
        const ids = traceOf(seed, slot.number, index / traced)
        trace!.write(row, ids.hex(32))
        span!.write(row, ids.hex(16))
      }
    }
  }
}

function codeOf(chance: number, failing: number, method: string): number {
  if (chance < failing) return 500
  return chance > 0.96 ? 404 : method === 'POST' ? 201 : 200
}

const severities = { DEBUG: 5, INFO: 9, WARN: 13, ERROR: 17 } as const

const failures: Readonly<Record<string, string>> = {
  web: 'upstream connect error: connection refused',
  api: 'database query timed out after 5000 ms',
  checkout: 'could not place order: payments did not answer',
  payments: 'provider answered 503: charge was not made',
  worker: 'job send-receipt failed, will be tried again',
}

function* writeTraces(store: RowStore, since: number, { seed, logs, start }: Shop): Arrivals {
  const [service, name, kind] = ['ServiceName', 'SpanName', 'SpanKind'].map(column => store.text(column))
  const [trace, span] = ['TraceId', 'SpanId'].map(column => store.text(column))
  const [status, message] = ['StatusCode', 'StatusMessage'].map(column => store.text(column))
  const code = store.text('SpanAttributes', 'http.status_code')
  const route = store.text('SpanAttributes', 'http.route')
  const duration = store.number('Duration')

  for (const slot of slotsFrom(since, spans(logs), leastSpans)) {
    const random = createRandom(seedOf(seed, 'traces', slot.number))
    for (let index = 0; index < slot.count; index++) {
      const time = dealMoment(slot, index, random)
      yield time
      const picked = pickEndpoint(random)
      // The first of each slot is a request of a shopper, not a job.
      const endpoint = index === 0 && isJob(picked) ? endpoints[0]! : picked
      const isFailing = isIncident(time, start) && /payments|checkout/.test(endpoint.service)
      const hasFailed = random.next() < (isFailing ? 0.6 : 0.01)
      const ids = traceOf(seed, slot.number, index)
      const row = store.start(time)
      trace!.write(row, ids.hex(32))
      span!.write(row, ids.hex(16))
      service!.write(row, endpoint.service)
      name!.write(row, `${endpoint.method} ${endpoint.route}`)
      kind!.write(row, isJob(endpoint) ? 'Consumer' : 'Server')
      status!.write(row, hasFailed ? 'Error' : 'Unset')
      if (hasFailed) message!.write(row, failures[endpoint.service]!)
      code.write(row, hasFailed ? '500' : '200')
      route.write(row, endpoint.route)
      // One in twenty takes far longer than the others; in nanoseconds.
      const tail = random.next() < 0.05 ? 6 : 1
      duration.write(row, Math.round(endpoint.duration * (0.5 + random.next()) * tail * (isFailing ? 8 : 1) * 1e6))
    }
  }
}

const isJob = ({ service }: Endpoint) => service === 'worker'

const replayed = ['page loaded', 'clicked on a product', 'scrolled', 'put into the cart', 'left the page']

function* writeSessions(store: RowStore, since: number, { seed, logs }: Shop): Arrivals {
  const count = Math.min(Math.ceil(logs / 5), 20_000)
  const [service, body] = ['ServiceName', 'Body'].map(name => store.text(name))
  const session = store.text('ResourceAttributes', 'rum.sessionId')
  const user = store.text('LogAttributes', 'user.id')
  for (const slot of slotsFrom(since, count)) {
    const random = createRandom(seedOf(seed, 'sessions', slot.number))
    for (let index = 0; index < slot.count; index++) {
      const time = dealMoment(slot, index, random)
      yield time
      const event = slot.first + index
      const visitor = createRandom(seedOf(seed, 'session', Math.floor(event / replayed.length)))
      const row = store.start(time)
      service!.write(row, 'web')
      body!.write(row, replayed[event % replayed.length]!)
      session.write(row, visitor.hex(32))
      user.write(row, `u-${visitor.int(1, 400)}`)
    }
  }
}

const gauges = [
  { name: 'system.cpu.utilization', least: 0.15, most: 0.6 },
  { name: 'system.memory.utilization', least: 0.4, most: 0.75 },
] as const

/** Metrics are read in a fixed rhythm, whatever happens: twice an hour, or every minute in a large world. */
const readingsAnHour = (logs: number) => (logs > 50_000 ? 60 : 2)

/** The bounds of the durations of requests, in milliseconds. */
const bounds = [5, 10, 25, 50, 75, 100, 250, 500, 1000, 2500]

/** Which share of the requests of a service lies between neighbouring bounds; one in twenty takes six times as long. */
function sharesOfDurations(service: string, slower: number): readonly number[] {
  const counts = [...bounds, 0].map(() => 0)
  for (const { share, duration } of endpoints.filter(endpoint => endpoint.service === service)) {
    for (let step = 0; step < 400; step++) {
      const tail = step % 20 === 0 ? 6 : 1
      const took = duration * (0.5 + step / 400) * tail * slower
      const place = bounds.findIndex(bound => took <= bound)
      counts[place === -1 ? bounds.length : place]! += share
    }
  }
  const all = counts.reduce((sum, count) => sum + count, 0)
  return counts.map(count => count / all)
}

const requestsOfReading = 110

function* writeMetrics(store: RowStore, since: number, { seed, logs, start }: Shop): Arrivals {
  const [service, type, name] = ['ServiceName', 'MetricType', 'MetricName'].map(column => store.text(column))
  const value = store.number('Value')
  const isMonotonic = store.number('IsMonotonic')
  const temporality = store.number('AggregationTemporality')
  // Series of points differ by their attributes alone.
  const resource = store.text('ResourceAttributes', 'service.name')
  const [count, sum] = ['Count', 'Sum'].map(column => store.number(column))
  const [bucketCounts, explicitBounds] = ['BucketCounts', 'ExplicitBounds'].map(column => store.numbers(column))
  const durations = services.map(of => ({ usual: sharesOfDurations(of, 1), slow: sharesOfDurations(of, 8) }))
  const step = hour / readingsAnHour(logs)
  for (let reading = Math.ceil(since / step); ; reading++) {
    const time = reading * step
    yield time
    const random = createRandom(seedOf(seed, 'metrics', reading))
    for (const [i, of] of services.entries()) {
      const strain = isIncident(time, start) && of === 'payments' ? 1.5 : 1
      const read = (kind: string, metric: string, reading: number) => {
        const row = store.start(time)
        service!.write(row, of)
        resource.write(row, of)
        type!.write(row, kind)
        name!.write(row, metric)
        value.write(row, reading)
        return row
      }
      for (const gauge of gauges) {
        const reading = (gauge.least + random.next() * (gauge.most - gauge.least)) * strain
        read('gauge', gauge.name, Math.round(reading * 1000) / 1000)
      }
      // A counter that only grows, by 20 to 200 each time: how far it is follows from the time.
      const row = read('sum', 'http.server.requests', reading * requestsOfReading + random.int(-45, 45))
      isMonotonic.write(row, 1)
      temporality.write(row, 2)
      // Of each bucket as of a counter, how far it is follows from the time, so that none ever falls.
      const { usual, slow } = durations[i]!
      const counts = usual.map((share, at) => {
        const until = reading + 0.8 * random.next()
        const slowly = of === 'payments' ? incidentBefore(until * step, start) / step : 0
        return Math.floor(requestsOfReading * (share * (until - slowly) + slow[at]! * slowly))
      })
      const histogram = read('histogram', 'http.server.duration', 0)
      temporality.write(histogram, 2)
      bucketCounts!.write(histogram, counts)
      explicitBounds!.write(histogram, bounds)
      count!.write(
        histogram,
        counts.reduce((all, one) => all + one, 0),
      )
      sum!.write(
        histogram,
        counts.reduce((all, one, at) => all + one * (bounds[at] ?? 2 * bounds.at(-1)!), 0),
      )
    }
  }
}
