import type { Dashboard, Filter } from '../../words/resources.ts'
import type { DashboardBody } from './body/dashboard.ts'
import type { FilterBody } from './body/filter.ts'
import { completeTile } from './tiles.ts'

const none: ReadonlySet<string> = new Set()

/** A new dashboard from an accepted body. Ids in the body are not kept. */
export function makeDashboard(body: DashboardBody, newId: () => string): Dashboard {
  return {
    id: newId(),
    name: body.name,
    tiles: body.tiles.map(tile => completeTile(tile, none, newId)),
    tags: [...new Set(body.tags)],
    filters: (body.filters ?? []).map(filter => completeFilter(filter, none, newId)),
    savedQuery: body.savedQuery ?? null,
    savedQueryLanguage: chooseLanguage(body) ?? null,
    savedFilterValues: body.savedFilterValues ?? [],
    ...(body.containers?.length && { containers: body.containers }),
  }
}

/** Name and tiles are replaced; what else is left out stays as it was. */
export function changeDashboard(before: Dashboard, body: DashboardBody, newId: () => string): Dashboard {
  const tileIds = new Set(before.tiles.map(({ id }) => id))
  const filterIds = new Set(before.filters.map(({ id }) => id))
  const language = chooseLanguage(body)
  const { containers = before.containers } = body
  return {
    id: before.id,
    name: body.name,
    tiles: body.tiles.map(tile => completeTile(tile, tileIds, newId)),
    tags: body.tags ? [...new Set(body.tags)] : before.tags,
    filters: body.filters?.map(filter => completeFilter(filter, filterIds, newId)) ?? before.filters,
    savedQuery: body.savedQuery === undefined ? before.savedQuery : body.savedQuery,
    savedQueryLanguage: language === undefined ? before.savedQueryLanguage : language,
    savedFilterValues: body.savedFilterValues ?? before.savedFilterValues,
    ...(containers?.length && { containers }),
  }
}

/** A query that is sent without its language is written in Lucene; an empty one has none. */
function chooseLanguage({ savedQuery, savedQueryLanguage }: DashboardBody): string | null | undefined {
  if (savedQueryLanguage !== undefined) return savedQueryLanguage
  return savedQuery === null ? null : savedQuery ? 'lucene' : undefined
}

/** The sources that a filter applies to are left out where it acts on no tile. */
const completeFilter = ({ id, ...filter }: FilterBody, known: ReadonlySet<string>, newId: () => string): Filter => ({
  ...filter,
  ...(filter.isBroadcastEnabled === false && { appliesToSourceIds: undefined }),
  id: id !== undefined && known.has(id) ? id : newId(),
})
