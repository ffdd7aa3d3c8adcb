import { unknownId } from '../../words/refusal.ts'
import type { Collection } from '../../world/collection.ts'
import type { Request } from '../family.ts'

/** The record that the path names; `kind` is the noun for the refusal. */
export function findRecord<T>(request: Request, records: Collection<T>, kind: string): T {
  const record = records.get(request.ids.id!)
  if (!record) throw unknownId(kind)
  return record
}
