import { alias, call, column, type Expression, lambda, value } from './expression.ts'
import { InvalidQuery } from './invalid-query.ts'
import { parse, type SyntaxProblem } from './parse.ts'

/** Limit of nesting, and of operators in a row. */
const max = 200

/** Parses one SQL expression, such as a condition or the value of a series. Throws an InvalidQuery with its position. */
export const parseSql = (sql: string): Expression => parseFrom('One', sql)

/** Parses a list of expressions, such as the group of a tile. */
export const parseSqlList = (sql: string): readonly Expression[] => parseFrom('Several', sql)

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
  // `position(part IN text)`
  if (/^position$/i.test(name) && args.length === 1 && first?.kind === 'call' && first.name === 'in') {
    const [part, text] = first.args
    return call(name, [text!.kind === 'list' ? text!.items[0]! : text!, part!], at)
  }
  return call(name, args, at)
}

function parseFrom<T>(startRule: string, sql: string): T {
  const unreadable = (expected: string, at: number) =>
    new InvalidQuery(`Expected ${expected}, but ${describeToken(sql, at)}`, at)
  const refuse = (expected: string, at: number) => {
    throw unreadable(expected, at)
  }
  const options = { startRule, call, column, lambda, alias, value, callOf, interval, partOf, isPhrase, refuse, max }
  return parse('sql', sql, options, problem => unreadable(describeExpected(problem), problem.at))
}

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
