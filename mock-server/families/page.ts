import type { Fault, Faults } from '../faults/fault.ts'
import { change, succeeds } from '../faults/rewrite.ts'

/** Ignores query parameters of lists with cursors; the answer still shows the limit that was sent. */
const ignoreParameters =
  (...names: readonly string[]) =>
  (): Fault =>
  async (call, next, { contract, operation }) => {
    if (operation === undefined || contract.operations[operation].page?.by !== 'cursor') return next(call)
    const query = new URLSearchParams(call.query)
    const limit = query.get('limit')
    for (const name of names) query.delete(name)
    const answer = await next({ ...call, query: `${query}` })
    if (limit === null || !succeeds(answer)) return answer
    return change(answer, json => ({ ...json, limit: Number(limit) }))
  }

export const faults = {
  'page/limit-is-kept': ignoreParameters('limit'),
  'page/cursor-leads-on': ignoreParameters('cursor'),
} as const satisfies Faults
