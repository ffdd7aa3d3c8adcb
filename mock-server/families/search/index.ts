import type { Family, Handlers } from '../family.ts'
import { search } from './search.ts'

export { faults } from './faults.ts'
export const handlers = { 'search.query': search } as const satisfies Handlers

/** Expressions alone: no further statement, and no query inside. */
const statement = /;|(?<!\w)SELECT\s/i

export const bodies = {
  searchQuery: {
    sentences: { 'sourceId least': 'sourceId is required', 'sourceId pattern': 'sourceId must be a valid ObjectId' },
    checks: {
      select: (text: string, complain) => {
        if (!statement.test(text)) return
        complain(
          'select must not contain semicolons or SELECT subqueries; use column references, map lookups, or scalar functions only',
        )
      },
    },
  },
} as const satisfies Family['bodies']
