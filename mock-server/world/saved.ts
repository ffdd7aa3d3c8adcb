import { isRecord } from '../words/check-options.ts'
import { type AnyModel, keyOf } from './collection.ts'

/**
 * The saved records: all of them, or only those of seeded places. The others follow from the seed, as this release
 * generates them.
 */
export type Extent = 'whole' | 'opened'

/** Records by model name and place, and the number of generated ids. */
export interface Saved {
  readonly ids: number
  /** If not all places are saved: the keys of records that calls created, below which nothing is seeded. */
  readonly created?: readonly string[]
  readonly records: Readonly<Record<string, Readonly<Record<string, readonly object[]>>>>
}

/** Reads saved records and judges each by the schema of its model. Throws an Error that names the first invalid field. */
export function readSaved(saved: unknown, models: readonly AnyModel[]) {
  const refuse = (place: string, expected: string) => new Error(`load a state: ${place}: Expected ${expected}`)
  if (!isRecord(saved) || !isRecord(saved.records)) throw refuse('records', 'an object of records by model and place')
  const ids = saved.ids
  if (typeof ids !== 'number' || !Number.isSafeInteger(ids) || ids < 0) throw refuse('ids', 'a whole number from 0')
  const { created } = saved
  if (created !== undefined && !(Array.isArray(created) && created.every(key => typeof key === 'string')))
    throw refuse('created', 'a list of keys')
  const records = Object.entries(saved.records).flatMap(([name, places]) => {
    const model = models.find(one => one.name === name)
    if (!model) throw refuse(`records.${name}`, `one of ${models.map(model => model.name).join(', ')}`)
    if (!isRecord(places)) throw refuse(`records.${name}`, 'an object of lists by place')
    return Object.entries(places).map(([place, list]) => {
      const at = `records.${name}${place && `.${place}`}`
      if (!Array.isArray(list)) throw refuse(at, 'a list of records')
      const checked = list.map((record: unknown, index) => {
        const result = model.record.safeParse(record)
        if (result.success) return record as object
        const [issue] = result.error.issues
        const where = [at, index, ...(issue?.path ?? [])].join('.')
        throw new Error(`load a state: ${where}: ${issue?.message ?? 'It is not a record of this model'}`)
      })
      const keys = new Set(checked.map(record => keyOf(model, record)))
      if (keys.size < checked.length) throw refuse(at, 'a key of its own for every record')
      return { model, place, list: checked }
    })
  })
  return { ids, created: created as readonly string[] | undefined, records }
}
