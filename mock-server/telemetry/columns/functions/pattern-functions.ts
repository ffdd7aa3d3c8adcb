import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Scalar } from '../compiled.ts'
import { compilePattern, type Match, memoizeByPattern, type Pattern } from './regular-expression.ts'
import { making, type SqlFunction, taking, truth } from './signature.ts'
import { bytesIn, refuseLong } from './text-functions.ts'

/** A function of a string and a regular expression; further arguments follow. */
const matching = <Last>(signature: string, run: (text: string, pattern: Pattern, more: Last) => Scalar): SqlFunction =>
  making(signature, budget => {
    const known = memoizeByPattern(pattern => compilePattern(pattern, budget))
    return (text: string, pattern: string, more?: Scalar) => run(text, known(pattern), more as Last)
  })

const firstGroup = ({ groups }: Match) => groups[1] ?? groups[0]!
const isLong = ({ from, to }: Match) => to > from

function replaced(text: string, pattern: Pattern, by: string, max?: number): string {
  for (const [, group] of by.matchAll(/\\([\s\S]?)/g)) {
    if (/\d/.test(group!) && Number(group) > pattern.groups) {
      const raw = `Substitution '\\${group}' in replacement argument is invalid, regexp has only ${pattern.groups} capturing groups`
      throw new InvalidQuery(`Expected a group of the pattern, but there is no ${group}`, 0, raw)
    }
  }
  let at = 0
  let size = text.length
  if (pattern.isEmpty) return text
  const parts = pattern.find(text, max).map(found => {
    const before = text.slice(at, found.from)
    at = found.to
    const part = by.replace(/\\([\s\S])/g, (_, mark: string) => (/\d/.test(mark) ? found.groups[Number(mark)]! : mark))
    size += part.length
    refuseLong(size)
    return before + part
  })
  return parts.join('') + text.slice(at)
}

const replacing = (max?: number) =>
  matching<string>('String, String, String -> String', (text, pattern, by: string) => replaced(text, pattern, by, max))

/** A function that splits a string into an array; its optional last argument limits the number of elements. */
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
      const max = args[limitAt] as unknown as number | undefined
      return max !== undefined && max > 0 ? parts.slice(0, max) : parts
    }
  })

const oneByte = (mark: string) => {
  if (bytesIn(mark) === 1) return mark
  const raw = 'Illegal separator for function {}. Must be exactly one byte'
  throw new InvalidQuery(`Expected one character to split by, but this is "${mark}"`, 0, raw)
}

const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** Functions that match or split by regular expressions and separators. */
export const patternFunctions: Readonly<Record<string, SqlFunction>> = {
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
    if (at < 0 || at > pattern.groups) throw new InvalidQuery(`Expected a group of the pattern, but there is no ${at}`)
    return pattern.find(text, 1)[0]?.groups[at] ?? ''
  }),
  countMatches: matching('String, String -> UInt64', (text, pattern) => pattern.find(text).filter(isLong).length),
  replaceRegexpAll: replacing(),
  replaceRegexpOne: replacing(1),
  multiMatchAny: making('String, Array -> UInt8', budget => {
    const known = memoizeByPattern(pattern => compilePattern(pattern, budget))
    return (text: string, patterns: readonly string[]) => truth(patterns.some(pattern => known(pattern).test(text)))
  }),
  splitByChar: splitting('String, String, ', () => (mark: string, text: string) => text.split(oneByte(mark))),
  splitByString: splitting(
    'String, String, ',
    () => (mark: string, text: string) => (mark === '' ? [...text] : text.split(mark)),
  ),
  splitByWhitespace: splitting('String, ', () => (text: string) => text.match(/[^ \t\n\r\f\v]+/g) ?? []),
  splitByNonAlpha: splitting('String, ', () => (text: string) => text.match(/[^\s!-/:-@[-`{-~]+/g) ?? []),
  alphaTokens: splitting('String, ', () => (text: string) => text.match(/[A-Za-z]+/g) ?? []),
  tokens: taking('String -> Array(String)', words),
}
