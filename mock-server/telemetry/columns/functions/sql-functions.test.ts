import { expect, it } from 'vitest'
import { InvalidQuery } from '../../query/invalid-query.ts'
import { parseSql } from '../../query/sql.ts'
import { createTelemetry } from '../../telemetry.ts'
import { Budget } from '../budget.ts'
import { compileExpression } from '../compile-expression.ts'
import { jsonValue } from '../json-value.ts'
import book from './answers-of-clickhouse.json' with { type: 'json' }

const telemetry = createTelemetry()
telemetry.load('logs', 'log', book.rows)
const store = telemetry.rows('logs')!
store.table = { databaseName: 'd', tableName: 'otel_logs' }

type Answer = readonly unknown[] | string

/** As in the book: the type, then one value for all rows or one for each; of a refusal what the engine would say. */
function answer(expression: string): Answer {
  try {
    const { type, at } = compileExpression(store, parseSql(expression))
    const values = book.rows.map((_, row) => jsonValue(type, at(row)))
    const isConstant = new Set(values.map(value => JSON.stringify(value))).size === 1
    // In JSON, 0 has no sign.
    return JSON.parse(JSON.stringify(isConstant ? [type, values[0]] : [type, ...values]))
  } catch (error) {
    if (error instanceof InvalidQuery) return `refused: ${error.raw}`
    throw error
  }
}

const differs: Readonly<Record<string, string>> = book.differs
const answers = Object.entries(book.answers as Readonly<Record<string, Answer>>)
const isRefusal = (one: Answer): one is string => typeof one === 'string'
const answersOf = (wanted: (expected: Answer) => boolean) =>
  answers.filter(([expression, expected]) => wanted(expected) && !Object.hasOwn(differs, expression))

it('an expression has the type and the values that ClickHouse answers', () => {
  const expected = answersOf(one => !isRefusal(one))
  expect(expected.length).toBeGreaterThan(700)
  expect(expected.map(([expression]) => [expression, answer(expression)])).toEqual(expected)
})

it('an expression that ClickHouse refuses is refused', () => {
  const refused = answersOf(isRefusal)
  expect(refused.length).toBeGreaterThan(80)
  expect(refused.filter(([expression]) => !isRefusal(answer(expression)))).toEqual([])
})

it('an unknown name is refused in the words of ClickHouse', () => {
  const known = /^(46|47): (.*(?:or function|Function with).*)$/
  const said = answersOf(one => known.test(String(one))).map(([expression, one]) => [
    expression,
    known.exec(String(one))![2],
  ])
  const others = said.filter(
    ([expression, words]) => !String(answer(expression!)).startsWith(`refused: ${words!.replace(/[.:]$/, '')}`),
  )
  expect(said.length).toBeGreaterThan(4)
  expect(others).toEqual([])
})

it('what is said to differ does', () => {
  const same = answers
    .filter(([expression]) => Object.hasOwn(differs, expression))
    .filter(([expression, expected]) => JSON.stringify(answer(expression)) === JSON.stringify(expected))
  expect(same).toEqual([])
})

/** A budget that is almost spent. */
function littleLeft(): Budget {
  const budget = new Budget()
  budget.spend(99_000_000)
  return budget
}

it.each([
  ["length(arrayMap(x -> repeat('a', 6000000), range(5)))", 'at most 16777216'],
  ["length(repeat(repeat('body', 1000), 1000000))", 'at most 16777216'],
  ['arrayExists(x -> arrayExists(y -> x + y < 0, range(1000)), range(1000))', 'less time'],
  ['arraySort(range(30000))[1]', 'less time'],
  ['arrayUniq(range(150000))', 'less time'],
  ["countMatches(repeat('aaaa', 500), '(a|b|ab)*c|a')", 'less time'],
  ["hex(repeat('a', 100000))", 'less time'],
  ["formatDateTime(Timestamp, repeat('%M', 60000))", 'less time'],
])('%s comes to an end with a sentence', (expression, sentence) => {
  const compute = () => compileExpression(store, parseSql(expression), littleLeft()).at(0)
  expect(compute).toThrow(expect.objectContaining({ sentence: expect.stringContaining(sentence) }))
})

it('small work is done with little left', () => {
  const compute = (sql: string) => compileExpression(store, parseSql(sql), littleLeft()).at(0)
  expect(compute("arraySort(x -> -x, range(1000))[1] + countMatches(repeat('ab', 500), 'a+')")).toBe(1499)
})
