import type { Eventually } from '../words/eventually.ts'
import type { Source } from '../words/resources.ts'
import type { Budget } from './columns/budget.ts'
import { evaluateSeries } from './columns/chart-series.ts'
import { loadRows } from './columns/load-rows.ts'
import { type Row, RowStore } from './columns/row-store.ts'
import { searchRows } from './columns/search-rows.ts'
import type { TelemetryKind } from './query/columns-of-kind.ts'
import type { Point, RowsPlan, SeriesPlan } from './query/plan.ts'
import { kindOf } from './source-terms.ts'

export { type Row, RowStore } from './columns/row-store.ts'
export type { TelemetryKind } from './query/columns-of-kind.ts'

/**
 * Rows that a source observes from a moment on, in order of time and without end. Each says its time first, and is written
 * when the next one is asked for. From wherever it begins, the same time has the same rows.
 */
export type Observe = (store: RowStore, since: number) => Iterator<number>

/** What a query may cost, and until when somebody waits for it. */
export interface Asked {
  readonly budget?: Budget
  readonly signal?: AbortSignal
}

/** What answers plans. What it cannot answer it throws, or rejects with: an Unreadable, an UnreadablePart or a Refusal. */
export interface Engine {
  /** The points of a series, in order of time; buckets and groups without rows are left out. */
  chart(source: Source, plan: SeriesPlan, asked?: Asked): Eventually<readonly Point[]>
  /** The rows that a search finds, each with its values in the order of the columns of the plan. */
  search(source: Source, plan: RowsPlan, asked?: Asked): Eventually<readonly (readonly unknown[])[]>
}

/** Everything that one stack observed: a store of rows for every source. */
export interface Telemetry extends Engine {
  /** Loads rows, all of them or none: a row that is wrong is refused by a sentence that names its index and field. */
  append(sourceId: string, kind: TelemetryKind, rows: readonly Row[]): void
  /** Has a source observe rows as time goes on. They are laid out up to now whenever somebody looks. */
  follow(sourceId: string, kind: TelemetryKind, observe: Observe): void
  /** The rows of a source up to now, with all that were loaded; undefined when it never had any. */
  rows(sourceId: string): RowStore | undefined
  /** The rows that were loaded, not observed: what a saved state has to keep. */
  appended(sourceId: string): readonly Row[]
  /** Every source that has rows or observes them. */
  sources(): readonly { readonly sourceId: string; readonly kind: TelemetryKind }[]
  /** How many rows are in memory, of all sources: those that were laid out or loaded. */
  held(): number
  /** Forgets the rows of a source. */
  remove(sourceId: string): void
}

const day = 86_400_000
/** Observed rows are kept for so many full days of UTC, and for the day that has begun. */
export const daysKept = 14

/** From when on rows are kept: it moves once a day, so that the same moment has the same rows however it was reached. */
export const keptSince = (now: number): number => Math.max(0, (Math.floor(now / day) - daysKept) * day)

interface Shelf {
  store: RowStore
  readonly observe?: Observe
  observed?: Observed
}

/** How far the rows of a shelf are laid out. */
interface Observed {
  readonly since: number
  readonly rows: Iterator<number>
  /** The times of the last row that is there, and of the one that comes next. */
  last: number
  next: number
}

/** Telemetry that follows a clock, in epoch milliseconds. */
export function createTelemetry(now: () => number = Date.now): Telemetry {
  const shelves = new Map<string, Shelf>()

  const shelfOf = (sourceId: string, kind: TelemetryKind): Shelf => {
    const known = shelves.get(sourceId)
    if (known?.store.kind === kind) return known
    const shelf = { store: new RowStore(kind) }
    shelves.set(sourceId, shelf)
    return shelf
  }

  const rows = (sourceId: string): RowStore | undefined => {
    const shelf = shelves.get(sourceId)
    return shelf && layOut(shelf, now())
  }
  /** None, but with all its columns, when nothing was ever loaded. */
  const storeOf = (source: Source): RowStore => rows(source.id) ?? new RowStore(kindOf(source))

  return {
    append: (sourceId, kind, rows) => loadRows(shelfOf(sourceId, kind).store, rows),
    follow(sourceId, kind, observe) {
      shelves.set(sourceId, { store: new RowStore(kind), observe })
    },
    rows,
    appended(sourceId) {
      const store = shelves.get(sourceId)?.store
      return store ? [...store.loaded()].map(row => store.row(row)) : []
    },
    chart: (source, plan, { budget } = {}) => evaluateSeries(storeOf(source), plan, budget),
    search: (source, plan, { budget } = {}) => searchRows(storeOf(source), plan, budget),
    sources: () => [...shelves].map(([sourceId, { store }]) => ({ sourceId, kind: store.kind })),
    held: () => [...shelves.values()].reduce((sum, { store }) => sum + store.size, 0),
    remove(sourceId) {
      shelves.delete(sourceId)
    },
  }
}

/** Lays out what was observed since the last look. A new day, or a clock that was put back, begins with a new store. */
function layOut(shelf: Shelf, now: number): RowStore {
  if (!shelf.observe) return shelf.store
  const since = keptSince(now)
  if (shelf.observed?.since !== since || shelf.observed.last > now) {
    const { store } = shelf
    shelf.store = new RowStore(store.kind)
    shelf.observed = begin(shelf.observe(shelf.store, since), since)
    advance(shelf.observed, now)
    shelf.store.loadFrom(store)
  }
  advance(shelf.observed, now)
  return shelf.store
}

function begin(rows: Iterator<number>, since: number): Observed {
  return { since, rows, last: Number.NEGATIVE_INFINITY, next: timeOf(rows.next()) }
}

function advance(observed: Observed, now: number) {
  while (observed.next <= now) {
    observed.last = observed.next
    observed.next = timeOf(observed.rows.next())
  }
}

const timeOf = ({ done, value }: IteratorResult<number>) => (done ? Number.POSITIVE_INFINITY : value)
