import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Scalar } from '../compiled.ts'
import { isInteger, isText, type Type } from '../types.ts'
import { createWriter } from './convert.ts'
import { compileLike, isAscii, lowerAscii, trimSpaces, upperAscii } from './database-text.ts'
import { memoizeByPattern } from './regular-expression.ts'
import {
  defineAtCostOfCharacters,
  defineAtCostOfWords,
  defineFunction,
  definePrepared,
  illegalType,
  type SqlFunction,
  truth,
} from './signature.ts'

/** Limit of the characters of one value, below the limit of the JavaScript engine. */
const maxCharacters = 16 * 1024 * 1024

export function join(separator: string, values: readonly Scalar[]): string {
  const size = values.reduce<number>((sum, value) => sum + separator.length + String(value).length, 0)
  checkLength(size)
  return values.join(separator)
}

export function checkLength(size: number): void {
  if (size > maxCharacters)
    throw new InvalidQuery(`Expected texts that have at most ${maxCharacters} characters together`)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
/** The database counts bytes, except in functions whose names end in UTF8. */
export const bytesIn = (text: string) => (isAscii(text) ? text.length : encoder.encode(text).length)

/** A text, its characters or bytes, or the elements of an array. */
interface Sequence<T> {
  readonly length: number
  slice(from: number, to?: number): T
}

/**
 * A part of a sequence. `from` counts from 1, or from the end if negative. A negative size is the number of elements to omit
 * at the end.
 */
export function sliceOf<T>(sequence: Sequence<T>, from: number, size?: number): T {
  const { length } = sequence
  const begin = from > 0 ? from - 1 : Math.max(0, length + from)
  if (from === 0) return sequence.slice(0, 0)
  // A negative start before the beginning reduces the size.
  const missing = from < 0 ? Math.max(0, -from - length) : 0
  let end = length
  if (size !== undefined) end = size < 0 ? length + size : begin + Math.max(0, size - missing)
  return sequence.slice(begin, Math.max(begin, end))
}

const substring = (text: string, from: number, size?: number): string =>
  isAscii(text) ? sliceOf(text, from, size) : decoder.decode(sliceOf(encoder.encode(text), from, size))
const substringOfCharacters = (text: string, from: number, size?: number): string =>
  sliceOf([...text], from, size).join('')

const defineLike = (ignoresCase: boolean, expected: boolean): SqlFunction =>
  definePrepared('String, String -> UInt8', budget => {
    const testOf = memoizeByPattern(pattern => compileLike(pattern, ignoresCase, budget))
    return (text: string, pattern: string) => truth(testOf(pattern)(text) === expected)
  })

const definePosition = (fold: (text: string) => string, isNeedleFirst = false, sizeOf = bytesIn): SqlFunction =>
  definePrepared('String, String, Int? -> UInt64', budget => (one: string, other: string, from = 1) => {
    const [text, part] = isNeedleFirst ? [other, one] : [one, other]
    budget.chargeSearch(text, part)
    const skipped = from > 1 ? substring(text, 1, from - 1).length : 0
    const at = fold(text).indexOf(fold(part), skipped)
    return at < 0 ? 0 : sizeOf(text.slice(0, at)) + 1
  })

const identity = (text: string) => text

/** Defines functions that search a text for each text of an array. `read` receives the indexes of their first matches. */
const defineMultiSearch = (
  result: Type,
  fold: (text: string) => string,
  read: (indexes: readonly number[], text: string) => Scalar,
) =>
  definePrepared(`String, Array -> ${result}`, (budget, [, parts]) => {
    if (parts && !/^Array\((Nullable\()?String/.test(parts.type))
      throw new InvalidQuery(
        'Expected a text and a list of texts',
        0,
        `Illegal type ${parts.type} of argument of function {}`,
        'ILLEGAL_TYPE_OF_ARGUMENT',
      )
    return (text: string, parts: readonly string[]) => {
      const folded = fold(text)
      const indexes = parts.map(part => {
        budget.chargeCharacters(text.length)
        budget.chargeSearch(text, part)
        return folded.indexOf(fold(part))
      })
      return read(indexes, text)
    }
  })

/** An empty text contains nothing, not even the empty text. */
const isAnyFound = (indexes: readonly number[], text: string) => truth(text !== '' && indexes.some(index => index >= 0))
const positionIn = (text: string) => (index: number) => (index < 0 ? 0 : bytesIn(text.slice(0, index)) + 1)

const defineReplace = (replacesAll: boolean) =>
  definePrepared('String, String, String -> String', budget => (text: string, part: string, by: string) => {
    if (part === '') return text
    budget.chargeSearch(text, part)
    if (!replacesAll) return text.replace(part, () => by)
    return join(by, text.split(part))
  })

const defineHasToken = (fold: (text: string) => string): SqlFunction =>
  defineAtCostOfCharacters('String, String -> UInt8', (text: string, token: string) => {
    if (/[\0-\x7f]/.test(token.replace(/[A-Za-z0-9]/g, '')) || token === '') {
      const raw = 'Needle must not contain whitespace or separator characters'
      throw new InvalidQuery('Expected one word without separators', 0, raw, 'BAD_ARGUMENTS')
    }
    const tokens: readonly string[] = fold(text).match(/[A-Za-z0-9\u0080-\uffff]+/g) ?? []
    return truth(tokens.includes(fold(token)))
  })

/** Defines functions that format arguments of any type. */
const defineFormatting = (signature: string, run: (...texts: string[]) => string): SqlFunction =>
  definePrepared(signature, (budget, args) => {
    const writers = args.map(arg => createWriter(arg.type, budget))
    return (...values: Scalar[]) => run(...values.map((value, at) => writers[at]!(value)))
  })

const definePadding = (isLeft: boolean) =>
  defineFunction('String, Int, String? -> String', (text: string, size: number, by = ' ') => {
    checkLength(size)
    const filled = text[isLeft ? 'padStart' : 'padEnd'](size, by || ' ')
    return isLeft && text.length <= size ? filled : filled.slice(0, Math.max(0, size))
  })

const defineTrim = (atStart: boolean, atEnd: boolean) =>
  defineFunction('String, String? -> String', (text: string, marks = ' ') => {
    if (marks === ' ' && atStart && atEnd) return trimSpaces(text)
    let [from, to] = [0, text.length]
    while (atStart && from < to && marks.includes(text[from]!)) from++
    while (atEnd && to > from && marks.includes(text[to - 1]!)) to--
    return text.slice(from, to)
  })

const defineCount = (fold: (text: string) => string) =>
  definePrepared('String, String -> UInt64', budget => (text: string, part: string) => {
    budget.chargeSearch(text, part)
    return part === '' ? 0 : fold(text).split(fold(part)).length - 1
  })

const defineCaseFunction = (fold: (text: string) => string) =>
  definePrepared('String -> String', budget => (text: string) => {
    budget.spend(isAscii(text) ? 0 : text.length)
    return fold(text)
  })

export const defineTextFunction = (run: (text: string) => string) => defineFunction('String -> String', run)

function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    const raw = `Failed to base64Decode input '${text.slice(0, 80)}'`
    throw new InvalidQuery(`Expected base64, but this is "${text.slice(0, 80)}"`, 0, raw)
  }
}

/** Steps of the budget for each byte, or each placeholder of `format`, which are written one by one. */
const stepsPerByte = 10

function bytesOf(text: string, budget: Budget): Uint8Array {
  budget.spend(text.length * stepsPerByte)
  return encoder.encode(text)
}

const toHex = (value: number) => {
  const written = value.toString(16).toUpperCase()
  return written.padStart(written.length + (written.length % 2), '0')
}

export const textFunctions: Readonly<Record<string, SqlFunction>> = {
  like: defineLike(false, true),
  ilike: defineLike(true, true),
  notLike: defineLike(false, false),
  notILike: defineLike(true, false),
  replaceAll: defineReplace(true),
  replaceOne: defineReplace(false),
  multiSearchAny: defineMultiSearch('UInt8', identity, isAnyFound),
  multiSearchAnyCaseInsensitive: defineMultiSearch('UInt8', lowerAscii, isAnyFound),
  multiSearchFirstIndex: defineMultiSearch('UInt64', identity, indexes => indexes.findIndex(index => index >= 0) + 1),
  multiSearchFirstPosition: defineMultiSearch('UInt64', identity, (indexes, text) => {
    const found = indexes.filter(index => index >= 0)
    return positionIn(text)(found.length === 0 ? -1 : Math.min(...found))
  }),
  multiSearchAllPositions: defineMultiSearch('Array(UInt64)', identity, (indexes, text) =>
    indexes.map(positionIn(text)),
  ),
  lower: defineCaseFunction(lowerAscii),
  upper: defineCaseFunction(upperAscii),
  lowerUTF8: defineTextFunction(text => text.toLowerCase()),
  upperUTF8: defineTextFunction(text => text.toUpperCase()),
  initcap: defineAtCostOfWords('String -> String', (text: string) =>
    lowerAscii(text).replace(/[A-Za-z0-9]+/g, word => upperAscii(word[0]!) + word.slice(1)),
  ),
  trimBoth: defineTrim(true, true),
  trimLeft: defineTrim(true, false),
  trimRight: defineTrim(false, true),
  lengthUTF8: defineAtCostOfCharacters('String -> UInt64', (text: string) => [...text].length),
  concat: defineFormatting('Any... -> String', (...texts) => join('', texts)),
  concatWithSeparator: defineFormatting('Any... -> String', (separator = '', ...texts) => join(separator, texts)),
  format: definePrepared('String, Any... -> String', (budget, args) => {
    const writers = args.map(arg => createWriter(arg.type, budget))
    return (pattern: string, ...values: Scalar[]) => {
      let [next, size] = [0, pattern.length]
      return pattern.replace(/\{(\d*)\}/g, (_, index: string) => {
        const at = index === '' ? next++ : Number(index)
        const text = at < values.length ? writers[at + 1]!(values[at]!) : ''
        size += text.length
        checkLength(size)
        budget.spend(stepsPerByte)
        return text
      })
    }
  }),
  substring: defineFunction('String, Int, Int? -> String', substring),
  substringUTF8: defineAtCostOfCharacters('String, Int, Int? -> String', substringOfCharacters),
  left: defineFunction('String, Int -> String', (text: string, size: number) => substring(text, 1, size)),
  right: defineFunction('String, Int -> String', (text: string, size: number) =>
    size === 0 ? '' : substring(text, size > 0 ? -Math.min(size, text.length * 4) : 1 - size),
  ),
  startsWith: defineFunction('String, String -> UInt8', (text: string, part: string) => truth(text.startsWith(part))),
  endsWith: defineFunction('String, String -> UInt8', (text: string, part: string) => truth(text.endsWith(part))),
  position: definePosition(identity),
  locate: definePosition(identity, true),
  positionCaseInsensitive: definePosition(lowerAscii),
  positionUTF8: definePosition(identity, false, text => [...text].length),
  hasToken: defineHasToken(identity),
  hasTokenCaseInsensitive: defineHasToken(lowerAscii),
  countSubstrings: defineCount(identity),
  countSubstringsCaseInsensitive: defineCount(lowerAscii),
  reverseUTF8: defineAtCostOfCharacters('String -> String', (text: string) => [...text].reverse().join('')),
  repeat: defineFunction('String, Int -> String', (text: string, times: number) => {
    checkLength(text.length * times)
    return text.repeat(Math.max(0, times))
  }),
  leftPad: definePadding(true),
  rightPad: definePadding(false),
  hex: definePrepared('Any -> String', (budget, [arg]) => {
    if (isText(arg!.type)) return (text: string) => Array.from(bytesOf(text, budget), toHex).join('')
    if (isInteger(arg!.type)) return (value: number) => toHex(Math.max(0, value))
    throw illegalType(arg!.type, 'String')
  }),
  base64Encode: definePrepared(
    'String -> String',
    budget => text => btoa(Array.from(bytesOf(text, budget), byte => String.fromCharCode(byte)).join('')),
  ),
  base64Decode: defineTextFunction(text =>
    decoder.decode(Uint8Array.from(decodeBase64(text), character => character.charCodeAt(0))),
  ),
  substringIndex: defineFunction('String, String, Int -> String', (text: string, separator: string, count: number) => {
    const parts = text.split(separator)
    if (count === 0) return ''
    return (count > 0 ? parts.slice(0, count) : parts.slice(count)).join(separator)
  }),
}
