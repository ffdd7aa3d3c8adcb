import type { Where } from '../../telemetry/query/plan.ts'
import type { Source } from '../../words/resources.ts'
import type { SearchFilter } from './model.ts'

/** The filter that a source sets for all its searches, then the filters of one search. */
export const filtersOf = (
  { kind, tableFilterExpression: text }: Source,
  filters: readonly SearchFilter[] = [],
): readonly Where[] => [
  ...(kind === 'log' && typeof text === 'string' ? [{ text, language: 'sql' }] : []),
  ...filters.map(whereOf),
]

const whereOf = (filter: SearchFilter): Where =>
  filter.type === 'sql_ast'
    ? { text: `${filter.left} ${filter.operator} ${filter.right}`, language: 'sql' }
    : { text: filter.condition, language: filter.type }
