import { refused } from '../words/refusal.ts'
import type { Source } from '../words/resources.ts'
import type { Engine, Row, Telemetry } from './telemetry.ts'

/** The database of `--telemetry` cannot be used. The message is shown to the user. */
export class TelemetryUnavailable extends Error {}

/** An external engine, such as a ClickHouse server. It stores the rows, which may be of a real system. */
export interface ExternalEngine extends Engine {
  /** The address, without credentials, and the database. */
  readonly name: string
  /** Inserts rows, and returns how many; throws a Refusal unless writing was allowed. */
  load(source: Source, rows: readonly Row[]): Promise<number>
  close(): Promise<void>
}

/** The telemetry of a stack whose rows are in another process: the mock neither generates nor stores any. */
export const externalTelemetry = (external: ExternalEngine): Telemetry => ({
  external,
  chart: external.chart,
  search: external.search,
  select: external.select,
  columns: external.columns,
  load() {
    throw refused(`Expected no rows, because telemetry is in ${external.name}: load them there`)
  },
  generate() {},
  rows: () => undefined,
  prepare: () => [],
  countLoaded: () => 0,
  countRows: () => 0,
  freeRows() {},
  loadedRows: () => [],
  bytesOfLoaded: () => 0,
})
