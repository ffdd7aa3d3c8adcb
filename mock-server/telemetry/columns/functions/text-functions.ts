import { Unreadable } from '../../query/unreadable.ts'
import type { Budget } from '../budget.ts'
import type { Scalar } from '../compiled.ts'
import { isInteger, isText, type Type } from '../types.ts'
import { writer } from './conversions.ts'
import { likeTest, lowerAscii, trimBlanks, upperAscii } from './database-text.ts'
import { compilePattern, type Found, type Pattern, patterns } from './regular-expression.ts'
import { illegal, making, type SqlFunction, taking, truth } from './signature.ts'

/** The most characters of one text: the engine of the language has an end, too, and the memory another. */
const mostJoined = 16 * 1024 * 1024

export function join(mark: string, values: readonly Scalar[]): string {
  const size = values.reduce<number>((sum, value) => sum + mark.length + String(value).length, 0)
  refuseLong(size)
  return values.join(mark)
}

function refuseLong(size: number) {
  if (size > mostJoined) throw new Unreadable(`Expected texts that have at most ${mostJoined} characters together`)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)
/** The database counts bytes, except where a name says UTF8. */
export const bytesIn = (text: string) => (isAscii(text) ? text.length : encoder.encode(text).length)

/** Whatever has places: the characters of a text, its bytes, or the elements of an array. */
interface Places<T> {
  readonly length: number
  slice(from: number, to?: number): T
}

/** A part of a whole, from a place that is counted from 1, or from the end; a negative size leaves out so many at the end. */
export function partOf<T>(whole: Places<T>, from: number, size?: number): T {
  const { length } = whole
  const begin = from > 0 ? from - 1 : Math.max(0, length + from)
  if (from === 0) return whole.slice(0, 0)
  // A place before the beginning takes from the size.
  const missing = from < 0 ? Math.max(0, -from - length) : 0
  const end = size === undefined ? length : size < 0 ? length + size : begin + Math.max(0, size - missing)
  return whole.slice(begin, Math.max(begin, end))
}

const cut = (text: string, from: number, size?: number): string =>
  isAscii(text) ? partOf(text, from, size) : decoder.decode(partOf(encoder.encode(text), from, size))
const cutCharacters = (text: string, from: number, size?: number): string => partOf([...text], from, size).join('')

const like = (ignoringCase: boolean, wanted: boolean): SqlFunction =>
  making('String, String -> UInt8', budget => {
    const testOf = patterns(pattern => likeTest(pattern, ignoringCase, budget))
    return (text: string, pattern: string) => truth(testOf(pattern)(text) === wanted)
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

/** Functions of a text and an array of texts: `look` is told where each of them first stands. */
const search = (
  result: Type,
  fold: (text: string) => string,
  look: (places: readonly number[], text: string) => Scalar,
) =>
  making(`String, Array -> ${result}`, (budget, [, parts]) => {
    if (parts && !/^Array\((Nullable\()?String/.test(parts.type))
      throw new Unreadable(
        'Expected a text and a list of texts',
        0,
        `Illegal type ${parts.type} of argument of function {}`,
      )
    return (text: string, wanted: readonly string[]) => {
      const folded = fold(text)
      const places = wanted.map(part => {
        budget.read(text.length)
        budget.search(text, part)
        return folded.indexOf(fold(part))
      })
      return look(places, text)
    }
  })

const any = (places: readonly number[]) => truth(places.some(place => place >= 0))
const placeIn = (text: string) => (place: number) => (place < 0 ? 0 : bytesIn(text.slice(0, place)) + 1)

/** Functions of a text and a pattern; further arguments come last. */
const matching = <Last>(signature: string, run: (text: string, pattern: Pattern, more: Last) => Scalar): SqlFunction =>
  making(signature, budget => {
    const known = patterns(pattern => compilePattern(pattern, budget))
    return (text: string, pattern: string, more?: Scalar) => run(text, known(pattern), more as Last)
  })

const firstGroup = ({ groups }: Found) => groups[1] ?? groups[0]!
const isLong = ({ from, to }: Found) => to > from

function replaced(text: string, pattern: Pattern, by: string, most?: number): string {
  for (const [, group] of by.matchAll(/\\([\s\S]?)/g)) {
    if (/\d/.test(group!) && Number(group) > pattern.groups) {
      const raw = `Substitution '\\${group}' in replacement argument is invalid, regexp has only ${pattern.groups} capturing groups`
      throw new Unreadable(`Expected a group of the pattern, but there is no ${group}`, 0, raw)
    }
  }
  let at = 0
  let size = text.length
  if (pattern.isEmpty) return text
  const parts = pattern.find(text, most).map(found => {
    const before = text.slice(at, found.from)
    at = found.to
    const part = by.replace(/\\([\s\S])/g, (_, mark: string) => (/\d/.test(mark) ? found.groups[Number(mark)]! : mark))
    size += part.length
    refuseLong(size)
    return before + part
  })
  return parts.join('') + text.slice(at)
}

const replacing = (most?: number) =>
  matching<string>('String, String, String -> String', (text, pattern, by: string) => replaced(text, pattern, by, most))

const replacingText = (all: boolean) =>
  making('String, String, String -> String', budget => (text: string, part: string, by: string) => {
    if (part === '') return text
    budget.search(text, part)
    if (!all) return text.replace(part, () => by)
    return join(by, text.split(part))
  })

/** Functions that make an array of a text; `most` is the largest number of its elements, where one was given. */
const splitting = (
  signature: string,
  split: (budget: Budget) => (...args: string[]) => readonly string[],
): SqlFunction =>
  making(`${signature}Int? -> Array(String)`, budget => {
    const run = split(budget)
    const limitAt = signature.split(',').length - 1
    return (...args: string[]) => {
      const parts = run(...args)
      budget.spend(parts.length)
      const most = args[limitAt] as unknown as number | undefined
      return most !== undefined && most > 0 ? parts.slice(0, most) : parts
    }
  })

const oneByte = (mark: string) => {
  if (bytesIn(mark) === 1) return mark
  const raw = 'Illegal separator for function {}. Must be exactly one byte'
  throw new Unreadable(`Expected one character to split by, but this is "${mark}"`, 0, raw)
}

const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

const holdsToken = (fold: (text: string) => string): SqlFunction =>
  taking('String, String -> UInt8', (text: string, token: string) => {
    if (/[\0-\x7f]/.test(token.replace(/[A-Za-z0-9]/g, '')) || token === '') {
      const raw = 'Needle must not contain whitespace or separator characters'
      throw new Unreadable('Expected one word without separators', 0, raw)
    }
    const tokens: readonly string[] = fold(text).match(/[A-Za-z0-9\u0080-\uffff]+/g) ?? []
    return truth(tokens.includes(fold(token)))
  })

/** Functions that write whatever they are handed. */
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

const ofText = (run: (text: string) => string) => taking('String -> String', run)

/** Scheme, host, port, path, query and fragment of an address, as far as they are there. */
const address =
  /^(?:([a-z][a-z0-9+.-]*):)?(\/\/)?(?:[^/?#@]*@)?([^/?#:]*)(?::\d+)?([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?/i
const partsOf = (text: string) => address.exec(text) ?? []
const hostOf = (text: string) => {
  const [, scheme, slashes, host = ''] = partsOf(text)
  return (scheme && !slashes) || !host.includes('.') ? (slashes ? host : '') : host
}
const pathOf = (text: string) => {
  if (text.startsWith('/') && !text.startsWith('//')) return text.replace(/[?#][\s\S]*/, '')
  const [, , slashes, , path = ''] = partsOf(text)
  return slashes ? path : ''
}

function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, bytes =>
    decoder.decode(Uint8Array.from(bytes.slice(1).split('%'), byte => Number.parseInt(byte, 16))),
  )
}

const inHex = (value: number) => {
  const written = value.toString(16).toUpperCase()
  return written.padStart(written.length + (written.length % 2), '0')
}

const sizes = (marks: readonly string[], base: number, gap: string) =>
  taking('Number -> String', (value: number) => {
    const power = value === 0 ? 0 : Math.floor(Math.log(Math.abs(value)) / Math.log(base) + 1e-12)
    const at = Math.max(0, Math.min(power, marks.length - 1))
    return `${(value / base ** at).toFixed(2)}${marks[at] && gap}${marks[at]}`
  })

export const textFunctions: Readonly<Record<string, SqlFunction>> = {
  like: like(false, true),
  ilike: like(true, true),
  notLike: like(false, false),
  notILike: like(true, false),
  match: matching('String, String -> UInt8', (text, pattern) => truth(pattern.test(text))),
  extract: matching('String, String -> String', (text, pattern) => pattern.find(text, 1).map(firstGroup)[0] ?? ''),
  extractAll: matching('String, String -> Array(String)', (text, pattern) =>
    pattern.find(text).filter(isLong).map(firstGroup),
  ),
  extractGroups: matching('String, String -> Array(String)', (text, pattern) =>
    pattern.find(text, 1).flatMap(({ groups }) => groups.slice(1)),
  ),
  extractAllGroupsVertical: matching('String, String -> Array(Array(String))', (text, pattern) =>
    pattern.find(text).map(({ groups }) => groups.slice(1)),
  ),
  regexpExtract: matching('String, String, Int? -> String', (text, pattern, group?: number) => {
    const at = group ?? Math.min(1, pattern.groups)
    if (at < 0 || at > pattern.groups) throw new Unreadable(`Expected a group of the pattern, but there is no ${at}`)
    return pattern.find(text, 1)[0]?.groups[at] ?? ''
  }),
  countMatches: matching('String, String -> UInt64', (text, pattern) => pattern.find(text).filter(isLong).length),
  replaceRegexpAll: replacing(),
  replaceRegexpOne: replacing(1),
  replaceAll: replacingText(true),
  replaceOne: replacingText(false),
  multiMatchAny: making('String, Array -> UInt8', budget => {
    const known = patterns(pattern => compilePattern(pattern, budget))
    return (text: string, wanted: readonly string[]) => truth(wanted.some(pattern => known(pattern).test(text)))
  }),
  multiSearchAny: search('UInt8', same, any),
  multiSearchAnyCaseInsensitive: search('UInt8', lowerAscii, any),
  multiSearchFirstIndex: search('UInt64', same, places => places.findIndex(place => place >= 0) + 1),
  multiSearchFirstPosition: search('UInt64', same, (places, text) => {
    const found = places.filter(place => place >= 0)
    return placeIn(text)(found.length === 0 ? -1 : Math.min(...found))
  }),
  multiSearchAllPositions: search('Array(UInt64)', same, (places, text) => places.map(placeIn(text))),
  lower: ofText(lowerAscii),
  upper: ofText(upperAscii),
  lowerUTF8: ofText(text => text.toLowerCase()),
  upperUTF8: ofText(text => text.toUpperCase()),
  initcap: ofText(text => lowerAscii(text).replace(/[A-Za-z0-9]+/g, word => upperAscii(word[0]!) + word.slice(1))),
  trimBoth: trimming(true, true),
  trimLeft: trimming(true, false),
  trimRight: trimming(false, true),
  lengthUTF8: taking('String -> UInt64', (text: string) => [...text].length),
  concat: writing('Any... -> String', (...texts) => join('', texts)),
  concatWithSeparator: writing('Any... -> String', (mark = '', ...texts) => join(mark, texts)),
  format: writing('String, Any... -> String', (pattern, ...texts) => {
    let next = 0
    return pattern.replace(/\{(\d*)\}/g, (_, at: string) => texts[at === '' ? next++ : Number(at)] ?? '')
  }),
  substring: taking('String, Int, Int? -> String', cut),
  substringUTF8: taking('String, Int, Int? -> String', cutCharacters),
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
  reverseUTF8: ofText(text => [...text].reverse().join('')),
  repeat: taking('String, Int -> String', (text: string, times: number) => {
    refuseLong(text.length * times)
    return text.repeat(Math.max(0, times))
  }),
  leftPad: padding(true),
  rightPad: padding(false),
  splitByChar: splitting('String, String, ', () => (mark: string, text: string) => text.split(oneByte(mark))),
  splitByString: splitting(
    'String, String, ',
    () => (mark: string, text: string) => (mark === '' ? [...text] : text.split(mark)),
  ),
  splitByRegexp: splitting('String, String, ', budget => {
    const known = patterns(pattern => compilePattern(pattern, budget))
    return (pattern: string, text: string) => {
      if (pattern === '') return [...text]
      let at = 0
      const parts = known(pattern)
        .find(text)
        .filter(isLong)
        .map(({ from, to }) => {
          const part = text.slice(at, from)
          at = to
          return part
        })
      return [...parts, text.slice(at)]
    }
  }),
  splitByWhitespace: splitting('String, ', () => (text: string) => text.match(/[^ \t\n\r\f\v]+/g) ?? []),
  splitByNonAlpha: splitting('String, ', () => (text: string) => text.match(/[^\s!-/:-@[-`{-~]+/g) ?? []),
  alphaTokens: splitting('String, ', () => (text: string) => text.match(/[A-Za-z]+/g) ?? []),
  tokens: taking('String -> Array(String)', words),
  hex: making('Any -> String', (_, [arg]) => {
    if (isText(arg!.type)) return (text: string) => Array.from(encoder.encode(text), inHex).join('')
    if (isInteger(arg!.type)) return (value: number) => inHex(Math.max(0, value))
    throw illegal(arg!.type, 'String')
  }),
  base64Encode: ofText(text => btoa(String.fromCharCode(...encoder.encode(text)))),
  base64Decode: ofText(text => decoder.decode(Uint8Array.from(atob(text), character => character.charCodeAt(0)))),
  domain: ofText(hostOf),
  domainWithoutWWW: ofText(text => hostOf(text).replace(/^www\./, '')),
  protocol: ofText(text => /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1] ?? ''),
  path: ofText(pathOf),
  pathFull: ofText(text => pathOf(text) && text.slice(text.indexOf(pathOf(text), text.indexOf('//') + 2))),
  queryString: ofText(text => partsOf(text)[5] ?? ''),
  fragment: ofText(text => partsOf(text)[6] ?? ''),
  cutQueryString: ofText(text => text.replace(/\?[^#]*/, '')),
  cutQueryStringAndFragment: ofText(text => text.replace(/[?#][\s\S]*/, '')),
  topLevelDomain: ofText(text => /\.([^.]+)$/.exec(hostOf(text))?.[1] ?? ''),
  extractURLParameter: taking('String, String -> String', (text: string, name: string) => {
    const found = (/\?([^#]*)/.exec(text)?.[1] ?? '').split('&').find(one => one.startsWith(`${name}=`))
    return found?.slice(name.length + 1) ?? ''
  }),
  decodeURLComponent: ofText(unescaped),
  decodeURLFormComponent: ofText(text => unescaped(text.replace(/\+/g, ' '))),
  encodeURLComponent: ofText(encodeURIComponent),
  substringIndex: taking('String, String, Int -> String', (text: string, mark: string, count: number) => {
    const parts = text.split(mark)
    return (count > 0 ? parts.slice(0, count) : count < 0 ? parts.slice(count) : []).join(mark)
  }),
  formatReadableSize: sizes(['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'], 1024, ' '),
  formatReadableDecimalSize: sizes(['B', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'], 1000, ' '),
  formatReadableQuantity: sizes(['', 'thousand', 'million', 'billion', 'trillion', 'quadrillion'], 1000, ' '),
}
