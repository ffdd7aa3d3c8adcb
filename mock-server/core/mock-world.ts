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
import type { Bases, TargetFile } from './target.ts'

/** What `restore` takes back: the state of the world, what goes wrong in it, and its choices in the silent places. */
export interface Snapshot {
  readonly state: unknown
  readonly faults: readonly RuleId[]
  readonly chaos: Chaos
  readonly choices: ChoicesInForce
  readonly stubs: readonly Stub[]
}

/**
 * One world of a mock: its records and credentials, its clock, and what goes wrong in it. `create`, `get`, `list`, `update`
 * and `remove` are those of `records`.
 */
export interface MockWorld extends Records, Stubs {
  /** Answers a call in this world, whosever credentials it carries. It never throws. */
  answer(call: Call, host: Host): Promise<Answer>
  /** The target file of this world, at these addresses; at those of the mock where none are given. */
  target(bases?: Bases): TargetFile
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
  /** The choices in force in the silent places, beside the segment. */
  choices(): Choices
  /** Changes the choices that are named, by form, or throws a sentence about one that cannot be made. The segment stays. */
  setChoices(changes: Choices): void
  /** The machine-readable description of an API, of the operations that are served. */
  describe(api: Host): object
  readonly clock: Clock
  /**
   * Sets the clock as `clock.set` does. On the way forward alerts are evaluated minute by minute, for at most a day before the
   * new time; only at the new time where rows lie elsewhere.
   */
  moveClock(now: Moment): readonly Delivery[]
  /** Moves the clock forward by milliseconds, or a text such as `90s`, `30m`, `1h` or `2d`, as `moveClock` does. */
  advance(by: number | string): readonly Delivery[]
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
  /** The world as it is now, with its faults, chaos, choices and stubs, for `restore`. The journal is not part of it. */
  snapshot(): Snapshot
  /**
   * Puts the world back to a snapshot of it; its clock by as much as it was set and put forward since. Throws a sentence
   * for what is no snapshot.
   */
  restore(snapshot: Snapshot): void
  /** Another number after every change of what `state` answers. */
  revision(): number
  /** Loads rows into a source and returns how many, or throws a sentence about the row that is wrong; later, where rows lie elsewhere. */
  loadRows(sourceId: string, rows: unknown): Eventually<number>
}
