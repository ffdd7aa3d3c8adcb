import { expect, it } from 'vitest'
import { drawTile, queryStack } from '../../../mock-server/faces/control/page/draw-tile.ts'
import { createMock } from '../../../mock-server/index.ts'
import { aliases, sqlFunctions } from '../../../mock-server/telemetry/columns/functions/sql-functions.ts'
import { createInventor } from '../../run/capture/invent.ts'
import { countedRandom, readMock, serve, writeWorld } from './captured.ts'

const now = Date.UTC(2026, 10, 23, 10)
const options = { now, freeze: true, logs: 5000, services: 1, as: 'self-hosted-2.36' } as const

/** A source on a custom table: no column has a name of the OpenTelemetry collector. */
const customSource = {
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
  'the charts of a captured dashboard show values from custom columns of their source (options: %j)',
  async anonymiseOptions => {
    const original = createMock(options)
    const [logSource] = original.list('source').filter(({ kind }) => kind === 'log')
    const { id } = original.create('source', { ...logSource, ...customSource, id: '507f1f77bcf86cd799439011' } as never)
    const [metrics] = original.list('source').filter(({ kind }) => kind === 'metric')
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
    original.create('dashboard', { name: 'Trade', tiles: placed, tags: [], filters: [] } as never)
    const captured = await readMock(original)
    const { world } = writeWorld(captured, captured.records, anonymiseOptions)
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

it('a captured query keeps every function that the mock can compute', () => {
  const { text } = createInventor([], countedRandom())
  const replaced = [...Object.keys(sqlFunctions), ...Object.keys(aliases)].filter(
    name => !text(`${name}(a)`, true).startsWith(`${name}(`),
  )
  expect(replaced).toEqual([])
})
