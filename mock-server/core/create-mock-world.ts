import { operations } from '../../fixtures/contract/index.ts'
import type { Chaos } from '../chaos/chaos.ts'
import { services } from '../families/service/model.ts'
import { changeChoices } from '../gaps/choices.ts'
import type { Elsewhere } from '../telemetry/elsewhere.ts'
import type { Call } from '../words/call.ts'
import { checkOptions } from '../words/check-options.ts'
import type { Limits } from '../words/limits.ts'
import { failed } from '../words/refusal.ts'
import type { SqlEngine } from '../words/sql.ts'
import { createClock, type Pace, readAdvance, readMoment } from '../world/clock.ts'
import type { Extent } from '../world/saved.ts'
import { readSize, type Size } from '../world/size.ts'
import { selfHosted } from '../world/world.ts'
import { createAlertEvaluator } from './alert-evaluator.ts'
import { arrange, capturedIn, isBare, readScenario, type Scenario, sizeOfScenario } from './arrange/scenario.ts'
import { findKey, isAccessKey } from './authenticate.ts'
import type { Context, SqlEndpoint } from './context.ts'
import type { Cors } from './cors.ts'
import { createDeployment, type Deployment } from './deployment.ts'
import type { Host, RouteMatch } from './dispatch/dispatch.ts'
import type { Offer } from './dispatch/offer.ts'
import { editionOf } from './dispatch/routes.ts'
import { createRouting, type Routing } from './dispatch/routing.ts'
import { createJournal, type JournalEntry } from './journal/journal.ts'
import { loadRowsInto } from './load-rows-into.ts'
import type { Meter } from './meter.ts'
import type { MockWorld, Snapshot } from './mock-world.ts'
import { describe } from './openapi/openapi.ts'
import { answerCall } from './pipeline.ts'
import { beside, describePlace } from './place.ts'
import { createRecords } from './records.ts'
import type { SqlSite } from './sql/site.ts'
import { loadState, saveState } from './state.ts'
import { type Bases, nameTarget } from './target.ts'
import { createTroubles, disturb } from './trouble.ts'
import { writeRefusal } from './write/write-reply.ts'

/** What all worlds of a mock share. */
export interface MockSettings {
  /** The given part of the size. */
  readonly size: Partial<Size>
  readonly scenario: Scenario
  readonly now: number | undefined
  readonly pace: Pace
  /** The choices at the start. */
  readonly routing: Routing
  readonly segment: string
  readonly offer: readonly Offer[] | undefined
  /** The `notOffered` list of the target file. */
  readonly notOffered: readonly string[]
  readonly chaos: Chaos
  readonly faults: readonly string[]
  readonly journal: number
  /** Idle time after which a world beside the first is closed, in milliseconds. */
  readonly worldIdleMs: number
  readonly limits: Limits
  readonly cors: Cors
  readonly meter: Meter
  /** Called for each call and delivery after it was added to the journal. */
  readonly listeners: ReadonlySet<CallListener>
  /** The addresses of the listeners. */
  bases(): Bases
  /** The engine elsewhere that stores the rows, if any. */
  readonly elsewhere: Elsewhere | undefined
  /** What answers the SQL of services. */
  readonly sql: SqlEngine | undefined
}

/** Receives a journal entry, and the world beside the first in which the call was answered. */
export type CallListener = (entry: JournalEntry, worldId: string | undefined) => void

export interface Origin {
  readonly seed: number
  readonly ordinal: number
  /** Its name among the worlds of the mock; the first has none. */
  readonly id?: string
  /** Called with a deployment before it is used, at the start and after each reset and load; it may throw an Error. */
  readonly admit?: (deployment: Deployment) => void
}

export function createMockWorld(setting: MockSettings, { seed, ordinal, id, admit }: Origin): MockWorld {
  const { segment, offer, limits, cors, elsewhere } = setting
  let { routing } = setting
  const clock = createClock(setting.now, setting.pace)
  const start = setting.now ?? clock.now()
  const journal = createJournal(setting.journal, ordinal === 0 ? undefined : budgetOfMany)
  function layOut(seed: number, scenario: Scenario): Deployment {
    const size = readSize('create a mock', { ...sizeOfScenario(scenario), ...setting.size })
    const bare = isBare(scenario)
    const from = {
      seed: readSeed(seed),
      ordinal,
      size,
      start,
      now: clock.now,
      elsewhere,
      isBare: bare,
      captured: capturedIn(scenario),
    }
    const laidOut = createDeployment(from)
    const records = createRecords(
      () => laidOut,
      () => start,
    )
    arrange(scenario, laidOut, records, (name, place) => {
      const taken: Readonly<Record<string, string>> = routing.taken[place === selfHosted ? 'selfHosted' : 'managed']
      return taken[`${name}/order-of-list`] === 'newest first'
    })
    return laidOut
  }
  let { scenario } = setting
  let deployment = layOut(seed, scenario)
  admit?.(deployment)
  const alerts = createAlertEvaluator(() => deployment, clock, { ...setting, taken: () => routing.taken })
  const troubles = createTroubles({ chaos: setting.chaos, faults: setting.faults, seed, clock })
  /** Changes that the records of the present deployment do not count. */
  let changes = 0

  function take(next: Deployment) {
    changes += deployment.world.revision + 1
    deployment = next
    alerts.restart()
  }

  const sql: SqlSite = {
    engine: setting.sql,
    world: () => deployment.world,
    now: clock.now,
    async record(call, answer) {
      const began = performance.now()
      const answered = await troubles.breakRules(answer, () => beside, 'sql')(call)
      journal.record({ at: clock.now(), ms: performance.now() - began, host: 'sql', call, answer: answered })
      tellListeners()
      return answered
    },
  }
  const sqlEndpoint: SqlEndpoint = cluster => {
    const at = setting.bases().sql
    return at && { host: at.hosts.replace('*', cluster), port: at.port }
  }

  /** The context of a call before the first step of the pipeline. */
  function contextOf(call: Call, host: Host, match: RouteMatch, now: number, isLimited: boolean): Context {
    const form = match.form ?? host
    const id = match.route?.operation
    const taken = routing.taken[form]
    // Every property by name: building the object by spreading costs 10 µs per call.
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
      taken,
      choices: routing.taken,
      routes: routing.routes[host],
      edition: editionOf(routing.taken, form),
      now,
      limiter: isLimited || taken['limit/headers'] === 'always' ? troubles.limiter(host) : undefined,
      isLimited,
      sql,
      sqlEndpoint,
      headers: {},
      actor: undefined,
      ids: {},
      body: undefined,
    }
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

  const world: MockWorld = {
    ...records,
    async answer(call, host) {
      const began = performance.now()
      const now = clock.now()
      deployment.world.elapse(now)
      const { dispatch } = routing
      const match = dispatch[host](call)
      const operation = match.route?.operation
      const askMock = async (isWithChaos: boolean) => {
        const fate = isWithChaos ? troubles.decide(call, operation) : undefined
        // Chaos has drawn random numbers, and a limit may have counted.
        if (fate) changes++
        // A fault may change a call on its way in, and send it more than once.
        const enter = (sent: Call) =>
          contextOf(sent, host, sent === call ? match : dispatch[host](sent), now, fate?.isLimited ?? false)
        const through = troubles.breakRules(
          sent => answerCall(enter(sent)),
          sent => describePlace(deployment, enter(sent)),
        )
        const fail = () => writeRefusal(failed('Something went wrong :('), enter(call))
        return fate ? disturb(fate, fail, () => through(call)) : through(call)
      }
      const fail = (why: string) => writeRefusal(failed(why), contextOf(call, host, match, now, false))
      const served = await (troubles.hasStubs()
        ? troubles.answerByStub({ call, operation, params: match.params, now, askMock, fail })
        : askMock(true))
      const answer = cors.open(call, served)
      const { form } = match
      const ms = performance.now() - began
      journal.record({ at: clock.now(), ms, host, call, answer, form, operation: form && operation })
      setting.meter.record({ form: form ?? host, operation: form && operation, status: answer.status, ms })
      tellListeners()
      return answer
    },
    target: (bases = setting.bases()) => nameTarget(deployment, setting, bases),
    recognises: (authorization, host) =>
      host === 'cloud'
        ? findKey(deployment.world, authorization) !== undefined
        : isAccessKey(deployment.world, authorization),
    reset({ seed = deployment.world.seed, scenario: wanted = scenario } = {}) {
      const next = layOut(seed, readScenario('reset: scenario', wanted))
      admit?.(next)
      // What a reset world lays out again, with the same ids, has no tables.
      for (const id of servicesOf(deployment)) void setting.sql?.drop(id).catch(() => {})
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
    choices: () => ({ segment, ...routing.taken }),
    setChoices(changes) {
      routing = createRouting(changeChoices(routing.taken, changes), segment, offer)
    },
    describe: api => describe(api, routing.routes[api], routing.taken),
    stub: troubles.stub,
    stubs: troubles.stubs,
    removeStubs: troubles.removeStubs,
    clock,
    moveClock(now) {
      const deliveries = alerts.moveClock(readMoment('set the clock', now))
      changes++
      return deliveries
    },
    advance: by => world.moveClock(clock.now() + readAdvance(by, clock.now())),
    at(now) {
      const deliveries = world.moveClock(now)
      clock.stop()
      return deliveries
    },
    evaluateAlerts: alerts.evaluate,
    awaitAlerts: alerts.settle,
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
    sql,
    state: save,
    load,
    snapshot: () => ({
      state: save('opened'),
      faults: troubles.faults(),
      chaos: troubles.chaos(),
      choices: routing.taken,
      stubs: troubles.stubs(),
    }),
    restore(snapshot) {
      const { state, faults, chaos, choices, stubs } = readSnapshot(snapshot)
      if (choices !== routing.taken) routing = createRouting(choices, segment, offer)
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
  return world
}

/** The ids of the services that somebody has looked at. */
const servicesOf = ({ world }: Deployment) =>
  world.opened(services).flatMap(place =>
    world
      .in(services, place)
      .list()
      .map(({ id }) => id),
  )

/** Checks a value that `snapshot` returned. Throws an Error about an unknown or missing part. */
function readSnapshot(snapshot: Snapshot): Snapshot {
  const task = 'restore a snapshot'
  const parts = { state: true, faults: true, chaos: true, choices: true, stubs: true } as const
  checkOptions(task, parts, snapshot)
  const missing = Object.keys(parts).find(part => snapshot[part as keyof Snapshot] === undefined)
  if (missing !== undefined) throw new Error(`${task}: ${missing}: It is missing: Expected what snapshot() returned`)
  return snapshot
}

/** Journal budget in bytes of a world beside the first, of which there may be a thousand. */
const budgetOfMany = 1024 * 1024

function readSeed(seed: number): number {
  if (!Number.isSafeInteger(seed)) throw new Error(`create a mock: seed: Expected a whole number, received ${seed}`)
  return seed
}
