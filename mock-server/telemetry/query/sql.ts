import { alias, call, column, type Expression, lambda, value } from './expression.ts'
import { InvalidQuery } from './invalid-query.ts'
import { parse, type SyntaxProblem } from './parse.ts'

/** Limits of nested brackets and of operators in a row. */
const max = 200

/** Parses one SQL expression, such as a condition or the value of a series. Throws an InvalidQuery with position. */
export const parseSql = (sql: string): Expression => parseFrom('One', sql)

/** Parses a list of expressions, such as the group of a tile. */
export const parseSqlList = (sql: string): readonly Expression[] => parseFrom('Several', sql)

/** The units of time, which are keywords: `INTERVAL 1 DAY`, `dateDiff(hour, a, b)`. */
const units = ['millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year']

const unitOf = (word: string) => units.find(unit => unit === word.toLowerCase().replace(/s$/, ''))
const capitalize = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`

/** Whether the amount of an interval contains its unit: `'1 day'`. */
const isPhrase = (amount: Expression) =>
  amount.kind === 'literal' && typeof amount.value === 'string' && amount.value.trim().includes(' ')

function interval(amount: Expression, word: string | null, at: number): Expression {
  const [, size, phraseUnit] = isPhrase(amount)
    ? (/^\s*(-?\d+) +(\w+)\s*$/.exec(String((amount as Literal).value)) ?? [])
    : []
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
  const [, added, sign] = /^((?:date|timestamp)_?(add|sub))$/i.exec(name) ?? []
  const word = first?.kind === 'column' ? unitOf(first.name) : undefined
  if (added && second) {
    const [time, size] = word && third ? [third, interval(second, word, at)] : [first!, second]
    return call(sign!.toLowerCase() === 'add' ? 'plus' : 'minus', [time, size], at)
  }
  if (word && /^(date|timestamp)_?diff$|^age$/i.test(name)) return call(name, [value(word, at), ...args.slice(1)], at)
  if (/^position$/i.test(name) && args.length === 1 && first?.kind === 'call' && first.name === 'in') {
    const [part, set] = first.args
    return call(name, [set!.kind === 'list' ? set!.items[0]! : set!, part!], at)
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
