import { operations, type RuleId } from '../../fixtures/contract/index.ts'
import type { Chaos } from '../chaos/chaos.ts'
import type { Delivery } from '../families/alert/alert-event.ts'
import type { ChoicesInForce } from '../gaps/choices.ts'
import type { Elsewhere } from '../telemetry/elsewhere.ts'
import type { Answer, Call } from '../words/call.ts'
import type { Eventually } from '../words/eventually.ts'
import type { Limits } from '../words/limits.ts'
import { failed } from '../words/refusal.ts'
import { type Clock, checkMoment, createClock, type Pace } from '../world/clock.ts'
import { readSize, type Size } from '../world/size.ts'
import type { Extent } from '../world/world.ts'
import { arrange, isBare, readScenario, type Scenario, sizeOfScenario } from './arrange/scenario.ts'
import type { Stub, Stubs } from './arrange/stubs.ts'
import { findKey, isAccessKey } from './authenticate.ts'
import type { Context } from './context.ts'
import type { Cors } from './cors.ts'
import { createDeployment, type Deployment } from './deployment.ts'
import type { createDispatch, Host, RouteMatch } from './dispatch/dispatch.ts'
import { editionOf, type Route } from './dispatch/routes.ts'
import { evaluateDue, minutesBetween, Windows } from './evaluate-due.ts'
import type { CallFilter } from './journal/filter.ts'
import { createJournal, type DeliveryOutcome, type JournalEntry } from './journal/journal.ts'
import { loadRowsInto } from './load-rows-into.ts'
import type { Meter } from './meter.ts'
import { answerCall } from './pipeline.ts'
import { describePlace } from './place.ts'
import { createRecords, type Records } from './records.ts'
import { loadState, saveState } from './state.ts'
import { type Bases, nameTarget, type TargetFile } from './target.ts'
import { createTroubles, disturb } from './trouble.ts'
import { writeRefusal } from './write/write-reply.ts'

/** What `restore` takes back: the state of the world, and what goes wrong in it. */
export interface Snapshot {
  readonly state: unknown
  readonly faults: readonly RuleId[]
  readonly chaos: Chaos
  readonly stubs: readonly Stub[]
}

/**
 * One world of a mock: its records and credentials, its clock, and what goes wrong in it. `create`, `get`, `list`, `update`
 * and `remove` are those of `records`.
 */
export interface MockWorld extends Records, Stubs {
  /** Answers a call in this world, whosever credentials it carries. It never throws. */
  answer(call: Call, host: Host): Promise<Answer>
  /** The target file of this world, when its listeners are reached there. */
  target(bases: Bases): TargetFile
  /** Whether these credentials are good somewhere in this world. */
  recognises(authorization: string | undefined, host: Host): boolean
  /** Puts the world back to the start; another seed or scenario gives another one. */
  reset(options?: { readonly seed?: number; readonly scenario?: Scenario }): void
  /** What the world was laid out from. */
  scenario(): Scenario
  /** The calls that were answered, and the webhooks that were called, the newest first; of bodies the first 4,096 characters, unless they are wanted whole. */
  calls(limit?: number, filter?: CallFilter & { readonly isWhole?: boolean }): readonly JournalEntry[]
  forgetCalls(): void
  faults(): readonly RuleId[]
  /** Breaks exactly these rules. An unknown one is refused with a sentence that names the one that was probably meant. */
  setFaults(ids: readonly string[]): void
  chaos(): Chaos
  /** Takes chaos as it was sent, or throws a sentence about what is wrong. A seed throws the dice anew from there. */
  setChaos(chaos: unknown): void
  readonly clock: Clock
  /**
   * Sets the clock as `clock.set` does. On the way forward alerts are evaluated minute by minute, for at most a day before the
   * new time; only at the new time where rows lie elsewhere.
   */
  moveClock(now: number): readonly Delivery[]
  /** Evaluates the alerts whose windows have ended, and returns what their webhooks are to be told. Sending it is left to the caller. */
  evaluateAlerts(): readonly Delivery[]
  /**
   * Waits for what alerts have asked of an engine elsewhere, evaluates them, and returns what their webhooks are to be told.
   * Nothing is left to wait for where charts are computed here.
   */
  awaitAlerts(): Promise<readonly Delivery[]>
  /** Remembers what became of a delivery: in the journal and, when it failed, in the alert. */
  recordDelivery(delivery: Delivery, outcome: DeliveryOutcome): void
  /** The records of the world by the names of their models, to arrange it: any may be read, created, changed and removed. */
  readonly records: Records
  /** The records and rows of the world as they lie there, for whoever looks at it from beside the protocol. */
  look(): Deployment
  /**
   * The world as one JSON document: the whole, or only what somebody has looked at or changed, which is much smaller and
   * lays out nothing. The rest then follows from the seed, when the same release loads it.
   */
  state(extent?: Extent): unknown
  /** Takes such a document back, or throws a sentence about what is wrong with it. */
  load(state: unknown): void
  /** The world as it is now, with its faults, chaos and stubs, for `restore`. The journal is not part of it. */
  snapshot(): Snapshot
  /** Puts the world back to a snapshot of it; its clock by as much as it was set and put forward since. */
  restore(snapshot: Snapshot): void
  /** Another number after every change of what `state` answers. */
  revision(): number
  /** Loads rows into a source and returns how many, or throws a sentence about the row that is wrong; later, where rows lie elsewhere. */
  loadRows(sourceId: string, rows: unknown): Eventually<number>
}

/** What all worlds of a mock have in common. */
export interface MockSettings {
  /** What was said of the size of the worlds. */
  readonly size: Partial<Size>
  readonly scenario: Scenario
  readonly now: number | undefined
  readonly pace: Pace
  readonly taken: ChoicesInForce
  readonly segment: string
  /** What the target file says is not offered. */
  readonly notOffered: readonly string[]
  readonly routes: Readonly<Record<Host, readonly Route[]>>
  readonly dispatch: Readonly<Record<Host, ReturnType<typeof createDispatch>>>
  readonly chaos: Chaos
  readonly faults: readonly string[]
  readonly journal: number
  /** How long a world beside the first may be silent, in milliseconds. */
  readonly worldIdleMs: number
  readonly limits: Limits
  readonly cors: Cors
  readonly meter: Meter
  /** Told of each call and each delivery once it stands in the journal. */
  readonly listeners: ReadonlySet<CallListener>
  /** Where the rows lie, unless they lie here. */
  readonly elsewhere: Elsewhere | undefined
}

/** Told of a call by its entry in the journal, and of the world beside the first in which it was answered. */
export type CallListener = (entry: JournalEntry, worldId: string | undefined) => void

export interface Origin {
  readonly seed: number
  readonly ordinal: number
  /** Its name among the worlds of the mock; the first has none. */
  readonly id?: string
  /** Told of the deployment before it is taken up, at the start and after each reset and load; it may throw a sentence. */
  readonly admit?: (deployment: Deployment) => void
}

export function createMockWorld(setting: MockSettings, { seed, ordinal, id, admit }: Origin): MockWorld {
  const { taken, segment, dispatch, limits, cors, elsewhere } = setting
  const clock = createClock(setting.now, setting.pace)
  const start = setting.now ?? clock.now()
  const journal = createJournal(setting.journal, ordinal === 0 ? undefined : budgetOfMany)
  function layOut(seed: number, scenario: Scenario): Deployment {
    const size = readSize('create a mock', { ...sizeOfScenario(scenario), ...setting.size })
    const bare = isBare(scenario)
    const from = { seed: readSeed(seed), ordinal, size, start, now: clock.now, elsewhere, isBare: bare }
    const laidOut = createDeployment(from)
    const records = createRecords(
      () => laidOut,
      () => start,
    )
    arrange(scenario, laidOut, records)
    return laidOut
  }
  let { scenario } = setting
  let deployment = layOut(seed, scenario)
  admit?.(deployment)
  const troubles = createTroubles({ chaos: setting.chaos, faults: setting.faults, seed, clock })
  /** Changes that the records of the present deployment do not know of. */
  let changes = 0

  function take(next: Deployment) {
    changes += deployment.world.revision + 1
    deployment = next
    windows = new Windows()
    evaluatedUntil = clock.now()
  }

  /** What the pipeline knows of a call before its first step. */
  function contextOf(call: Call, host: Host, match: RouteMatch, isLimited: boolean): Context {
    const form = match.form ?? host
    const id = match.route?.operation
    // Every property by name: an object that is put together by spreading costs a call 10 µs.
    return {
      call,
      host,
      form,
      match,
      id,
      operation: id && operations[id],
      deployment,
      segment,
      limits,
      cors,
      taken: taken[form],
      routes: setting.routes[host],
      edition: editionOf(taken, form),
      now: clock.now(),
      limiter: isLimited ? troubles.limiter(host) : undefined,
      headers: {},
      actor: undefined,
      ids: {},
      body: undefined,
    }
  }

  let windows = new Windows()
  /** Up to when alerts were evaluated. */
  let evaluatedUntil = clock.now()
  function evaluateAlerts(): readonly Delivery[] {
    const now = clock.now()
    // At a faster pace many windows may end between two looks; at the usual one, whoever looks seldom sees the last.
    const from = (setting.pace.speed ?? 1) > 1 && !elsewhere ? evaluatedUntil : now
    evaluatedUntil = now
    return [...minutesBetween(from, now), now].flatMap(moment => evaluateDue(deployment, moment, taken, windows))
  }

  function tellListeners() {
    if (setting.listeners.size === 0) return
    for (const entry of journal.read(1)) for (const listener of setting.listeners) listener(entry, id)
  }

  const records = createRecords(() => deployment, clock.now, admit)
  const save = (extent?: Extent) => ({ ...saveState(deployment, clock, troubles.save(), extent), scenario })
  function load(state: unknown) {
    const loaded = loadState(state, clock, next => admit?.(next), elsewhere)
    take(loaded.deployment)
    scenario = loaded.scenario ?? scenario
    troubles.load(loaded.trouble)
  }

  return {
    ...records,
    async answer(call, host) {
      const began = performance.now()
      deployment.world.elapse(clock.now())
      const match = dispatch[host](call)
      const stubbed = troubles.answerByStub(call, match.route?.operation)
      const fate = stubbed ? undefined : troubles.decide(call, match.route?.operation)
      // The dice were thrown, and a limit may count.
      if (fate) changes++
      // A fault may change a call on its way in, and send it more than once.
      const enter = (sent: Call) =>
        contextOf(sent, host, sent === call ? match : dispatch[host](sent), fate?.isLimited ?? false)
      const through = troubles.breakRules(
        sent => answerCall(enter(sent)),
        sent => describePlace(deployment, enter(sent)),
      )
      const fail = () => writeRefusal(failed('Something went wrong :('), enter(call))
      const served = stubbed ?? (await (fate ? disturb(fate, fail, () => through(call)) : through(call)))
      const answer = cors.open(call, served)
      const { form, route } = match
      const operation = form && route?.operation
      const ms = performance.now() - began
      journal.record({ at: clock.now(), ms, host, call, answer, form, operation })
      setting.meter.record({ form: form ?? host, operation, status: answer.status, ms })
      tellListeners()
      return answer
    },
    target: bases => nameTarget(deployment, setting, bases),
    recognises: (authorization, host) =>
      host === 'cloud'
        ? findKey(deployment.world, authorization) !== undefined
        : isAccessKey(deployment.world, authorization),
    reset({ seed = deployment.world.seed, scenario: wanted = scenario } = {}) {
      const next = layOut(seed, readScenario('reset: scenario', wanted))
      admit?.(next)
      scenario = wanted
      clock.restart()
      take(next)
      troubles.restart(seed)
    },
    scenario: () => scenario,
    calls: (limit, filter) => journal.read(limit, filter),
    forgetCalls: () => journal.forget(),
    faults: troubles.faults,
    setFaults: troubles.setFaults,
    chaos: troubles.chaos,
    setChaos: troubles.setChaos,
    stub: troubles.stub,
    stubs: troubles.stubs,
    removeStubs: troubles.removeStubs,
    clock,
    moveClock(now) {
      checkMoment('set the clock', now)
      const deliveries: Delivery[] = []
      for (const minute of elsewhere ? [now] : minutesBetween(clock.now(), now)) {
        // Nothing that is observed later is seen.
        clock.set(minute)
        deployment.world.elapse(minute)
        deliveries.push(...evaluateDue(deployment, minute, taken, windows))
      }
      clock.set(now)
      deployment.world.elapse(now)
      evaluatedUntil = now
      changes++
      return deliveries
    },
    evaluateAlerts,
    async awaitAlerts() {
      const deliveries: Delivery[] = []
      for (let round = 0; round < mostRounds && (await windows.settle()); round++) deliveries.push(...evaluateAlerts())
      return deliveries
    },
    recordDelivery({ alertId }, outcome) {
      journal.recordDelivery(clock.now(), outcome)
      tellListeners()
      if (!outcome.isFailed) return
      const timestamp = new Date(clock.now()).toISOString()
      const executionErrors = [{ timestamp, type: 'WEBHOOK_ERROR', message: outcome.why } as const]
      for (const { alerts } of deployment.openStacks()) {
        const alert = alerts.get(alertId)
        if (alert) alerts.replace({ ...alert, executionErrors })
      }
    },
    records,
    look: () => deployment,
    state: save,
    load,
    snapshot: () => ({
      state: save('opened'),
      faults: troubles.faults(),
      chaos: troubles.chaos(),
      stubs: troubles.stubs(),
    }),
    restore({ state, faults, chaos, stubs }) {
      troubles.setFaults(faults)
      troubles.setChaos(chaos)
      troubles.restoreStubs(stubs)
      load(state)
    },
    revision: () => changes + deployment.world.revision,
    loadRows(sourceId, rows) {
      const loaded = loadRowsInto(deployment, sourceId, rows, limits.rows)
      changes++
      return loaded
    },
  }
}

/** An alert asks for one window after the other, and never for more than a hundred. */
const mostRounds = 200

/** Bytes of the journal of a world beside the first: there may be a thousand of them. */
const budgetOfMany = 1024 * 1024

function readSeed(seed: number): number {
  if (!Number.isSafeInteger(seed)) throw new Error(`create a mock: seed: Expected a whole number, received ${seed}`)
  return seed
}
