import { dealKey, type Key } from '../../families/key/model.ts'
import type { AnyModel } from '../../world/collection.ts'

/** What there is in an organization and in a stack before anybody has made anything; services and backups by their number. */
const fromTheFirstDay = new Set([
  ...['organization', 'key', 'member', 'role', 'service', 'backup'],
  ...['team', 'teamMember', 'stackRole', 'connection', 'source'],
])

/** Of what a model lays out, what is there in a world in which nothing was made yet. */
export function layOutBare(seed: number, { name, one }: AnyModel, records: Iterable<object>): Iterable<object> {
  if (!one && !fromTheFirstDay.has(name)) return []
  if (name === 'teamMember') return [...records].slice(0, 1)
  // The key of the target file.
  if (name === 'key') return ([...records] as Key[]).filter(key => dealKey(seed, key.organizationId).id === key.id)
  return records
}
