import { alias, call, column, type Expression, lambda, type Order, type Star, type Union, value } from './expression.ts'
import { InvalidQuery } from './invalid-query.ts'
import { parse, type SyntaxProblem } from './parse.ts'

/** Limit of nesting, and of operators in a row. */
const max = 200

/** Parses one SQL expression, such as a condition or the value of a series. Throws an InvalidQuery with its position. */
export const parseSql = (sql: string): Expression => parseFrom('One', sql)

/** Parses a list of expressions, such as the group of a tile. */
export const parseSqlList = (sql: string): readonly Expression[] => parseFrom('Several', sql)

/** Parses the columns of a search, such as `Body, upper(ServiceName) AS name, * EXCEPT Body`. */
export const parseSqlColumns = (sql: string): readonly (Expression | Star)[] => parseFrom('Columns', sql)

/** Parses a whole SELECT, as in raw SQL. */
export const parseSqlStatement = (sql: string): Union => parseFrom('Statement', sql)

/** Whether the columns of a search begin with DISTINCT. */
export const isDistinct = (sql: string): boolean => /^\s*DISTINCT\s/i.test(sql)

/** Parses the order of a search, such as `Timestamp DESC, Body NULLS FIRST`. */
export const parseSqlOrders = (sql: string): readonly Order[] => parseFrom('Orders', sql)

/** The units of time, which are keywords: `INTERVAL 1 DAY`, `dateDiff(hour, a, b)`. */
const units = ['millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

const unitOf = (word: string) => units.find(unit => unit === word.toLowerCase().replace(/s$/, ''))
const capitalize = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`

/** Whether the amount of an interval includes the unit: `'1 day'`. */
const isPhrase = (amount: Expression) =>
  amount.kind === 'literal' && typeof amount.value === 'string' && amount.value.trim().includes(' ')

/** The call for `INTERVAL 1 DAY` or, with the unit in the amount, `INTERVAL '1 day'`. */
function interval(amount: Expression, word: string | null, at: number): Expression {
  const phrase = isPhrase(amount) ? String((amount as Literal).value) : ''
  const [, size, phraseUnit] = /^\s*(-?\d+) +(\w+)\s*$/.exec(phrase) ?? []
  const unit = unitOf(phraseUnit ?? word ?? '')
  if (!unit) throw new InvalidQuery(`Expected a unit of time: ${units.join(', ')}`, at)
  return call(`toInterval${capitalize(unit)}`, [phraseUnit ? value(Number(size)) : amount], at)
}

/** The call for `EXTRACT(YEAR FROM …)`. */
function partOf(word: string, from: Expression, at: number): Expression {
  const unit = unitOf(word)
  if (!unit) throw new InvalidQuery(`Expected a unit of time: ${units.join(', ')}`, at)
  return call(`to${unit === 'day' ? 'DayOfMonth' : capitalize(unit)}`, [from], at)
}

type Literal = Extract<Expression, { kind: 'literal' }>

/** Builds a call. Functions of the SQL standard with keywords among their arguments become calls of the database's functions. */
function callOf(name: string, args: readonly Expression[], at: number): Expression {
  const [first, second, third] = args
  const addOrSub = /^(?:date|timestamp)_?(add|sub)$/i.exec(name)?.[1]
  const unit = first?.kind === 'column' ? unitOf(first.name) : undefined
  if (addOrSub && second) {
    const [time, size] = unit && third ? [third, interval(second, unit, at)] : [first!, second]
    return call(addOrSub.toLowerCase() === 'add' ? 'plus' : 'minus', [time, size], at)
  }
  if (unit && /^(date|timestamp)_?diff$|^age$/i.test(name)) return call(name, [value(unit, at), ...args.slice(1)], at)
  // The grammar of the database has a rule of its own for these two.
  if (/^(?:substring|position)$/i.test(name) && (args.length < 2 ? first?.kind !== 'call' : args.length > 3))
    throw new InvalidQuery(`Expected two or three arguments of ${name}`, at, undefined, 'SYNTAX_ERROR')
  if (/^exists$/i.test(name) && first?.kind === 'query') return call('exists', args, at)
  // `position(part IN text)`
  if (/^position$/i.test(name) && args.length === 1 && first?.kind === 'call' && first.name === 'in') {
    const [part, text] = first.args
    return call(name, [text!.kind === 'list' ? text!.items[0]! : text!, part!], at)
  }
  return call(name, args, at)
}

function parseFrom<T>(startRule: string, sql: string): T {
  const unreadable = (expected: string, at: number) =>
    new InvalidQuery(`Expected ${expected}, but ${describeToken(sql, at)}`, at, undefined, syntaxErrorAt(sql, at))
  const refuse = (expected: string, at: number) => {
    throw unreadable(expected, at)
  }
  const options = {
    startRule,
    call,
    column,
    lambda,
    alias,
    value,
    callOf,
    interval,
    partOf,
    isPhrase,
    refuse,
    max,
  }
  return parse('sql', sql, options, problem => unreadable(describeExpected(problem), problem.at))
}

/**
 * The database's error about a token. Its client takes the first word in brackets that has three capitals in a row for the
 * name of the error: `Syntax error: failed at position 20 (LIMIT) …`.
 */
const syntaxErrorAt = (sql: string, at: number) =>
  /^(?=\w*[A-Z]{3})[A-Z0-9_]+\b/.exec(sql.slice(at))?.[0] ?? 'SYNTAX_ERROR'

/** A token: a quoted text, an operator, a word or number, or a single character. */
const token = /^(?:(['"`])(.*?)\1|[<>=!]=|<>|\|\||::|\.\d+|[\w$]+|.)/su

/** Words of the database that the grammar does not have. */
const missing =
  /^(?:JOIN|INNER|LEFT|RIGHT|FULL|CROSS|ASOF|SEMI|ANTI|ARRAY|OVER|WINDOW|QUALIFY|INTERSECT|EXCEPT|SAMPLE|FORMAT|WITH|INTERPOLATE)$/i

function describeToken(sql: string, at: number): string {
  const match = token.exec(sql.slice(at))
  if (!match) return 'the text ends'
  const word = match[2] ?? match[0]
  const more = missing.test(word) ? `: the embedded engine has no ${word}, so use --telemetry URL for a ClickHouse` : ''
  return `"${word}" stands there${more}`
}

const ruleNames = ['a column, a value or a function', 'a type', 'a name']
const literals = ['NULL', ')', ']']

function describeExpected({ expected }: SyntaxProblem): string {
  if (expected.has('\\') || expected.has('any')) return 'a closing quote'
  const name = ruleNames.find(rule => expected.has(rule))
  if (name) return name
  if (expected.has('end')) return 'the end'
  return `"${literals.find(literal => expected.has(literal)) ?? 'AND'}"`
}
