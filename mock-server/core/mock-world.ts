import type { RuleId } from '../../fixtures/contract/index.ts'
import type { Chaos } from '../chaos/chaos.ts'
import type { Delivery } from '../families/alert/alert-event.ts'
import type { Choices, ChoicesInForce } from '../gaps/choices.ts'
import type { Answer, Call } from '../words/call.ts'
import type { Eventually } from '../words/eventually.ts'
import type { Clock, Moment } from '../world/clock.ts'
import type { Extent } from '../world/saved.ts'
import type { Scenario } from './arrange/scenario.ts'
import type { Stub, Stubs } from './arrange/stubs.ts'
import type { Deployment } from './deployment.ts'
import type { Host } from './dispatch/dispatch.ts'
import type { CallFilter } from './journal/filter.ts'
import type { DeliveryOutcome, JournalEntry } from './journal/journal.ts'
import type { Records } from './records.ts'
import type { SqlSite } from './sql/site.ts'
import type { Bases, TargetFile } from './target.ts'

/** The argument of `restore`: the state of the world, its disturbances, and its choices for gaps. */
export interface Snapshot {
  readonly state: unknown
  readonly faults: readonly RuleId[]
  readonly chaos: Chaos
  readonly choices: ChoicesInForce
  readonly stubs: readonly Stub[]
}

/**
 * One world of a mock: its records and credentials, its clock, and its disturbances. `create`, `get`, `list`, `update`
 * and `remove` are those of `records`.
 */
export interface MockWorld extends Records, Stubs {
  /** Answers a call in this world, whatever its credentials. It never throws. */
  answer(call: Call, host: Host): Promise<Answer>
  /** The target file of this world at these addresses, by default those of the mock. */
  target(bases?: Bases): TargetFile
  /** Whether these credentials are valid anywhere in this world. */
  recognises(authorization: string | undefined, host: Host): boolean
  /** Resets the world to its start, or to that of another seed or scenario. */
  reset(options?: { readonly seed?: number; readonly scenario?: Scenario }): void
  /** The seed, size and scenario of the world. */
  scenario(): Scenario
  /**
   * The answered calls and the webhook deliveries, newest first; of each body the first 4,096 characters, unless
   * requested whole.
   */
  calls(limit?: number, filter?: CallFilter & { readonly isWhole?: boolean }): readonly JournalEntry[]
  forgetCalls(): void
  faults(): readonly RuleId[]
  /** Breaks exactly these rules. Throws an Error for an unknown one, which suggests the nearest. */
  setFaults(ids: readonly string[]): void
  chaos(): Chaos
  /** Sets chaos, or throws an Error with a sentence. A seed restarts the random numbers. */
  setChaos(chaos: unknown): void
  /** The choices in force for gaps, beside the segment. */
  choices(): Choices
  /** Changes the named choices, by form. Throws an Error for an impossible one. The segment does not change. */
  setChoices(changes: Choices): void
  /** The OpenAPI description of an API, with the operations that are served. */
  describe(api: Host): object
  readonly clock: Clock
  /**
   * Sets the clock as `clock.set` does. On the way forward alerts are evaluated minute by minute for at most the last
   * day; only at the new time if rows are elsewhere.
   */
  moveClock(now: Moment): readonly Delivery[]
  /** Advances the clock by milliseconds, or by a duration such as `90s`, `30m`, `1h` or `2d`, as `moveClock` does. */
  advance(by: number | string): readonly Delivery[]
  /** Sets the clock as `moveClock` does and stops it. `advance` still moves it; reset, load and restore start it again. */
  at(now: Moment): readonly Delivery[]
  /** Evaluates the alerts whose windows have ended, and returns the webhook deliveries, which the caller sends. */
  evaluateAlerts(): readonly Delivery[]
  /**
   * Waits for pending alert queries to an engine elsewhere, evaluates their alerts, and returns the webhook deliveries.
   * Resolves at once if charts are computed here.
   */
  awaitAlerts(): Promise<readonly Delivery[]>
  /** Records the outcome of a delivery in the journal and, if it failed, in the alert. */
  recordDelivery(delivery: Delivery, outcome: DeliveryOutcome): void
  /** The records of the world by model name, for arranging it: any may be read, created, changed and removed. */
  readonly records: Records
  /** The records and rows of the world, for access beside the protocol. */
  look(): Deployment
  /** Where the SQL of its services is answered. */
  readonly sql: SqlSite
  /**
   * The world as one JSON document: whole, or only the places in use, which is much smaller and seeds nothing. The rest
   * follows from the seed if the same release loads it.
   */
  state(extent?: Extent): unknown
  /** Loads such a document, or throws an Error with a sentence. */
  load(state: unknown): void
  /** The current world with its faults, chaos, choices and stubs, for `restore`. The journal is not included. */
  snapshot(): Snapshot
  /**
   * Restores a snapshot; the clock moves back by as much as it was set and advanced since. Throws an Error for an
   * invalid snapshot.
   */
  restore(snapshot: Snapshot): void
  /** A number that changes whenever `state` would answer something else. */
  revision(): number
  /**
   * Loads rows into a source and returns their number, or throws an Error about the invalid row; asynchronous if rows
   * are elsewhere.
   */
  loadRows(sourceId: string, rows: unknown): Eventually<number>
}
