import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { findList, isObject } from '../engine/recognise.ts'
import type { Step } from '../engine/step.ts'
import { look, refusalIn } from '../rules/observations.ts'
import { agrees, eachSuccess, together } from '../rules/steps.ts'
import { after, asking, call } from './calls.ts'

/** The lists in pages, one record at a time: their first page and the one that its cursor leads to. */

const listed = (Object.keys(operations) as OperationId[]).filter(
  id => operations[id].page?.by === 'cursor' && operations[id].paths.cloud !== undefined,
)
const first = (id: OperationId) => `cloud:${id}-page`
const second = (id: OperationId) => `cloud:${id}-next-page`
const resourceOf = (id: OperationId) => id.split('.')[0]!

/** The refusal of a page says nothing of the operation, and its pages are not read to the end. */
const probe = (id: OperationId, query: Parameters<typeof asking>[1], name: string, why: string): Step => {
  const { operation: _, ...step } = asking(call(id), query, name)
  return { ...step, why }
}

const cursorIn = (json: unknown) =>
  isObject(json) && typeof json.nextCursor === 'string' ? json.nextCursor : undefined

const [unknownCursor, highLimit] = ['cloud:key.list-unknown-cursor', 'cloud:udf.list-high-limit'] as const

export const steps: readonly Step[] = [
  ...listed.flatMap((id): Step[] => {
    const next = probe(
      id,
      past => `limit=1&cursor=${encodeURIComponent(cursorIn(past.exchange(first(id))?.json) ?? '')}`,
      second(id),
      'asks for the next page',
    )
    return [
      probe(id, () => 'limit=1', first(id), 'asks for a page of one'),
      {
        ...next,
        phase: next.phase + 1,
        from: [...(next.from ?? []), first(id)],
        draft: after(first(id), past =>
          cursorIn(past.exchange(first(id))?.json) === undefined ? { skip: 'there is one page' } : next.draft(past),
        ),
      },
    ]
  }),
  probe('key.list', () => 'cursor=stack-parity', unknownCursor, 'asks for a page by a cursor that no answer had'),
  probe('udf.list', () => 'limit=100000', highLimit, 'asks for a longer page than there are'),
]

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
        return one && other && isSuccess(other) ? [{ id, one, other }] : []
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
