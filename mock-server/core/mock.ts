import type { RuleId } from '../../fixtures/contract/index.ts'
import type { AlertEvent, Delivery } from './behaviours/alert-event.ts'
import type { Answer, Call, Trouble } from './call.ts'
import { type Chaos, readChaos } from './chaos.ts'
import { type Choices, takeChoices } from './choices.ts'
import type { Clock } from './clock.ts'
import { createDispatch } from './dispatch.ts'
import type { DeliveryOutcome, JournalEntry } from './journal.ts'
import { type Limits, readLimits } from './limits.ts'
import { createMockWorld, type Host, type MockWorld, type Setting } from './mock-world.ts'
import { readSize, type Size } from './populate/size.ts'
import { listRoutes } from './routes.ts'
import type { Bases, TargetFile } from './target.ts'
import { createWorlds, type WorldOptions, type Worlds } from './worlds.ts'

export type { Because } from './explain.ts'
export type {
  AlertEvent,
  Answer,
  Bases,
  Call,
  Chaos,
  Choices,
  Clock,
  Delivery,
  DeliveryOutcome,
  Host,
  JournalEntry,
  Limits,
  MockWorld,
  RuleId,
  TargetFile,
  Trouble,
  WorldOptions,
  Worlds,
}

/** What a mock is made of; everything has a default. */
export interface MockOptions extends Partial<Size> {
  /** The same seed gives the same world. Default 1. */
  readonly seed?: number
  /** The moment at which the world stands at the start, in epoch milliseconds; the clock runs on from there. Default: now. */
  readonly now?: number
  /** Whether the clock stands still until it is set or put forward: same seed and `now`, same bytes. Default: no. */
  readonly freeze?: boolean
  /** How many seconds pass in one, from 1 to 100,000. Default 1. */
  readonly speed?: number
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
  /** Trouble on purpose, for this world and those that are opened beside it. Default: none. */
  readonly chaos?: Chaos
  /** How many calls are remembered. Default 1000. */
  readonly journal?: number
  /** What is taken at most, where it is not as usual. */
  readonly limits?: Partial<Limits>
}

/** A stateful mock of the whole service, as plain calls and answers. What it offers beside `worlds` is its first world's. */
export interface Mock extends MockWorld {
  /** Answers a call in the world that its credentials belong to. It never throws. */
  answer(call: Call, host: Host): Answer
  /** The world that a call belongs to by its credentials; without any, or with unknown ones, the first. */
  worldOf(call: Call): MockWorld
  /** Worlds of their own, for tests that run at the same time. */
  readonly worlds: Worlds
  /** The choices in force in the silent places. */
  choices(): Choices
  /** The limits in force: what the core does not see, whoever listens keeps to. */
  readonly limits: Limits
}

/** Makes a mock with a world of its own. */
export function createMock(options: MockOptions = {}): Mock {
  const taken = takeChoices(options.choices, options.gaps)
  const segment = options.segment ?? options.choices?.segment ?? 'observability'
  const routes = { cloud: listRoutes('cloud', taken, segment), selfHosted: listRoutes('selfHosted', taken, segment) }
  const limits = readLimits(options.limits)
  const setting: Setting = {
    size: readSize('create a mock', options),
    now: options.now,
    pace: { freeze: options.freeze, speed: options.speed },
    taken,
    segment,
    routes,
    dispatch: {
      cloud: createDispatch(routes.cloud, taken, segment),
      selfHosted: createDispatch(routes.selfHosted, taken, segment),
    },
    chaos: readChaos({ rateLimit: options.rateLimit ?? false, ...options.chaos }),
    faults: options.faults ?? [],
    journal: options.journal ?? 1000,
    limits,
  }
  const { seed = 1 } = options
  const { worlds, find, admit } = createWorlds(setting, seed)
  const first = createMockWorld(setting, { seed, ordinal: 0, admit })
  const worldOf = (call: Call) => find(call.headers.authorization) ?? first
  return {
    ...first,
    answer: (call, host) => worldOf(call).answer(call, host),
    recognises: (authorization, host) => (find(authorization) ?? first).recognises(authorization, host),
    worldOf,
    worlds,
    choices: () => ({ segment, ...taken }),
    limits,
  }
}
