import type { RuleId } from '../../fixtures/contract/index.ts'
import { type Chaos, chaosParts, readChaos } from '../chaos/chaos.ts'
import { type Cors, type CorsOptions, readCors } from '../core/cors.ts'
import { isOffer, listNotOffered, type Offer, offers } from '../core/dispatch/offer.ts'
import { createRouting } from '../core/dispatch/routes.ts'
import type { CallFilter, Client } from '../core/journal/filter.ts'
import type { DeliveryOutcome, JournalEntry } from '../core/journal/journal.ts'
import type { AlertEvent, Delivery } from '../families/alert/alert-event.ts'
import { type Baseline, type BaselineName, readBaseline } from '../gaps/baselines.ts'
import { type Choices, isSegment, overlay, resolveChoices } from '../gaps/choices.ts'
import type { Elsewhere } from '../telemetry/elsewhere.ts'
import type { Answer, Call, Listener, Trouble } from '../words/call.ts'
import { checkOptions, isFlag, isRecord, type OptionCheck, wholeNumber } from '../words/check-options.ts'
import { type Limits, limitBounds, readLimits } from '../words/limits.ts'
import type { SqlAnswer, SqlCall, SqlEngine, SqlRequest } from '../words/sql.ts'
import { type Clock, type Moment, readMoment } from '../world/clock.ts'
import { readSizeGiven, type Size } from '../world/size.ts'
import { readScenario, type Scenario, type ScenarioName, type ScenarioRecords } from './arrange/scenario.ts'
import type {
  CallOfStub,
  OwnAnswer,
  Stub,
  StubAnswer,
  StubChange,
  StubCondition,
  StubFunction,
  StubOptions,
} from './arrange/stubs.ts'
import { createMeter, type Statistics } from './meter.ts'
import { type CallListener, createMockWorld, type MockSettings, type MockWorld, type Snapshot } from './mock-world.ts'
import type { RecordPlace, Records } from './records.ts'
import { answerService } from './sql/answer-service.ts'
import type { Bases, TargetFile } from './target.ts'
import { createWorlds, type ListedWorld, type OpenedWorld, type WorldOptions, type Worlds } from './worlds.ts'

export type { Listener as Host } from '../words/call.ts'
export type { Cause as Because } from '../words/cause.ts'
export type {
  AlertEvent,
  Answer,
  Baseline,
  BaselineName,
  Bases,
  Call,
  CallFilter,
  CallListener,
  CallOfStub,
  Chaos,
  Choices,
  Client,
  Clock,
  Cors,
  CorsOptions,
  Delivery,
  DeliveryOutcome,
  Elsewhere,
  JournalEntry,
  Limits,
  ListedWorld,
  MockWorld,
  Offer,
  OpenedWorld,
  OwnAnswer,
  RecordPlace,
  Records,
  RuleId,
  Scenario,
  ScenarioName,
  ScenarioRecords,
  Snapshot,
  SqlAnswer,
  SqlCall,
  SqlEngine,
  SqlRequest,
  Statistics,
  Stub,
  StubAnswer,
  StubChange,
  StubCondition,
  StubFunction,
  StubOptions,
  TargetFile,
  Trouble,
  WorldOptions,
  Worlds,
}

/** The options of a mock; all have defaults. */
export interface MockOptions extends Partial<Size> {
  /** The same seed gives the same world. Default 1. */
  readonly seed?: number
  /** What there is in its worlds at the start: a scenario by name, or records of one's own. Default `shop`. */
  readonly scenario?: Scenario
  /** The moment at which the world stands at the start: epoch milliseconds, an ISO 8601 text or a Date. Default: now. */
  readonly now?: Moment
  /** Whether the clock stands still until it is set or put forward: same seed and `now`, same bytes. Default: no. */
  readonly freeze?: boolean
  /** How many seconds pass in one, from 1 to 100,000. Default 1. */
  readonly speed?: number
  /** The fixed path segment of the managed form. Default: that of the baseline or the choices, else `observability`. */
  readonly segment?: string
  /**
   * Only these groups of the cloud API, or `specified`, what the specification shows or lists; the rest answers as an unknown
   * path. Default: all.
   */
  readonly offer?: readonly Offer[]
  /** Answers in the silent places as this deployment: the name of a baseline that the package ships, or one that was read. */
  readonly as?: BaselineName | Baseline
  /** Choices for the silent places of the specification, over those of `as`. */
  readonly choices?: Choices
  /** Deals other sensible choices, by this seed. */
  readonly gaps?: number
  /** Rules that are broken on purpose. */
  readonly faults?: readonly RuleId[]
  /** Whether the rate limits of real deployments are in force. */
  readonly rateLimit?: boolean
  /** Trouble on purpose, for this world and those that are opened beside it. Default: none. */
  readonly chaos?: Chaos
  /** How many calls are remembered in each world, and fewer when their bodies are more than 32 MiB. Default 10,000. */
  readonly journal?: number
  /** A world beside the first that is silent for so many milliseconds of real time is closed. Default: none is. */
  readonly worldIdleMs?: number
  /** What is taken at most, where it is not as usual. */
  readonly limits?: Partial<Limits>
  /**
   * Which pages of other origins may call: `any`, `none`, one or more origins, or `as-deployed`, which sends the headers of
   * real deployments. Default: `as-deployed` where `as` is given, else `any`.
   */
  readonly cors?: CorsOptions
  /**
   * Where rows lie and charts compute, when it is not here: what `connectTelemetry` gives. They may be somebody's real rows:
   * `cors` is `none` then, and the seed is a random one, unless they are given.
   */
  readonly telemetry?: Elsewhere
  /**
   * What answers the SQL of services: what `connectSql` gives. `cors` is `none` then, and the seed, from which credentials
   * and passwords follow, is a random one, unless they are given.
   */
  readonly sql?: SqlEngine
}

/** A stateful mock of the whole service, as plain calls and answers. What it offers beside `worlds` is its first world's. */
export interface Mock extends MockWorld {
  /** Answers a call in the world that its credentials belong to. It never throws. */
  answer(call: Call, host: Listener): Promise<Answer>
  /** Answers a call of the HTTP interface of services, in the world of the service that its host and password name. */
  answerSql(request: SqlRequest): Promise<Answer>
  /** The world that a call belongs to by its credentials; without any, or with unknown ones, the first. */
  worldOf(call: Call): MockWorld
  /** Worlds of their own, for tests that run at the same time. */
  readonly worlds: Worlds
  /** What was answered since the start, in all worlds. */
  statistics(): Statistics
  /**
   * Tells of every call, in all worlds, once it stands in the journal, and of every webhook that was called. Returns a
   * function that ends it. What the listener throws, the caller of the mock gets.
   */
  onCall(listener: CallListener): () => void
  /** Says where the listeners of the mock are reached, which targets name from then on. */
  setBases(bases: Bases): void
  /** The limits in force: what the core does not see, whoever listens keeps to. */
  readonly limits: Limits
  /** How the pages of other origins are answered: whoever refuses before the mock is asked keeps to it. */
  readonly cors: Cors
}

/** What `createMock` is told, and how it is judged; `true` where whoever reads the value has its own sentence. */
export const mockOptions: Readonly<Record<keyof MockOptions, OptionCheck>> = {
  seed: [Number.isSafeInteger, 'a whole number'],
  now: true,
  freeze: [isFlag, 'true or false'],
  speed: true,
  organizations: true,
  services: true,
  members: true,
  backups: true,
  logs: true,
  scenario: true,
  segment: [isSegment, 'one segment of a path, such as observability'],
  offer: [isOffer, `a list of ${offers.join(', ')}`],
  as: true,
  choices: [isRecord, 'an object of choices, by form'],
  gaps: [Number.isSafeInteger, 'a whole number'],
  faults: [Array.isArray, 'a list of the ids of rules'],
  rateLimit: [isFlag, 'true or false'],
  chaos: [isRecord, 'an object such as { errorRate: 0.1 }'],
  journal: wholeNumber(0),
  worldIdleMs: wholeNumber(1),
  limits: true,
  cors: true,
  telemetry: true,
  sql: true,
}

/** What the options that are objects consist of: an option of the command that is a part of one here is found by its name. */
export const optionParts = { chaos: Object.keys(chaosParts), limits: Object.keys(limitBounds) }

/** Makes a mock with a world of its own, or throws a sentence about an option that it does not have or a value that will not do. */
export function createMock(options: MockOptions = {}): Mock {
  checkOptions('create a mock', mockOptions, options, optionParts)
  const baseline = options.as === undefined ? undefined : readBaseline('create a mock: as', options.as)
  const choices = overlay(baseline, options.choices)
  const segment = options.segment ?? choices?.segment ?? 'observability'
  const { offer } = options
  const limits = readLimits(options.limits)
  const cors = readCors(
    'create a mock: cors',
    options.cors ?? (options.telemetry || options.sql ? 'none' : baseline ? 'as-deployed' : 'any'),
  )
  const meter = createMeter()
  const listeners = new Set<CallListener>()
  const setting: MockSettings = {
    size: readSizeGiven('create a mock', options),
    scenario: readScenario('create a mock: scenario', options.scenario ?? 'shop'),
    now: options.now === undefined ? undefined : readMoment('create a mock: now', options.now),
    pace: { freeze: options.freeze, speed: options.speed },
    routing: createRouting(resolveChoices(choices, options.gaps), segment, offer),
    segment,
    offer,
    notOffered: listNotOffered(offer),
    chaos: readChaos({ rateLimit: options.rateLimit ?? false, ...options.chaos }),
    faults: options.faults ?? [],
    journal: options.journal ?? 10_000,
    worldIdleMs: options.worldIdleMs ?? Number.POSITIVE_INFINITY,
    limits,
    cors,
    meter,
    listeners,
    bases: () => bases,
    elsewhere: options.telemetry,
    sql: options.sql,
  }
  let bases: Bases = {}
  const { seed = options.telemetry || options.sql ? crypto.getRandomValues(new Uint32Array(1))[0]! : 1 } = options
  const { worlds, find, findBy, answer, accept } = createWorlds(setting, seed)
  const first = createMockWorld(setting, { seed, ordinal: 0, accept })
  const worldOf = (call: Call) => findBy(call) ?? first
  return {
    ...first,
    answer: (call, host) => answer(call, host) ?? first.answer(call, host),
    answerSql: request =>
      answerService(request, { worlds: [first, ...worlds.all()], cors, hosts: bases.sql?.hosts ?? '*.localhost' }),
    recognises: (authorization, host) => (find(authorization) ?? first).recognises(authorization, host),
    worldOf,
    worlds,
    statistics: meter.read,
    onCall(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    setBases(reached) {
      bases = reached
    },
    limits,
    cors,
  }
}
