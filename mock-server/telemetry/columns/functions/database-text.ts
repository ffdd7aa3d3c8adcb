import { Budget } from '../budget.ts'

/** How the database parses numbers and times, and formats values. */

const floatPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
const unsignedPattern = /^\+?\d+$/
const signedPattern = /^[+-]?\d+$/

/** Parses a whole text as a number; undefined if it is not one. */
export function readFloat(text: string): number | undefined {
  if (floatPattern.test(text)) return Number(text)
  const [, sign, word] = /^([+-]?)(inf|infinity|nan)$/i.exec(text) ?? []
  if (word === undefined) return undefined
  if (word.toLowerCase() === 'nan') return Number.NaN
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

export function readInteger(text: string, isSigned: boolean): number | undefined {
  return (isSigned ? signedPattern : unsignedPattern).test(text) ? Number(text) : undefined
}

const timePattern = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(\.\d+)?(Z|[+-]\d\d:\d\d)?)?$/i

/**
 * Parses a date, or a date and a time, as epoch milliseconds. UTC is the default zone; undefined for other texts and for
 * days that do not exist.
 */
export function readTime(text: string): number | undefined {
  const [, date, clock = '00:00', fraction = '', zone = 'Z'] = timePattern.exec(text) ?? []
  const day = date ? new Date(`${date}T00:00:00Z`) : undefined
  if (!day || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(date!)) return undefined
  const time = Date.parse(`${date}T${clock}${zone.toUpperCase()}`)
  return Number.isNaN(time) ? undefined : time + Number(`0${fraction}`) * 1000
}

/** Formats a time as `2026-01-05 00:00:00.000`, with the given number of fractional digits. */
export function writeTime(time: number, digits: number): string {
  const fullSeconds = Math.floor(time / 1000) * 1000
  const seconds = new Date(fullSeconds).toISOString().slice(0, 19).replace('T', ' ')
  return digits === 0 ? seconds : `${seconds}.${writeFraction(time - fullSeconds, digits)}`
}

/** Formats a fraction of a second, given in milliseconds, with the given number of digits. */
export const writeFraction = (milliseconds: number, digits: number) =>
  String(Math.min(999_999_999, Math.round(milliseconds * 1e6)))
    .padStart(9, '0')
    .slice(0, digits)

/** Lower case of A to Z only, like the database's `lower`. */
export const lowerAscii = (text: string) =>
  isAscii(text) ? text.toLowerCase() : text.replace(/[A-Z]+/g, letters => letters.toLowerCase())
export const upperAscii = (text: string) =>
  isAscii(text) ? text.toUpperCase() : text.replace(/[a-z]+/g, letters => letters.toUpperCase())
export const isAscii = (text: string) => /^[\0-\x7f]*$/.test(text)

/** Trims spaces at both ends. A regular expression would take quadratic time on long inner runs of spaces. */
export function trimSpaces(text: string): string {
  let from = 0
  let to = text.length
  while (text[from] === ' ') from++
  while (to > from && text[to - 1] === ' ') to--
  return text.slice(from, to)
}

/** Compiles a LIKE pattern: `%` matches any text, `_` any character, and a backslash escapes these and itself. */
export function compileLike(pattern: string, ignoresCase: boolean, budget = new Budget()): (text: string) => boolean {
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text)
  const substring = /^%([^%_\\]*)%$/.exec(pattern)?.[1]
  if (substring !== undefined) {
    const part = fold(substring)
    return text => {
      budget.chargeSearch(text, part)
      return fold(text).includes(part)
    }
  }
  const tokens = fold(pattern).match(/\\[\\%_]|[\s\S]/gu) ?? []
  return text => matches([...fold(text)], tokens, budget)
}

const literalOf = (token: string) => (token.length > 1 && token.startsWith('\\') ? token.slice(1) : token)

/** Backtracks to the last `%` only, which bounds the time to the length of the pattern times that of the text. */
function matches(text: readonly string[], tokens: readonly string[], budget: Budget): boolean {
  let at = 0
  let next = 0
  /** After the last `%`: the next token, and where in the text to try it again. */
  let afterAny = -1
  let resume = 0
  while (at < text.length) {
    const token = tokens[next]
    if (token === '%') {
      afterAny = ++next
      resume = at
    } else if (token === '_' || (token !== undefined && literalOf(token) === text[at])) {
      next += 1
      at += 1
    } else if (afterAny >= 0) {
      budget.spend(next - afterAny)
      next = afterAny
      at = ++resume
    } else return false
  }
  return tokens.slice(next).every(token => token === '%')
}
