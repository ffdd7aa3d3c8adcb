import { refused } from '../../words/refusal.ts'
import type { SavedSearch, SearchFilter } from '../../words/resources.ts'
import type { Handlers, Request } from '../family.ts'
import { accept } from '../observability/accept.ts'
import { findRecord } from '../observability/find-record.ts'
import { paging } from '../observability/paging.ts'
import { createWriter } from '../observability/serialise.ts'
import { isPinned, type SavedSearchBody, savedSearchBody, savedSearchProperties } from './saved-search-body.ts'

const write = createWriter<SavedSearch>(search => search)

function makeSavedSearch(
  body: SavedSearchBody,
  { id, teamId, createdAt }: Pick<SavedSearch, 'id' | 'teamId' | 'createdAt'>,
  now: number,
): SavedSearch {
  const { name, select, where, whereLanguage, orderBy, sourceId, tags, filters } = body
  const given = { name, select, where, whereLanguage, orderBy, sourceId: sourceId.toLowerCase(), tags, filters }
  return { id, ...given, teamId, createdAt, updatedAt: new Date(now).toISOString() }
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

export const handlers = {
  'savedSearch.list': request => {
    const { limit, offset } = accept(request, { query: paging }).query
    const { savedSearches } = request.stack
    const json = write.list(savedSearches.list().slice(offset, offset + limit), request.edition)
    return { kind: 'list', json, meta: { total: savedSearches.size, limit, offset } }
  },
  'savedSearch.create': request => {
    const { body } = accept(request, { body: savedSearchBody, properties: savedSearchProperties })
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
    const { body, id } = accept(request, { body: savedSearchBody, properties: savedSearchProperties, id: true })
    const { savedSearches } = request.stack
    refuseUnknownSource(body, request)
    const before = findRecord(request, savedSearches, 'Saved search', id)
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
} as const satisfies Handlers
