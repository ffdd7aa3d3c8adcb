import { RE2JS } from 're2js'
import { remember } from '../../../words/remember.ts'
import { InvalidQuery } from '../../query/invalid-query.ts'
import { Budget } from '../budget.ts'

/** Steps for compiling a pattern: a minimum, per character, and per instruction of the program. */
const stepsPerPattern = 1000
const stepsPerCharacter = 500
const stepsPerInstruction = 50

/** Patterns without alternatives and repetitions, which match in the time that reading the text takes. */
const isPlain = /^(?:[\w\s^$.,:;/@-]|\\[dws])*$/

/** Patterns with alternatives or repeated groups, which may scan the whole text before each match. */
const isFarSighted = /\||\)[*+?{]/

/** Steps per instruction and character for finding matches; testing takes fewer. */
const stepsPerMove = 0.75

/** One match: its text and that of each group, and where it begins and ends. */
export interface Match {
  readonly groups: readonly string[]
  readonly from: number
  readonly to: number
}

export interface Pattern {
  test(text: string): boolean
  /** The matches in order, up to a limit. */
  find(text: string, most?: number): readonly Match[]
  readonly groups: number
  /** The pattern is empty and matches nothing. */
  readonly isEmpty: boolean
}

/**
 * A regular expression with the semantics of the database: RE2, which takes at most the product of the lengths of
 * pattern and text, and where a dot matches every character.
 */
export function compilePattern(pattern: string, budget = new Budget()): Pattern {
  budget.spend(stepsPerPattern + pattern.length * stepsPerCharacter)
  const expression = compile(pattern)
  const instructions = expression.programSize()
  budget.spend(instructions * stepsPerInstruction)
  const plain = isPlain.test(pattern)
  const farSighted = isFarSighted.test(pattern)
  const groups = expression.groupCount()
  const read = (length: number) => {
    if (plain) budget.read(length)
    // In the worst case, half of the program is visited for each character.
    else budget.spend((length * instructions) / 2)
  }
  // The position of each group is copied along.
  const spend = (length: number) => budget.spend(length * instructions * (1 + groups) * stepsPerMove)
  const find = (text: string, most = Number.POSITIVE_INFINITY) => {
    const all: Match[] = []
    const matcher = expression.matcher(text)
    let from = 0
    while (all.length < most) {
      if (farSighted) spend(text.length - from)
      const isThere = matcher.find()
      if (!farSighted) spend((isThere ? matcher.end() : text.length) - from)
      if (!isThere) break
      const texts = Array.from({ length: groups + 1 }, (_, at) => matcher.group(at) ?? '')
      budget.spend(texts.length * stepsPerGroup)
      all.push({ groups: texts, from: matcher.start(), to: matcher.end() })
      from = matcher.end()
    }
    return all
  }
  const test = (text: string) => {
    read(text.length)
    return expression.test(text)
  }
  return { test, find, groups, isEmpty: pattern === '' }
}

const stepsPerGroup = 30

/** Cache size: a pattern may be a column with a different value in each of a million rows. */
const maxPatterns = 1000

/** Caches the compiled form of each pattern. */
export const patterns = <T>(make: (pattern: string) => T) => remember(make, maxPatterns)

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL)
  } catch {
    const raw = `OptimizedRegularExpression: cannot compile re2: ${pattern.slice(0, 80)}`
    throw new InvalidQuery(`Expected a regular expression, but this is "${pattern.slice(0, 80)}"`, 0, raw)
  }
}
