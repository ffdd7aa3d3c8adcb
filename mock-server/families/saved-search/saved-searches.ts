import { refused, unknownId } from '../../words/refusal.ts'
import type { SavedSearch, SearchFilter } from '../../words/resources.ts'
import type { Handler, Handlers, Request } from '../family.ts'
import { accept } from '../observability/accept.ts'
import { paging } from '../observability/paging.ts'
import { createWriter } from '../observability/serialise.ts'
import { isPinned, type SavedSearchBody, savedSearchBody, savedSearchProperties } from './saved-search-body.ts'

const write = createWriter<SavedSearch>(search => search)

const answer = (search: SavedSearch, { edition }: Request) =>
  ({ kind: 'object', json: write.one(search, edition) }) as const

function makeSavedSearch(body: SavedSearchBody, kept: Pick<SavedSearch, 'id' | 'teamId' | 'createdAt'>, now: number) {
  const { name, select, where, whereLanguage, orderBy, sourceId, tags, filters } = body
  const { id, teamId, createdAt } = kept
  const updatedAt = new Date(now).toISOString()
  const given = { name, select, where, whereLanguage, orderBy, sourceId: sourceId.toLowerCase(), tags, filters }
  return { id, ...given, teamId, createdAt, updatedAt } satisfies SavedSearch
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

const list: Handler = request => {
  const { limit, offset } = accept(request, { query: paging }).query
  const { savedSearches } = request.stack
  const json = write.list(savedSearches.list().slice(offset, offset + limit), request.edition)
  return { kind: 'list', json, meta: { total: savedSearches.size, limit, offset } }
}

const create: Handler = request => {
  const { body } = accept(request, { body: savedSearchBody, properties: savedSearchProperties })
  refuseUnknownSource(body, request)
  refuseOtherFilters(body)
  const { stack, world, now } = request
  const kept = { id: world.newObjectId(), teamId: stack.teamId, createdAt: new Date(now).toISOString() }
  const search = makeSavedSearch(body, kept, now)
  stack.savedSearches.create(search)
  return answer(search, request)
}

function find({ stack }: Request, id: string): SavedSearch {
  const search = stack.savedSearches.get(id)
  if (!search) throw unknownId('Saved search')
  return search
}

const get: Handler = request => answer(find(request, accept(request, { id: true }).id), request)

const update: Handler = request => {
  const { body, id } = accept(request, { body: savedSearchBody, properties: savedSearchProperties, id: true })
  refuseUnknownSource(body, request)
  const before = find(request, id)
  refuseOtherFilters(body, before.filters)
  const search = makeSavedSearch(body, before, request.now)
  request.stack.savedSearches.replace(search)
  return answer(search, request)
}

const remove: Handler = request => {
  const { id } = accept(request, { id: true })
  const { alerts, savedSearches } = request.stack
  if (!savedSearches.remove(id)) throw unknownId('Saved search')
  for (const { id: alert, savedSearchId } of alerts.list()) if (savedSearchId === id) alerts.remove(alert)
  return { kind: 'deleted' }
}

export const handlers = {
  'savedSearch.list': list,
  'savedSearch.create': create,
  'savedSearch.get': get,
  'savedSearch.update': update,
  'savedSearch.delete': remove,
} as const satisfies Handlers
