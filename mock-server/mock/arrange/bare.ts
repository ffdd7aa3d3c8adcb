import { operations } from '../../../fixtures/contract/index.ts'
import { dealKey, type Key } from '../../families/key/model.ts'
import type { AnyModel } from '../../world/collection.ts'

/**
 * The records of an organization and a stack in which nobody has created anything, with the number of services and
 * backups.
 */
const fromTheFirstDay = new Set([
  ...['organization', 'key', 'member', 'role', 'service', 'backup', 'clickhouseSetting'],
  ...['team', 'teamMember', 'stackRole', 'connection', 'source'],
])

/** Whether a place may be without the singleton: those that an operation deletes. */
const mayBeAbsent = ({ name }: AnyModel) => `${name}.delete` in operations

/** Filters the seeded records of a model to those of an empty world; to none where the records were captured. */
export function layOutBare(
  seed: number,
  model: AnyModel,
  records: Iterable<object>,
  isCaptured = false,
): Iterable<object> {
  const { name, one } = model
  if (isCaptured && (!one || mayBeAbsent(model))) return []
  if (!one && !fromTheFirstDay.has(name)) return []
  if (name === 'teamMember') return [...records].slice(0, 1)
  // The key of the target file.
  if (name === 'key') return ([...records] as Key[]).filter(key => dealKey(seed, key.organizationId).id === key.id)
  return records
}
