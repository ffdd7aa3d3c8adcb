import { type OperationId, operations, type RuleId, rules } from '../../fixtures/contract/index.ts'
import type { Delivery } from './behaviours/alert-event.ts'
import type { Answer, Call } from './call.ts'
import { addTrouble, type Chaos, createFates, dropped, type Fate, readChaos } from './chaos.ts'
import type { Taken } from './choices.ts'
import { type Clock, checkMoment, createClock, type Pace } from './clock.ts'
import type { Cors } from './cors.ts'
import { createDeployment, type Deployment } from './deployment.ts'
import type { createDispatch, Destination } from './dispatch.ts'
import { evaluateDue, minutesBetween } from './evaluate-due.ts'
import { faults as everyFault, type Fault, type Place } from './faults/index.ts'
import { createJournal, type DeliveryOutcome, type JournalEntry } from './journal.ts'
import type { Limits } from './limits.ts'
import { loadRowsInto } from './load-rows-into.ts'
import { nearest } from './nearest.ts'
import type { Size } from './populate/populate.ts'
import { createRandom, seedOf } from './random.ts'
import { type Limiter, limitPerMinute, limitPerTenSeconds } from './rate-limit.ts'
import { failed, Refusal } from './refusal.ts'
import type { Route } from './routes.ts'
import { serveCloud } from './serve-cloud.ts'
import { serveSelfHosted } from './serve-self-hosted.ts'
import { loadState, saveState } from './state.ts'
import { authorizationOf, type Bases, nameIds, nameTarget, type TargetFile } from './target.ts'
import { Visit } from './visit.ts'
import { writeOptions, writeRefusal, writeReply } from './write-reply.ts'

/** The listener by which a call comes in. */
export type Host = 'cloud' | 'selfHosted'

/** One world of a mock: its records and credentials, its clock, and what goes wrong in it. */
export interface MockWorld {
  /** Answers a call in this world, whosever credentials it carries. It never throws. */
  answer(call: Call, host: Host): Answer
  /** The target file of this world, when its listeners are reached there. */
  target(bases: Bases): TargetFile
  /** Whether these credentials are good somewhere in this world. */
  recognises(authorization: string | undefined, host: Host): boolean
  /** Puts the world back to the start; another seed gives another one. */
  reset(options?: { readonly seed?: number }): void
  /** The calls that were answered, and the webhooks that were called, the newest first. */
  calls(limit?: number): readonly JournalEntry[]
  forgetCalls(): void
  faults(): readonly RuleId[]
  /** Breaks exactly these rules. An unknown one is refused with a sentence that names the one that was probably meant. */
  setFaults(ids: readonly string[]): void
  chaos(): Chaos
  /** Takes chaos as it was sent, or throws a sentence about what is wrong. A seed throws the dice anew from there. */
  setChaos(chaos: unknown): void
  readonly clock: Clock
  /** Sets the clock as `clock.set` does. On the way forward alerts are evaluated minute by minute, for at most a day before the new time. */
  moveClock(now: number): readonly Delivery[]
  /** Evaluates the alerts whose windows have ended, and returns what their webhooks are to be told. Sending it is left to the caller. */
  evaluateAlerts(): readonly Delivery[]
  /** Remembers what became of a delivery: in the journal and, when it failed, in the alert. */
  recordDelivery(delivery: Delivery, outcome: DeliveryOutcome): void
  /** The records and rows of the world as they lie there, for whoever looks at it from beside the protocol. */
  look(): Deployment
  /** The whole world as one JSON document. */
  state(): unknown
  /** Takes such a document back, or throws a sentence about what is wrong with it. */
  load(state: unknown): void
  /** Another number after every change of what `state` answers. */
  revision(): number
  /** Loads rows into a source and returns how many, or throws a sentence about the row that is wrong. */
  loadRows(sourceId: string, rows: unknown): number
}

/** What all worlds of a mock have in common. */
export interface Setting {
  readonly size: Size
  readonly now: number | undefined
  readonly pace: Pace
  readonly taken: Taken
  readonly segment: string
  readonly routes: Readonly<Record<Host, readonly Route[]>>
  readonly dispatch: Readonly<Record<Host, ReturnType<typeof createDispatch>>>
  readonly chaos: Chaos
  readonly faults: readonly string[]
  readonly journal: number
  readonly limits: Limits
  readonly cors: Cors
}

export interface Origin {
  readonly seed: number
  readonly ordinal: number
  /** Told of the deployment before it is taken up, at the start and after each reset and load; it may throw a sentence. */
  readonly admit?: (deployment: Deployment) => void
}

export function createMockWorld(setting: Setting, { seed, ordinal, admit }: Origin): MockWorld {
  const { size, taken, segment, routes, dispatch, limits, cors } = setting
  const clock = createClock(setting.now, setting.pace)
  const start = setting.now ?? clock.now()
  const journal = createJournal(setting.journal, host => routes[host])
  let deployment = createDeployment(readSeed(seed), size, start, clock.now, { ordinal })
  admit?.(deployment)
  let chaos = setting.chaos
  let limiters = openLimiters()
  let dice = createRandom(seedOf(chaos.seed ?? seed, 'chaos'))
  let decide = createFates(chaos, dice)
  let faulty = readFaults(setting.faults)
  /** Changes that the records of the present deployment do not know of. */
  let changes = 0

  function take(next: Deployment) {
    changes += deployment.world.writes + 1
    deployment = next
    evaluatedUntil = clock.now()
  }

  function openLimiters(): Readonly<Record<Host, Limiter>> {
    return { cloud: limitPerTenSeconds(), selfHosted: limitPerMinute(clock.now()) }
  }

  /** The refusal of the call that was answered last, for the journal. */
  let refusal: Refusal | undefined
  /** What chaos has in store for the call that is being answered. */
  let fate: Fate | undefined

  function serve(call: Call, host: Host, destination: Destination): Answer {
    const form = destination.form ?? host
    if (call.method === 'OPTIONS') return writeOptions(call, form, destination.refusal?.more.allow, cors)
    const limiter = fate?.isLimited ? limiters[host] : undefined
    const now = clock.now()
    const visit = new Visit(call, form, destination, deployment, taken[form], segment, limits, now, limiter, cors)
    try {
      if (fate?.isFailed) throw failed('Something went wrong :(')
      return writeReply(host === 'cloud' ? serveCloud(visit) : serveSelfHosted(visit), visit)
    } catch (error) {
      refusal = error instanceof Refusal ? error : failed(`Something went wrong: ${String(error)}`)
      return writeRefusal(refusal, visit)
    }
  }

  function serveFaulty(call: Call, host: Host): Answer {
    let next = (changed: Call) => serve(changed, host, dispatch[host](changed))
    for (const [, fault] of faulty) {
      const inner = next
      next = changed => fault(changed, inner, describePlace(host, dispatch[host](changed)))
    }
    const answer = next(call)
    // A fault may ask more than once, and make a success of what was refused.
    if (answer.status < 400) refusal = undefined
    return answer
  }

  function describePlace(host: Host, { form, route, params }: Destination): Place {
    const ids = nameIds(deployment)
    const { accessKey, ingestionKey } = deployment.selfHosted
    const isOwned = deployment.population.organizations.some(({ id }) => id === params.organizationId)
    const key = deployment.population.keyOf(isOwned ? params.organizationId! : ids.organizationId)
    const [cloud, selfHosted] = [authorizationOf(key), `Bearer ${accessKey}`]
    const [first, second] = deployment.population.organizations
      .slice(0, 2)
      .map(({ id }) => authorizationOf(deployment.population.keyOf(id)))
    const isCloud = (form ?? host) !== 'selfHosted'
    return {
      form,
      operation: route && Object.hasOwn(operations, route.operation) ? (route.operation as OperationId) : undefined,
      params,
      authorization: {
        own: isCloud ? cloud : selfHosted,
        foreign: isCloud ? selfHosted : cloud,
        ingestionKey: `Bearer ${ingestionKey}`,
        first: first ?? '',
        second: second ?? '',
      },
      ids,
    }
  }

  /** Up to when alerts were evaluated. */
  let evaluatedUntil = clock.now()
  function evaluateAlerts(): readonly Delivery[] {
    const now = clock.now()
    // At a faster pace many windows may end between two looks; at the usual one, whoever looks seldom sees the last.
    const from = (setting.pace.speed ?? 1) > 1 ? evaluatedUntil : now
    evaluatedUntil = now
    return [...minutesBetween(from, now), now].flatMap(moment => evaluateDue(deployment, moment, taken))
  }

  return {
    answer(call, host) {
      const began = performance.now()
      refusal = undefined
      const destination = dispatch[host](call)
      const { form, route } = destination
      fate = decide?.(call, route?.operation)
      const served = fate?.isDropped
        ? dropped
        : faulty.length > 0
          ? serveFaulty(call, host)
          : serve(call, host, destination)
      const answer = cors.open(call, fate ? addTrouble(served, fate) : served)
      journal.record({ at: clock.now(), ms: performance.now() - began, host, call, answer, form, route, refusal })
      return answer
    },
    target: bases => nameTarget(deployment, segment, bases),
    recognises: (authorization, host) =>
      host === 'cloud' ? deployment.keyOf(authorization) !== undefined : deployment.isOurs(authorization),
    reset({ seed = deployment.seed } = {}) {
      const next = createDeployment(readSeed(seed), deployment.size, deployment.start, clock.now, { ordinal })
      admit?.(next)
      clock.restart()
      take(next)
      limiters = openLimiters()
      dice = createRandom(seedOf(chaos.seed ?? seed, 'chaos'))
      decide = createFates(chaos, dice)
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
      if (next.seed !== undefined) dice = createRandom(seedOf(next.seed, 'chaos'))
      chaos = next
      decide = createFates(chaos, dice)
    },
    clock,
    moveClock(now) {
      checkMoment('set the clock', now)
      const deliveries: Delivery[] = []
      for (const minute of minutesBetween(clock.now(), now)) {
        // Nothing that is observed later is seen.
        clock.set(minute)
        deliveries.push(...evaluateDue(deployment, minute, taken))
      }
      clock.set(now)
      evaluatedUntil = now
      changes++
      return deliveries
    },
    evaluateAlerts,
    recordDelivery({ alertId }, outcome) {
      journal.recordDelivery(clock.now(), outcome)
      if (!outcome.isFailed) return
      const timestamp = new Date(clock.now()).toISOString()
      const executionErrors = [{ timestamp, type: 'WEBHOOK_ERROR', message: outcome.why } as const]
      for (const { alerts } of deployment.openStacks()) {
        const alert = alerts.get(alertId)
        if (alert) alerts.replace({ ...alert, executionErrors })
      }
    },
    look: () => deployment,
    state: () => saveState(deployment, clock),
    load: state => take(loadState(state, clock, next => admit?.(next))),
    revision: () => changes + deployment.world.writes,
    loadRows(sourceId, rows) {
      const loaded = loadRowsInto(deployment, sourceId, rows, limits.rows)
      changes++
      return loaded
    },
  }
}

type Named = readonly [id: RuleId, fault: Fault]

function readFaults(ids: readonly string[]): readonly Named[] {
  return [...new Set(ids)].map(id => {
    if (typeof id !== 'string') throw new Error('set faults: Expected the ids of rules')
    if (!Object.hasOwn(rules, id)) {
      const meant = nearest(id, Object.keys(rules))
      const advice = meant ? `the nearest is ${meant}` : 'stack-parity verify --list prints them all'
      throw new Error(`set faults: there is no rule "${id}"; ${advice}`)
    }
    return [id as RuleId, everyFault[id as RuleId]()]
  })
}

function readSeed(seed: number): number {
  if (!Number.isSafeInteger(seed)) throw new Error(`create a mock: seed: Expected a whole number, received ${seed}`)
  return seed
}
