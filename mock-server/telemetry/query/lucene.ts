import { checkLength } from './expression-length.ts'
import {
  character,
  endOfText,
  failed,
  literal,
  many,
  named,
  oneOf,
  optional,
  type Place,
  parseBy,
  type Rule,
  remembered,
  sayUnparsed,
  sequence,
  type Unparsed,
} from './peg.ts'
import { Unreadable } from './unreadable.ts'

export type Operator = 'AND' | 'OR' | 'NOT' | 'AND NOT' | 'OR NOT' | '&&' | '||'

/** `field:value`, `field:"value"`, or a bare value without a field. Escapes are still in the texts. */
export interface Term {
  readonly kind: 'term'
  readonly field?: string
  readonly term: string
  readonly quoted: boolean
  readonly prefix?: '+' | '-' | '!'
  readonly at: number
}

/** `field:[low TO high]`; a brace instead of a bracket leaves that bound out. */
export interface Range {
  readonly kind: 'range'
  readonly field?: string
  readonly low: string
  readonly high: string
  readonly lowIncluded: boolean
  readonly highIncluded: boolean
  readonly at: number
}

/**
 * Clauses in a row, linked to the right. Precedence is not in the tree: as in the database, AND binds before OR, and
 * `start` and the NOT of an operator bind to the next clause alone.
 */
export interface Clauses {
  readonly kind: 'clauses'
  readonly start?: Operator
  readonly left?: Lucene
  /** Absent between clauses that only a blank separates. */
  readonly operator?: Operator
  readonly right?: Lucene
  readonly parenthesized?: boolean
  /** The field before the brackets: `field:(a OR b)`. */
  readonly field?: string
  readonly at: number
}

export type Lucene = Term | Range | Clauses

/** More terms than anybody writes: the parser goes one level deeper for each. */
const mostTerms = 1000

const blank = named('whitespace', many(character(/[ \t\r\n\f]/, ''), 1))
const blanks = many(blank)

const escapable = [
  '+',
  '-',
  '!',
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  '^',
  '"',
  '?',
  ':',
  '\\',
  '&',
  '|',
  "'",
  '/',
  '~',
  '*',
  ' ',
]
const escaped = sequence([literal('\\'), oneOf(...escapable.map(one => literal(one)))], ([slash, one]) => slash + one)

/** The colon of an address is part of a term: `http://…`, `https://…`, `localhost:3000`. */
const colonOfAddress: Rule<string> = place => {
  const before = place.text.slice(Math.max(0, place.at - 9), place.at)
  const after = place.text.slice(place.at, place.at + 3)
  const isAddress = (/https?$/.test(before) && after === '://') || (/localhost$/.test(before) && /^:\d/.test(after))
  if (!isAddress) return failed
  place.at += 1
  return ':'
}

const joined = (rule: Rule<string>) => sequence([many(rule, 1)], ([characters]) => characters.join(''))
const word = joined(
  oneOf(
    escaped,
    literal('.'),
    colonOfAddress,
    character(/[^: \t\r\n\f{}()"^~[\]]/, '[^: \\t\\r\\n\\x0C{}()"\\^~[\\]]'),
  ),
)
const bound = joined(
  oneOf(escaped, literal('.'), character(/[^ \t\r\n\f{}()"/^~[\]]/, '[^ \\t\\r\\n\\x0C{}()"/\\^~[\\]]')),
)
const quote = sequence(
  [literal('"'), many(oneOf(character(/[^"\\]/, 'any character'), escaped)), literal('"')],
  ([, characters]) => characters.join(''),
)

const digits = joined(character(/\d/, '[0-9]'))
const fraction = sequence([literal('0.'), digits], () => undefined)
const proximity = sequence([literal('~'), digits], () => undefined)
const fuzziness = sequence([literal('~'), optional(fraction)], () => undefined)
const boost = sequence([literal('^'), oneOf<unknown>(fraction, digits)], () => undefined)

const prefix = sequence([blanks, oneOf<'+' | '-' | '!'>(literal('+'), literal('-'), literal('!'))], ([, sign]) => sign)
const operatorWord = oneOf<Operator>(
  ...(['OR NOT', 'AND NOT', 'OR', 'AND', 'NOT', '||', '&&'] as const).map(one => literal(one)),
)
const operator = oneOf<Operator>(
  sequence([blanks, operatorWord, many(blank, 1)], ([, found]) => found),
  sequence([blanks, operatorWord, endOfText], ([, found]) => found),
)

const fieldName = sequence([word, character(/:/, '[:]'), blanks], ([name]) => name)

const rangeOf = (open: '[' | '{', close: ']' | '}') =>
  sequence(
    [literal(open), bound, blanks, literal('TO'), many(blank, 1), bound, literal(close)],
    ([, low, , , , high], at): Range => ({
      kind: 'range',
      low,
      high,
      lowIncluded: open === '[',
      highIncluded: close === ']',
      at,
    }),
  )
const range = oneOf(rangeOf('[', ']'), rangeOf('{', '}'), rangeOf('[', '}'), rangeOf('{', ']'))

const term = oneOf<Term>(
  sequence([optional(prefix), quote, optional(proximity), optional(boost), blanks], ([sign, text], at) => ({
    kind: 'term',
    term: text,
    quoted: true,
    prefix: sign,
    at,
  })),
  sequence([optional(prefix), word, optional(fuzziness), optional(boost), blanks], ([sign, text], at) => ({
    kind: 'term',
    term: text,
    quoted: false,
    prefix: sign,
    at,
  })),
)

const clausesLater: Rule<Clauses> = place => clauses(place)

const brackets = sequence([literal('('), blanks, many(clausesLater, 1), literal(')'), blanks], ([, , [first]]) => ({
  ...first!,
  parenthesized: true,
}))

const ofField = oneOf<Lucene>(
  sequence([optional(fieldName), range], ([field, found], at) => ({ ...found, field, at })),
  sequence([fieldName, brackets], ([field, found], at) => ({ ...found, field, at })),
  sequence([optional(fieldName), term], ([field, found], at) => ({ ...found, field, at })),
)

const clause = oneOf<Lucene>(
  sequence([ofField, blanks], ([found]) => found),
  brackets,
)

/** One clause and the rest of its row; of several operators in a row, the first counts. */
const row = (
  start: Operator | undefined,
  left: Lucene,
  operators: Operator[],
  [rest]: Clauses[],
  at: number,
): Clauses => {
  const right = rest && (rest.right === undefined ? rest.left : rest)
  const own: Clauses = { kind: 'clauses', at, ...(start && { start }), left }
  return right ? { ...own, operator: operators[0], right } : own
}

const anyClauses = oneOf<Clauses>(
  sequence([operator, endOfText], (_, at) => ({ kind: 'clauses', at })),
  sequence([operator, clause, many(operator), many(clausesLater)], ([start, left, operators, rest], at) =>
    row(start, left, operators, rest, at),
  ),
  sequence([operator, clausesLater], ([, rest]) => rest),
  sequence([clause, many(operator), many(clausesLater)], ([left, operators, rest], at) =>
    row(undefined, left, operators, rest, at),
  ),
)

let depth = 0
const clauses = remembered<Clauses>((place: Place) => {
  if (depth > mostTerms) throw new Unreadable(`Expected at most ${mostTerms} terms`, place.at)
  depth += 1
  try {
    return anyClauses(place)
  } finally {
    depth -= 1
  }
})

const query = oneOf<Clauses>(
  sequence([blanks, many(clausesLater, 1)], ([, [first]]) => first!),
  sequence([blanks], () => ({ kind: 'clauses', at: 0 })),
)

/** Reads a filter of the search dialect; throws what was expected and where when it cannot be read. */
export function parseLucene(text: string): Clauses {
  checkLength(text)
  const parsed = parseBy(query, text)
  if ('value' in parsed) return parsed.value
  throw new Unreadable(sayPlainly(parsed.unparsed), parsed.unparsed.at, sayUnparsed(parsed.unparsed))
}

function sayPlainly({ expected, found }: Unparsed): string {
  const but = found === undefined ? 'the text ends' : `"${found}" stands there`
  return `Expected ${whatIsMissing(new Set(expected))}, but ${but}`
}

function whatIsMissing(expected: ReadonlySet<string>): string {
  if (expected.has('any character')) return 'a closing quote'
  if (expected.has('"&"')) return 'a character that can be escaped after the backslash'
  if (expected.has('"TO"')) return '"TO" between the bounds of a range'
  if (expected.has('"]"') && expected.has('"}"')) return 'the bracket that closes the range'
  if (expected.has('")"')) return 'a closing bracket'
  if (expected.has('"("')) return expected.has('end of input') ? 'a term or the end of the filter' : 'a value'
  if (expected.has('"."')) return 'a value'
  return [...expected].join(' or ')
}
