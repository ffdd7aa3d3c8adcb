import type { Collection } from '../stack.ts'
import type { Edition } from './behaviour.ts'

/** The JSON text of a record in an edition. */
export type Writer<T> = (record: T, edition: Edition) => string

/** Records never change, so the text of each is made once. */
export function remember<T extends object>(present: (record: T, edition: Edition) => object): Writer<T> {
  const texts: Record<Edition, WeakMap<T, string>> = { '2.24': new WeakMap(), '2.36': new WeakMap() }
  return (record, edition) => {
    const known = texts[edition].get(record)
    if (known !== undefined) return known
    const text = JSON.stringify(present(record, edition))
    texts[edition].set(record, text)
    return text
  }
}

export const writeList = <T>(records: readonly T[], write: Writer<T>, edition: Edition) =>
  `[${records.map(record => write(record, edition)).join(',')}]`

/** The text of a whole collection in an order of its own, kept until something in it changes. */
export function rememberList<T extends { readonly id: string }>(
  write: Writer<T>,
  arrange: (records: readonly T[], order: string) => readonly T[] = records => records,
): (collection: Collection<T>, edition: Edition, order?: string) => string {
  const lists = new WeakMap<Collection<T>, { version: number; edition: Edition; order: string; text: string }>()
  return (collection, edition, order = '') => {
    const known = lists.get(collection)
    if (known?.version === collection.version && known.edition === edition && known.order === order) return known.text
    const text = writeList(arrange(collection.list(), order), write, edition)
    lists.set(collection, { version: collection.version, edition, order, text })
    return text
  }
}
