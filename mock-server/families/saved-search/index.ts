import { savedSearch } from '../../../fixtures/contract/saved-search.ts'
import { presenterOf } from '../../fields/view.ts'
import { refused } from '../../words/refusal.ts'
import type { BodyOf, Family, HandlersOf, Request } from '../family.ts'
import { idAndTimes, serveDocuments } from '../stack/documents.ts'
import { type SearchFilter, savedSearches } from './model.ts'
import { isPinned } from './pinned.ts'

type SavedSearchBody = BodyOf<'savedSearch.create'>

export { faults } from './faults.ts'
export const models = [savedSearches]
/** A filter that fits no shape is refused without a reason. */
export const bodies: Family['bodies'] = { savedSearchInput: { sentences: { 'filters union': 'Invalid input' } } }

const present = presenterOf(savedSearch)
const { find, get, list, create, replace, remove } = serveDocuments(
  savedSearches,
  'Saved search',
  (record, { edition }) => present(record, edition),
)

function refuseUnknownSource({ sourceId }: SavedSearchBody, { stack }: Request) {
  if (!stack.sources.get(sourceId.toLowerCase())) throw refused('sourceId must be an existing source id')
}

/** Filters of other shapes, which the user interface stores, may be sent back unchanged. */
function refuseOtherFilters({ filters }: SavedSearchBody, stored: readonly SearchFilter[] = []) {
  const known = new Set(stored.map(keyOf))
  const index = filters.findIndex(filter => !isPinned(filter) && !known.has(keyOf(filter)))
  if (index < 0) return
  throw refused(
    `filters[${index}] must be a sidebar-renderable SQL predicate (e.g. "<column> IN ('<value>', ...)", "NOT IN (...)", or "BETWEEN <n> AND <n>"). Other shapes are only accepted on update when preserved unchanged from the stored saved search.`,
  )
}

const keyOf = (filter: SearchFilter) =>
  JSON.stringify(
    filter.type === 'sql_ast'
      ? [filter.type, filter.operator, filter.left, filter.right]
      : [filter.type, filter.condition],
  )

export const handlers: HandlersOf<'savedSearch'> = {
  'savedSearch.list': list,
  'savedSearch.create': request => {
    const { body, stack } = request
    refuseUnknownSource(body, request)
    refuseOtherFilters(body)
    return create(request, {
      ...body,
      sourceId: body.sourceId.toLowerCase(),
      teamId: stack.teamId,
      ...idAndTimes(request),
    })
  },
  'savedSearch.get': get,
  'savedSearch.update': request => {
    const { body } = request
    refuseUnknownSource(body, request)
    const before = find(request)
    refuseOtherFilters(body, before.filters)
    const { teamId } = before
    return replace(request, { ...body, sourceId: body.sourceId.toLowerCase(), teamId, ...idAndTimes(request, before) })
  },
  'savedSearch.delete': request => {
    const { alerts } = request.stack
    const search = find(request)
    for (const { id, savedSearchId } of alerts.list()) if (savedSearchId === search.id) alerts.remove(id)
    return remove(request, search)
  },
}
