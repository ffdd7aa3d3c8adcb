import { hour } from '../../words/durations.ts'
import { seedOf } from '../../world/random.ts'
import { slotLength } from '../telemetry.ts'
import { chanceOf, digitsOf, eventsOfSlot } from './arrivals.ts'
import { type Incident, incidentAt } from './incident.ts'
import { checkout, pickTemplate, type RequestTemplate, type SpanTemplate } from './shop.ts'

/** The parameters of generated rows: the same parameters give the same rows at the same time. */
export interface Shop {
  readonly seed: number
  /** The approximate number of log rows in two weeks, to which rows of other kinds are in proportion. */
  readonly logs: number
  readonly incidents: () => readonly Incident[]
}

/** One operation of a request, from which spans are generated. */
export interface Span {
  readonly template: SpanTemplate
  /** The index of its first random draw in the request. */
  readonly id: number
  /** The id of the calling span; 0 if there is none. */
  readonly parent: number
  /** Start in epoch milliseconds, and duration in milliseconds. */
  readonly start: number
  readonly duration: number
  /** The HTTP status. */
  readonly code: number
  /** The error message; empty if it succeeded. */
  readonly error: string
}

export interface Request {
  /** Seed and index are the numbers from which its ids are derived. */
  readonly seed: number
  readonly index: number
  readonly user: number
  readonly product: number
  readonly spans: readonly Span[]
  readonly isTraced: boolean
  /** True for a request with a trace but no logs, which only ensures that each half-hour has a trace. */
  readonly isUnlogged: boolean
}

/** Ids are formatted for traced requests only, because this takes longer than generating the rest of a request. */
export const traceIdOf = ({ seed, index }: Request): string =>
  [2, 3, 4, 5].map(part => digitsOf(seed, index, part)).join('')
export const spanIdOf = ({ seed, index }: Request, id: number): string =>
  id === 0 ? '' : digitsOf(seed, index, id) + digitsOf(seed, index, id + 1)

const linesPerRequest = 2.25
/** Every n-th request is traced, and every failed request. */
const samplingIntervalOf = ({ logs }: Shop) => (logs > 50_000 ? 5 : 1)
const slotsPerDay = (24 * hour) / slotLength

export const requestsInTwoWeeks = ({ logs }: Shop): number => logs / linesPerRequest

export type Requests = ReturnType<typeof createRequests>

/** Generates requests by slot. The traced ones of the last slots stay known, because logs and traces are read in turn. */
export function createRequests(shop: Shop) {
  const known = new Map<string, readonly Request[]>()
  const keyOf = (slot: number) => JSON.stringify([slot, shop.incidents()])
  const all = (slot: number): readonly Request[] => {
    const requests = generateRequests(shop, slot)
    known.set(
      keyOf(slot),
      requests.filter(({ isTraced }) => isTraced),
    )
    for (const oldest of [...known.keys()].slice(0, -maxKnown)) known.delete(oldest)
    return requests
  }
  return {
    all,
    traced: (slot: number): readonly Request[] =>
      known.get(keyOf(slot)) ?? all(slot).filter(({ isTraced }) => isTraced),
  }
}

/** Two half-hours, because rows are generated hour by hour, and the one that is cut. */
const maxKnown = 3

/** The requests of one slot, unordered. They are the same for every source, so that traces, logs and metrics agree. */
function generateRequests(shop: Shop, slot: number): readonly Request[] {
  // A request takes less than a slot.
  const incidents = shop
    .incidents()
    .filter(({ start, end }) => end > slot * slotLength && start < (slot + 2) * slotLength)
  const seed = seedOf(shop.seed, 'requests', slot)
  const { first, next } = eventsOfSlot(slot, requestsInTwoWeeks(shop), shop.seed)
  const count = Math.max(0, next - first)
  const samplingInterval = samplingIntervalOf(shop)
  // Every half-hour has a request, even at night. The first request of the half-hour from noon is a declined payment.
  const isNoon = slot % slotsPerDay === slotsPerDay / 2
  return Array.from({ length: Math.max(count, 1) }, (_, index) => {
    const isDeclined = isNoon && index === 0
    const requestTemplate = isDeclined ? checkout : pickTemplate(chanceOf(seed, index, 1))
    const start = Math.floor((slot + chanceOf(seed, index, 0)) * slotLength)
    const simulation = new Simulation(seed, index, incidents, isDeclined)
    simulation.run(requestTemplate.root, start, 0)
    return {
      seed,
      index,
      user: 1 + Math.floor(chanceOf(seed, index, 6) ** 2 * 4000),
      product: 1000 + Math.floor(chanceOf(seed, index, 7) ** 2 * 60),
      spans: simulation.spans,
      isTraced: index % samplingInterval === 0 || simulation.hasFailed,
      isUnlogged: index >= count && !isDeclined,
    }
  })
}

/** The spans of some requests of one template, from which metrics are computed. */
export function sampleSpans(
  requestTemplate: RequestTemplate,
  incidents: readonly Incident[],
  samples: number,
): readonly Span[] {
  return Array.from({ length: samples }, (_, index) => {
    const simulation = new Simulation(0, index, incidents, false)
    simulation.run(requestTemplate.root, 0, 0)
    return simulation.spans
  }).flat()
}

interface Outcome {
  readonly end: number
  readonly code: number
  readonly error: string
}

/** Simulates one request: an operation waits for its synchronous calls, and fails if one of them fails. */
class Simulation {
  readonly spans: Span[] = []
  hasFailed = false
  /** The next random draw. Time, template, trace id, user and product take draws 0 to 7. */
  #draws = 8

  constructor(
    readonly seed: number,
    readonly index: number,
    readonly incidents: readonly Incident[],
    readonly isDeclined: boolean,
  ) {}

  #chance(): number {
    return chanceOf(this.seed, this.index, this.#draws++)
  }

  #newId(): number {
    this.#draws += 2
    return this.#draws - 2
  }

  run(template: SpanTemplate, from: number, parent: number): Outcome {
    const id = this.#newId()
    const start = template.isAsynchronous ? from + 400 + 9000 * this.#chance() : from
    // One operation in thirty takes five times as long.
    const slowdown = this.#chance() < 1 / 30 ? 5 : 1
    const ownDuration = template.duration * (0.6 + 0.8 * this.#chance()) * slowdown
    const chance = this.#chance()
    const index = this.spans.push(undefined as never) - 1
    let time = start + ownDuration * 0.45
    let code = template.method === 'POST' ? 201 : 200
    let error = ''
    const fail = (message: string, status: number) => {
      error = message
      code = status
    }
    if (template.kind !== 'Client' && incidentAt(this.incidents, template.service, time)) {
      const wait = this.#wait(template, time, id)
      time = wait.end
      if (wait.error) fail(wait.error, 503)
    }
    for (const call of template.calls ?? []) {
      if (error !== '' || code >= 400) break
      const outcome = this.run(call, time, id)
      if (call.isAsynchronous) continue
      time = outcome.end
      if (outcome.error)
        fail(
          call.service === template.service ? outcome.error : `${call.service} answered ${outcome.code}`,
          outcome.code === 503 ? 502 : 500,
        )
      else if (outcome.code >= 400) code = outcome.code
    }
    if (error === '' && code < 400) {
      if (template.kind === 'Client' && chance < 0.0012) fail(failureMessage(template), 500)
      else if (template.route === '/api/products/{id}' && chance > 0.985) code = 404
      else if (template.service === 'payments' && template.kind === 'Server' && (this.isDeclined || chance > 0.965))
        code = 402
    }
    const end = time + ownDuration * 0.55
    if (error) this.hasFailed = true
    this.spans[index] = { template, id, parent, start, duration: end - start, code, error }
    return { end, code, error }
  }

  /** During an incident, an operation waits for a connection of the pool, and most operations fail there. */
  #wait(template: SpanTemplate, from: number, parent: number): Outcome {
    const chance = this.#chance()
    const hasFailed = this.#chance() < 0.6
    const duration = hasFailed ? 5000 + 40 * chance : 300 + 3500 * chance
    const error = hasFailed ? poolExhaustedMessage(template.service, 12 + 15 * Math.floor(3 * chance)) : ''
    const id = this.#newId()
    const acquire = {
      service: template.service,
      name: 'pool.acquire',
      kind: 'Internal',
      duration: 1,
      attributes: poolAttributes(template.service),
    } as const
    this.spans.push({ template: acquire, id, parent, start: from, duration, code: 200, error })
    return { end: from + duration, code: 503, error }
  }
}

/** The maximum number of connections to the database of a service. */
export const poolSizes = { normal: 50, duringIncident: 5 } as const
const poolAttributes = (service: string) => ({
  'db.system': 'postgresql',
  'pool.name': `${service}-db`,
  'pool.max': String(poolSizes.duringIncident),
})
const poolExhaustedMessage = (service: string, waiting: number) =>
  `connection pool ${service}-db exhausted: ${poolSizes.duringIncident} of ${poolSizes.duringIncident} in use, ${waiting} waiting, timed out after 5000 ms`

const failureMessage = ({ attributes = {} }: SpanTemplate) =>
  attributes['peer.service'] ? `${attributes['peer.service']} answered 503` : `${attributes['db.system']} timed out`
