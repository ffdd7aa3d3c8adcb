import type { Page, Reply } from '../../words/reply.ts'
import { answerList, type Request } from '../family.ts'

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
