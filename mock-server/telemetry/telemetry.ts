import { day } from '../words/durations.ts'
import type { Eventually } from '../words/eventually.ts'
import type { Source } from '../words/resources.ts'
import type { Budget } from './columns/budget.ts'
import { evaluateSeries } from './columns/chart-series.ts'
import { loadRows } from './columns/load-rows.ts'
import type { OwnColumns } from './columns/own-columns.ts'
import { type Row, RowStore } from './columns/row-store.ts'
import { searchRows } from './columns/search-rows.ts'
import { sizeOfRow } from './columns/size-of-row.ts'
import type { Elsewhere } from './elsewhere.ts'
import type { TelemetryKind } from './query/columns-of-kind.ts'
import type { Point, Range, RowsPlan, SeriesPlan } from './query/plan.ts'
import { kindOf } from './source-terms.ts'

export type { Row } from './columns/row-store.ts'
export type { TelemetryKind } from './query/columns-of-kind.ts'

/** A row: epoch milliseconds and the values of its columns. */
export type Arrival = readonly [time: number, values: Row]
/** The rows of one slot, sorted by time. */
export type Arrivals = Iterator<Arrival, void>

/** Generated rows are materialised by slots: half-hours, counted from 1970. */
export const slotLength = 1_800_000
/** Rows may be timed up to this many milliseconds after the end of their slot. */
const overlap = 60_000

/** A generator of rows. A slot always has the same rows while the revision stays the same. */
export interface Observing {
  /** Returns the generator of the rows of each slot in the current revision. */
  open(): (slot: number) => Arrivals
  revision(): string
  /** The columns of the table beside those of its kind. */
  readonly columns?: OwnColumns['columns']
}

/** The budget of a query, and the signal that aborts it. */
export interface QueryOptions {
  readonly budget?: Budget
  readonly signal?: AbortSignal
}

/** Answers plans. It throws, or rejects with, an Unreadable or a Refusal. */
export interface Engine {
  /** The points of a series, sorted by time; empty buckets and groups are omitted. */
  chart(source: Source, plan: SeriesPlan, options?: QueryOptions): Eventually<readonly Point[]>
  /** The rows that a search matches, with values in the order of the plan's columns. */
  search(source: Source, plan: RowsPlan, options?: QueryOptions): Eventually<readonly (readonly unknown[])[]>
}

/** The telemetry of one stack: a store of rows per source. */
export interface Telemetry extends Engine {
  /** The external engine, if the rows are not stored here. */
  readonly elsewhere?: Elsewhere
  /** Loads rows atomically: an invalid row is refused by a sentence that names its index and field. */
  append(sourceId: string, kind: TelemetryKind, rows: readonly Row[]): void
  /** Generates rows for a source as time passes. Rows up to now are materialised when a query needs them. */
  follow(sourceId: string, kind: TelemetryKind, observing: Observing): void
  /**
   * The store of a source with all loaded rows; undefined if it never had any. Generated rows are guaranteed only
   * within the range (epoch milliseconds), so that a query of an hour does not generate two weeks.
   */
  rows(sourceId: string, range?: Range): RowStore | undefined
  /** The number of loaded rows of a source. */
  loaded(sourceId: string): number
  /** The loaded rows, which a saved state has to keep; generated rows are not among them. */
  appended(sourceId: string): readonly Row[]
  /** A lower bound of the bytes of all loaded rows in a saved state. Removed rows still count. */
  sizeOfAppended(): number
  /** All sources that have rows or a generator. */
  sources(): readonly { readonly sourceId: string; readonly kind: TelemetryKind }[]
  /** The number of rows in memory over all sources. */
  held(): number
  /** Frees the generated rows; the next query generates the same ones again. */
  freeRows(): void
  /** Removes the rows of a source. */
  remove(sourceId: string): void
}

/** Generated rows are kept for this many full days (UTC) and the current day. */
const daysKept = 14

/**
 * The start of the kept period. It advances once a day, so that the rows at a time do not depend on how the clock got
 * there.
 */
const keptSince = (now: number): number => Math.max(0, (Math.floor(now / day) - daysKept) * day)

interface Shelf {
  store: RowStore
  readonly observing?: Observing
  observed?: Observed
}

/** The materialised part of a shelf. */
interface Observed {
  readonly since: number
  readonly revision: string
  readonly open: (slot: number) => Arrivals
  /** The started slots; undefined marks a complete one. */
  readonly slots: Map<number, Laying | undefined>
  /** The time of the last row. */
  last: number
}

interface Laying {
  readonly rows: Arrivals
  next: IteratorResult<Arrival, void>
}

/** Creates telemetry that follows a clock, in epoch milliseconds. */
export function createTelemetry(now: () => number = Date.now): Telemetry {
  const shelves = new Map<string, Shelf>()
  let sizeOfAppended = 0

  const shelfOf = (sourceId: string, kind: TelemetryKind): Shelf => {
    const known = shelves.get(sourceId)
    if (known?.store.kind === kind) return known
    const shelf = { store: new RowStore(kind) }
    shelves.set(sourceId, shelf)
    return shelf
  }

  const rows = (sourceId: string, range?: Range): RowStore | undefined => {
    const shelf = shelves.get(sourceId)
    return shelf && layOut(shelf, now(), range)
  }
  /** Returns an empty store with all columns if there are no rows. Counters need the points before the range. */
  const storeOf = (source: Source, { start, end, bucket = 0 }: Range & { readonly bucket?: number }): RowStore => {
    const kind = kindOf(source)
    const from = kind === 'metric' ? start - Math.max(end - start, 2 * bucket) : start
    const store = rows(source.id, { start: from, end }) ?? new RowStore(kind)
    store.table = source.from
    store.now = now()
    return store
  }

  return {
    append(sourceId, kind, rows) {
      loadRows(shelfOf(sourceId, kind).store, rows)
      for (const row of rows) sizeOfAppended += sizeOfRow(row)
    },
    follow(sourceId, kind, observing) {
      shelves.set(sourceId, { store: new RowStore(kind, observing.columns), observing })
    },
    rows,
    loaded: sourceId => shelves.get(sourceId)?.store.sizeOfLoaded ?? 0,
    appended(sourceId) {
      const store = shelves.get(sourceId)?.store
      return store ? [...store.loaded()].map(row => store.row(row)) : []
    },
    sizeOfAppended: () => sizeOfAppended,
    chart: (source, plan, { budget } = {}) => evaluateSeries(storeOf(source, plan), plan, budget),
    search: (source, plan, { budget } = {}) => searchRows(storeOf(source, plan), plan, budget),
    sources: () => [...shelves].map(([sourceId, { store }]) => ({ sourceId, kind: store.kind })),
    held: () => [...shelves.values()].reduce((sum, { store }) => sum + store.size, 0),
    freeRows() {
      for (const shelf of shelves.values()) if (shelf.observed) renew(shelf)
    },
    remove(sourceId) {
      shelves.delete(sourceId)
    },
  }
}

/** Materialises the generated rows of a range. A new day, a clock set back and a new revision start a new store. */
function layOut(shelf: Shelf, now: number, range?: Range): RowStore {
  if (!shelf.observing) return shelf.store
  const since = keptSince(now)
  const revision = shelf.observing.revision()
  const { observed: before } = shelf
  if (before?.since !== since || before.revision !== revision || before.last > now) {
    renew(shelf)
    const open = shelf.observing.open()
    shelf.observed = { since, revision, open, slots: new Map(), last: Number.NEGATIVE_INFINITY }
  }
  const observed = shelf.observed!
  const first = Math.floor(Math.max(since, (range?.start ?? since) - overlap) / slotLength)
  const last = Math.floor(Math.min(now, range?.end ?? now) / slotLength)
  for (let slot = first; slot <= last; slot++) laySlot(shelf.store, observed, slot, now)
  return shelf.store
}

/** Starts a new store with the loaded rows only. */
function renew(shelf: Shelf) {
  const { store } = shelf
  shelf.store = new RowStore(store.kind, store.own)
  shelf.store.loadFrom(store)
  shelf.observed = undefined
}

function laySlot(store: RowStore, observed: Observed, slot: number, now: number) {
  if (!observed.slots.has(slot)) {
    const rows = observed.open(slot)
    observed.slots.set(slot, { rows, next: rows.next() })
  }
  const laying = observed.slots.get(slot)
  if (!laying || timeOf(laying.next) > now) return
  store.startRun()
  for (; !laying.next.done && timeOf(laying.next) <= now; laying.next = laying.rows.next()) {
    store.add(...laying.next.value)
    observed.last = Math.max(observed.last, timeOf(laying.next))
  }
  if (laying.next.done) observed.slots.set(slot, undefined)
}

const timeOf = ({ done, value }: IteratorResult<Arrival, void>) => (done ? Number.POSITIVE_INFINITY : value[0])
