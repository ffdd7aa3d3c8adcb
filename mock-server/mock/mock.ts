// First, so that bundles have the contract in one piece, which compresses better: 3.6 KB of that for browsers.
import './made-of.ts'
import type { RuleId } from '../../fixtures/contract/index.ts'
import { type Chaos, chaosParts, readChaos } from '../chaos/chaos.ts'
import type { Core } from '../core/core.ts'
import { type Cors, type CorsOptions, readCors } from '../core/cors.ts'
import { type Offer, readOffer } from '../core/dispatch/offer.ts'
import { createRouting } from '../core/dispatch/routes.ts'
import { type Baseline, type BaselineName, readBaseline } from '../gaps/baselines.ts'
import { type Choices, isSegment, overlay, resolveChoices } from '../gaps/choices.ts'
import type { ExternalEngine } from '../telemetry/external-engine.ts'
import type { Answer, Call, Listener } from '../words/call.ts'
import {
  anyWholeNumber,
  check,
  checkedLater,
  checkOptions,
  isRecord,
  namesOf,
  type OptionsOf,
  trueOrFalse,
  wholeNumber,
} from '../words/check-options.ts'
import { type Limits, limitBounds, readLimits } from '../words/limits.ts'
import type { SqlEngine, SqlRequest } from '../words/sql.ts'
import type { Bases } from '../words/target.ts'
import { type Moment, readMoment } from '../world/clock.ts'
import { readGivenSize, sizeBounds } from '../world/size.ts'
import { readScenario, type Scenario } from './arrange/scenario.ts'
import { readDocumentedCore } from './document.ts'
import { core } from './made-of.ts'
import { createMeter, type Statistics } from './meter.ts'
import { type CallListener, createMockWorld, type MockSettings, type MockWorld } from './mock-world.ts'
import { createWorlds, type Worlds } from './worlds.ts'

export type { RuleId } from '../../fixtures/contract/index.ts'
export type { Usage } from '../../fixtures/usage.ts'
export type { Chaos } from '../chaos/chaos.ts'
export type { Cors, CorsOptions } from '../core/cors.ts'
export type { Offer } from '../core/dispatch/offer.ts'
export type { CallFilter, Client } from '../core/journal/filter.ts'
export type { DeliveryOutcome, JournalEntry } from '../core/journal/journal.ts'
export type { Baseline, BaselineName } from '../gaps/baselines.ts'
export type { Choices } from '../gaps/choices.ts'
export type { ExternalEngine } from '../telemetry/external-engine.ts'
export type { Answer, Call, Disturbance, Listener } from '../words/call.ts'
export type { Cause } from '../words/cause.ts'
export type { Limits } from '../words/limits.ts'
export type { AlertEvent, AlertNotification, Fill, Mention } from '../words/notification.ts'
export type { Webhook } from '../words/resources.ts'
export type { SqlAnswer, SqlCall, SqlEngine, SqlRequest } from '../words/sql.ts'
export type { Bases, TargetFile } from '../words/target.ts'
export type { Clock } from '../world/clock.ts'
export type { Scenario, ScenarioName, ScenarioRecords } from './arrange/scenario.ts'
export type {
  CallOfStub,
  OwnAnswer,
  Stub,
  StubAnswer,
  StubChange,
  StubCondition,
  StubFunction,
  StubOptions,
} from './arrange/stubs.ts'
export type { Statistics } from './meter.ts'
export type { CallListener, MockWorld, SendNotifications, Snapshot } from './mock-world.ts'
export type { RecordPlace, Records } from './records.ts'
export type { ListedWorld, OpenedWorld, WorldOptions, Worlds } from './worlds.ts'

/** The options of `createMock`, and how they are checked. */
export const mockOptions = {
  /** The same seed gives the same world. Default: 1, or a random number with `telemetry` or `sql`. */
  seed: anyWholeNumber,
  /** The initial time of the clock: epoch milliseconds, an ISO 8601 text or a Date. Default: the real time. */
  now: checkedLater<Moment>(),
  /** Whether the clock stands still until it is set or advanced: same seed and `now`, same bytes. Default: no. */
  freeze: trueOrFalse,
  /** The seconds of the mock's clock that pass in a real second, from 1 to 100,000. Default 1. */
  speed: checkedLater<number>(),
  ...namesOf(sizeBounds),
  /** The initial content of its worlds: a scenario by name, or records. Default `shop`. */
  scenario: checkedLater<Scenario>(),
  /** The fixed path segment of the managed form. Default: that of the document, of the baseline or the choices, else `observability`. */
  segment: check<string>(isSegment, 'one segment of a path, such as observability'),
  /** Only these groups of the cloud API, or what the specification shows or lists (`specified`). Default: all. */
  offer: checkedLater<readonly Offer[]>(),
  /** Makes the choices of this deployment: the name of a baseline that the package ships, or a parsed one. */
  as: checkedLater<BaselineName | Baseline>(),
  /**
   * An OpenAPI document of the API, 3.0 or 3.1, as an object or as JSON, in Node also as YAML or the path of a file: what
   * it says replaces what the mock has from the vendor's document. `documentChanges` of the mock lists what that changes.
   */
  document: checkedLater<object | string>(),
  /** Choices for gaps of the specification, which override those of `as`. */
  choices: check<Choices>(isRecord, 'an object of choices, by form'),
  /** Draws other sensible choices by this seed. */
  gaps: anyWholeNumber,
  /** Rules that are broken on purpose. */
  faults: check<readonly RuleId[]>(Array.isArray, 'a list of the ids of rules'),
  /** Whether the rate limits of real deployments are in force. */
  rateLimit: trueOrFalse,
  /** Random disturbances, in this world and in further worlds. Default: none. */
  chaos: check<Chaos>(isRecord, 'an object such as { errorRate: 0.1 }'),
  /** Most calls in the journal of a world; fewer if they exceed 32 MiB (1 MiB in further worlds). Default 10,000. */
  journal: wholeNumber(0),
  /** Closes a world besides the first after this many milliseconds of real time without a call. Default: never. */
  worldIdleMs: wholeNumber(1),
  /** Limits that differ from the default. */
  limits: checkedLater<Partial<Limits>>(),
  /**
   * Which pages of other origins may call: `any`, `none`, one or more origins, or `as-deployed`, which sends the headers of
   * real deployments. Default: `none` with `telemetry` or `sql`, else `as-deployed` with `as`, else `any`.
   */
  cors: checkedLater<CorsOptions>(),
  /**
   * An external engine that stores rows and computes charts, as `connectTelemetry` returns it. Because its rows may be
   * real, `cors` defaults to `none`, and the seed to a random number.
   */
  telemetry: checkedLater<ExternalEngine>(),
  /**
   * The engine that answers the SQL of services, as `connectSql` returns it. `cors` then defaults to `none`, and the seed,
   * from which credentials and passwords follow, to a random number.
   */
  sql: checkedLater<SqlEngine>(),
}

/** The options of a mock; all have defaults. */
export interface MockOptions extends OptionsOf<typeof mockOptions> {}

/** A stateful mock of the whole service, as plain calls and answers. Members that concern one world are those of its first. */
export interface Mock extends MockWorld {
  /** Answers a call in the world that its credentials belong to. It never throws. */
  answer(call: Call, listener: Listener): Promise<Answer>
  /** Answers a call of the HTTP interface of services, in the world of the service that its host and password name. */
  answerSql(request: SqlRequest): Promise<Answer>
  /** The world that a call belongs to by its credentials; without any, or with unknown ones, the first. */
  worldOf(call: Call): MockWorld
  /** Further worlds, for tests that run at the same time. */
  readonly worlds: Worlds
  /** What the document of the options changes in the contract, a line for each place; empty without one. */
  readonly documentChanges: readonly string[]
  /** What the document says otherwise than better sources, such as the specification, whose word stays. */
  readonly documentDisagreements: readonly string[]
  /** Counts and durations of the calls since the start, in all worlds. */
  statistics(): Statistics
  /**
   * Calls the listener for every call in all worlds once the journal has the call, and for every webhook delivery.
   * Returns a function that removes the listener. What the listener throws reaches the caller of the mock.
   */
  onCall(listener: CallListener): () => void
  /** Sets the addresses of the listeners, for the target files. */
  setBases(bases: Bases): void
  /** The limits in force; the listeners enforce those of connections and bodies. */
  readonly limits: Limits
  /** The CORS policy, also for refusals of the listeners themselves. */
  readonly cors: Cors
}

/** The names within options that are objects, which are suggested for an unknown option. */
export const optionParts = { chaos: Object.keys(chaosParts), limits: Object.keys(limitBounds) }

/**
 * Creates a mock with one world, or throws an Error about an unknown option or an invalid value. `collectUsage` gets each
 * call of an operation.
 */
export function createMock(options: MockOptions = {}, collectUsage?: MockSettings['collectUsage']): Mock {
  if (options.document === undefined) return createMockOf(core, options, collectUsage)
  const { core: laid, segment, choices, changes, disagreements } = readDocumentedCore(options.document)
  const own = options.as === undefined ? overlay(choices, options.choices) : options.choices
  const mock = createMockOf(laid, { segment, ...options, choices: own }, collectUsage)
  return { ...mock, documentChanges: changes, documentDisagreements: disagreements }
}

/** The same for a mock that is made of something else than this package's contract and families. */
export function createMockOf(core: Core, options: MockOptions = {}, collectUsage?: MockSettings['collectUsage']): Mock {
  const { contract } = core
  checkOptions('create a mock', mockOptions, options, optionParts)
  const baseline = options.as === undefined ? undefined : readBaseline('create a mock: as', options.as)
  const choices = overlay(baseline, options.choices)
  const segment = options.segment ?? choices?.segment ?? 'observability'
  const offer = readOffer(contract, 'create a mock: offer', options.offer)
  const limits = readLimits(options.limits)
  const cors = readCors(
    'create a mock: cors',
    options.cors ?? (options.telemetry || options.sql ? 'none' : baseline ? 'as-deployed' : 'any'),
  )
  const meter = createMeter()
  const listeners = new Set<CallListener>()
  const setting: MockSettings = {
    core,
    size: readGivenSize('create a mock', options),
    scenario: readScenario(core, 'create a mock: scenario', options.scenario ?? 'shop'),
    now: options.now === undefined ? undefined : readMoment('create a mock: now', options.now),
    pace: { freeze: options.freeze, speed: options.speed },
    routing: createRouting(contract, resolveChoices(contract, choices, options.gaps), segment, offer),
    segment,
    offer,
    chaos: readChaos(contract, { rateLimit: options.rateLimit ?? false, ...options.chaos }),
    faults: options.faults ?? [],
    journal: options.journal ?? 10_000,
    worldIdleMs: options.worldIdleMs ?? Number.POSITIVE_INFINITY,
    limits,
    cors,
    meter,
    listeners,
    collectUsage,
    bases: () => bases,
    externalEngine: options.telemetry,
    sql: options.sql,
  }
  let bases: Bases = {}
  const { seed = options.telemetry || options.sql ? crypto.getRandomValues(new Uint32Array(1))[0]! : 1 } = options
  const { worlds, find, findBy, answer, accept } = createWorlds(setting, seed)
  const first = createMockWorld(setting, { seed, ordinal: 0, accept })
  const worldOf = (call: Call) => findBy(call) ?? first
  return {
    ...first,
    answer: (call, listener) => answer(call, listener) ?? first.answer(call, listener),
    async answerSql(request) {
      if (!core.sql) throw new Error('answer SQL: no family of this mock has services')
      const sqlOfWorlds = worlds.all().map(({ sql }) => sql)
      const hosts = bases.sql?.hosts ?? '*.localhost'
      return core.sql.answerInterface(request, { worlds: [first.sql, ...sqlOfWorlds], cors, hosts })
    },
    recognises: (authorization, listener) => (find(authorization) ?? first).recognises(authorization, listener),
    worldOf,
    worlds,
    documentChanges: [],
    documentDisagreements: [],
    statistics: meter.read,
    onCall(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    setBases(newBases) {
      bases = newBases
    },
    limits,
    cors,
  }
}
