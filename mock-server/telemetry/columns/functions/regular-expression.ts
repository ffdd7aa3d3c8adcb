import { RE2JS } from 're2js'
import { remember } from '../../../words/remember.ts'
import { Unreadable } from '../../query/unreadable.ts'
import { Budget } from '../budget.ts'

/** What it takes to compile a pattern, at least, for each of its characters, and for each instruction of the program. */
const stepsPerPattern = 1000
const stepsPerCharacter = 500
const stepsPerInstruction = 50

/** Patterns without alternatives and repetitions, which take no longer than reading the text. */
const isPlain = /^(?:[\w\s^$.,:;/@-]|\\[dws])*$/

/** Patterns that may look at all of the text before they find the next place: with alternatives or repeated groups. */
const isFarSighted = /\||\)[*+?{]/

/** To find places, for each instruction of the program and character; to test takes less. */
const stepsPerMove = 0.75

/** One place where a pattern was found: the text of the whole and of each group, and where it begins and ends. */
export interface Found {
  readonly groups: readonly string[]
  readonly from: number
  readonly to: number
}

export interface Pattern {
  test(text: string): boolean
  /** The places where it is found, one after the other, at most so many. */
  find(text: string, most?: number): readonly Found[]
  readonly groups: number
  /** It has no characters, and finds nothing that anybody looks for. */
  readonly isEmpty: boolean
}

/**
 * A regular expression as the database has them: RE2, where no pattern takes longer than its length times that of the text,
 * and where a dot is every character.
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
    // At worst, half of the program is looked at for each character.
    else budget.spend((length * instructions) / 2)
  }
  // Each group is a place that is copied along.
  const spend = (length: number) => budget.spend(length * instructions * (1 + groups) * stepsPerMove)
  const find = (text: string, most = Number.POSITIVE_INFINITY) => {
    const all: Found[] = []
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

/** So many are remembered: a pattern that is a column may be another one in each of a million rows. */
const mostPatterns = 1000

/** What is made of each pattern, once. */
export const patterns = <T>(make: (pattern: string) => T) => remember(make, mostPatterns)

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL)
  } catch {
    const raw = `OptimizedRegularExpression: cannot compile re2: ${pattern.slice(0, 80)}`
    throw new Unreadable(`Expected a regular expression, but this is "${pattern.slice(0, 80)}"`, 0, raw)
  }
}
