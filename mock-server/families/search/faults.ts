import type { Fault, Faults } from '../../faults/fault.ts'
import { change, inAnswers, successOf } from '../../faults/rewrite.ts'

/** Changes the rows of an answer; their number goes along. */
const inRows =
  (how: (rows: readonly unknown[], asked: unknown) => readonly unknown[]): (() => Fault) =>
  () =>
  async (call, next, context) => {
    const answer = await next(call)
    if (!successOf('search.query')(answer, context)) return answer
    return change(answer, json => {
      const data = Array.isArray(json.data) ? how(json.data, JSON.parse(call.body).maxResults) : []
      return { ...json, data, rows: data.length }
    })
  }

export const faults = {
  'search/rows-are-counted': inAnswers(successOf('search.query'), answer =>
    change(answer, json => ({ ...json, rows: Number(json.rows) + 1 })),
  ),
  'search/gives-no-more-than-asked': inRows((rows, asked) => (rows.length === asked ? [...rows, ...rows] : rows)),
  'search/agrees-with-chart': inRows(rows => rows.slice(1)),
} as const satisfies Faults
