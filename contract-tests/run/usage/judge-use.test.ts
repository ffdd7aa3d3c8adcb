import { expect, it } from 'vitest'
import type { OperationUsage } from '../../../fixtures/usage.ts'
import type { Condition } from '../document/change.ts'
import { createUseJudge } from './judge-use.ts'

const list = { id: 'clickPipe.list', method: 'GET', path: '/pipes', shape: '/pipes' }

function isUsed(path: string, more: Partial<OperationUsage>, what = 'format', conditions: readonly Condition[] = []) {
  const operation = { id: list.id, count: 1, statuses: { 200: 1 }, ...more }
  const judge = createUseJudge({ usage: 1, operations: { 'GET /pipes': operation } })
  const change = { side: 'answer', place: '', what, kind: 'breaking', at: { path, conditions } } as const
  return judge(change, list) !== undefined
}

it.each([
  ['$.result[].source.kafka.brokers', true],
  ['$.result[].source.mysql.host', false],
  ['$.result[].source.mysql', false],
  ['$.result[].source', true],
  ['$.result[].sources.mysql', true],
  ['$.result[].name', true],
])('a difference of %s touches a program that only saw the sources kafka and s3: %s', (path, expected) => {
  expect(isUsed(path, { came: ['$.result[].source.kafka', '$.result[].source.s3'] })).toBe(expected)
  expect(isUsed(path, {})).toBe(true)
})

it('an alternative that the contract does not have may be any', () => {
  expect(isUsed('$.result[].source.mysql.host', { came: ['$.result[].source.*'] })).toBe(true)
})

it('a new alternative touches it', () => {
  expect(isUsed('$.result[].source.mysql', { came: ['$.result[].source.kafka'] }, 'new')).toBe(true)
})

it.each([
  [['heatmap'], ['line', 'number'], false],
  [['heatmap', 'line'], ['line', 'number'], true],
  [['heatmap'], ['heatmap'], true],
  [['heatmap'], [], true],
  [['heatmap'], ['line', '*'], true],
])('a difference in the variants %j touches a program that only saw %j: %s', (values, seen, expected) => {
  const path = '$.result[].config.displayType'
  const came = ['$.result[].source.kafka', ...seen.map(value => `${path}=${value}`)]
  expect(isUsed('$.result[].config.select', { came }, 'optional', [{ paths: [path], values }])).toBe(expected)
})
