import { dealKey, type Key } from '../../families/key/model.ts'
import type { AnyModel } from '../../world/collection.ts'

/**
 * The records of an organization and a stack in which nobody has created anything, with the number of services and
 * backups.
 */
const fromTheFirstDay = new Set([
  ...['organization', 'key', 'member', 'role', 'service', 'backup'],
  ...['team', 'teamMember', 'stackRole', 'connection', 'source'],
])

/** Filters the seeded records of a model to those of an empty world. */
export function layOutBare(seed: number, { name, one }: AnyModel, records: Iterable<object>): Iterable<object> {
  if (!one && !fromTheFirstDay.has(name)) return []
  if (name === 'teamMember') return [...records].slice(0, 1)
  // The key of the target file.
  if (name === 'key') return ([...records] as Key[]).filter(key => dealKey(seed, key.organizationId).id === key.id)
  return records
}
