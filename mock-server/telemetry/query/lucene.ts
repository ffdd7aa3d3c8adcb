import { InvalidQuery } from './invalid-query.ts'
import { parse, type SyntaxProblem } from './parse.ts'

export type Operator = 'AND' | 'OR' | 'NOT' | 'AND NOT' | 'OR NOT' | '&&' | '||'

/** `field:value`, `field:"value"`, or a value without a field. The texts still contain their backslashes. */
export interface Term {
  readonly kind: 'term'
  readonly field?: string
  readonly term: string
  readonly quoted: boolean
  readonly prefix?: '+' | '-' | '!'
  readonly at: number
}

/** `field:[low TO high]`; a brace instead of a bracket excludes that bound. */
export interface Range {
  readonly kind: 'range'
  readonly field?: string
  readonly low: string
  readonly high: string
  readonly lowIncluded: boolean
  readonly highIncluded: boolean
  readonly at: number
}

/** A list of clauses, in which AND binds before OR: the tree does not show this precedence. */
export interface Clauses {
  readonly kind: 'clauses'
  /** The operator before the clause, which the first clause may have, too; absent after white space alone. */
  readonly parts: readonly { readonly operator?: Operator; readonly node: Lucene }[]
  readonly parenthesized?: boolean
  /** The field of a group: `field:(a OR b)`. */
  readonly field?: string
  readonly at: number
}

export type Lucene = Term | Range | Clauses

const maxTerms = 1000

/** Parses a filter of the search dialect. Throws an InvalidQuery with the expected tokens and the position. */
export function parseLucene(text: string): Clauses {
  const refuse = (at: number) => {
    throw new InvalidQuery(`Expected at most ${maxTerms} terms`, at)
  }
  return parse('lucene', text, { maxTerms, refuse }, problem => {
    const actual = text[problem.at] === undefined ? 'the text ends' : `"${text[problem.at]}" stands there`
    return new InvalidQuery(`Expected ${describeExpected(problem)}, but ${actual}`, problem.at, problem.message)
  })
}

function describeExpected({ expected, message }: SyntaxProblem): string {
  if (expected.has('any')) return 'a closing quote'
  if (expected.has('&')) return 'a character that can be escaped after the backslash'
  if (expected.has('TO')) return '"TO" between the bounds of a range'
  if (expected.has(']') && expected.has('}')) return 'the bracket that closes the range'
  if (expected.has(')')) return 'a closing bracket'
  if (expected.has('(')) return expected.has('end') ? 'a term or the end of the filter' : 'a value'
  if (expected.has('.')) return 'a value'
  return message.slice('Expected '.length, message.lastIndexOf(' but '))
}
