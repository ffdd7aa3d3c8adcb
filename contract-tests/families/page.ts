import { type OperationId, operations } from '../../fixtures/built-contract/index.ts'
import type { Check } from '../engine/check.ts'
import { resourceOf } from '../engine/contract.ts'
import { formsOfLife, resourcesWithLife } from '../engine/creatable-resources.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { findList, isObject } from '../engine/recognise.ts'
import { describeAnswer, eachSuccess, heldUnless, judgeTogether, observe } from '../rules/steps.ts'
import { type CallOptions, visit } from '../visits/visit.ts'

/** Lists in pages of one record: the first page, and the one that its cursor leads to. */

const pagedLists = (Object.keys(operations) as OperationId[]).filter(
  id => operations[id].page?.by === 'cursor' && operations[id].paths.cloud !== undefined,
)
const firstPage = (id: OperationId) => `cloud:${id}-page`
const secondPage = (id: OperationId) => `cloud:${id}-next-page`
const firstPageAgain = (id: OperationId) => `cloud:${id}-page-again`

const cursorIn = (json: unknown) =>
  isObject(json) && typeof json.nextCursor === 'string' ? json.nextCursor : undefined

/** True when both pages have the same records, and at least one. */
function areSame(id: OperationId, one: Exchange | undefined, other: Exchange | undefined): boolean {
  const [a, b] = [one, other].map(exchange => JSON.stringify(findList(exchange?.json, resourceOf(id)) ?? []))
  return a === b && a !== '[]'
}

const [unknownCursor, highLimit] = ['cloud:key.list-unknown-cursor', 'cloud:udf.list-high-limit'] as const

export const { steps } = visit('cloud', 'page', run => {
  /** Adds a list request that rules for its operation do not judge, and whose further pages are not read. */
  const sendAside = (id: OperationId, why: string, line: string, call: CallOptions) =>
    run.call(id, { ...call, why, name: line.replace('cloud:', ''), notJudgedByOperation: true })
  // Creations could move a record to the next page.
  const before = resourcesWithLife
    .filter(resource => formsOfLife(resource).includes('cloud'))
    .map(resource => `cloud:${resource}.create-main`)
  for (const id of pagedLists)
    sendAside(id, 'asks for a page of one', firstPage(id), { before, query: () => ({ limit: '1' }) })
  for (const id of pagedLists)
    sendAside(id, 'asks for the next page', secondPage(id), {
      before,
      ifSucceeds: firstPage(id),
      query: context => {
        const cursor = cursorIn(context.exchange(firstPage(id))?.json)
        return cursor === undefined ? undefined : { limit: '1', cursor }
      },
      skipReason: 'there is one page',
    })
  // If one record is added and another removed in between, the second page repeats the first, with the same total.
  for (const id of pagedLists)
    sendAside(id, 'asks for the first page again', firstPageAgain(id), {
      before,
      ifSucceeds: secondPage(id),
      query: context =>
        areSame(id, context.exchange(firstPage(id)), context.exchange(secondPage(id))) ? { limit: '1' } : undefined,
      skipReason: 'the next page has other records',
    })
  sendAside('key.list', 'asks for a page by a cursor that no answer had', unknownCursor, {
    query: () => ({ cursor: 'stack-parity' }),
  })
  sendAside('udf.list', 'asks for a page above the maximum', highLimit, { query: () => ({ limit: '100000' }) })
})

const observePage = (step: string, success: string): Check =>
  observe([step], ([exchange]) => {
    if (isSuccess(exchange)) return success
    return exchange.response.status === 400 ? 'refused' : describeAnswer(exchange)
  })

const totalOf = ({ json }: Exchange) => (isObject(json) ? json.totalCount : undefined)

export const checks = {
  'page/limit-is-kept': eachSuccess(pagedLists.map(firstPage), ({ json, step }) => {
    const list = findList(json, resourceOf(step.slice('cloud:'.length)))
    const limit = isObject(json) ? json.limit : undefined
    // In an older edition of the vendor's document, lists have no pages.
    if (!list || limit === undefined) return undefined
    if (limit !== 1) return [{ path: '$.limit', expected: '1, as it was asked for', got: limit }]
    return list.length <= 1 ? [] : [{ path: '$.result', expected: 'at most one record', got: list.length }]
  }),
  'page/cursor-leads-on': judgeTogether(
    pagedLists.flatMap(id => [firstPage(id), secondPage(id), firstPageAgain(id)]),
    exchanges => {
      const pairs = pagedLists.flatMap((id, index) => {
        const [one, other, again] = exchanges.slice(3 * index, 3 * index + 3)
        // A record that was added meanwhile moves the others.
        const hasMoved = !one || !other || totalOf(one) !== totalOf(other) || (again && !areSame(id, one, again))
        return !hasMoved && isSuccess(other) ? [{ id, one, other }] : []
      })
      const same = pairs.find(({ id, one, other }) => areSame(id, one, other))
      const { one, other } = same ?? pairs[0] ?? {}
      if (!one || !other) return undefined
      const finding = same && { path: '$.result', expected: 'other records than the page before', got: 'the same' }
      return heldUnless(finding, [other, one])
    },
  ),
  'page/unknown-cursor': observePage(unknownCursor, 'first page'),
  'page/limit-above-maximum': observePage(highLimit, 'capped'),
} as const satisfies Record<string, Check>
