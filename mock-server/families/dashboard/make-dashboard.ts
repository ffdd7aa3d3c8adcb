import type { AnyOf } from '../../../fixtures/contract/index.ts'
import type { tileConfig, tileSeries } from '../../../fixtures/contract/tile.ts'
import type { Dashboard, Filter } from '../../words/resources.ts'
import type { BodyOf } from '../family.ts'
import { completeTile } from './tiles.ts'

/** The body of a creation or of a replacement, where configs and series have the fields of all kinds. */
export type ConfigBody = AnyOf<typeof tileConfig, 'request'>
export type SeriesBody = AnyOf<(typeof tileSeries)['items'], 'request'>
export type AnyTile = Omit<BodyOf<'dashboard.update'>['tiles'][number], 'config' | 'series'> & {
  readonly config?: ConfigBody
  readonly series?: readonly SeriesBody[]
}
export type AnyDashboard = Omit<BodyOf<'dashboard.create'>, 'tiles' | 'filters' | 'savedFilterValues'> & {
  readonly tiles: readonly AnyTile[]
  readonly filters?: readonly FilterBody[]
  readonly savedFilterValues?: Dashboard['savedFilterValues']
}
type FilterBody = Omit<Filter, 'id'> & { readonly id?: string }

/**
 * The dashboard that an accepted body asks for: a new one, whose ids are all new, or one in the place of another, of which
 * what the body leaves out stays, except name and tiles.
 */
export function makeDashboard(body: AnyDashboard, newId: () => string, before?: Dashboard): Dashboard {
  const id = before?.id ?? newId()
  const tileIds = before?.tiles.map(({ id }) => id) ?? []
  const filterIds = before?.filters.map(({ id }) => id) ?? []
  const language = chooseLanguage(body)
  const { containers = before?.containers } = body
  return {
    id,
    name: body.name,
    tiles: body.tiles.map(tile => completeTile(tile, tileIds, newId)),
    tags: body.tags ? [...new Set(body.tags)] : (before?.tags ?? []),
    filters: body.filters?.map(filter => completeFilter(filter, filterIds, newId)) ?? before?.filters ?? [],
    savedQuery: body.savedQuery === undefined ? (before?.savedQuery ?? null) : body.savedQuery,
    savedQueryLanguage: language === undefined ? (before?.savedQueryLanguage ?? null) : language,
    savedFilterValues: body.savedFilterValues ?? before?.savedFilterValues ?? [],
    ...(containers?.length && { containers }),
  }
}

/** A query that is sent without its language is written in Lucene; an empty one has none. */
function chooseLanguage({ savedQuery, savedQueryLanguage }: AnyDashboard): AnyDashboard['savedQueryLanguage'] {
  if (savedQueryLanguage !== undefined) return savedQueryLanguage
  return savedQuery === null ? null : savedQuery ? 'lucene' : undefined
}

/** The sources that a filter applies to are left out where it acts on no tile. */
const completeFilter = ({ id, ...filter }: FilterBody, known: readonly string[], newId: () => string): Filter => ({
  ...filter,
  ...(filter.isBroadcastEnabled === false && { appliesToSourceIds: undefined }),
  id: id !== undefined && known.includes(id) ? id : newId(),
})
