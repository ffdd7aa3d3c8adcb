import { savedSearch } from '../../../fixtures/contract/saved-search.ts'
import { presenterOf } from '../../fields/view.ts'
import { refused } from '../../words/refusal.ts'
import type { BodyOf, HandlersOf, Request } from '../family.ts'
import { findRecord } from '../stack/find-record.ts'
import { pageOf } from '../stack/page.ts'
import { createWriter } from '../stack/serialise.ts'
import type { SavedSearch, SearchFilter } from './model.ts'
import { isPinned } from './pinned.ts'

type SavedSearchBody = BodyOf<'savedSearch.create'>

const write = createWriter<SavedSearch>(presenterOf(savedSearch))

function makeSavedSearch(
  body: SavedSearchBody,
  { id, teamId, createdAt }: Pick<SavedSearch, 'id' | 'teamId' | 'createdAt'>,
  now: number,
): SavedSearch {
  const sourceId = body.sourceId.toLowerCase()
  return { id, ...body, sourceId, teamId, createdAt, updatedAt: new Date(now).toISOString() }
}

function refuseUnknownSource({ sourceId }: SavedSearchBody, { stack }: Request) {
  if (!stack.sources.get(sourceId.toLowerCase())) throw refused('sourceId must be an existing source id')
}

/** What the user interface stored in other shapes may come back as it was. */
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
  'savedSearch.list': request => {
    const { records, meta } = pageOf(request.stack.savedSearches.list(), request)
    return { kind: 'list', json: write.list(records, request.edition), meta }
  },
  'savedSearch.create': request => {
    const { body } = request
    refuseUnknownSource(body, request)
    refuseOtherFilters(body)
    const { stack, world, now } = request
    const kept = { id: world.newObjectId(), teamId: stack.teamId, createdAt: new Date(now).toISOString() }
    const search = makeSavedSearch(body, kept, now)
    stack.savedSearches.create(search)
    return write.answer(search, request.edition)
  },
  'savedSearch.get': request =>
    write.answer(findRecord(request, request.stack.savedSearches, 'Saved search'), request.edition),
  'savedSearch.update': request => {
    const { body } = request
    const { savedSearches } = request.stack
    refuseUnknownSource(body, request)
    const before = findRecord(request, savedSearches, 'Saved search')
    refuseOtherFilters(body, before.filters)
    const search = makeSavedSearch(body, before, request.now)
    savedSearches.replace(search)
    return write.answer(search, request.edition)
  },
  'savedSearch.delete': request => {
    const { alerts, savedSearches } = request.stack
    const { id } = findRecord(request, savedSearches, 'Saved search')
    savedSearches.remove(id)
    for (const { id: alert, savedSearchId } of alerts.list()) if (savedSearchId === id) alerts.remove(alert)
    return { kind: 'deleted' }
  },
}
