import { RE2JS } from 're2js'
import { memoize } from '../../../words/memoize.ts'
import { InvalidQuery } from '../../query/invalid-query.ts'
import { Budget } from '../budget.ts'

/** Steps for compiling a pattern: the minimum, those per character, and those per instruction of the program. */
const stepsPerPattern = 1000
const stepsPerCharacter = 500
const stepsPerInstruction = 50

/** Patterns without alternatives and repetitions: matching takes no longer than reading the text. */
const plainPattern = /^(?:[\w\s^$.,:;/@-]|\\[dws])*$/

/** Patterns with alternatives or repeated groups: finding a match may scan the text to its end. */
const lookaheadPattern = /\||\)[*+?{]/

/** Steps per instruction and character to find matches. A test whether there is a match takes fewer. */
const stepsPerMatching = 0.75

/** One match: its text, followed by that of each group, and where it begins and ends. */
export interface Match {
  readonly groups: readonly string[]
  readonly from: number
  readonly to: number
}

export interface Pattern {
  test(text: string): boolean
  /** The matches in order, up to a limit. */
  find(text: string, maxMatches?: number): readonly Match[]
  readonly groups: number
  /** True for an empty pattern, which replaces nothing. */
  readonly isEmpty: boolean
}

/**
 * A regular expression with the semantics of ClickHouse: RE2, whose time is at most proportional to the length of the
 * pattern times that of the text. A dot matches every character.
 */
export function compilePattern(pattern: string, budget = new Budget()): Pattern {
  budget.spend(stepsPerPattern + pattern.length * stepsPerCharacter)
  const expression = compile(pattern)
  const instructions = expression.programSize()
  budget.spend(instructions * stepsPerInstruction)
  const isPlain = plainPattern.test(pattern)
  const mayScanAhead = lookaheadPattern.test(pattern)
  const groups = expression.groupCount()
  const spendOnTest = (length: number) => {
    if (isPlain) budget.chargeCharacters(length)
    // In the worst case, each character takes half of the instructions.
    else budget.spend((length * instructions) / 2)
  }
  // Each instruction also copies the position of each group.
  const spendOnFind = (length: number) => budget.spend(length * instructions * (1 + groups) * stepsPerMatching)
  const find = (text: string, maxMatches = Number.POSITIVE_INFINITY) => {
    const matches: Match[] = []
    const matcher = expression.matcher(text)
    let from = 0
    while (matches.length < maxMatches) {
      if (mayScanAhead) spendOnFind(text.length - from)
      const isFound = matcher.find()
      if (!mayScanAhead) spendOnFind((isFound ? matcher.end() : text.length) - from)
      if (!isFound) break
      const texts = Array.from({ length: groups + 1 }, (_, at) => matcher.group(at) ?? '')
      budget.spend(texts.length * stepsPerGroup)
      matches.push({ groups: texts, from: matcher.start(), to: matcher.end() })
      from = matcher.end()
    }
    return matches
  }
  const test = (text: string) => {
    spendOnTest(text.length)
    return expression.test(text)
  }
  return { test, find, groups, isEmpty: pattern === '' }
}

const stepsPerGroup = 30

/** Limits the cache, because a pattern may come from a column, and differ in each of a million rows. */
const maxPatterns = 1000

export const memoizeByPattern = <T>(make: (pattern: string) => T) => memoize(make, maxPatterns)

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL)
  } catch {
    const raw = `OptimizedRegularExpression: cannot compile re2: ${pattern.slice(0, 80)}`
    throw new InvalidQuery(`Expected a regular expression, but this is "${pattern.slice(0, 80)}"`, 0, raw)
  }
}
