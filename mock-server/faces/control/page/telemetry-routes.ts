import type Router from '@koa/router'
import type { RouterContext } from '@koa/router'
import { dashboards } from '../../../families/dashboard/model.ts'
import type { Mock } from '../../../mock/mock.ts'
import type { Range } from '../../../telemetry/query/plan.ts'
import { answer, Declined } from '../answer.ts'
import { readCount } from '../read-request.ts'
import { findWorld } from '../worlds.ts'
import { drawTile, type QueriedStack, queryStack } from './draw-tile.ts'
import { findRows, findTrace, sourceOfKind } from './find-rows.ts'
import { listAlerts } from './list-alerts.ts'

/** Adds the addresses for the telemetry of stacks: computed dashboards, rows, traces, and alerts with their history. */
export function addTelemetryRoutes(router: Router, mock: Mock): void {
  const worldOf = (ctx: RouterContext) => findWorld(mock, ctx.query.world)
  const stackOf = (ctx: RouterContext): QueriedStack => {
    const id = ctx.params.stack!
    const mockWorld = worldOf(ctx)
    if (!mockWorld.deployment().world.places(dashboards).includes(id))
      throw new Declined(404, `There is no stack ${id}.`)
    return queryStack(mockWorld, id)
  }
  /** The last minutes before now, or before the moment `until`. */
  const rangeOf = (ctx: RouterContext): Range => {
    const end = readMoment(ctx, 'until') ?? worldOf(ctx).clock.now()
    return { start: end - readCount(ctx.query, 'minutes', { usual: 1440, most: 60 * 24 * 90 }) * 60_000, end }
  }

  const get = (path: string, read: Parameters<typeof answer>[0]) => router.get(`/control/${path}`, answer(read))
  get('drawings/:stack/:dashboard', async ctx => {
    const queried = stackOf(ctx)
    const { stack } = queried
    const dashboard = stack.dashboards.get(ctx.params.dashboard!)
    if (!dashboard) throw new Declined(404, 'There is no such dashboard.')
    const range = rangeOf(ctx)
    const tiles = await Promise.all(
      dashboard.tiles.map(async tile => ({ ...tile, drawing: await drawTile(queried, tile.config, range) })),
    )
    const alerts = stack.alerts.list().filter(({ dashboardId }) => dashboardId === dashboard.id)
    return { range, dashboard: { ...dashboard, tiles }, alerts }
  })
  get('found/:stack/:kind', async ctx => {
    const queried = stackOf(ctx)
    const { where = '', language } = ctx.query as Record<string, string | undefined>
    const limit = readCount(ctx.query, 'limit', { usual: 100, most: 1000 })
    const offset = readCount(ctx.query, 'offset', { usual: 0, most: 100_000 })
    const search = { ...rangeOf(ctx), where, language, limit, offset }
    return findRows(queried, sourceOfKind(queried.stack, ctx.params.kind!), search)
  })
  get('traces/:stack/:trace', ctx =>
    findTrace(stackOf(ctx), ctx.params.trace!, readMoment(ctx, 'near'), worldOf(ctx).clock.now()),
  )
  get('alerts/:stack', async ctx => {
    const now = worldOf(ctx).clock.now()
    return { now, alerts: await listAlerts(stackOf(ctx), now) }
  })
}

function readMoment(ctx: RouterContext, name: string): number | undefined {
  const text = ctx.query[name]
  if (text === undefined) return undefined
  const time = Date.parse(String(text))
  if (Number.isNaN(time)) throw new Declined(400, `${name}: Expected an ISO 8601 time, received ${text}`)
  return time
}
