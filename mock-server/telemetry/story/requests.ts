import { hour } from '../../words/durations.ts'
import { seedOf } from '../../world/random.ts'
import { slotLength } from '../telemetry.ts'
import { chanceOf, digitsOf, eventsOfSlot } from './arrivals.ts'
import { type Incident, incidentAt } from './incident.ts'
import { checkout, type Journey, pickJourney, type SpanTemplate } from './shop.ts'

/** The parameters of generated rows: the same ones give the same rows at the same time. */
export interface Shop {
  readonly seed: number
  /** The approximate number of log rows in two weeks, to which rows of other kinds are in proportion. */
  readonly logs: number
  readonly incidents: () => readonly Incident[]
}

/** One operation of a request, from which spans are generated. */
export interface Span {
  readonly hop: SpanTemplate
  /** Its index among the random draws of the request; 0 is reserved. */
  readonly id: number
  readonly parent: number
  /** Start in epoch milliseconds, and duration in milliseconds. */
  readonly start: number
  readonly duration: number
  readonly code: number
  /** The error message; empty if it succeeded. */
  readonly error: string
}

export interface Request {
  /** The numbers from which its ids are derived. */
  readonly seed: number
  readonly index: number
  readonly user: number
  readonly product: number
  readonly spans: readonly Span[]
  readonly isTraced: boolean
  /** Only its trace is generated: each half-hour needs one. */
  readonly isUnlogged: boolean
}

/** Computed only for traced requests, of which there are few: formatting ids takes longer than all else. */
export const traceIdOf = ({ seed, index }: Request): string =>
  [2, 3, 4, 5].map(part => digitsOf(seed, index, part)).join('')
export const spanIdOf = ({ seed, index }: Request, id: number): string =>
  id === 0 ? '' : digitsOf(seed, index, id) + digitsOf(seed, index, id + 1)

const linesOfRequest = 2.25
/** One in this many requests is traced, and every failed one. */
const samplingOf = ({ logs }: Shop) => (logs > 50_000 ? 5 : 1)
const slotsOfDay = (24 * hour) / slotLength

export const requestsOf = ({ logs }: Shop): number => logs / linesOfRequest

/** The requests of one slot, unordered. They are the same for every source, so that traces, logs and metrics agree. */
export function* generateRequests(shop: Shop, slot: number): Generator<Request> {
  const incidents = shop.incidents()
  const seed = seedOf(shop.seed, 'requests', slot)
  const { first, next } = eventsOfSlot(slot, requestsOf(shop), shop.seed)
  const count = Math.max(0, next - first)
  const sampling = samplingOf(shop)
  // Every half-hour has a request, also at night, and a payment is declined at noon.
  const isNoon = slot % slotsOfDay === slotsOfDay / 2
  for (let index = 0; index < Math.max(count, 1); index++) {
    const isDeclined = isNoon && index === 0
    const journey = isDeclined ? checkout : pickJourney(chanceOf(seed, index, 1))
    const start = Math.floor((slot + chanceOf(seed, index, 0)) * slotLength)
    const simulation = new Simulation(seed, index, incidents, isDeclined)
    simulation.run(journey.root, start, 0)
    yield {
      seed,
      index,
      user: 1 + Math.floor(chanceOf(seed, index, 6) ** 2 * 4000),
      product: 1000 + Math.floor(chanceOf(seed, index, 7) ** 2 * 60),
      spans: simulation.spans,
      isTraced: index % sampling === 0 || simulation.hasFailed,
      isUnlogged: index >= count && !isDeclined,
    }
  }
}

/** The spans of some requests of a journey, from which metrics are computed. */
export function sampleSpans(journey: Journey, incidents: readonly Incident[], samples: number): readonly Span[] {
  return Array.from({ length: samples }, (_, index) => {
    const simulation = new Simulation(0, index, incidents, false)
    simulation.run(journey.root, 0, 0)
    return simulation.spans
  }).flat()
}

interface Outcome {
  readonly end: number
  readonly code: number
  readonly error: string
}

/** Simulates one request: an operation takes as long as its calls, and fails with them. */
class Simulation {
  readonly spans: Span[] = []
  hasFailed = false
  #drawn = 8

  constructor(
    readonly seed: number,
    readonly index: number,
    readonly incidents: readonly Incident[],
    readonly isDeclined: boolean,
  ) {}

  #chance(): number {
    return chanceOf(this.seed, this.index, this.#drawn++)
  }

  #newId(): number {
    this.#drawn += 2
    return this.#drawn - 2
  }

  run(hop: SpanTemplate, from: number, parent: number): Outcome {
    const id = this.#newId()
    const start = hop.isAsynchronous ? from + 400 + 9000 * this.#chance() : from
    // One in thirty takes five times as long.
    const slower = this.#chance() < 1 / 30 ? 5 : 1
    const own = hop.duration * (0.6 + 0.8 * this.#chance()) * slower
    const chance = this.#chance()
    const index = this.spans.push(undefined as never) - 1
    let at = start + own * 0.45
    let code = hop.method === 'POST' ? 201 : 200
    let error = ''
    const fail = (why: string, as: number) => {
      error = why
      code = as
    }
    if (hop.kind !== 'Client' && incidentAt(this.incidents, hop.service, at)) {
      const waited = this.#wait(hop, at, id)
      at = waited.end
      if (waited.error) fail(waited.error, 503)
    }
    for (const call of hop.calls ?? []) {
      if (error !== '' || code >= 400) break
      const outcome = this.run(call, at, id)
      if (call.isAsynchronous) continue
      at = outcome.end
      if (outcome.error)
        fail(
          call.service === hop.service ? outcome.error : `${call.service} answered ${outcome.code}`,
          outcome.code === 503 ? 502 : 500,
        )
      else if (outcome.code >= 400) code = outcome.code
    }
    if (error === '' && code < 400) {
      if (hop.kind === 'Client' && chance < 0.0012) fail(failureOf(hop), 500)
      else if (hop.route === '/api/products/{id}' && chance > 0.985) code = 404
      else if (hop.service === 'payments' && hop.kind === 'Server' && (this.isDeclined || chance > 0.965)) code = 402
    }
    const end = at + own * 0.55
    if (error) this.hasFailed = true
    this.spans[index] = { hop, id, parent, start, duration: end - start, code, error }
    return { end, code, error }
  }

  /** During an incident, an operation waits for a connection of the pool, and mostly fails there. */
  #wait(hop: SpanTemplate, from: number, parent: number): Outcome {
    const chance = this.#chance()
    const hasFailed = this.#chance() < 0.6
    const duration = hasFailed ? 5000 + 40 * chance : 300 + 3500 * chance
    const error = hasFailed ? poolExhausted(hop.service, 12 + 15 * Math.floor(3 * chance)) : ''
    const id = this.#newId()
    const acquire = {
      service: hop.service,
      name: 'pool.acquire',
      kind: 'Internal',
      duration: 1,
      attributes: poolOf(hop.service),
    } as const
    this.spans.push({ hop: acquire, id, parent, start: from, duration, code: 200, error })
    return { end: from + duration, code: 503, error }
  }
}

export const poolSizes = { usual: 50, cut: 5 } as const
const poolOf = (service: string) => ({
  'db.system': 'postgresql',
  'pool.name': `${service}-db`,
  'pool.max': String(poolSizes.cut),
})
const poolExhausted = (service: string, waiting: number) =>
  `connection pool ${service}-db exhausted: ${poolSizes.cut} of ${poolSizes.cut} in use, ${waiting} waiting, timed out after 5000 ms`

const failureOf = ({ attributes = {} }: SpanTemplate) =>
  attributes['peer.service'] ? `${attributes['peer.service']} answered 503` : `${attributes['db.system']} timed out`
