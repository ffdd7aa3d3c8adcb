import { refused } from '../words/refusal.ts'
import type { Source } from '../words/resources.ts'
import type { Engine, Row, Telemetry } from './telemetry.ts'

/** An error about the database of `--telemetry`, with a sentence for the user. */
export class TelemetryRefused extends Error {}

/** An engine in another process with its own rows, which may be real ones. */
export interface Elsewhere extends Engine {
  /** Its address without credentials. */
  readonly name: string
  /** Inserts rows; throws a Refusal unless writing was allowed. */
  load(source: Source, rows: readonly Row[]): Promise<number>
  /** Runs raw SQL; the first row is the column names. Throws a Refusal if the user may do more than SELECT. */
  ask(sql: string, values: Readonly<Record<string, string | number>>): Promise<readonly (readonly unknown[])[]>
  close(): Promise<void>
}

/** The telemetry of a stack whose rows are in another process: none are generated or stored here. */
export const telemetryElsewhere = (elsewhere: Elsewhere): Telemetry => ({
  elsewhere,
  chart: elsewhere.chart,
  search: elsewhere.search,
  append() {
    throw refused(`Expected no rows, because telemetry is in ${elsewhere.name}: load them there`)
  },
  follow() {},
  rows: () => undefined,
  loaded: () => 0,
  held: () => 0,
  freeRows() {},
  appended: () => [],
  sizeOfAppended: () => 0,
  sources: () => [],
  remove() {},
})
