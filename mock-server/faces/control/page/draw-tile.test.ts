import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/mock.ts'
import type { TileConfig } from '../../../words/resources.ts'
import type { Drawing } from './answers.ts'
import { drawTile, queryStack } from './draw-tile.ts'

const end = Date.parse('2026-03-01T12:00:00Z')
const mock = createMock({ now: end, logs: 0 })
const stack = queryStack(mock, 'self-hosted')
const { log } = mock.target({ selfHosted: 'http://mock.test' }).selfHosted!.references.sources
const row = (minutesAgo: number, ServiceName: string, Body = 'x') => ({
  Timestamp: new Date(end - minutesAgo * 60_000).toISOString(),
  ServiceName,
  SeverityText: 'INFO',
  Body,
})
mock.loadRows(log!, [
  row(50, 'web', 'oldest'),
  row(30, 'api'),
  row(30, 'web'),
  row(10, 'web', 'newest'),
  row(90, 'web', 'before'),
])

const hour = { start: end - 3_600_000, end }
const draw = (config: object) => drawTile(stack, { sourceId: log, ...config } as TileConfig, hour) as Drawing
const count = { aggFn: 'count' }

describe('the drawing of a tile', () => {
  it('has a line for each group, with 0 for buckets without rows', () => {
    const drawing = draw({ displayType: 'line', select: [count], groupBy: 'ServiceName' })
    if (drawing.as !== 'line') throw new Error(`drawn as ${drawing.as}`)
    expect(drawing.times).toHaveLength(61)
    const sums = drawing.series.map(({ name, values }) => [
      name,
      values.reduce<number>((sum, value) => sum + value!, 0),
    ])
    expect(sums).toEqual([
      ['api', 1],
      ['web', 3],
    ])
  })

  it('counts rows in the right buckets, also if the range begins within a bucket', () => {
    const half = 30_000
    const other = createMock({ now: end + half, logs: 0 })
    const { sourceId } = other.target({ selfHosted: 'http://mock.test' }).selfHosted!.references
    other.loadRows(sourceId, [row(33, 'web'), row(32, 'web')])
    const config = { displayType: 'line', sourceId, select: [count] } as unknown as TileConfig
    const range = { start: hour.start + half, end: end + half }
    const drawing = drawTile(queryStack(other, 'self-hosted'), config, range)
    if (!('series' in drawing)) throw new Error('no series')
    const counted = drawing.times.filter((_, i) => drawing.series[0]!.values[i] === 1)
    expect(counted).toEqual([33, 32].map(minutes => end / 1000 - minutes * 60))
  })

  it('has null for buckets without rows if fillNulls is false', () => {
    const drawing = draw({ displayType: 'stacked_bar', select: [count], fillNulls: false })
    expect(drawing).toMatchObject({ as: 'bars', series: [{ values: expect.arrayContaining([null, 1, 2]) }] })
  })

  it('has the quotient of two series with asRatio', () => {
    const web = { ...count, where: 'ServiceName:web' }
    const drawing = draw({ displayType: 'line', select: [web, count], asRatio: true })
    expect(drawing).toMatchObject({ series: [{ name: 'ratio', values: expect.arrayContaining([1, 0.5, null]) }] })
  })

  it('has formulas with or without the series that they use', () => {
    const select = [{ ...count, where: 'ServiceName:web', alias: 'web' }, count]
    const formulas = [{ expression: 'A / B * 100', alias: 'share' }]
    const names = (config: object) => {
      const drawing = draw({ displayType: 'line', select, formulas, ...config })
      return 'series' in drawing && drawing.series.map(({ name }) => name)
    }
    expect(names({})).toEqual(['web', 'count', 'share'])
    expect(names({ showOperandSeries: false })).toEqual(['share'])
    expect(draw({ displayType: 'number', select, formulas })).toEqual({ as: 'number', value: 75 })
    expect(draw({ displayType: 'table', select, formulas, groupBy: 'ServiceName' })).toMatchObject({
      columns: ['ServiceName', 'web', 'count', 'share'],
      rows: [
        ['web', 3, 3, 100],
        ['api', null, 1, 0],
      ],
    })
  })

  it('has one number for the whole range', () => {
    expect(draw({ displayType: 'number', select: [count] })).toEqual({ as: 'number', value: 4 })
  })

  it('has the format of durations for spans, and the format of the tile for other numbers', () => {
    const { trace } = mock.target({ selfHosted: 'http://mock.test' }).selfHosted!.references.sources
    const slowest = { aggFn: 'max', valueExpression: 'Duration' }
    expect(draw({ displayType: 'number', sourceId: trace, select: [slowest] })).toMatchObject({
      format: { output: 'duration', factor: 1e-9 },
    })
    const numberFormat = { output: 'percent' }
    expect(draw({ displayType: 'number', select: [count], numberFormat })).toMatchObject({ format: numberFormat })
  })

  it('has a table with a row for each group, the largest first', () => {
    expect(draw({ displayType: 'table', select: [{ ...count, alias: 'calls' }], groupBy: 'ServiceName' })).toEqual({
      as: 'table',
      columns: ['ServiceName', 'calls'],
      rows: [
        ['web', 3],
        ['api', 1],
      ],
    })
  })

  it('has the answer to raw SQL as a table or a number', () => {
    const [source] = stack.stack.sources.list()
    const sqlTemplate =
      'SELECT ServiceName AS service, count() AS n FROM $__sourceTable WHERE $__timeFilter(Timestamp) GROUP BY service ORDER BY n DESC'
    const config = { configType: 'sql', connectionId: source!.connection, sqlTemplate }
    const rows = [
      ['web', '3'],
      ['api', '1'],
    ]
    expect(draw({ ...config, displayType: 'table' })).toEqual({ as: 'table', columns: ['service', 'n'], rows })
    expect(draw({ ...config, displayType: 'number' })).toEqual({ as: 'number', value: 3 })
  })

  it('has the results of a search in the range, the newest first', () => {
    expect(draw({ displayType: 'search', select: 'ServiceName, Body', where: 'ServiceName:web' })).toEqual({
      as: 'table',
      columns: ['ServiceName', 'Body'],
      rows: [
        ['web', 'newest'],
        ['web', 'x'],
        ['web', 'oldest'],
      ],
    })
  })

  it.each([
    ['an unknown source', { displayType: 'number', select: [count], sourceId: 'f'.repeat(24) }, /no source/],
    ['an unreadable filter', { displayType: 'number', select: [{ ...count, where: 'a:(' }] }, /Expected/],
    ['an unknown column', { displayType: 'search', select: 'Nothing' }, /"Nothing" is none/],
    ['raw SQL', { displayType: 'line', configType: 'sql', sqlTemplate: 'SELECT 1' }, /not as line/],
    ['unreadable SQL', { displayType: 'table', configType: 'sql', sqlTemplate: 'SELECT' }, /the text ends/],
    ['an unsupported display type', { displayType: 'heatmap', select: '' }, /heatmap/],
  ])('has only a reason for %s', (_, config, why) => {
    expect(draw(config)).toEqual({ as: 'nothing', why: expect.stringMatching(why) })
  })
})
