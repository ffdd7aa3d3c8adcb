import type { TelemetryKind } from './columns-of-kind.ts'
import { loadRows } from './load-rows.ts'
import { type Row, RowStore } from './row-store.ts'

export type { TelemetryKind } from './columns-of-kind.ts'
export { type Row, RowStore } from './row-store.ts'

/** Everything that one stack observed: a store of rows for every source. */
export interface Telemetry {
  /** Loads rows, all of them or none: a row that is wrong is refused by a sentence that names its index and field. */
  append(sourceId: string, kind: TelemetryKind, rows: readonly Row[]): void
  /** Promises `count` rows that `fill` writes when somebody looks at the source for the first time. */
  fillLater(sourceId: string, kind: TelemetryKind, count: number, fill: (store: RowStore) => void): void
  /** The rows of a source, laid out now if they were only promised; undefined when it never had any. */
  rows(sourceId: string): RowStore | undefined
  /** How many rows a source has, without laying out those that were only promised. */
  count(sourceId: string): number
  /** The rows that were appended, not filled: what a saved state has to keep. */
  appended(sourceId: string): readonly Row[]
  /** Every source that has rows or the promise of them. */
  sources(): readonly { readonly sourceId: string; readonly kind: TelemetryKind }[]
  /** Forgets the rows of a source. */
  remove(sourceId: string): void
}

interface Shelf {
  readonly store: RowStore
  promised: number
  readonly fills: ((store: RowStore) => void)[]
  /** Where appended rows lie, as [from, to) pairs. */
  readonly appended: [number, number][]
}

export function createTelemetry(): Telemetry {
  const shelves = new Map<string, Shelf>()

  const shelfOf = (sourceId: string, kind: TelemetryKind): Shelf => {
    let shelf = shelves.get(sourceId)
    if (!shelf || shelf.store.kind !== kind) {
      shelf = { store: new RowStore(kind), promised: 0, fills: [], appended: [] }
      shelves.set(sourceId, shelf)
    }
    return shelf
  }

  const filled = (shelf: Shelf): RowStore => {
    for (const fill of shelf.fills.splice(0)) fill(shelf.store)
    shelf.promised = 0
    return shelf.store
  }

  return {
    append(sourceId, kind, rows) {
      const shelf = shelfOf(sourceId, kind)
      const store = filled(shelf)
      const from = store.size
      loadRows(store, rows)
      shelf.appended.push([from, store.size])
    },
    fillLater(sourceId, kind, count, fill) {
      const shelf = shelfOf(sourceId, kind)
      shelf.promised += count
      shelf.fills.push(fill)
    },
    rows(sourceId) {
      const shelf = shelves.get(sourceId)
      return shelf && filled(shelf)
    },
    count(sourceId) {
      const shelf = shelves.get(sourceId)
      return shelf ? shelf.store.size + shelf.promised : 0
    },
    appended(sourceId) {
      const shelf = shelves.get(sourceId)
      const rows: Row[] = []
      for (const [from, to] of shelf?.appended ?? []) for (let i = from; i < to; i++) rows.push(shelf!.store.row(i))
      return rows
    },
    sources: () => [...shelves].map(([sourceId, { store }]) => ({ sourceId, kind: store.kind })),
    remove(sourceId) {
      shelves.delete(sourceId)
    },
  }
}
