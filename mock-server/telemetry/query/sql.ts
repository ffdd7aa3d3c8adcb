import { call, column, type Expression, value } from './expression.ts'
import { read, type Wrong } from './read.ts'
import { Unreadable } from './unreadable.ts'

/** Deeper than anybody nests brackets, and more operators in a row than anybody writes. */
const most = 200

/** Reads one SQL expression, such as a condition or the value of a series; throws what was expected and where. */
export function parseSql(sql: string): Expression {
  return readBy('One', sql)
}

/** Reads expressions with commas between them, such as the group of a tile. */
export function parseSqlList(sql: string): readonly Expression[] {
  return readBy('Several', sql)
}

function readBy<T>(startRule: string, sql: string): T {
  const unreadable = (expected: string, at: number) =>
    new Unreadable(`Expected ${expected}, but ${whatStandsAt(sql, at)}`, at)
  const refuse = (expected: string, at: number) => {
    throw unreadable(expected, at)
  }
  const options = { startRule, call, column, value, refuse, most }
  return read('sql', sql, options, wrong => unreadable(whatIsMissing(wrong), wrong.at))
}

/** A quoted text, an operator, a word or number, or a single character. */
const token = /^(?:(['"`])(.*?)\1|[<>=!]=|<>|\|\||::|\.\d+|[\w$]+|.)/su

function whatStandsAt(sql: string, at: number): string {
  const found = token.exec(sql.slice(at))
  return found ? `"${found[2] ?? found[0]}" stands there` : 'the text ends'
}

const named = ['a column, a value or a function', 'a type', 'a name']
const literals = ['NULL', ')', ']']

function whatIsMissing({ expected }: Wrong): string {
  if (expected.has('\\') || expected.has('any')) return 'a closing quote'
  const name = named.find(one => expected.has(one))
  if (name) return name
  if (expected.has('end')) return 'the end'
  return `"${literals.find(one => expected.has(one)) ?? 'AND'}"`
}
