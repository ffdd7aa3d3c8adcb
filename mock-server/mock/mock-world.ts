import type { Contract } from '../../fixtures/built-contract/index.ts'
import type { RuleId } from '../../fixtures/contract/index.ts'
import type { Usage } from '../../fixtures/usage.ts'
import type { Chaos } from '../chaos/chaos.ts'
import type { Context, SqlEndpoint } from '../core/context.ts'
import type { Core } from '../core/core.ts'
import type { Cors } from '../core/cors.ts'
import type { RouteMatch } from '../core/dispatch/dispatch.ts'
import type { Offer } from '../core/dispatch/offer.ts'
import { createRouting, editionOf, type Route, type Routing } from '../core/dispatch/routes.ts'
import type { CallFilter } from '../core/journal/filter.ts'
import { createJournal, type DeliveryOutcome, type JournalEntry } from '../core/journal/journal.ts'
import { describe } from '../core/openapi/openapi.ts'
import { answerCall } from '../core/pipeline.ts'
import type { AnswerReads } from '../core/usage/place.ts'
import { toUsedCall, type UsedCall, usageOfCalls } from '../core/usage/usage.ts'
import { writeRefusal } from '../core/write/write-reply.ts'
import type { ServicesSql } from '../families/family.ts'
import { type Choices, type ChoicesInForce, changeChoices } from '../gaps/choices.ts'
import type { ExternalEngine } from '../telemetry/external-engine.ts'
import type { QueryChoices } from '../telemetry/source-terms.ts'
import type { Answer, Call, Listener } from '../words/call.ts'
import { checkedLater, checkOptions } from '../words/check-options.ts'
import type { Limits } from '../words/limits.ts'
import type { MaybePromise } from '../words/maybe-promise.ts'
import { memoize } from '../words/memoize.ts'
import type { AlertNotification } from '../words/notification.ts'
import { failed } from '../words/refusal.ts'
import type { SqlEngine } from '../words/sql.ts'
import type { Bases, TargetFile } from '../words/target.ts'
import { type Clock, createClock, type Moment, type Pace, readAdvance, readMoment } from '../world/clock.ts'
import { readSize, type Size } from '../world/size.ts'
import { type Extent, selfHosted } from '../world/world.ts'
import { choicesOfStack, createAlertEvaluator, runInSlices, runSteps, type Steps } from './alert-evaluator.ts'
import { arrange, capturedIn, isBare, readScenario, type Scenario, sizeOfScenario } from './arrange/scenario.ts'
import type { Stub, Stubs } from './arrange/stubs.ts'
import { createDeployment, type Deployment } from './deployment.ts'
import { applyChaos, createDisruptions } from './disruptions.ts'
import { loadRowsInto } from './load-rows.ts'
import type { Meter } from './meter.ts'
import { matchOwnPaths } from './own-paths.ts'
import { createRecords, type Records } from './records.ts'
import { captureState, completeState, loadState, writeState } from './state.ts'
import { contextOutsideApi, describeTarget, faultContextOf } from './target.ts'

/** The argument of `restore`: the state of the world, its disturbances, and its choices for gaps. */
export interface Snapshot {
  readonly state: unknown
  readonly faults: readonly RuleId[]
  readonly chaos: Chaos
  readonly choices: ChoicesInForce
  readonly stubs: readonly Stub[]
}

/** One world of a mock: its records, clock and disturbances. `create`, `get`, `list` … are those of `records`. */
export interface MockWorld extends Records, Stubs {
  /** Answers a call in this world, whatever its credentials. It never throws. */
  answer(call: Call, listener: Listener): Promise<Answer>
  /** The target file of this world at these addresses, by default those of the mock. */
  target(bases?: Bases): TargetFile
  /** Whether these credentials are valid anywhere in this world. */
  recognises(authorization: string | undefined, listener: Listener): boolean
  /** Resets the world to its start, or to that of another seed or scenario. */
  reset(options?: { readonly seed?: number; readonly scenario?: Scenario }): void
  /** The scenario that the world started with. */
  scenario(): Scenario
  /** What a captured scenario has, and records cannot have, such as a tile of a newer release: a sentence each. */
  leftOut(): readonly string[]
  /**
   * Answered calls and webhook deliveries, newest first; of each body the first 4,096 characters. With `isWhole`,
   * bodies of calls are complete up to 16,384 characters.
   */
  calls(limit?: number, filter?: CallFilter & { readonly isWhole?: boolean }): readonly JournalEntry[]
  forgetCalls(): void
  /**
   * What the calls in the journal used: operations with counts, parameters, fields and values of enums. No text is kept.
   * Calls of the console and of the suite do not count.
   */
  usage(): Usage
  faults(): readonly RuleId[]
  /** Breaks exactly these rules. Throws an Error for an unknown one, which suggests the nearest. */
  setFaults(ids: readonly string[]): void
  chaos(): Chaos
  /** Sets chaos, or throws an Error with a sentence. A seed restarts the random numbers. */
  setChaos(chaos: unknown): void
  /** The choices in force for gaps, and the segment. */
  choices(): Choices
  /** The choices of a stack of this world for queries, by its id. */
  queryChoices(stackId: string): QueryChoices
  /** Changes the named choices, by form. Throws an Error for an impossible one. The segment does not change. */
  setChoices(changes: Choices): void
  /** The OpenAPI description of an API, with the operations that are served. */
  describe(api: Listener): object
  /** Matches the paths of an API; the others of an origin may be those of an application. */
  ownPaths(api: Listener): RegExp
  readonly clock: Clock
  /**
   * Sets the clock as `clock.set` does. Alerts see a pause: after a move forward they are evaluated once, at the new time,
   * and catch up with at most 50 windows. Returns what they would notify, which the caller may send.
   */
  moveClock(now: Moment): readonly AlertNotification[]
  /**
   * Advances the clock by milliseconds, or by a duration such as `90s`, `30m`, `1h` or `2d`. Alerts are evaluated at every
   * full minute of at most the last day; only at the end if an external engine has the rows.
   */
  advance(by: number | string): readonly AlertNotification[]
  /** Sets the clock as `moveClock` does, and freezes it. */
  at(now: Moment): readonly AlertNotification[]
  /** Freezes the clock. `advance` still moves it; `resume`, reset, load and restore let it run again. */
  freeze(): void
  /** Lets a frozen clock run on from its present time, also one of a mock that was created with `freeze`. */
  resume(): void
  /** Evaluates alerts for the full minutes that have passed. Returns what they would notify, which the caller may send. */
  evaluateAlerts(): readonly AlertNotification[]
  /**
   * Like the functions of the same name, but in slices: other clients are answered meanwhile, with the world as far as it
   * was evaluated. `send` gets the notifications. Resolves at the end, after the queries of an external engine.
   */
  readonly inSlices: {
    moveClock(now: Moment, send: SendNotifications): Promise<void>
    advance(by: number | string, send: SendNotifications): Promise<void>
    evaluateAlerts(send: SendNotifications): Promise<void>
  }
  /** Waits for alert queries to an external engine, evaluates their alerts, and returns the notifications. */
  awaitAlerts(): Promise<readonly AlertNotification[]>
  /** Sends a delivery to a webhook through the active faults of rules that receivers see. */
  breakDelivery(call: Call, send: (call: Call) => Promise<Answer>): Promise<Answer>
  /** Records the outcome of the delivery to a webhook in the journal, and its error in the alert. */
  recordDelivery(notification: AlertNotification, outcome: DeliveryOutcome): void
  /** Adds an error of a notification to its alert, unless that has been evaluated since. */
  recordAlertError(notification: AlertNotification, message: string): void
  /** The records of the world by model name, for arranging it: any may be read, created, changed and removed. */
  readonly records: Records
  /** The records and rows of the world, for access without the API. */
  deployment(): Deployment
  /** The SQL interface of its services. */
  readonly sql: ServicesSql
  /**
   * The world as one JSON document: whole, or only the places in use, which is much smaller and seeds nothing. The rest
   * follows from the seed if the same release loads it.
   */
  state(extent?: Extent): unknown
  /**
   * The same document as JSON of one moment, in short pieces, so that other calls can be answered between two. First
   * come empty pieces, one for each place that had to be seeded; the moment is that of the first piece with text.
   */
  writeState(extent?: Extent): Iterable<string>
  /** Loads such a document, or throws an Error with a sentence. */
  load(state: unknown): void
  /** The current world with its faults, chaos, choices and stubs, for `restore`. The journal is not included. */
  snapshot(): Snapshot
  /** Restores a snapshot, and undoes how the clock was set and advanced since. Throws an Error for an invalid one. */
  restore(snapshot: Snapshot): void
  /** A number that changes whenever the result of `state` changes. */
  revision(): number
  /** Loads rows into a source, and returns their number: a promise with an external engine. Throws about an invalid row. */
  loadRows(sourceId: string, rows: unknown): MaybePromise<number>
}

export type SendNotifications = (notifications: readonly AlertNotification[]) => void

/** The settings that all worlds of a mock share. */
export interface MockSettings {
  readonly core: Core
  /** The part of the size that the options give. */
  readonly size: Partial<Size>
  readonly scenario: Scenario
  readonly now: number | undefined
  readonly pace: Pace
  readonly routing: Routing
  readonly segment: string
  readonly offer: readonly Offer[] | undefined
  readonly chaos: Chaos
  readonly faults: readonly string[]
  /** Most calls in the journal of a world. */
  readonly journal: number
  /** Idle time after which a world besides the first is closed, in milliseconds. */
  readonly worldIdleMs: number
  readonly limits: Limits
  readonly cors: Cors
  readonly meter: Meter
  /** Called for each call and delivery after it was added to the journal. */
  readonly listeners: ReadonlySet<CallListener>
  /** Called for each call of an operation of the mock's contract, where the usage of a test run is collected. */
  readonly collectUsage: ((call: UsedCall, contract: Contract) => void) | undefined
  bases(): Bases
  readonly externalEngine: ExternalEngine | undefined
  readonly sql: SqlEngine | undefined
}

/** Receives a journal entry, and the id of the world in which the call was answered; undefined for the first. */
export type CallListener = (entry: JournalEntry, worldId: string | undefined) => void

export interface Origin {
  readonly seed: number
  readonly ordinal: number
  /** Its name among the worlds of the mock; the first has none. */
  readonly id?: string
  /** Called with a deployment before its first use and after each change by `records`; may refuse it by an Error. */
  readonly accept?: (deployment: Deployment) => void
}

export function createMockWorld(setting: MockSettings, { seed, ordinal, id, accept }: Origin): MockWorld {
  const { core, segment, offer, limits, cors, externalEngine } = setting
  const { contract } = core
  let { routing } = setting
  const matchOwn = memoize((routes: readonly Route[]) => matchOwnPaths(routes, core.sql?.paths), 2)
  const clock = createClock(setting.now, setting.pace)
  const start = setting.now ?? clock.now()
  const journal = createJournal(setting.journal, ordinal === 0 ? undefined : furtherJournalBytes)
  function createInitial(seed: number, scenario: Scenario) {
    const size = readSize('create a mock', { ...sizeOfScenario(scenario), ...setting.size })
    const options = {
      core,
      seed: readSeed(seed),
      ordinal,
      size,
      start,
      now: clock.now,
      externalEngine,
      isBare: isBare(scenario),
      captured: capturedIn(core, scenario),
    }
    const initial = createDeployment(options)
    const records = createRecords(
      () => initial,
      () => start,
    )
    const isNewestFirst = (name: string, place: string) => {
      const choices: Readonly<Record<string, string>> = routing.choices[place === selfHosted ? 'selfHosted' : 'managed']
      return choices[`${name}/order-of-list`] === 'newest first'
    }
    const leftOut: string[] = []
    arrange(scenario, initial, records, isNewestFirst, sentence => leftOut.push(sentence))
    return { initial, leftOut }
  }
  let { scenario } = setting
  let { initial: deployment, leftOut } = createInitial(seed, scenario)
  accept?.(deployment)
  const alerts = createAlertEvaluator(() => deployment, clock, { ...setting, choices: () => routing.choices })
  const disruptions = createDisruptions({ core, chaos: setting.chaos, faults: setting.faults, seed, clock })
  /** Changes that the revision of the current deployment does not count. */
  let changes = 0

  function replaceDeployment(next: Deployment) {
    changes += deployment.world.revision + 1
    deployment = next
    alerts.restart()
  }

  const sql: ServicesSql = {
    engine: setting.sql,
    world: () => deployment.world,
    now: clock.now,
    async record(call, answer) {
      const startedAt = performance.now()
      const answered = await disruptions.breakRules(answer, () => contextOutsideApi(deployment), 'sql')(call)
      journal.record({ at: clock.now(), ms: performance.now() - startedAt, host: 'sql', call, answer: answered })
      notifyListeners()
      return answered
    },
  }
  const sqlEndpoint: SqlEndpoint = cluster => {
    const at = setting.bases().sql
    return at && { host: at.hosts.replace('*', cluster), port: at.port }
  }

  function contextOf(call: Call, listener: Listener, match: RouteMatch, now: number, isLimited: boolean): Context {
    const form = match.form ?? listener
    const id = match.route?.operation
    const choiceOfGap = routing.choices[form]
    // Every property by name: building the object by spreading costs 10 µs per call.
    return {
      core,
      call,
      listener,
      form,
      match,
      id,
      operation: id && contract.operations[id],
      deployment,
      segment,
      limits,
      cors,
      choiceOfGap,
      choices: routing.choices,
      routes: routing.routes[listener],
      edition: editionOf(routing.choices, form),
      now,
      limiter: isLimited || choiceOfGap['limit/headers'] === 'always' ? disruptions.limiter(listener) : undefined,
      isLimited,
      answerOutsideApi: () => (listener === 'cloud' ? core.sql?.answerCall(call, sql) : undefined),
      sqlEndpoint,
      headers: {},
      actor: undefined,
      ids: {},
      body: undefined,
    }
  }

  function notifyListeners() {
    if (setting.listeners.size === 0) return
    for (const entry of journal.read(1)) for (const notify of setting.listeners) notify(entry, id)
  }

  const records = createRecords(() => deployment, clock.now, accept)
  const capture = (extent?: Extent) => ({ ...captureState(deployment, clock, disruptions.save(), extent), scenario })
  const save = (extent?: Extent) => completeState(capture(extent))
  function load(state: unknown) {
    const loaded = loadState(core, state, clock, next => accept?.(next), externalEngine)
    replaceDeployment(loaded.deployment)
    scenario = loaded.scenario ?? scenario
    leftOut = []
    disruptions.load(loaded.disruptions)
  }

  const steps = {
    *moveClock(now: Moment): Steps {
      const to = readMoment('set the clock', now)
      changes++
      yield* alerts.moveClock(to)
    },
    *advance(by: number | string): Steps {
      const now = clock.now()
      const to = now + readAdvance(by, now)
      changes++
      yield* alerts.advance(to)
    },
  }
  /** Moves in slices follow one another. */
  let moving = Promise.resolve()
  const inSlices = (start: () => Steps, send: SendNotifications): Promise<void> => {
    const moved = moving.then(async () => {
      await runInSlices(start(), send)
      send(await alerts.settle())
    })
    moving = moved.catch(() => {})
    return moved
  }

  const world: MockWorld = {
    ...records,
    ...disruptions.controls,
    async answer(call, listener) {
      const startedAt = performance.now()
      const now = clock.now()
      deployment.world.applyTime(now)
      const { dispatch } = routing
      const match = dispatch[listener](call)
      const operation = match.route?.operation
      const askMock = async (isWithChaos: boolean) => {
        const decision = isWithChaos ? disruptions.decide(call, operation) : undefined
        // Chaos has drawn random numbers, and a limit may have counted.
        if (decision) changes++
        // A fault may change a call on its way in, and send it more than once.
        const contextFor = (sent: Call) =>
          contextOf(sent, listener, sent === call ? match : dispatch[listener](sent), now, decision?.isLimited ?? false)
        const answerWithFaults = disruptions.breakRules(
          sent => answerCall(contextFor(sent)),
          sent => faultContextOf(deployment, contextFor(sent)),
        )
        const fail = () => writeRefusal(failed('Something went wrong :('), contextFor(call))
        return decision ? applyChaos(decision, fail, () => answerWithFaults(call)) : answerWithFaults(call)
      }
      const fail = (why: string) => writeRefusal(failed(why), contextOf(call, listener, match, now, false))
      const stubContext = { call, operation, params: match.params, now, askMock, fail }
      const answer = cors.open(call, await disruptions.answerByStub(stubContext))
      const { form } = match
      const ms = performance.now() - startedAt
      journal.record({ at: clock.now(), ms, host: listener, call, answer, form, operation: form && operation })
      setting.meter.record({ form: form ?? listener, operation: form && operation, status: answer.status, ms })
      notifyListeners()
      if (setting.collectUsage) {
        const { method, query, body } = call
        const reads = call.reads as AnswerReads | undefined
        const { status, body: text } = answer
        const used = toUsedCall(contract, { form, operation, method, query, body, status, reads, answer: text })
        if (used) setting.collectUsage(used, contract)
      }
      return answer
    },
    target: (bases = setting.bases()) => describeTarget(deployment, setting, bases),
    recognises: (authorization, listener) =>
      core.credentials[listener]?.recognise(deployment.world, authorization) ?? true,
    reset({ seed = deployment.world.seed, scenario: nextScenario = scenario } = {}) {
      const { initial: next, ...arranged } = createInitial(seed, readScenario(core, 'reset: scenario', nextScenario))
      accept?.(next)
      leftOut = arranged.leftOut
      // A reset world has services with the same ids, whose tables must be gone.
      for (const id of core.sql?.listIds(deployment.world) ?? []) void setting.sql?.drop(id).catch(() => {})
      scenario = nextScenario
      clock.restart()
      replaceDeployment(next)
      disruptions.restart(seed)
    },
    scenario: () => scenario,
    leftOut: () => leftOut,
    calls: (limit, filter) => journal.read(limit, filter),
    forgetCalls: () => journal.forget(),
    usage: () => usageOfCalls(contract, journal.read(undefined, { client: 'other', isWhole: true })),
    choices: () => ({ segment, ...routing.choices }),
    queryChoices: stackId => choicesOfStack(stackId, routing.choices),
    setChoices(changes) {
      routing = createRouting(contract, changeChoices(contract, routing.choices, changes), segment, offer)
    },
    describe: api => describe(contract, api, routing.routes[api], routing.choices),
    ownPaths: api => matchOwn(routing.routes[api]),
    clock,
    moveClock: now => runSteps(steps.moveClock(now)),
    advance: by => runSteps(steps.advance(by)),
    at(now) {
      const notifications = world.moveClock(now)
      clock.freeze()
      return notifications
    },
    freeze: clock.freeze,
    resume() {
      clock.resume()
      // The time for which it stood still is a part of the state.
      changes++
    },
    evaluateAlerts: () => runSteps(alerts.evaluate()),
    inSlices: {
      moveClock: (now, send) => inSlices(() => steps.moveClock(now), send),
      advance: (by, send) => inSlices(() => steps.advance(by), send),
      evaluateAlerts: send => inSlices(alerts.evaluate, send),
    },
    awaitAlerts: alerts.settle,
    breakDelivery: (call, send) => disruptions.breakRules(send, () => contextOutsideApi(deployment), 'receiver')(call),
    recordDelivery(notification, outcome) {
      journal.recordDelivery(clock.now(), outcome)
      notifyListeners()
      if (outcome.error !== undefined) world.recordAlertError(notification, outcome.error)
    },
    recordAlertError({ alertId, at, until }, message) {
      const error = { timestamp: new Date(at).toISOString(), type: 'WEBHOOK_ERROR', message } as const
      for (const { alerts } of deployment.openStacks()) {
        const alert = alerts.get(alertId)
        if (alert?.evaluatedUntil !== until) continue
        alerts.replace({ ...alert, executionErrors: [...(alert.executionErrors ?? []), error] })
      }
    },
    records,
    deployment: () => deployment,
    sql,
    state: save,
    *writeState(extent = 'whole') {
      if (extent === 'whole') for (const _ of deployment.world.seedAll()) yield ''
      yield* writeState(capture(extent))
    },
    load,
    snapshot: () => ({
      state: save('opened'),
      faults: world.faults(),
      chaos: world.chaos(),
      choices: routing.choices,
      stubs: world.stubs(),
    }),
    restore(snapshot) {
      const { state, faults, chaos, choices, stubs } = readSnapshot(snapshot)
      if (choices !== routing.choices) routing = createRouting(contract, choices, segment, offer)
      world.setFaults(faults)
      world.setChaos(chaos)
      disruptions.restoreStubs(stubs)
      load(state)
    },
    revision: () => changes + deployment.world.revision,
    loadRows(sourceId, rows) {
      const loaded = loadRowsInto(deployment, sourceId, rows, limits.rows)
      changes++
      return loaded
    },
  }
  return world
}

/** Checks a value that `snapshot` returned. Throws an Error about an unknown or missing part. */
function readSnapshot(snapshot: Snapshot): Snapshot {
  const task = 'restore a snapshot'
  const parts = ['state', 'faults', 'chaos', 'choices', 'stubs'] as const
  checkOptions(task, Object.fromEntries(parts.map(part => [part, checkedLater()])), snapshot)
  const missing = parts.find(part => snapshot[part] === undefined)
  if (missing !== undefined) throw new Error(`${task}: ${missing}: It is missing: Expected what snapshot() returned`)
  return snapshot
}

/** Journal budget of a world besides the first: there may be a thousand such worlds. */
const furtherJournalBytes = 1024 * 1024

function readSeed(seed: number): number {
  if (!Number.isSafeInteger(seed)) throw new Error(`create a mock: seed: Expected a whole number, received ${seed}`)
  return seed
}
