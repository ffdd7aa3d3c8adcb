import { keyOf } from '../../world/collection.ts'
import type { World } from '../../world/world.ts'
import { modelOf, RecordRefused } from '../records.ts'

/** The records of one model that a deletion affects. */
export interface Dependents {
  readonly model: string
  /** `within`: they are removed with the record. `names`: they stay, with a reference to it. */
  readonly how: 'within' | 'names'
  readonly names: readonly string[]
  readonly total: number
}

/** Limit of named records per model. */
const maxNamed = 5

/** Lists the records within a record, and those with a reference to its key in any field. */
export function listDependents(world: World, name: string, key: string): readonly Dependents[] {
  const { name: own } = modelOf(world.models, 'list dependents:', name)
  if (key === '') throw new RecordRefused('invalid', 'list dependents: Expected a key')
  return world.models
    .filter(model => !model.isLog)
    .flatMap(model => {
      const found = { within: [] as string[], names: [] as string[] }
      for (const place of world.places(model)) {
        for (const record of world.in<Readonly<Record<string, unknown>>>(model, place).list()) {
          const id = keyOf(model, record)
          if (model.name === own && id === key) continue
          const label = String(record.name ?? record.email ?? record.backupName ?? id)
          if (place === key) found.within.push(label)
          else if (
            Object.entries(record).some(([field, value]) => field !== 'id' && JSON.stringify(value)?.includes(key))
          )
            found.names.push(label)
        }
      }
      return (['within', 'names'] as const)
        .filter(how => found[how].length > 0)
        .map(how => ({ model: model.name, how, names: found[how].slice(0, maxNamed), total: found[how].length }))
    })
}
