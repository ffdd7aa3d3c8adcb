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

describe('a drawing', () => {
  it('has a line for each group, with nothing counted as zero', () => {
    const drawn = draw({ displayType: 'line', select: [count], groupBy: 'ServiceName' })
    if (drawn.as !== 'line') throw new Error(`drawn as ${drawn.as}`)
    expect(drawn.times).toHaveLength(61)
    const sums = drawn.series.map(({ name, values }) => [name, values.reduce<number>((sum, value) => sum + value!, 0)])
    expect(sums).toEqual([
      ['api', 1],
      ['web', 3],
    ])
  })

  it('counts in the buckets that it draws, also where the range begins within one', () => {
    const half = 30_000
    const other = createMock({ now: end + half, logs: 0 })
    const { sourceId } = other.target({ selfHosted: 'http://mock.test' }).selfHosted!.references
    other.loadRows(sourceId, [row(33, 'web'), row(32, 'web')])
    const config = { displayType: 'line', sourceId, select: [count] } as unknown as TileConfig
    const range = { start: hour.start + half, end: end + half }
    const drawn = drawTile(queryStack(other, 'self-hosted'), config, range)
    if (!('series' in drawn)) throw new Error('drawn otherwise')
    const counted = drawn.times.filter((_, i) => drawn.series[0]!.values[i] === 1)
    expect(counted).toEqual([33, 32].map(minutes => end / 1000 - minutes * 60))
  })

  it('leaves what was not counted open when nulls are not filled', () => {
    const drawn = draw({ displayType: 'stacked_bar', select: [count], fillNulls: false })
    expect(drawn).toMatchObject({ as: 'bars', series: [{ values: expect.arrayContaining([null, 1, 2]) }] })
  })

  it('divides one series by another for a ratio', () => {
    const web = { ...count, where: 'ServiceName:web' }
    const drawn = draw({ displayType: 'line', select: [web, count], asRatio: true })
    expect(drawn).toMatchObject({ series: [{ name: 'ratio', values: expect.arrayContaining([1, 0.5, null]) }] })
  })

  it('computes formulas beside their series, or without them', () => {
    const select = [{ ...count, where: 'ServiceName:web', alias: 'web' }, count]
    const formulas = [{ expression: 'A / B * 100', alias: 'share' }]
    const names = (config: object) => {
      const drawn = draw({ displayType: 'line', select, formulas, ...config })
      return 'series' in drawn && drawn.series.map(({ name }) => name)
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

  it('is one number over the whole range', () => {
    expect(draw({ displayType: 'number', select: [count] })).toEqual({ as: 'number', value: 4 })
  })

  it('shows durations of spans as such, and other numbers as the tile says', () => {
    const { trace } = mock.target({ selfHosted: 'http://mock.test' }).selfHosted!.references.sources
    const slowest = { aggFn: 'max', valueExpression: 'Duration' }
    expect(draw({ displayType: 'number', sourceId: trace, select: [slowest] })).toMatchObject({
      format: { output: 'duration', factor: 1e-9 },
    })
    const numberFormat = { output: 'percent' }
    expect(draw({ displayType: 'number', select: [count], numberFormat })).toMatchObject({ format: numberFormat })
  })

  it('is a table with a row for each group, the largest first', () => {
    expect(draw({ displayType: 'table', select: [{ ...count, alias: 'calls' }], groupBy: 'ServiceName' })).toEqual({
      as: 'table',
      columns: ['ServiceName', 'calls'],
      rows: [
        ['web', 3],
        ['api', 1],
      ],
    })
  })

  it('shows what a search finds in the range, the newest first', () => {
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
    ['a source that is gone', { displayType: 'number', select: [count], sourceId: 'f'.repeat(24) }, /no source/],
    ['a filter that cannot be read', { displayType: 'number', select: [{ ...count, where: 'a:(' }] }, /Expected/],
    ['a column that is none', { displayType: 'search', select: 'Nothing' }, /"Nothing" is none/],
    ['raw SQL', { displayType: 'line', configType: 'sql', sqlTemplate: 'SELECT 1' }, /run only with --telemetry/],
    ['a kind that is not drawn', { displayType: 'heatmap', select: '' }, /heatmap/],
  ])('says why there is none for %s', (_, config, why) => {
    expect(draw(config)).toEqual({ as: 'nothing', why: expect.stringMatching(why) })
  })
})
