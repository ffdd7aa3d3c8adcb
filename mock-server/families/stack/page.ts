import type { ListMeta } from '../../words/reply.ts'
import type { Request } from '../family.ts'

/** The part of a list that the query of the newer edition asks for, and what is said beside it. */
export function pageOf<T>(
  all: readonly T[],
  { parameters }: Request,
): { readonly records: readonly T[]; readonly meta: ListMeta } {
  const { limit, offset } = parameters as Pick<ListMeta, 'limit' | 'offset'>
  return { records: all.slice(offset, offset + limit), meta: { total: all.length, limit, offset } }
}
