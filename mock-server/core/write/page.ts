import type { Page as Paging } from '../../../fixtures/contract/index.ts'
import { invalidAt } from '../../words/refusal.ts'
import type { Page } from '../../words/reply.ts'
import { type Context, choiceOf } from '../context.ts'

/** The requested page of a list. The query was judged before. */
export function cutPage(all: readonly object[], context: Pick<Context, 'call' | 'operation' | 'choiceOfGap'>): Page {
  const { by, size, maxSize } = context.operation!.page!
  const query = new URLSearchParams(context.call.query)
  const limit = Math.min(Number(query.get('limit') ?? size), maxSize)
  const from = by === 'offset' ? Number(query.get('offset') ?? 0) : readCursor(query.get('cursor'), context)
  const to = from + limit
  const nextCursor = to < all.length ? btoa(`after:${to}`) : null
  return { records: all.slice(from, to), limit, totalCount: all.length, nextCursor }
}

/** The fields of an envelope beside a page; none for one by offset. */
export function pageFieldsOf({ limit, totalCount, nextCursor }: Page, { by, isUncounted }: Paging): object | undefined {
  if (by === 'offset') return undefined
  return isUncounted ? { limit, nextCursor } : { limit, totalCount, nextCursor }
}

/** A cursor is the number of records before the page, in base64. */
function readCursor(text: string | null, context: Pick<Context, 'choiceOfGap'>): number {
  if (text === null) return 0
  const [, digits] = /^after:(\d+)$/.exec(decode(text)) ?? []
  if (digits !== undefined) return Number(digits)
  if (choiceOf(context, 'page/unknown-cursor') === 'first page') return 0
  throw invalidAt(['cursor'], 'Expected the nextCursor of an answer', text, 'Query')
}

function decode(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}
