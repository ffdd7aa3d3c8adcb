import {
  alias,
  type Column,
  call,
  column,
  type Expression,
  findColumn,
  lambda,
  nameOf,
  type Order,
  value,
} from './expression.ts'
import { InvalidQuery } from './invalid-query.ts'
import { parse, type SyntaxProblem } from './parse.ts'

/** Limit of nesting, and of operators in a row. */
const max = 200

/** Parses one SQL expression, such as a condition or the value of a series. Throws an InvalidQuery with its position. */
export const parseSql = (sql: string): Expression => parseFrom('One', sql)

/** Parses a list of expressions, such as the group of a tile. */
export const parseSqlList = (sql: string): readonly Expression[] => parseFrom('Several', sql)

/** All columns of the table but some. */
export type Star = Column & { readonly except: readonly string[] }

/** Parses the columns of a search, such as `Body, upper(ServiceName) AS name, * EXCEPT Body`. */
export const parseSqlColumns = (sql: string): readonly (Expression | Star)[] => parseFrom('Columns', sql)

/** A SELECT over one table. Values that are sent with it are columns with names such as `{startDateMilliseconds}`. */
export interface Statement {
  /** Expressions of WITH, which have names. */
  readonly aliases: readonly Expression[]
  readonly isDistinct: boolean
  readonly columns: readonly (Expression | Star)[]
  readonly table: {
    readonly database?: string
    readonly name: string
    readonly alias: string | null
    readonly at: number
  }
  readonly where: readonly Expression[]
  readonly groupBy?: readonly Expression[] | 'all'
  readonly having?: Expression
  readonly orderBy: readonly Order[]
  readonly limit?: number
  readonly offset: number
}

export const parseSqlStatement = (sql: string): Statement => parseFrom('Statement', sql)

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
  if (/^exists$/i.test(name) && args.length === 1)
    return first!.kind === 'query' ? call('exists', args, at) : value(1, at)
  // `position(part IN text)`
  if (/^position$/i.test(name) && args.length === 1 && first?.kind === 'call' && first.name === 'in') {
    const [part, text] = first.args
    return call(name, [text!.kind === 'list' ? text!.items[0]! : text!, part!], at)
  }
  return call(name, args, at)
}

/** A parametric function such as `quantile(0.95)` is one by this name. */
const nameWithParameters = (name: string, params: readonly Expression[]) => `${name}(${params.map(nameOf).join(', ')})`

/** The rows of `SELECT 1`, `SELECT 1, 2` or `SELECT arrayJoin([1, 2])`. */
function constantsOf(items: readonly Expression[], at: number): readonly Expression[] {
  const [first] = items
  const column = findColumn(items)
  if (column) throw new InvalidQuery(`Expected constants in a subquery, but "${column.name}" is a column`, at)
  if (items.length > 1) return [{ kind: 'list', items, at }]
  if (first!.kind !== 'call' || first!.name !== 'arrayJoin') return items
  const [list] = first!.args
  return list?.kind === 'call' && list.name === 'array' ? list.args : items
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
    constantsOf,
    nameWithParameters,
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

function describeToken(sql: string, at: number): string {
  const match = token.exec(sql.slice(at))
  return match ? `"${match[2] ?? match[0]}" stands there` : 'the text ends'
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
