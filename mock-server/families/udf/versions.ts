import { Refusal } from '../../words/refusal.ts'
import type { Page, Reply } from '../../words/reply.ts'
import { answerList, type Request } from '../family.ts'
import { type Udf, udfs } from './model.ts'

/** The versions of a function, the newest first; none: it is not there. */
export function versionsOf(request: Request, functionName = request.ids.functionName!): readonly Udf[] {
  return request
    .in(udfs)
    .list()
    .filter(one => one.functionName === functionName)
    .sort((a, b) => b.version - a.version)
}

export function findVersions(request: Request): readonly [Udf, ...Udf[]] {
  const [newest, ...others] = versionsOf(request)
  if (!newest) throw new Refusal('unknownId', request.ids.functionName!)
  return [newest, ...others]
}

/** A list of functions, versions or attachments. Clients of the document of August read its page within the result. */
export function answerUdfs({ choice, query }: Request, records: readonly object[]): Reply {
  if (choice('udf/shape-of-lists') === 'beside the result') return answerList(records)
  const currentCursor = query.get('cursor')
  const within = ({ records, totalCount, nextCursor, limit }: Page) => ({
    items: records,
    pagination: { totalRecords: totalCount, currentCursor, nextCursor, limit },
  })
  return answerList(records, within)
}
