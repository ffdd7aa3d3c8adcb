import { type OperationId, operations, type RuleId, rules } from '../../fixtures/contract/index.ts'
import type { Answer, Call } from './call.ts'
import { type Chaos, readChaos } from './chaos.ts'
import { type Choices, takeChoices } from './choices.ts'
import { type Clock, createClock } from './clock.ts'
import { createDeployment, type Deployment } from './deployment.ts'
import { createDispatch, type Destination } from './dispatch.ts'
import { faults as everyFault, type Fault, type Place } from './faults/index.ts'
import { createJournal, type JournalEntry } from './journal.ts'
import { loadRowsInto } from './load-rows-into.ts'
import { nearest } from './nearest.ts'
import type { Size } from './populate/populate.ts'
import { createRandom, seedOf } from './random.ts'
import { type Limiter, limitPerMinute, limitPerTenSeconds } from './rate-limit.ts'
import { failed, Refusal } from './refusal.ts'
import { listRoutes } from './routes.ts'
import { serveCloud } from './serve-cloud.ts'
import { serveSelfHosted } from './serve-self-hosted.ts'
import { loadState, saveState } from './state.ts'
import { authorizationOf, type Bases, nameIds, nameTarget, type TargetFile } from './target.ts'
import { Visit } from './visit.ts'
import { writeOptions, writeRefusal, writeReply } from './write-reply.ts'

export type { Because } from './explain.ts'
export type { Answer, Bases, Call, Chaos, Choices, Clock, JournalEntry, RuleId, TargetFile }

/** What a mock is made of; everything has a default. */
export interface MockOptions extends Partial<Size> {
  /** The same seed gives the same world. Default 1. */
  readonly seed?: number
  /** The moment at which the world stands at the start, in epoch milliseconds; the clock runs on from there. Default: now. */
  readonly now?: number
  /** The fixed path segment of the managed form. Default: that of the choices, else `observability`. */
  readonly segment?: string
  /** The choices of a baseline for the silent places of the specification. */
  readonly choices?: Choices
  /** Deals other sensible choices, by this seed. */
  readonly gaps?: number
  /** Rules that are broken on purpose. */
  readonly faults?: readonly RuleId[]
  /** Whether the rate limits of real deployments are in force. */
  readonly rateLimit?: boolean
  /** How many calls are remembered. Default 1000. */
  readonly journal?: number
}

/** The listener by which a call comes in. */
export type Host = 'cloud' | 'selfHosted'

/** A stateful mock of the whole service, as plain calls and answers. */
export interface Mock {
  /** Answers a call. It never throws. */
  answer(call: Call, host: Host): Answer
  /** The target file of this mock, when its listeners are reached there. */
  target(bases: Bases): TargetFile
  /** Whether these credentials are good somewhere in this mock. */
  recognises(authorization: string | undefined, host: Host): boolean
  /** Puts the world back to the start; another seed gives another one. */
  reset(options?: { readonly seed?: number }): void
  /** The calls that were answered, the newest first. */
  calls(limit?: number): readonly JournalEntry[]
  forgetCalls(): void
  faults(): readonly RuleId[]
  /** Breaks exactly these rules. An unknown one is refused with a sentence that names the nearest. */
  setFaults(ids: readonly string[]): void
  chaos(): Chaos
  /** Takes latency, errors and rate limits as they were sent, or throws a sentence about what is wrong. */
  setChaos(chaos: unknown): void
  readonly clock: Clock
  /** The whole world as one JSON document. */
  state(): unknown
  /** Takes such a document back, or throws a sentence about what is wrong with it. */
  load(state: unknown): void
  /** Loads rows into a source and returns how many, or throws a sentence about the row that is wrong. */
  loadRows(sourceId: string, rows: unknown): number
  /** The choices in force in the silent places. */
  choices(): Choices
  /** The records and rows of the world as they lie there, for whoever looks at it from beside the protocol. */
  look(): Deployment
}

/** Makes a mock with a world of its own. */
export function createMock(options: MockOptions = {}): Mock {
  const size = readSize(options)
  const clock = createClock(options.now)
  const start = options.now ?? clock.now()
  const taken = takeChoices(options.choices, options.gaps)
  const segment = options.segment ?? options.choices?.segment ?? 'observability'
  const routes = { cloud: listRoutes('cloud', taken, segment), selfHosted: listRoutes('selfHosted', taken, segment) }
  const dispatch = {
    cloud: createDispatch(routes.cloud, taken, segment),
    selfHosted: createDispatch(routes.selfHosted, taken, segment),
  }
  const journal = createJournal(options.journal ?? 1000, host => routes[host])
  let deployment = createDeployment(readSeed(options.seed), size, start)
  let chaos: Chaos = { rateLimit: options.rateLimit ?? false }
  let limiters = openLimiters()
  let dice = createRandom(seedOf(deployment.seed, 'chaos'))
  let faulty = readFaults(options.faults ?? [])

  function openLimiters(): Readonly<Record<Host, Limiter>> {
    return { cloud: limitPerTenSeconds(), selfHosted: limitPerMinute(clock.now()) }
  }

  /** The refusal of the call that was answered last, for the journal. */
  let refusal: Refusal | undefined

  function serve(call: Call, host: Host, destination: Destination): Answer {
    const form = destination.form ?? host
    if (call.method === 'OPTIONS') return writeOptions(call, form, destination.refusal?.more.allow)
    const limiter = chaos.rateLimit ? limiters[host] : undefined
    const visit = new Visit(call, form, destination, deployment, taken[form], segment, clock.now(), limiter)
    try {
      if (chaos.errorRate && dice.next() < chaos.errorRate) throw failed('Something went wrong :(')
      return writeReply(host === 'cloud' ? serveCloud(visit) : serveSelfHosted(visit), visit)
    } catch (error) {
      refusal = error instanceof Refusal ? error : failed(`Something went wrong: ${String(error)}`)
      return writeRefusal(refusal, visit)
    }
  }

  function serveFaulty(call: Call, host: Host): Answer {
    const place = () => describePlace(host, dispatch[host](call))
    let next = (changed: Call) => serve(changed, host, dispatch[host](changed))
    for (const [, fault] of faulty) {
      const inner = next
      next = changed => fault(changed, inner, place())
    }
    return next(call)
  }

  function describePlace(host: Host, { form, route, params }: Destination): Place {
    const ids = nameIds(deployment)
    const { accessKey, ingestionKey } = deployment.selfHosted
    const isOwned = deployment.population.organizations.some(({ id }) => id === params.organizationId)
    const key = deployment.population.keyOf(isOwned ? params.organizationId! : ids.organizationId)
    const [cloud, selfHosted] = [authorizationOf(key), `Bearer ${accessKey}`]
    const isCloud = (form ?? host) !== 'selfHosted'
    return {
      form,
      operation: route && Object.hasOwn(operations, route.operation) ? (route.operation as OperationId) : undefined,
      params,
      authorization: {
        own: isCloud ? cloud : selfHosted,
        foreign: isCloud ? selfHosted : cloud,
        ingestionKey: `Bearer ${ingestionKey}`,
      },
      ids,
    }
  }

  return {
    answer(call, host) {
      const began = performance.now()
      refusal = undefined
      const destination = dispatch[host](call)
      const answer = faulty.length > 0 ? serveFaulty(call, host) : serve(call, host, destination)
      const { form, route } = destination
      journal.record({ at: clock.now(), ms: performance.now() - began, host, call, answer, form, route, refusal })
      return answer
    },
    target: bases => nameTarget(deployment, segment, bases),
    recognises: (authorization, host) =>
      host === 'cloud' ? deployment.keyOf(authorization) !== undefined : deployment.isOurs(authorization),
    reset({ seed = deployment.seed } = {}) {
      deployment = createDeployment(readSeed(seed), deployment.size, deployment.start)
      if (options.now !== undefined) clock.set(options.now)
      limiters = openLimiters()
      dice = createRandom(seedOf(seed, 'chaos'))
      faulty = readFaults(faulty.map(([id]) => id))
    },
    calls: limit => journal.read(limit),
    forgetCalls: () => journal.forget(),
    faults: () => faulty.map(([id]) => id),
    setFaults(ids) {
      faulty = readFaults(ids)
    },
    chaos: () => chaos,
    setChaos(wanted) {
      const next = readChaos(wanted)
      if (next.rateLimit && !chaos.rateLimit) limiters = openLimiters()
      chaos = next
    },
    clock,
    state: () => saveState(deployment),
    load(state) {
      deployment = loadState(state)
    },
    loadRows: (sourceId, rows) => loadRowsInto(deployment, sourceId, rows),
    choices: () => ({ segment, ...taken }),
    look: () => deployment,
  }
}

type Named = readonly [id: RuleId, fault: Fault]

function readFaults(ids: readonly string[]): readonly Named[] {
  return [...new Set(ids)].map(id => {
    if (!Object.hasOwn(rules, id)) {
      throw new Error(`set faults: there is no rule "${id}"; the nearest is ${nearest(id, Object.keys(rules))}`)
    }
    return [id as RuleId, everyFault[id as RuleId]()]
  })
}

const defaults: Size = { organizations: 2, services: 3, members: 10, backups: 6, logs: 5000 }
const most: Size = { organizations: 1e6, services: 1e6, members: 1e6, backups: 1e6, logs: 1e6 }

function readSize(options: Partial<Size>): Size {
  const size = Object.entries(defaults).map(([name, usual]) => {
    const wanted = options[name as keyof Size] ?? usual
    const limit = most[name as keyof Size]
    if (!Number.isSafeInteger(wanted) || wanted < (name === 'logs' ? 0 : 1) || wanted > limit) {
      throw new Error(`create a mock: ${name}: Expected a whole number up to ${limit}, received ${wanted}`)
    }
    return [name, wanted]
  })
  return Object.fromEntries(size) as unknown as Size
}

function readSeed(seed = 1): number {
  if (!Number.isSafeInteger(seed)) throw new Error(`create a mock: seed: Expected a whole number, received ${seed}`)
  return seed
}
