import { unknownId } from '../../words/refusal.ts'
import type { Collection } from '../../world/collection.ts'
import type { Request } from '../family.ts'
import { accept } from './accept.ts'

/** The record of an id, which is that of the path unless it is given; `kind` is the noun for the refusal. */
export function findRecord<T>(
  request: Request,
  records: Collection<T>,
  kind: string,
  id = accept(request, { id: true }).id,
): T {
  const record = records.get(id)
  if (!record) throw unknownId(kind)
  return record
}
