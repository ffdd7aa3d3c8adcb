import type { ObjectOf } from '../../../fixtures/contract/index.ts'
import { savedSearch } from '../../../fixtures/contract/saved-search.ts'
import type { Where } from '../../telemetry/query/plan.ts'
import type { Source } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import { planStack } from '../stack/stack-plan.ts'

export type SavedSearch = ObjectOf<typeof savedSearch, 'record'>
/** A filter beside the text of a search: those that the API takes are SQL, the others come from the user interface. */
export type SearchFilter = SavedSearch['filters'][number]

export const savedSearches: Model<SavedSearch, 'savedSearch'> = {
  name: 'savedSearch',
  within: 'stack',
  documents: true,
  record: recordSchema(savedSearch.fields),
  seed: (stackId, from) => planStack(stackId, from).savedSearches,
}

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
