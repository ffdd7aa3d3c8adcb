import { Refusal } from '../words/refusal.ts'
import type { Page, Reply } from '../words/reply.ts'
import type { Model } from '../world/collection.ts'
import type { Request } from './family.ts'

/** The record that the path of a call names. */
export function recordAt<T extends object>(request: Request, model: Model<T>, parameter: string): T {
  const id = request.ids[parameter]!
  const record = request.in(model).get(id)
  if (!record) throw new Refusal('unknownId', id)
  return record
}

export const answerObject = (value: object): Reply => ({ kind: 'object', json: JSON.stringify(value) })
/** A list in pages, where the contract says that the operation has them. */
export const answerPaged = (records: readonly object[], within?: (page: Page) => object): Reply => ({
  kind: 'paged',
  records,
  within,
})
export const answerList = (values: readonly object[]): Reply => ({ kind: 'list', json: JSON.stringify(values) })
