import { InvalidQuery } from '../../query/invalid-query.ts'
import type { Budget } from '../budget.ts'
import type { Scalar } from '../compiled.ts'
import { compilePattern, type Match, memoizeByPattern, type Pattern } from './regular-expression.ts'
import { defineFunction, definePrepared, type SqlFunction, truth } from './signature.ts'
import { bytesIn, checkLength } from './text-functions.ts'

/** Defines a function of a string, a regular expression and at most one more argument. */
const definePatternFunction = <Last>(
  signature: string,
  run: (text: string, pattern: Pattern, more: Last) => Scalar,
): SqlFunction =>
  definePrepared(signature, budget => {
    const patternOf = memoizeByPattern(pattern => compilePattern(pattern, budget))
    return (text: string, pattern: string, more?: Scalar) => run(text, patternOf(pattern), more as Last)
  })

const firstGroup = ({ groups }: Match) => groups[1] ?? groups[0]!
const isNonEmpty = ({ from, to }: Match) => to > from

function replaceMatches(text: string, pattern: Pattern, replacement: string, max?: number): string {
  for (const [, group] of replacement.matchAll(/\\([\s\S]?)/g)) {
    if (/\d/.test(group!) && Number(group) > pattern.groups) {
      const raw = `Substitution '\\${group}' in replacement argument is invalid, regexp has only ${pattern.groups} capturing groups`
      throw new InvalidQuery(`Expected a group of the pattern, but there is no ${group}`, 0, raw, 'BAD_ARGUMENTS')
    }
  }
  let at = 0
  let size = text.length
  if (pattern.isEmpty) return text
  const parts = pattern.find(text, max).map(match => {
    const before = text.slice(at, match.from)
    at = match.to
    const part = replacement.replace(/\\([\s\S])/g, (_, escaped: string) =>
      /\d/.test(escaped) ? match.groups[Number(escaped)]! : escaped,
    )
    size += part.length
    checkLength(size)
    return before + part
  })
  return parts.join('') + text.slice(at)
}

const defineReplace = (max?: number) =>
  definePatternFunction<string>('String, String, String -> String', (text, pattern, replacement: string) =>
    replaceMatches(text, pattern, replacement, max),
  )

/** Defines a function that splits a string into an array. Its optional last argument limits the number of elements. */
const defineSplit = (
  signature: string,
  split: (budget: Budget) => (...args: string[]) => readonly string[],
): SqlFunction =>
  definePrepared(`${signature}Int? -> Array(String)`, budget => {
    const run = split(budget)
    const limitAt = signature.split(',').length - 1
    return (...args: string[]) => {
      const parts = run(...args)
      budget.spend(parts.length)
      const max = args[limitAt] as number | undefined
      return max !== undefined && max > 0 ? parts.slice(0, max) : parts
    }
  })

const checkSeparator = (separator: string) => {
  if (bytesIn(separator) === 1) return separator
  const raw = 'Illegal separator for function {}. Must be exactly one byte'
  throw new InvalidQuery(`Expected one character to split by, but this is "${separator}"`, 0, raw, 'BAD_ARGUMENTS')
}

const words = (text: string) => text.match(/[\p{L}\p{N}]+/gu) ?? []

/** Functions that match or split by regular expressions and separators. */
export const patternFunctions: Readonly<Record<string, SqlFunction>> = {
  match: definePatternFunction('String, String -> UInt8', (text, pattern) => truth(pattern.test(text))),
  extract: definePatternFunction(
    'String, String -> String',
    (text, pattern) => pattern.find(text, 1).map(firstGroup)[0] ?? '',
  ),
  extractAll: definePatternFunction('String, String -> Array(String)', (text, pattern) =>
    pattern.find(text).filter(isNonEmpty).map(firstGroup),
  ),
  extractGroups: definePatternFunction('String, String -> Array(String)', (text, pattern) =>
    pattern.find(text, 1).flatMap(({ groups }) => groups.slice(1)),
  ),
  extractAllGroupsVertical: definePatternFunction('String, String -> Array(Array(String))', (text, pattern) =>
    pattern.find(text).map(({ groups }) => groups.slice(1)),
  ),
  regexpExtract: definePatternFunction('String, String, Int? -> String', (text, pattern, group?: number) => {
    const at = group ?? Math.min(1, pattern.groups)
    if (at < 0 || at > pattern.groups) throw new InvalidQuery(`Expected a group of the pattern, but there is no ${at}`)
    return pattern.find(text, 1)[0]?.groups[at] ?? ''
  }),
  countMatches: definePatternFunction(
    'String, String -> UInt64',
    (text, pattern) => pattern.find(text).filter(isNonEmpty).length,
  ),
  replaceRegexpAll: defineReplace(),
  replaceRegexpOne: defineReplace(1),
  multiMatchAny: definePrepared('String, Array -> UInt8', budget => {
    const patternOf = memoizeByPattern(pattern => compilePattern(pattern, budget))
    return (text: string, patterns: readonly string[]) => truth(patterns.some(pattern => patternOf(pattern).test(text)))
  }),
  splitByChar: defineSplit(
    'String, String, ',
    () => (separator: string, text: string) => text.split(checkSeparator(separator)),
  ),
  splitByString: defineSplit(
    'String, String, ',
    () => (separator: string, text: string) => (separator === '' ? [...text] : text.split(separator)),
  ),
  splitByWhitespace: defineSplit('String, ', () => (text: string) => text.match(/[^ \t\n\r\f\v]+/g) ?? []),
  splitByNonAlpha: defineSplit('String, ', () => (text: string) => text.match(/[^\s!-/:-@[-`{-~]+/g) ?? []),
  alphaTokens: defineSplit('String, ', () => (text: string) => text.match(/[A-Za-z]+/g) ?? []),
  tokens: defineFunction('String -> Array(String)', words),
}
