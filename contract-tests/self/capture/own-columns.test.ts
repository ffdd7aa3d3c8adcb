import { expect, it } from 'vitest'
import { drawTile, queryStack } from '../../../mock-server/faces/control/page/draw-tile.ts'
import { createMock } from '../../../mock-server/index.ts'
import { aliases, sqlFunctions } from '../../../mock-server/telemetry/columns/functions/sql-functions.ts'
import { createInventor } from '../../run/capture/invent.ts'
import { countedRandom, readMock, serve, writeWorld } from './captured.ts'

const now = Date.UTC(2026, 10, 23, 10)
const options = { now, freeze: true, logs: 5000, services: 1, as: 'self-hosted-2.36' } as const

/** A table of somebody's own: no column is called as those of the collector. */
const own = {
  name: 'Orders',
  kind: 'log',
  timestampValueExpression: 'happened_at',
  defaultTableSelectExpression: 'happened_at, shop_name as shop, gravity, message, basket_id',
  serviceNameExpression: 'shop_name',
  severityTextExpression: 'gravity',
  bodyExpression: 'message',
  eventAttributesExpression: 'labels',
  resourceAttributesExpression: 'machine',
} as const

const select = (valueExpression: string, aggFn = 'count', where = '', whereLanguage = 'lucene') => [
  { aggFn, valueExpression, where, whereLanguage },
]
const line = (select: object, groupBy = '') => ({ displayType: 'line', select, groupBy })
const tiles = [
  line(select(''), 'shop_name'),
  line(select('basket_value', 'avg'), 'region, toStartOfWeek(happened_at)'),
  line(select('', 'count', "country IN ('Norway', 'Peru') AND basket_value > 0.5", 'sql')),
  line(select('', 'count', 'gravity:INFO OR country:Norway')),
  line(select("toFloat64OrZero(labels['dur'])", 'max'), "labels['tenant']"),
  line(select('labels.tenant', 'count_distinct', 'labels.tenant:acme')),
  line(select("if(is_paid = 'yes', basket_value, 0)", 'sum'), 'lowerUTF8(country)'),
  { displayType: 'search', select: 'happened_at, message, basket_id', where: 'gravity:INFO', whereLanguage: 'lucene' },
]

it.each([[{ isVerbatim: true }], [{}]])(
  'charts of captured dashboards compute over the columns of their sources, %j',
  async how => {
    const one = createMock(options)
    const [like] = one.list('source').filter(({ kind }) => kind === 'log')
    const { id } = one.create('source', { ...like, ...own, id: '507f1f77bcf86cd799439011' } as never)
    const [metrics] = one.list('source').filter(({ kind }) => kind === 'metric')
    const depth = { aggFn: 'avg', valueExpression: 'Value', metricName: 'basket.queue.depth', metricType: 'gauge' }
    const all = [...tiles, { ...line([depth], "Attributes['lane']"), sourceId: metrics!.id }]
    const placed = all.map((config, index) => ({
      id: `507f1f77bcf86cd7994390${20 + index}`,
      name: `${index}`,
      x: 0,
      y: index,
      w: 1,
      h: 1,
      config: { sourceId: id, ...config },
    }))
    one.create('dashboard', { name: 'Trade', tiles: placed, tags: [], filters: [] } as never)
    const captured = await readMock(one)
    const { world } = writeWorld(captured, captured.records, how)
    const twin = serve(world, { ...options, seed: 2 })
    const queried = queryStack(twin, 'self-hosted')
    const [board] = queried.stack.dashboards.list().filter(({ tiles }) => tiles.length === placed.length)
    const drawn = board!.tiles.map(({ config }) => drawTile(queried, config, { start: now - 86_400_000, end: now }))
    const amounts = drawn.map(one =>
      'series' in one ? one.series.flatMap(({ values }) => values) : 'rows' in one ? one.rows : one,
    )
    expect(amounts.map(found => (Array.isArray(found) ? found.some(Boolean) : found))).toEqual(all.map(() => true))
  },
)

it('every function that the mock computes is kept in a query', () => {
  const { text } = createInventor([], countedRandom())
  const lost = [...Object.keys(sqlFunctions), ...Object.keys(aliases)].filter(
    name => !text(`${name}(a)`, true).startsWith(`${name}(`),
  )
  expect(lost).toEqual([])
})
