import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Scalar } from '../compiled.ts'
import { isInteger, isText, type Type } from '../types.ts'
import { writer } from './convert.ts'
import { isAscii, likeTest, lowerAscii, trimBlanks, upperAscii } from './database-text.ts'
import { memoizeByPattern } from './regular-expression.ts'
import { illegal, making, ofCharacters, ofWords, type SqlFunction, taking, truth } from './signature.ts'

/** Limit of the characters of one string, below the limit of the JavaScript engine. */
const maxJoined = 16 * 1024 * 1024

export function join(mark: string, values: readonly Scalar[]): string {
  const size = values.reduce<number>((sum, value) => sum + mark.length + String(value).length, 0)
  refuseLong(size)
  return values.join(mark)
}

export function refuseLong(size: number): void {
  if (size > maxJoined) throw new InvalidQuery(`Expected texts that have at most ${maxJoined} characters together`)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
/** The database counts bytes, except in functions whose names end in UTF8. */
export const bytesIn = (text: string) => (isAscii(text) ? text.length : encoder.encode(text).length)

/** A sequence: the characters of a text, its bytes, or the elements of an array. */
interface Places<T> {
  readonly length: number
  slice(from: number, to?: number): T
}

/**
 * A part of a sequence from an index that counts from 1, or from the end if negative; a negative size omits that many
 * at the end.
 */
export function partOf<T>(whole: Places<T>, from: number, size?: number): T {
  const { length } = whole
  const begin = from > 0 ? from - 1 : Math.max(0, length + from)
  if (from === 0) return whole.slice(0, 0)
  // A start before the beginning reduces the size.
  const missing = from < 0 ? Math.max(0, -from - length) : 0
  const end = size === undefined ? length : size < 0 ? length + size : begin + Math.max(0, size - missing)
  return whole.slice(begin, Math.max(begin, end))
}

const cut = (text: string, from: number, size?: number): string =>
  isAscii(text) ? partOf(text, from, size) : decoder.decode(partOf(encoder.encode(text), from, size))
const cutCharacters = (text: string, from: number, size?: number): string => partOf([...text], from, size).join('')

const like = (ignoringCase: boolean, expected: boolean): SqlFunction =>
  making('String, String -> UInt8', budget => {
    const testOf = memoizeByPattern(pattern => likeTest(pattern, ignoringCase, budget))
    return (text: string, pattern: string) => truth(testOf(pattern)(text) === expected)
  })

const positionOf = (fold: (text: string) => string, isTurned = false, sizeOf = bytesIn): SqlFunction =>
  making('String, String, Int? -> UInt64', budget => (one: string, other: string, from = 1) => {
    const [text, part] = isTurned ? [other, one] : [one, other]
    budget.search(text, part)
    const skipped = from > 1 ? cut(text, 1, from - 1).length : 0
    const at = fold(text).indexOf(fold(part), skipped)
    return at < 0 ? 0 : sizeOf(text.slice(0, at)) + 1
  })

const same = (text: string) => text

/** Functions of a text and an array of texts: `read` receives the first position of each. */
const search = (
  result: Type,
  fold: (text: string) => string,
  read: (places: readonly number[], text: string) => Scalar,
) =>
  making(`String, Array -> ${result}`, (budget, [, parts]) => {
    if (parts && !/^Array\((Nullable\()?String/.test(parts.type))
      throw new InvalidQuery(
        'Expected a text and a list of texts',
        0,
        `Illegal type ${parts.type} of argument of function {}`,
      )
    return (text: string, parts: readonly string[]) => {
      const folded = fold(text)
      const places = parts.map(part => {
        budget.read(text.length)
        budget.search(text, part)
        return folded.indexOf(fold(part))
      })
      return read(places, text)
    }
  })

/** Nothing is found in an empty text, not even the empty text. */
const any = (places: readonly number[], text: string) => truth(text !== '' && places.some(place => place >= 0))
const placeIn = (text: string) => (place: number) => (place < 0 ? 0 : bytesIn(text.slice(0, place)) + 1)

const replacingText = (all: boolean) =>
  making('String, String, String -> String', budget => (text: string, part: string, by: string) => {
    if (part === '') return text
    budget.search(text, part)
    if (!all) return text.replace(part, () => by)
    return join(by, text.split(part))
  })

const holdsToken = (fold: (text: string) => string): SqlFunction =>
  ofCharacters('String, String -> UInt8', (text: string, token: string) => {
    if (/[\0-\x7f]/.test(token.replace(/[A-Za-z0-9]/g, '')) || token === '') {
      const raw = 'Needle must not contain whitespace or separator characters'
      throw new InvalidQuery('Expected one word without separators', 0, raw)
    }
    const tokens: readonly string[] = fold(text).match(/[A-Za-z0-9\u0080-\uffff]+/g) ?? []
    return truth(tokens.includes(fold(token)))
  })

/** Functions that format arguments of any type. */
const writing = (signature: string, run: (...texts: string[]) => string): SqlFunction =>
  making(signature, (budget, args) => {
    const writers = args.map(arg => writer(arg.type, budget))
    return (...values: Scalar[]) => run(...values.map((value, at) => writers[at]!(value)))
  })

const padding = (isLeft: boolean) =>
  taking('String, Int, String? -> String', (text: string, size: number, by = ' ') => {
    refuseLong(size)
    const filled = text[isLeft ? 'padStart' : 'padEnd'](size, by || ' ')
    return isLeft && text.length <= size ? filled : filled.slice(0, Math.max(0, size))
  })

const trimming = (atStart: boolean, atEnd: boolean) =>
  taking('String, String? -> String', (text: string, marks = ' ') => {
    if (marks === ' ' && atStart && atEnd) return trimBlanks(text)
    let [from, to] = [0, text.length]
    while (atStart && from < to && marks.includes(text[from]!)) from++
    while (atEnd && to > from && marks.includes(text[to - 1]!)) to--
    return text.slice(from, to)
  })

const counting = (fold: (text: string) => string) =>
  making('String, String -> UInt64', budget => (text: string, part: string) => {
    budget.search(text, part)
    return part === '' ? 0 : fold(text).split(fold(part)).length - 1
  })

const ofLetters = (fold: (text: string) => string) =>
  making('String -> String', budget => (text: string) => {
    budget.spend(isAscii(text) ? 0 : text.length)
    return fold(text)
  })

export const ofText = (run: (text: string) => string) => taking('String -> String', run)

function decoded(text: string): string {
  try {
    return atob(text)
  } catch {
    const raw = `Failed to base64Decode input '${text.slice(0, 80)}'`
    throw new InvalidQuery(`Expected base64, but this is "${text.slice(0, 80)}"`, 0, raw)
  }
}

/** Steps per byte that is written by itself. */
const stepsPerByte = 10

function bytesOf(text: string, budget: Budget): Uint8Array {
  budget.spend(text.length * stepsPerByte)
  return encoder.encode(text)
}

const inHex = (value: number) => {
  const written = value.toString(16).toUpperCase()
  return written.padStart(written.length + (written.length % 2), '0')
}

export const textFunctions: Readonly<Record<string, SqlFunction>> = {
  like: like(false, true),
  ilike: like(true, true),
  notLike: like(false, false),
  notILike: like(true, false),
  replaceAll: replacingText(true),
  replaceOne: replacingText(false),
  multiSearchAny: search('UInt8', same, any),
  multiSearchAnyCaseInsensitive: search('UInt8', lowerAscii, any),
  multiSearchFirstIndex: search('UInt64', same, places => places.findIndex(place => place >= 0) + 1),
  multiSearchFirstPosition: search('UInt64', same, (places, text) => {
    const found = places.filter(place => place >= 0)
    return placeIn(text)(found.length === 0 ? -1 : Math.min(...found))
  }),
  multiSearchAllPositions: search('Array(UInt64)', same, (places, text) => places.map(placeIn(text))),
  lower: ofLetters(lowerAscii),
  upper: ofLetters(upperAscii),
  lowerUTF8: ofText(text => text.toLowerCase()),
  upperUTF8: ofText(text => text.toUpperCase()),
  initcap: ofWords('String -> String', (text: string) =>
    lowerAscii(text).replace(/[A-Za-z0-9]+/g, word => upperAscii(word[0]!) + word.slice(1)),
  ),
  trimBoth: trimming(true, true),
  trimLeft: trimming(true, false),
  trimRight: trimming(false, true),
  lengthUTF8: ofCharacters('String -> UInt64', (text: string) => [...text].length),
  concat: writing('Any... -> String', (...texts) => join('', texts)),
  concatWithSeparator: writing('Any... -> String', (mark = '', ...texts) => join(mark, texts)),
  format: making('String, Any... -> String', (budget, args) => {
    const writers = args.map(arg => writer(arg.type, budget))
    return (pattern: string, ...values: Scalar[]) => {
      let [next, size] = [0, pattern.length]
      return pattern.replace(/\{(\d*)\}/g, (_, place: string) => {
        const at = place === '' ? next++ : Number(place)
        const text = at < values.length ? writers[at + 1]!(values[at]!) : ''
        size += text.length
        refuseLong(size)
        budget.spend(stepsPerByte)
        return text
      })
    }
  }),
  substring: taking('String, Int, Int? -> String', cut),
  substringUTF8: ofCharacters('String, Int, Int? -> String', cutCharacters),
  left: taking('String, Int -> String', (text: string, size: number) => cut(text, 1, size)),
  right: taking('String, Int -> String', (text: string, size: number) =>
    size === 0 ? '' : cut(text, size > 0 ? -Math.min(size, text.length * 4) : 1 - size),
  ),
  startsWith: taking('String, String -> UInt8', (text: string, part: string) => truth(text.startsWith(part))),
  endsWith: taking('String, String -> UInt8', (text: string, part: string) => truth(text.endsWith(part))),
  position: positionOf(same),
  locate: positionOf(same, true),
  positionCaseInsensitive: positionOf(lowerAscii),
  positionUTF8: positionOf(same, false, text => [...text].length),
  hasToken: holdsToken(same),
  hasTokenCaseInsensitive: holdsToken(lowerAscii),
  countSubstrings: counting(same),
  countSubstringsCaseInsensitive: counting(lowerAscii),
  reverseUTF8: ofCharacters('String -> String', (text: string) => [...text].reverse().join('')),
  repeat: taking('String, Int -> String', (text: string, times: number) => {
    refuseLong(text.length * times)
    return text.repeat(Math.max(0, times))
  }),
  leftPad: padding(true),
  rightPad: padding(false),
  hex: making('Any -> String', (budget, [arg]) => {
    if (isText(arg!.type)) return (text: string) => Array.from(bytesOf(text, budget), inHex).join('')
    if (isInteger(arg!.type)) return (value: number) => inHex(Math.max(0, value))
    throw illegal(arg!.type, 'String')
  }),
  base64Encode: making(
    'String -> String',
    budget => text => btoa(Array.from(bytesOf(text, budget), byte => String.fromCharCode(byte)).join('')),
  ),
  base64Decode: ofText(text => decoder.decode(Uint8Array.from(decoded(text), character => character.charCodeAt(0)))),
  substringIndex: taking('String, String, Int -> String', (text: string, mark: string, count: number) => {
    const parts = text.split(mark)
    return (count > 0 ? parts.slice(0, count) : count < 0 ? parts.slice(count) : []).join(mark)
  }),
}
