import { refused } from '../words/refusal.ts'
import type { Source } from '../words/resources.ts'
import type { Engine, Row, Telemetry } from './telemetry.ts'

/** Why telemetry cannot lie there, in a sentence for whoever starts the mock. */
export class TelemetryRefused extends Error {}

/** An engine in another process, with rows of its own: often somebody's real ones. */
export interface Elsewhere extends Engine {
  /** Where it is, without credentials. */
  readonly name: string
  /** Writes rows, when it was allowed to: else it throws a Refusal. */
  load(source: Source, rows: readonly Row[]): Promise<number>
  /**
   * Runs a SELECT that somebody wrote, with values by their names; the first row names the columns. Throws a Refusal unless
   * the user of the database can reach tables alone.
   */
  ask(sql: string, values: Readonly<Record<string, string | number>>): Promise<readonly (readonly unknown[])[]>
  close(): Promise<void>
}

/** The telemetry of a stack whose rows lie elsewhere: nothing is observed, and nothing kept here. */
export const telemetryElsewhere = (elsewhere: Elsewhere): Telemetry => ({
  elsewhere,
  chart: elsewhere.chart,
  search: elsewhere.search,
  append() {
    throw refused(`Expected no rows, because telemetry lies in ${elsewhere.name}: load them there`)
  },
  follow() {},
  rows: () => undefined,
  loaded: () => 0,
  held: () => 0,
  rest() {},
  appended: () => [],
  sources: () => [],
  remove() {},
})
