import { describe, expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

/** Dashboards of the newest managed form have fields that self-hosted deployments of the same edition lack. */

const place = { x: 0, y: 0, w: 12, h: 5 }

async function open() {
  const { send, serviceId } = openCloud({ as: 'clickhouse-cloud', segment: 'clickstack' })
  const ask = (method: string, path: string, body?: object) =>
    send(method, `/services/${serviceId}/clickstack${path}`, body)
  const [{ id: sourceId }] = (await ask('GET', '/sources')).result
  const config = { displayType: 'stacked_line', sourceId, select: [{ aggFn: 'count', where: '' }] }
  return { ask, tile: { ...place, name: 'Lines', config } }
}

it('keeps the description and the line interpolation of a tile', async () => {
  const { ask, tile } = await open()
  const sent = { ...tile, description: 'All of them', config: { ...tile.config, lineInterpolation: 'step' } }
  const { result } = await ask('POST', '/dashboards', { name: 'Shop', tiles: [sent] })
  expect((await ask('GET', `/dashboards/${result.id}`)).result.tiles[0]).toMatchObject({
    description: 'All of them',
    config: { displayType: 'stacked_line', lineInterpolation: 'step', fillNulls: true },
  })
})

it('keeps minSelections of a filter, and refuses maxSelections above 1', async () => {
  const { ask, tile } = await open()
  const { sourceId } = tile.config
  const filter = { type: 'QUERY_EXPRESSION', name: 'Service', expression: 'ServiceName', sourceId }
  const make = (more: object) =>
    ask('POST', '/dashboards', { name: 'Shop', tiles: [], filters: [{ ...filter, ...more }] })
  const { result } = await make({ minSelections: 1, isGlobalRequirement: true })
  expect(result.filters).toMatchObject([{ minSelections: 1, isGlobalRequirement: true }])
  expect((await make({ maxSelections: 2 })).status).toBe(400)
})

it('refuses an unknown line interpolation', async () => {
  const { ask, tile } = await open()
  const wrong = { ...tile, config: { ...tile.config, lineInterpolation: 'zigzag' } }
  expect((await ask('POST', '/dashboards', { name: 'Shop', tiles: [wrong] })).status).toBe(400)
})

describe('a filter', () => {
  async function openFilters() {
    const { ask } = await open()
    const sources = (await ask('GET', '/sources')).result
    const [log] = sources.filter(({ kind }: { kind: string }) => kind === 'log')
    const columns = [{ name: 'ServiceName', label: 'Service', allowAll: true }]
    const filterSettings = { databaseName: 'default', tableName: 'values', columns }
    const { id: _, ...rest } = log
    expect((await ask('PUT', `/sources/${log.id}`, { ...rest, filterSettings })).status).toBe(200)
    const list = { type: 'STATIC_LIST', name: 'Stage', options: ['test', 'production'] }
    const column = {
      type: 'SOURCE_FILTER',
      name: 'Service',
      sourceId: log.id,
      expression: 'ServiceName',
      variableName: 'service',
    }
    const make = (filters: readonly object[], more: object = {}) =>
      ask('POST', '/dashboards', { name: 'Shop', tiles: [], filters, ...more })
    return { ask, log, list, column, make }
  }

  it.each(['a static list', 'a column of a source'])('of %s is answered as it was sent', async kind => {
    const { ask, list, column, make } = await openFilters()
    const filter = kind === 'a static list' ? list : column
    const { result } = await make([filter])
    const { filters } = (await ask('GET', `/dashboards/${result.id}`)).result
    expect(filters).toEqual([{ id: expect.any(String), ...filter }])
    const replaced = await ask('PUT', `/dashboards/${result.id}`, { name: 'Shop', tiles: [], filters })
    expect(replaced.result.filters).toEqual(filters)
  })

  it.each([
    [{ type: 'STATIC_LIST', options: [] }, 'Array must contain at least 1 element(s)'],
    [{ type: 'STATIC_LIST', options: ['a', 'a'] }, 'Filter "Stage" has the option "a" twice'],
    [{ type: 'STATIC_LIST', isBroadcastEnabled: true }, 'Invalid literal value, expected false'],
    [{ type: 'STATIC_LIST', isVariableEnabled: false }, 'Invalid literal value, expected true'],
    [{ type: 'STATIC_LIST', expression: 'ServiceName' }, "Unrecognized key(s) in object: 'expression'"],
    [{ type: 'LIST' }, "Invalid discriminator value. Expected 'QUERY_EXPRESSION' | 'STATIC_LIST'"],
  ])('is refused with %o', async (more, sentence) => {
    const { list, make } = await openFilters()
    expect(await make([{ ...list, ...more }])).toMatchObject({ status: 400, error: expect.stringContaining(sentence) })
  })

  it('requires a column that its source offers, and a PromQL source for a label', async () => {
    const { log, column, make } = await openFilters()
    const unknown = await make([{ ...column, expression: 'Body' }])
    expect(unknown).toMatchObject({ status: 400, error: expect.stringContaining('filterSettings') })
    const label = { type: 'PROMETHEUS_LABEL', name: 'Job', sourceId: log.id, label: 'job' }
    expect(await make([label])).toMatchObject({
      status: 400,
      error: expect.stringContaining('requires a PromQL source'),
    })
  })

  it('is a variable, whose saved values are validated and kept with the dashboard', async () => {
    const { list, column, make } = await openFilters()
    const savedFilterValues = [
      { type: 'variable', name: 'Stage', values: ['test'] },
      { type: 'variable', name: 'service', values: [], all: true },
      { type: 'sql', condition: "ServiceName IN ('web')" },
    ]
    const { result } = await make([list, column], { savedFilterValues })
    expect(result.savedFilterValues).toEqual(savedFilterValues)
    const refused = async (value: object) =>
      (await make([list, column], { savedFilterValues: [{ type: 'variable', values: [], ...value }] })).error
    expect(await refused({ name: 'colour' })).toContain('names no variable of the dashboard: colour')
    expect(await refused({ name: 'Stage', all: true })).toContain('does not offer')
    expect(await refused({ name: 'service', all: false })).toContain('Invalid literal value, expected true')
    expect(await refused({})).toContain('Required')
  })
})

it('keeps a heat map of series for any source, and refuses one of a distribution without a trace source', async () => {
  const { ask, tile } = await open()
  const { sourceId } = tile.config
  const make = (config: object) =>
    ask('POST', '/dashboards', {
      name: 'Heat',
      tiles: [{ ...tile, config: { displayType: 'heatmap', sourceId, ...config } }],
    })
  const select = [{ aggFn: 'max', valueExpression: 'Duration', where: '' }]
  const series = await make({ heatmapMode: 'series', select, groupBy: 'ServiceName' })
  expect(series.result.tiles[0].config).toMatchObject({ heatmapMode: 'series', select, groupBy: 'ServiceName' })
  const wrong = await make({ heatmapMode: 'series', select: [{ valueExpression: 'Duration' }] })
  expect(wrong).toMatchObject({ status: 400, error: expect.stringContaining('tiles.0.config.select.0.aggFn') })
  const both = await make({ heatmapMode: 'distribution', select })
  expect(both).toMatchObject({ status: 400, error: expect.stringContaining('require a Trace source') })
})

it('accepts stacked lines in the former series', async () => {
  const { ask, tile } = await open()
  const { config, ...rest } = tile
  const former = { type: 'time', sourceId: config.sourceId, aggFn: 'count', where: '', groupBy: [] }
  const series = [{ ...former, displayType: 'stacked_line' }]
  const { result } = await ask('POST', '/dashboards', { name: 'Lines', tiles: [{ ...rest, series }] })
  expect(result.tiles[0].config.displayType).toBe('stacked_line')
})
