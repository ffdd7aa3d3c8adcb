import { invalid } from '../../words/refusal.ts'
import type { Reply } from '../../words/reply.ts'
import type { Request } from '../family.ts'
import { answerObject } from '../records.ts'

const most = 100

/** A page of a list, by the cursor and the limit of the query. A cursor is the number of records before it, in base64. */
export function answerPage({ query }: Request, list: readonly object[]): Reply {
  const limit = readLimit(query.get('limit'))
  const currentCursor = query.get('cursor')
  const from = currentCursor === null ? 0 : readCursor(currentCursor)
  const to = from + limit
  const nextCursor = to < list.length ? btoa(String(to)) : null
  const pagination = { totalRecords: list.length, currentCursor, nextCursor, limit }
  return answerObject({ items: list.slice(from, to), pagination })
}

const refuse = (name: string, says: string, received: unknown) =>
  invalid([{ part: 'Query', path: [name], says, received }])

function readLimit(text: string | null): number {
  if (text === null) return most
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= most) return limit
  throw refuse('limit', `Expected a number from 1 to ${most}`, text)
}

function readCursor(text: string): number {
  const digits = /^[A-Za-z0-9+/=]{1,24}$/.test(text) && text.length % 4 === 0 ? atob(text) : ''
  if (/^\d+$/.test(digits)) return Number(digits)
  throw refuse('cursor', 'Expected the cursor of an answer', text)
}
