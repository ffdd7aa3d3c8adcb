import { expect, it } from 'vitest'
import { InvalidQuery } from '../../query/invalid-query.ts'
import { parseSql } from '../../query/sql.ts'
import { createTelemetry } from '../../telemetry.ts'
import { Budget } from '../budget.ts'
import { compileExpression } from '../compile-expression.ts'
import { jsonValue } from '../json-value.ts'
import recording from './answers-of-clickhouse.json' with { type: 'json' }

const telemetry = createTelemetry()
telemetry.load('logs', 'log', recording.rows)
const store = telemetry.rows('logs')!
store.table = { databaseName: 'd', tableName: 'otel_logs' }

type Answer = readonly unknown[] | string

/** Answers in the form of the recording: the type, then one value for all rows or one for each; or the text of a refusal. */
function evaluate(expression: string): Answer {
  try {
    const { type, at } = compileExpression(store, parseSql(expression))
    const values = recording.rows.map((_, row) => jsonValue(type, at(row)))
    const isConstant = new Set(values.map(value => JSON.stringify(value))).size === 1
    // In JSON, 0 has no sign.
    return JSON.parse(JSON.stringify(isConstant ? [type, values[0]] : [type, ...values]))
  } catch (error) {
    if (error instanceof InvalidQuery) return `refused: ${error.code} ${error.raw}`
    throw error
  }
}

const differs: Readonly<Record<string, string>> = recording.differs
const answers = Object.entries(recording.answers as Readonly<Record<string, Answer>>)
const isRefusal = (one: Answer): one is string => typeof one === 'string'
const answersOf = (matches: (expected: Answer) => boolean) =>
  answers.filter(([expression, expected]) => matches(expected) && !Object.hasOwn(differs, expression))

it('an expression has the type and the values that ClickHouse answers', () => {
  const expected = answersOf(one => !isRefusal(one))
  expect(expected.length).toBeGreaterThan(700)
  expect(expected.map(([expression]) => [expression, evaluate(expression)])).toEqual(expected)
})

it('an expression that ClickHouse refuses is refused', () => {
  const refused = answersOf(isRefusal)
  expect(refused.length).toBeGreaterThan(80)
  expect(refused.filter(([expression]) => !isRefusal(evaluate(expression)))).toEqual([])
})

const nameOfCode: Readonly<Record<string, string>> = {
  36: 'BAD_ARGUMENTS',
  43: 'ILLEGAL_TYPE_OF_ARGUMENT',
  46: 'UNKNOWN_FUNCTION',
  47: 'UNKNOWN_IDENTIFIER',
  50: 'UNKNOWN_TYPE',
  62: 'SYNTAX_ERROR',
  70: 'CANNOT_CONVERT_TYPE',
  386: 'NO_COMMON_TYPE',
}

it('an error has the name that ClickHouse gives it, if deployments answer the name', () => {
  // These three are refused here for another reason; the client of deployments takes REGEXP for the name of its error.
  const others = ["nullIf(1, 'a')", 'arrayMap(5, [1])', 'mapContains(LogAttributes, 5)', "Body NOT REGEXP 'GET'"]
  const expected = answersOf(isRefusal)
    .filter(([expression]) => !others.includes(expression))
    .map(([expression, one]) => [expression, nameOfCode[/^\d+/.exec(String(one))![0]]])
  const named = expected.map(([expression]) => [
    expression,
    Object.values(nameOfCode).find(name => String(evaluate(expression!)).startsWith(`refused: ${name} `)),
  ])
  expect(named).toEqual(expected)
})

it('an unknown name is refused with the sentence of ClickHouse', () => {
  const unknownName = /^(46|47): (.*(?:or function|Function with).*)$/
  const sentences = answersOf(one => unknownName.test(String(one))).map(([expression, one]) => [
    expression,
    unknownName.exec(String(one))![2],
  ])
  const different = sentences.filter(
    ([expression, words]) =>
      !String(evaluate(expression!))
        .replace(/ [A-Z_]+ /, ' ')
        .startsWith(`refused: ${words!.replace(/[.:]$/, '')}`),
  )
  expect(sentences.length).toBeGreaterThan(4)
  expect(different).toEqual([])
})

it('the expressions that are marked as different do differ', () => {
  const same = answers
    .filter(([expression]) => Object.hasOwn(differs, expression))
    .filter(([expression, expected]) => JSON.stringify(evaluate(expression)) === JSON.stringify(expected))
  expect(same).toEqual([])
})

function createAlmostSpentBudget(): Budget {
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
])('%s is refused as too expensive', (expression, sentence) => {
  const compute = () => compileExpression(store, parseSql(expression), createAlmostSpentBudget()).at(0)
  expect(compute).toThrow(expect.objectContaining({ sentence: expect.stringContaining(sentence) }))
})

it('a cheap expression is computed with an almost spent budget', () => {
  const compute = (sql: string) => compileExpression(store, parseSql(sql), createAlmostSpentBudget()).at(0)
  expect(compute("arraySort(x -> -x, range(1000))[1] + countMatches(repeat('ab', 500), 'a+')")).toBe(1499)
})

it.each([
  "dateTrunc('constructor', Timestamp)",
  "dateDiff('constructor', Timestamp, Timestamp)",
  'CAST(1 AS constructor)',
  "indexOf(LogAttributes, 'a')",
])('%s is refused, because it has an unknown unit or type, or no array', expression => {
  expect(evaluate(expression)).toMatch(/^refused: /)
})
