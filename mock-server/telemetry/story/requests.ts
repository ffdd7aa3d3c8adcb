import { hour } from '../../words/durations.ts'
import { seedOf } from '../../world/random.ts'
import { slotLength } from '../telemetry.ts'
import { chanceOf, dealtIn, digitsOf } from './arrivals.ts'
import { type Incident, incidentAt } from './incident.ts'
import { checkout, type Hop, type Journey, journeyOf } from './shop.ts'

/** What the rows of a shop are made of: the seed, the size and their own time, so that they are the same from wherever one looks. */
export interface Shop {
  readonly seed: number
  /** About how many rows of logs two weeks have; the other kinds follow from it. */
  readonly logs: number
  /** What went wrong, in the past as from now on. */
  readonly incidents: () => readonly Incident[]
}

/** One piece of work of one request, as a span tells of it. */
export interface Span {
  readonly hop: Hop
  /** Its number among what was drawn for the request; 0 is none. */
  readonly id: number
  readonly parent: number
  /** Epoch milliseconds, and milliseconds. */
  readonly start: number
  readonly duration: number
  readonly code: number
  /** Why it failed; empty when it did not. */
  readonly error: string
}

export interface Request {
  /** What its ids are made of. */
  readonly seed: number
  readonly index: number
  readonly user: number
  /** The number of the product that it is about. */
  readonly product: number
  readonly spans: readonly Span[]
  readonly isTraced: boolean
  /** Only a trace tells of it: there has to be one in each half-hour. */
  readonly isUnlogged: boolean
}

/** The ids of a request that is traced. Few are, and they take longer to write than all else. */
export const traceIdOf = ({ seed, index }: Request): string =>
  [2, 3, 4, 5].map(part => digitsOf(seed, index, part)).join('')
export const spanIdOf = ({ seed, index }: Request, id: number): string =>
  id === 0 ? '' : digitsOf(seed, index, id) + digitsOf(seed, index, id + 1)

/** Log lines that a request writes on average. */
const linesOfRequest = 2.25
/** In a large world one request in so many is traced, and every one that failed: head and tail sampling. */
const tracedOf = ({ logs }: Shop) => (logs > 50_000 ? 5 : 1)
const slotsOfDay = (24 * hour) / slotLength

/** How many requests two weeks have. */
export const requestsOf = ({ logs }: Shop): number => logs / linesOfRequest

/** The requests of one slot, in no order: the same for every source, so that traces, logs and metrics tell one story. */
export function* dealRequests(shop: Shop, slot: number): Generator<Request> {
  const incidents = shop.incidents()
  const seed = seedOf(shop.seed, 'requests', slot)
  const { first, next } = dealtIn(slot, requestsOf(shop), shop.seed)
  const count = Math.max(0, next - first)
  const traced = tracedOf(shop)
  // Somebody shops in every half-hour, also at night, and at noon somebody's payment is declined.
  const isNoon = slot % slotsOfDay === slotsOfDay / 2
  for (let index = 0; index < Math.max(count, 1); index++) {
    const isDeclined = isNoon && index === 0
    const journey = isDeclined ? checkout : journeyOf(chanceOf(seed, index, 1))
    const start = Math.floor((slot + chanceOf(seed, index, 0)) * slotLength)
    const walk = new Walk(seed, index, incidents, isDeclined)
    walk.go(journey.root, start, 0)
    yield {
      seed,
      index,
      user: 1 + Math.floor(chanceOf(seed, index, 6) ** 2 * 4000),
      product: 1000 + Math.floor(chanceOf(seed, index, 7) ** 2 * 60),
      spans: walk.spans,
      isTraced: index % traced === 0 || walk.hasFailed,
      isUnlogged: index >= count && !isDeclined,
    }
  }
}

/** The usual requests of a journey, or those in an incident, for what metrics sum up. */
export function sampleSpans(journey: Journey, incidents: readonly Incident[], samples: number): readonly Span[] {
  return Array.from({ length: samples }, (_, index) => {
    const walk = new Walk(0, index, incidents, false)
    walk.go(journey.root, 0, 0)
    return walk.spans
  }).flat()
}

interface Outcome {
  readonly end: number
  readonly code: number
  readonly error: string
}

/** One request on its way through the shop: each piece of work takes as long as what it calls, and fails with it. */
class Walk {
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

  go(hop: Hop, from: number, parent: number): Outcome {
    const id = this.#newId()
    const start = hop.isLater ? from + 400 + 9000 * this.#chance() : from
    // One in thirty takes far longer than the others.
    const slower = this.#chance() < 1 / 30 ? 5 : 1
    const own = hop.duration * (0.6 + 0.8 * this.#chance()) * slower
    const luck = this.#chance()
    const place = this.spans.push(undefined as never) - 1
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
      const outcome = this.go(call, at, id)
      if (call.isLater) continue
      at = outcome.end
      if (outcome.error)
        fail(
          call.service === hop.service ? outcome.error : `${call.service} answered ${outcome.code}`,
          outcome.code === 503 ? 502 : 500,
        )
      else if (outcome.code >= 400) code = outcome.code
    }
    if (error === '' && code < 400) {
      if (hop.kind === 'Client' && luck < 0.0012) fail(failureOf(hop), 500)
      else if (hop.route === '/api/products/{id}' && luck > 0.985) code = 404
      else if (hop.service === 'payments' && hop.kind === 'Server' && (this.isDeclined || luck > 0.965)) code = 402
    }
    const end = at + own * 0.55
    if (error) this.hasFailed = true
    this.spans[place] = { hop, id, parent, start, duration: end - start, code, error }
    return { end, code, error }
  }

  /** In an incident, work begins with a wait for a connection of the pool, and mostly ends with it. */
  #wait(hop: Hop, from: number, parent: number): Outcome {
    const patience = this.#chance()
    const luck = this.#chance()
    const hasFailed = luck < 0.6
    const duration = hasFailed ? 5000 + 40 * patience : 300 + 3500 * patience
    const error = hasFailed ? poolExhausted(hop.service, 12 + 15 * Math.floor(3 * patience)) : ''
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

/** The connections of a pool, before the release that causes an incident and after it. */
export const poolSizes = { usual: 50, cut: 5 } as const
const poolOf = (service: string) => ({
  'db.system': 'postgresql',
  'pool.name': `${service}-db`,
  'pool.max': String(poolSizes.cut),
})
const poolExhausted = (service: string, waiting: number) =>
  `connection pool ${service}-db exhausted: ${poolSizes.cut} of ${poolSizes.cut} in use, ${waiting} waiting, timed out after 5000 ms`

const failureOf = ({ attributes = {} }: Hop) =>
  attributes['peer.service'] ? `${attributes['peer.service']} answered 503` : `${attributes['db.system']} timed out`
