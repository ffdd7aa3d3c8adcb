import { expect, it } from 'vitest'
import type { Source } from '../words/resources.ts'
import { evaluateTile, type TileQuery, type TileRow } from './evaluate-tile.ts'
import type { QueryChoices } from './source-terms.ts'
import { createTelemetry } from './telemetry.ts'

const start = Date.parse('2026-01-05T00:00:00Z')
const telemetry = createTelemetry()
telemetry.load('logs', 'log', [
  { Timestamp: start, ServiceName: 'api', SeverityNumber: 17, Body: 'Timeout' },
  { Timestamp: start + 60_000, ServiceName: 'web', SeverityNumber: 9, Body: 'done' },
])
const source = { id: 'logs', kind: 'log', implicitColumnExpression: 'Body' } as Source
const evaluate = (query: TileQuery) => evaluateTile(query) as readonly TileRow[]
const choices: QueryChoices = { edition: '2.36', choice: () => undefined }
const range = { telemetry, source, start, end: start + 3_600_000, choices }

it('evaluates one value for the range, or one for each bucket', () => {
  expect(evaluate({ ...range, item: { aggFn: 'count' } })).toEqual([{ time: start, group: [], value: 2 }])
  const perMinute = evaluate({
    ...range,
    item: { aggFn: 'max', valueExpression: 'SeverityNumber' },
    granularity: '1m',
  })
  expect(perMinute.map(({ value }) => value)).toEqual([17, 9])
})

it('groups by a list of expressions', () => {
  const rows = evaluate({ ...range, item: { aggFn: 'count' }, groupBy: 'ServiceName, lower(Body)' })
  expect(rows.map(({ group }) => group)).toEqual([
    ['api', 'timeout'],
    ['web', 'done'],
  ])
})

it('computes a formula for each bucket and group, and omits points that divide by zero', () => {
  const items = [{ aggFn: 'count' }, { aggFn: 'count', where: 'SeverityNumber:>9' }] as const
  const compute = (expression: string) =>
    evaluate({ ...range, item: items[0], groupBy: 'ServiceName', formula: { expression, items } })
  expect(compute('B / A * 100').map(({ group, value }) => [...group, value])).toEqual([
    ['api', 100],
    ['web', 0],
  ])
  expect(compute('A / B').map(({ group }) => group)).toEqual([['api']])
})

it('searches bare words in the implicit column of the source', () => {
  expect(evaluate({ ...range, item: { aggFn: 'count', where: 'timeout' } })[0]?.value).toBe(1)
})

it('reads level and service as short names, unless the deployment refuses them', () => {
  const item = { aggFn: 'count', where: 'service:web level:""' } as const
  expect(evaluate({ ...range, item })[0]?.value).toBe(1)
  expect(() => evaluate({ ...range, item, choices: { ...choices, choice: () => 'refuse' } })).toThrow(
    '"service" is none',
  )
})

it('names the field and the position of an invalid filter', () => {
  const evaluateInvalid = () => evaluate({ ...range, item: { aggFn: 'count', where: 'code:500' } })
  expect(evaluateInvalid).toThrow('where, column 1: Expected a column of the log table, but "code" is none')
})

it('refuses a tile that would exhaust the memory', () => {
  const joined = `concat(${new Array(1900).fill('Body').join(',')})`
  telemetry.load(
    'many',
    'log',
    Array.from({ length: 300 }, (_, at) => ({ Timestamp: start, Body: `${at}`.repeat(100) })),
  )
  const many = { ...range, source: { ...source, id: 'many' } }
  expect(() => evaluate({ ...many, item: { aggFn: 'count' }, groupBy: joined })).toThrow('less memory')
  expect(evaluate({ ...many, item: { aggFn: 'count' }, groupBy: 'Body' })).toHaveLength(300)
})
