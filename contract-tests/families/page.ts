import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { formsOfLife, living } from '../engine/living.ts'
import { findList, isObject } from '../engine/recognise.ts'
import { look, refusalIn } from '../rules/observations.ts'
import { agrees, eachSuccess, together } from '../rules/steps.ts'
import { type Call, visit } from '../visits/visit.ts'

/** The lists in pages, one record at a time: their first page and the one that its cursor leads to. */

const listed = (Object.keys(operations) as OperationId[]).filter(
  id => operations[id].page?.by === 'cursor' && operations[id].paths.cloud !== undefined,
)
const first = (id: OperationId) => `cloud:${id}-page`
const second = (id: OperationId) => `cloud:${id}-next-page`
const resourceOf = (id: OperationId) => id.split('.')[0]!

const cursorIn = (json: unknown) =>
  isObject(json) && typeof json.nextCursor === 'string' ? json.nextCursor : undefined

const [unknownCursor, highLimit] = ['cloud:key.list-unknown-cursor', 'cloud:udf.list-high-limit'] as const

export const { steps } = visit('cloud', 'page', run => {
  /** The refusal of a page says nothing of the operation, and its pages are not read to the end. */
  const ask = (id: OperationId, why: string, line: string, call: Call) =>
    run.call(id, { ...call, why, name: line.replace('cloud:', ''), isAside: true })
  // Before the run creates anything, which could move a record to the next page.
  const before = living
    .filter(resource => formsOfLife(resource).includes('cloud'))
    .map(resource => `cloud:${resource}.create-main`)
  for (const id of listed) ask(id, 'asks for a page of one', first(id), { before, query: () => ({ limit: '1' }) })
  for (const id of listed)
    ask(id, 'asks for the next page', second(id), {
      ...{ before, ifSucceeds: first(id) },
      query: past => {
        const cursor = cursorIn(past.exchange(first(id))?.json)
        return cursor === undefined ? undefined : { limit: '1', cursor }
      },
      otherwise: 'there is one page',
    })
  ask('key.list', 'asks for a page by a cursor that no answer had', unknownCursor, {
    query: () => ({ cursor: 'stack-parity' }),
  })
  ask('udf.list', 'asks for a longer page than there are', highLimit, { query: () => ({ limit: '100000' }) })
})

const totalOf = ({ json }: Exchange) => (isObject(json) ? json.totalCount : undefined)

export const checks = {
  'page/limit-is-kept': eachSuccess(listed.map(first), ({ json, step }) => {
    const list = findList(json, resourceOf(step.slice('cloud:'.length) as OperationId))
    const limit = isObject(json) ? json.limit : undefined
    // Deployments of an older document have no pages.
    if (!list || limit === undefined) return undefined
    if (limit !== 1) return [{ path: '$.limit', expected: '1, as it was asked for', got: limit }]
    return list.length <= 1 ? [] : [{ path: '$.result', expected: 'at most one record', got: list.length }]
  }),
  'page/cursor-leads-on': together(
    listed.flatMap(id => [first(id), second(id)]),
    came => {
      const pairs = listed.flatMap((id, index) => {
        const [one, other] = [came[2 * index], came[2 * index + 1]]
        // A record that was added between the two moves the others by one.
        return one && other && isSuccess(other) && totalOf(one) === totalOf(other) ? [{ id, one, other }] : []
      })
      const same = pairs.find(({ id, one, other }) => {
        const [a, b] = [one, other].map(({ json }) => JSON.stringify(findList(json, resourceOf(id))))
        return a === b && a !== '[]'
      })
      const { one, other } = same ?? pairs[0] ?? {}
      if (!one || !other) return undefined
      return agrees(
        same && { path: '$.result', expected: 'other records than the page before', got: 'the same' },
        '',
        other,
        one,
      )
    },
  ),
  'page/unknown-cursor': look([unknownCursor], ([came]) =>
    isSuccess(came) ? 'first page' : came.response.status === 400 ? 'refused' : refusalIn(came),
  ),
  'page/limit-above-maximum': look([highLimit], ([came]) =>
    isSuccess(came) ? 'capped' : came.response.status === 400 ? 'refused' : refusalIn(came),
  ),
} as const satisfies Record<string, Check>
