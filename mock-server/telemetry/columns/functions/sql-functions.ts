import { remember } from '../../../words/remember.ts'
import { Unreadable } from '../../query/unreadable.ts'
import type { Budget } from '../budget.ts'
import { type Compiled, isNumeric, isTime, type Scalar, type ValueType } from '../compiled.ts'
import { compareFunctions, memberFunctions } from './compare-functions.ts'
import { conversions } from './conversions.ts'
import { likeTest, lowerAscii, trimBlanks, upperAscii } from './database-text.ts'
import { regularExpression } from './regular-expression.ts'
import { timeFunctions } from './time-functions.ts'

/** What a function does with arguments of these types. Unless it `takesNull`, a NULL among them makes the result NULL. */
export interface Meaning {
  readonly type: ValueType
  readonly run: (...values: never[]) => Scalar
  readonly takesNull?: boolean
}

/** Looks at the arguments, refuses types that the database would refuse, and says what to do with their values. */
export type SqlFunction = (args: readonly Compiled[], budget: Budget) => Meaning

const truth = (is: boolean): Scalar => (is ? 1 : 0)
const isTrue = (value: Scalar) => value !== null && value !== 0

/** A function that wants exactly these types; `number` and `any` stand for several. */
function taking(
  wanted: readonly ('text' | 'number' | 'map' | 'any')[],
  type: ValueType,
  run: (...values: never[]) => Scalar,
  atLeast = wanted.length,
): SqlFunction {
  return args => {
    if (args.length < atLeast || args.length > wanted.length) {
      throw new Unreadable(
        `Expected ${atLeast === wanted.length ? atLeast : `${atLeast} to ${wanted.length}`} arguments`,
      )
    }
    args.forEach((arg, index) => {
      const want = wanted[index]!
      const fits = want === 'any' || arg.type === want || (want === 'number' && isNumeric(arg.type))
      if (!fits && !(arg.constant && arg.at(0) === null))
        throw new Unreadable(`Expected a ${want}, but this is a ${arg.type}`)
    })
    return { type, run }
  }
}

/** So many are remembered: a pattern that is a column may be another one in each of a million rows. */
const mostPatterns = 1000

const like =
  (ignoringCase: boolean, wanted: boolean): SqlFunction =>
  (args, budget) => {
    const testOf = remember((pattern: string) => likeTest(pattern, ignoringCase, budget), mostPatterns)
    return taking(['text', 'text'], 'integer', (text: string, pattern: string) =>
      truth(testOf(pattern)(text) === wanted),
    )(args, budget)
  }

const arithmetic =
  (run: (a: number, b: number) => number, always?: ValueType): SqlFunction =>
  args => {
    const [a, b] = args
    const bothNumbers = args.length === 2 && args.every(arg => isNumeric(arg.type) || isTime(arg.type))
    if (!bothNumbers) throw new Unreadable('Expected numbers on both sides')
    const types = [a!.type, b!.type]
    const type = always ?? (types.includes('float') ? 'float' : types.includes('wide') ? 'wide' : 'integer')
    return { type, run }
  }

const sizeOf = (value: Scalar) => {
  if (typeof value === 'string') return new TextEncoder().encode(value).length
  return Array.isArray(value) ? value.length : Object.keys(value as object).length
}
const sized =
  (type: ValueType, run: (size: number) => Scalar): SqlFunction =>
  ([arg, ...more]) => {
    if (!arg || more.length > 0) throw new Unreadable('Expected one argument')
    if (isNumeric(arg.type) || isTime(arg.type))
      throw new Unreadable(`Expected a text or a map, but this is a ${arg.type}`)
    return { type, run: (value: Scalar) => run(sizeOf(value)) }
  }

const rounding = (round: (value: number) => number) =>
  taking(
    ['number', 'number'],
    'float',
    (value: number, digits: number = 0) => round(value * 10 ** digits) / 10 ** digits,
    1,
  )

const positionOf =
  (fold: (text: string) => string): SqlFunction =>
  (args, budget) =>
    taking(['text', 'text'], 'wide', (text: string, part: string) => {
      budget.search(text, part)
      return fold(text).indexOf(fold(part)) + 1
    })(args, budget)

const conditions =
  (run: (...values: Scalar[]) => Scalar): SqlFunction =>
  args => {
    for (const arg of args) {
      const isNull = arg.constant && arg.at(0) === null
      if (!isNull && !isNumeric(arg.type)) throw new Unreadable(`Expected a condition, but this is a ${arg.type}`)
    }
    return { type: 'integer', run, takesNull: true }
  }

/** The value of the first branch that holds: `if`, `multiIf`. */
const choose: SqlFunction = args => {
  if (args.length < 3 || args.length % 2 === 0) throw new Unreadable('Expected a condition and two values')
  return {
    type: args[1]!.type,
    takesNull: true,
    run: (...values: Scalar[]) => {
      for (let at = 0; at + 1 < values.length; at += 2) if (isTrue(values[at]!)) return values[at + 1]!
      return values.at(-1)!
    },
  }
}

const firstKnown: SqlFunction = args => ({
  type: args.find(arg => !(arg.constant && arg.at(0) === null))?.type ?? 'text',
  takesNull: true,
  run: (...values: Scalar[]) => values.find(value => value !== null) ?? null,
})

const matching: SqlFunction = (args, budget) => {
  const testOf = remember((pattern: string) => regularExpression(pattern, budget), mostPatterns)
  return taking(['text', 'text'], 'integer', (text: string, pattern: string) => truth(testOf(pattern)(text)))(
    args,
    budget,
  )
}

/** The most characters of one text: the engine of the language has an end, too, and the memory another. */
const mostJoined = 16 * 1024 * 1024

function join(mark: string, values: readonly Scalar[]): string {
  const size = values.reduce<number>((sum, value) => sum + mark.length + String(value).length, 0)
  if (size > mostJoined) throw new Unreadable(`Expected texts that have at most ${mostJoined} characters together`)
  return values.join(mark)
}

/** NULL where both are equal. */
const unlessEqual: SqlFunction = (args, budget) => {
  const { run } = compareFunctions.equals!(args, budget)
  const isEqual = run as (...values: Scalar[]) => Scalar
  const value = (a: Scalar, b: Scalar) => (a !== null && b !== null && isEqual(a, b) === 1 ? null : a)
  return { type: args[0]!.type, run: value, takesNull: true }
}

/** The element of a list by its place from 1, or from -1 backwards; the value of a map by its key. Empty where there is none. */
const elementOf: SqlFunction = ([whole, at]) => {
  if (whole?.type === 'map' && at?.type === 'text') {
    return {
      type: 'text',
      run: (map: Readonly<Record<string, string>>, key: string) => (Object.hasOwn(map, key) ? map[key]! : ''),
    }
  }
  if (whole?.type !== 'list' || !at || !isNumeric(at.type))
    throw new Unreadable('Expected a map and a key, or a list and a place')
  return {
    type: 'text',
    run: (list: readonly Scalar[], place: number) => String(list.at(place > 0 ? place - 1 : place) ?? ''),
  }
}

const splitBy: SqlFunction = (args, budget) =>
  taking(['text', 'text'], 'list', (mark: string, text: string) => {
    if ([...mark].length !== 1) throw new Unreadable(`Expected one character to split by, but this is "${mark}"`)
    const parts = text.split(mark)
    budget.spend(parts.length)
    return parts
  })(args, budget)

const replaceEach: SqlFunction = (args, budget) =>
  taking(['text', 'text', 'text'], 'text', (text: string, part: string, by: string) => {
    if (part === '') return text
    budget.search(text, part)
    return join(by, text.split(part))
  })(args, budget)

const searchAny =
  (fold: (text: string) => string): SqlFunction =>
  ([text, parts], budget) => {
    if (text?.type !== 'text' || parts?.type !== 'list') throw new Unreadable('Expected a text and a list of texts')
    const run = (whole: string, wanted: readonly Scalar[]) =>
      truth(
        wanted.some(part => {
          budget.read(whole.length)
          budget.search(whole, String(part))
          return fold(whole).includes(fold(String(part)))
        }),
      )
    return { type: 'integer', run }
  }

const tokens = (text: string) => new Set(text.split(/[^\p{L}\p{N}]+/u))

/** What stands in a JSON text under these keys; undefined where nothing does. */
const jsonAt = (text: string, path: readonly string[]): unknown => {
  try {
    return path.reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key], JSON.parse(text))
  } catch {
    return undefined
  }
}

const jsonText = (text: string, ...path: string[]): Scalar => {
  const found = jsonAt(text, path)
  return typeof found === 'string' ? found : ''
}

export const sqlFunctions: Readonly<Record<string, SqlFunction>> = {
  ...compareFunctions,
  ...memberFunctions,
  ...conversions,
  ...timeFunctions,
  and: conditions((a, b) => (a === 0 || b === 0 ? 0 : a === null || b === null ? null : 1)),
  or: conditions((a, b) => (isTrue(a!) || isTrue(b!) ? 1 : a === null || b === null ? null : 0)),
  not: conditions(value => (value === null ? null : truth(!isTrue(value!)))),
  xor: conditions((...values) => (values.includes(null) ? null : truth(values.filter(isTrue).length % 2 === 1))),
  nullIf: unlessEqual,
  isNull: () => ({ type: 'integer', run: (value: Scalar) => truth(value === null), takesNull: true }),
  isNotNull: () => ({ type: 'integer', run: (value: Scalar) => truth(value !== null), takesNull: true }),
  if: choose,
  multiIf: choose,
  coalesce: firstKnown,
  ifNull: firstKnown,
  like: like(false, true),
  ilike: like(true, true),
  notLike: like(false, false),
  notILike: like(true, false),
  match: matching,
  plus: arithmetic((a, b) => a + b),
  minus: arithmetic((a, b) => a - b),
  multiply: arithmetic((a, b) => a * b),
  divide: arithmetic((a, b) => a / b, 'float'),
  modulo: arithmetic((a, b) => a % b),
  intDiv: arithmetic((a, b) => Math.trunc(a / b)),
  negate: taking(['number'], 'float', (value: number) => -value),
  abs: taking(['number'], 'float', Math.abs),
  round: rounding(Math.round),
  floor: rounding(Math.floor),
  ceil: rounding(Math.ceil),
  lower: taking(['text'], 'text', lowerAscii),
  upper: taking(['text'], 'text', upperAscii),
  lowerUTF8: taking(['text'], 'text', (text: string) => text.toLowerCase()),
  upperUTF8: taking(['text'], 'text', (text: string) => text.toUpperCase()),
  trim: taking(['text'], 'text', trimBlanks),
  length: sized('wide', size => size),
  lengthUTF8: taking(['text'], 'wide', (text: string) => [...text].length),
  empty: sized('integer', size => truth(size === 0)),
  notEmpty: sized('integer', size => truth(size > 0)),
  concat: () => ({ type: 'text', run: (...values: Scalar[]) => join('', values) }),
  concatWithSeparator: () => ({ type: 'text', run: (mark: string, ...values: Scalar[]) => join(mark, values) }),
  substring: taking(
    ['text', 'number', 'number'],
    'text',
    (text: string, from: number, size?: number) =>
      text.slice(from - 1, size === undefined ? undefined : from - 1 + size),
    2,
  ),
  startsWith: taking(['text', 'text'], 'integer', (text: string, part: string) => truth(text.startsWith(part))),
  endsWith: taking(['text', 'text'], 'integer', (text: string, part: string) => truth(text.endsWith(part))),
  position: positionOf(text => text),
  positionCaseInsensitive: positionOf(lowerAscii),
  hasToken: taking(['text', 'text'], 'integer', (text: string, token: string) => truth(tokens(text).has(token))),
  multiSearchAny: searchAny(text => text),
  multiSearchAnyCaseInsensitive: searchAny(lowerAscii),
  replaceAll: replaceEach,
  splitByChar: splitBy,
  arrayElement: elementOf,
  JSONHas: () => ({
    type: 'integer',
    run: (text: string, ...path: string[]) => truth(jsonAt(text, path) !== undefined),
  }),
  JSONExtractString: () => ({ type: 'text', run: jsonText }),
}
