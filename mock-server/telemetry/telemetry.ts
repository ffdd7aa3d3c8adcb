import { day } from '../words/durations.ts'
import type { Eventually } from '../words/eventually.ts'
import type { Source } from '../words/resources.ts'
import type { Budget } from './columns/budget.ts'
import { evaluateSeries } from './columns/chart-series.ts'
import { loadRows } from './columns/load-rows.ts'
import { type Row, RowStore } from './columns/row-store.ts'
import { searchRows } from './columns/search-rows.ts'
import type { Elsewhere } from './elsewhere.ts'
import type { TelemetryKind } from './query/columns-of-kind.ts'
import type { Point, Range, RowsPlan, SeriesPlan } from './query/plan.ts'
import { kindOf } from './source-terms.ts'

export type { Row } from './columns/row-store.ts'
export type { TelemetryKind } from './query/columns-of-kind.ts'

/** A row by its epoch millisecond and the values of its columns. */
export type Arrival = readonly [time: number, values: Row]
/** Rows of one slot in order of time. */
export type Arrivals = Iterator<Arrival, void>

/** Observed rows are laid out half-hour by half-hour: a slot is a half-hour since 1970, by its number. */
export const slotLength = 1_800_000
/** The last rows of a slot may lie so far beyond its end. */
const overlap = 60_000

/** What a source observes. From wherever one looks, a slot has the same rows, until the revision is another one. */
export interface Observing {
  /** Tells the rows of each slot of this revision. */
  open(): (slot: number) => Arrivals
  revision(): string
}

/** What a query may cost, and until when somebody waits for it. */
export interface QueryOptions {
  readonly budget?: Budget
  readonly signal?: AbortSignal
}

/** What answers plans. What it cannot answer it throws, or rejects with: an Unreadable or a Refusal. */
export interface Engine {
  /** The points of a series, in order of time; buckets and groups without rows are left out. */
  chart(source: Source, plan: SeriesPlan, options?: QueryOptions): Eventually<readonly Point[]>
  /** The rows that a search finds, each with its values in the order of the columns of the plan. */
  search(source: Source, plan: RowsPlan, options?: QueryOptions): Eventually<readonly (readonly unknown[])[]>
}

/** Everything that one stack observed: a store of rows for every source. */
export interface Telemetry extends Engine {
  /** Where the rows lie, unless they lie here. */
  readonly elsewhere?: Elsewhere
  /** Loads rows, all of them or none: a row that is wrong is refused by a sentence that names its index and field. */
  append(sourceId: string, kind: TelemetryKind, rows: readonly Row[]): void
  /** Has a source observe rows as time goes on. They are laid out up to now, where and when somebody looks. */
  follow(sourceId: string, kind: TelemetryKind, observing: Observing): void
  /**
   * The rows of a source up to now, with all that were loaded; undefined when it never had any. Of the observed ones, those
   * within the range are there for certain, in epoch milliseconds: who looks at an hour does not pay for two weeks.
   */
  rows(sourceId: string, range?: Range): RowStore | undefined
  /** How many rows of a source were loaded. */
  loaded(sourceId: string): number
  /** The rows that were loaded, not observed: what a saved state has to keep. */
  appended(sourceId: string): readonly Row[]
  /** Every source that has rows or observes them. */
  sources(): readonly { readonly sourceId: string; readonly kind: TelemetryKind }[]
  /** How many rows are in memory, of all sources: those that were laid out or loaded. */
  held(): number
  /** Frees the rows that follow from the clock: they are laid out again, the same, when somebody looks. */
  rest(): void
  /** Forgets the rows of a source. */
  remove(sourceId: string): void
}

/** Observed rows are kept for so many full days of UTC, and for the day that has begun. */
const daysKept = 14

/** From when on rows are kept: it moves once a day, so that the same moment has the same rows however it was reached. */
const keptSince = (now: number): number => Math.max(0, (Math.floor(now / day) - daysKept) * day)

interface Shelf {
  store: RowStore
  readonly observing?: Observing
  observed?: Observed
}

/** What of a shelf is laid out. */
interface Observed {
  readonly since: number
  readonly revision: string
  readonly open: (slot: number) => Arrivals
  /** The slots that were begun; those that are complete have no rows to come. */
  readonly slots: Map<number, Laying | undefined>
  /** The time of the last row that is there. */
  last: number
}

interface Laying {
  readonly rows: Arrivals
  next: IteratorResult<Arrival, void>
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

  const rows = (sourceId: string, range?: Range): RowStore | undefined => {
    const shelf = shelves.get(sourceId)
    return shelf && layOut(shelf, now(), range)
  }
  /** No rows, but all columns, when nothing was ever loaded. What a counter gained at first, the points before can tell. */
  const storeOf = (source: Source, { start, end, bucket = 0 }: Range & { readonly bucket?: number }): RowStore => {
    const kind = kindOf(source)
    const from = kind === 'metric' ? start - Math.max(end - start, 2 * bucket) : start
    const store = rows(source.id, { start: from, end }) ?? new RowStore(kind)
    store.table = source.from
    store.now = now()
    return store
  }

  return {
    append: (sourceId, kind, rows) => loadRows(shelfOf(sourceId, kind).store, rows),
    follow(sourceId, kind, observing) {
      shelves.set(sourceId, { store: new RowStore(kind), observing })
    },
    rows,
    loaded: sourceId => shelves.get(sourceId)?.store.sizeOfLoaded ?? 0,
    appended(sourceId) {
      const store = shelves.get(sourceId)?.store
      return store ? [...store.loaded()].map(row => store.row(row)) : []
    },
    chart: (source, plan, { budget } = {}) => evaluateSeries(storeOf(source, plan), plan, budget),
    search: (source, plan, { budget } = {}) => searchRows(storeOf(source, plan), plan, budget),
    sources: () => [...shelves].map(([sourceId, { store }]) => ({ sourceId, kind: store.kind })),
    held: () => [...shelves.values()].reduce((sum, { store }) => sum + store.size, 0),
    rest() {
      for (const shelf of shelves.values()) if (shelf.observed) renew(shelf)
    },
    remove(sourceId) {
      shelves.delete(sourceId)
    },
  }
}

/** Lays out what was observed in a range. A new day, a clock that was put back and a new revision begin with a new store. */
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

/** Begins with a new store, which holds what was loaded and nothing that was observed. */
function renew(shelf: Shelf) {
  const { store } = shelf
  shelf.store = new RowStore(store.kind)
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
