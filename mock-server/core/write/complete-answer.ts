import type { Field } from '../../../fixtures/contract/index.ts'
import { isRecord } from '../../words/check-options.ts'
import type { Page } from '../../words/reply.ts'
import { exampleOfField } from '../openapi/openapi-examples.ts'

/** The values of an answer, some of which its schema names. */
interface Values {
  readonly status: number
  readonly requestId: string
  readonly result: unknown
  readonly page?: Omit<Page, 'records'>
}

/** Makes an answer by its schema, with the result at the end of the path, and the position of the page around it. */
export function completeAnswer(field: Field, path: readonly string[], values: Values): unknown {
  const [name, ...below] = path
  const example = name === undefined && values.result !== undefined ? undefined : exampleOfField(field)
  if (!isRecord(example)) return values.result ?? example
  const fields = field.fields ?? {}
  const entries = Object.entries(example).flatMap(([one, value]) => {
    if (one === name) return [[one, completeAnswer(fields[one]!, below, values)] as const]
    const own = fields[one]!
    if (values.page && own.type === 'object') return [[one, completePage(own, value, values.page)] as const]
    const known = valueBeside(one, own, values)
    if (known === undefined) return [[one, value] as const]
    return known === null && !own.nullable ? (own.optional ? [] : [[one, ''] as const]) : [[one, known] as const]
  })
  return Object.fromEntries(entries)
}

const completePage = (field: Field, value: unknown, page: Values['page']): unknown =>
  completeAnswer(field, [], { status: 0, requestId: '', result: undefined, page }) ?? value

/** What a field beside the result says; null for the end of a list, undefined for what is not known. */
function valueBeside(name: string, { type }: Field, { status, requestId, page }: Values): unknown {
  if (name === 'status' && type === 'number' && status > 0) return status
  if (/^request_?id$/i.test(name) && type === 'string' && requestId !== '') return requestId
  if (!page) return undefined
  const { limit, totalCount, nextCursor, offset } = page
  if (type === 'boolean' && /more|next/i.test(name)) return nextCursor !== null
  if (type === 'string' && /next|cursor|token/i.test(name)) return nextCursor
  if (type !== 'number') return undefined
  if (/total|^count$/i.test(name)) return totalCount
  if (/^(?:limit|page_?size|per_?page|size)$/i.test(name)) return limit
  if (/^offset$/i.test(name)) return offset
  return /^(?:page|page_?number)$/i.test(name) ? Math.floor(offset / limit) + 1 : undefined
}
