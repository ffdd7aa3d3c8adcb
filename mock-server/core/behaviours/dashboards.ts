import { accept, findIssues } from '../accept/accept.ts'
import { changedDashboard, type DashboardBody, dashboardProperties, newDashboard } from '../accept/dashboard.ts'
import type { FilterBody } from '../accept/filter.ts'
import { refused, unknownId } from '../refusal.ts'
import type { Dashboard, Filter } from '../resources.ts'
import type { Behaviour, Request } from './behaviour.ts'
import { findBrokenReference } from './dashboard-references.ts'
import { arrange } from './order-of-list.ts'
import { remember, rememberList, type Writer } from './serialise.ts'
import { keepsAlerts } from './tile-alerts.ts'
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
function changeDashboard(before: Dashboard, body: DashboardBody, newId: () => string): Dashboard {
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

const completeFilter = ({ id, ...filter }: FilterBody, known: ReadonlySet<string>, newId: () => string): Filter => ({
  ...filter,
  id: id !== undefined && known.has(id) ? id : newId(),
})

const writeWhole = remember<Dashboard>(dashboard => dashboard)
const writeWithoutNull = remember<Dashboard>(({ savedQueryLanguage, ...dashboard }) =>
  savedQueryLanguage === null ? dashboard : { ...dashboard, savedQueryLanguage },
)

/** How dashboards are written, by what the language of no query is. */
const writers: Readonly<
  Record<string, { write: Writer<Dashboard>; writeAll: ReturnType<typeof rememberList<Dashboard>> }>
> = {
  null: { write: writeWhole, writeAll: rememberList(writeWhole, arrange) },
  absent: { write: writeWithoutNull, writeAll: rememberList(writeWithoutNull, arrange) },
}
const writerOf = ({ choice }: Request) => writers[choice('dashboard/language-without-query')]!

const answer = (dashboard: Dashboard, request: Request) =>
  ({ kind: 'object', json: writerOf(request).write(dashboard, request.edition) }) as const

function refuseBrokenReference(body: DashboardBody, { stack }: Request, before?: Dashboard) {
  const broken = findBrokenReference(body, stack, before)
  if (broken !== undefined) throw refused(broken)
}

const list: Behaviour = request => {
  const { stack, edition, choice } = request
  const json = writerOf(request).writeAll(stack.dashboards, edition, choice('dashboard/order-of-list'))
  return { kind: 'list', json }
}

const create: Behaviour = request => {
  const { body } = accept(request, { body: newDashboard, properties: dashboardProperties })
  refuseBrokenReference(body, request)
  const dashboard = makeDashboard(body, request.newId)
  request.stack.dashboards.create(dashboard)
  return answer(dashboard, request)
}

const get: Behaviour = request => {
  const { id } = accept(request, { id: true })
  const dashboard = request.stack.dashboards.get(id)
  if (!dashboard) throw unknownId('Dashboard')
  return answer(dashboard, request)
}

const update: Behaviour = request => {
  const { body, id } = accept(request, { body: changedDashboard, properties: dashboardProperties, id: true })
  const { stack, edition } = request
  const before = stack.dashboards.get(id)
  // The older edition looks at the references first, so they win over an unknown id.
  if (edition === '2.24') refuseBrokenReference(body, request, before)
  if (!before) throw unknownId('Dashboard')
  if (edition === '2.36') refuseBrokenReference(body, request, before)
  const dashboard = changeDashboard(before, body, request.newId)
  stack.dashboards.replace(dashboard)
  const watched = new Set(dashboard.tiles.filter(tile => keepsAlerts(tile, edition)).map(tile => tile.id))
  removeAlerts(request, id, tileId => !watched.has(tileId))
  return answer(dashboard, request)
}

const remove: Behaviour = request => {
  const { id } = accept(request, { id: true })
  if (request.stack.dashboards.remove(id)) removeAlerts(request, id, () => true)
  else if (!request.choice('dashboard/delete-unknown').startsWith('2')) throw unknownId('Dashboard')
  return { kind: 'deleted', resource: 'Dashboard' }
}

function removeAlerts({ stack }: Request, dashboardId: string, isLost: (tileId: string) => boolean) {
  for (const alert of [...stack.alerts.ofDashboard(dashboardId)]) {
    if (isLost(alert.tileId ?? '')) stack.alerts.remove(alert.id)
  }
}

/** A dry run: it always succeeds, and says what a creation would have said. */
const validate: Behaviour = request => {
  const { value, issues } = findIssues(newDashboard(request), request.body)
  const errors = issues.map(({ path, says }) => ({ path: path.join('.'), message: says }))
  const broken = value && findBrokenReference(value, request.stack)
  if (broken !== undefined) errors.push({ path: '', message: broken })
  const valid = errors.length === 0
  return { kind: 'bare', json: JSON.stringify({ valid, errors, normalized: valid ? value : null }) }
}

export const dashboards = { list, create, get, update, delete: remove, validate }
