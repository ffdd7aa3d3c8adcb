import { Refusal } from '../../words/refusal.ts'
import type { Page, Reply } from '../../words/reply.ts'
import { answerList, type Request } from '../family.ts'
import { type Udf, udfs } from './model.ts'

/** The versions of a function, newest first; empty if it does not exist. */
export function versionsOf(request: Request, functionName = request.ids.functionName!): readonly Udf[] {
  return request
    .list(udfs)
    .filter(one => one.functionName === functionName)
    .sort((a, b) => b.version - a.version)
}

export function findVersions(request: Request): readonly [Udf, ...Udf[]] {
  const [newest, ...others] = versionsOf(request)
  if (!newest) throw new Refusal('unknownId', request.ids.functionName!)
  return [newest, ...others]
}

/** Answers a list of functions, versions or attachments. The gap `udf/shape-of-lists` decides whether the page is beside the result or within it, as in the vendor's document of August. */
export function answerUdfs({ choice, query }: Request, records: readonly object[]): Reply {
  if (choice('udf/shape-of-lists') === 'beside the result') return answerList(records)
  const currentCursor = query.get('cursor')
  const presentPage = ({ records, totalCount, nextCursor, limit }: Page) => ({
    items: records,
    pagination: { totalRecords: totalCount, currentCursor, nextCursor, limit },
  })
  return answerList(records, presentPage)
}
