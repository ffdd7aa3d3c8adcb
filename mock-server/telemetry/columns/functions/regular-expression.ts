import { RE2JS } from 're2js'
import { Unreadable } from '../../query/unreadable.ts'
import { Budget } from '../budget.ts'

/** What it takes to compile a pattern, at least, for each of its characters, and for each instruction of the program. */
const stepsPerPattern = 1000
const stepsPerCharacter = 500
const stepsPerInstruction = 50

/** Patterns without alternatives and repetitions, which take no longer than reading the text. */
const isPlain = /^(?:[\w\s^$.,:;/@-]|\\[dws])*$/

/**
 * The test of a regular expression as the database has them: RE2, where no pattern takes longer than its length times that
 * of the text, and where a dot is every character.
 */
export function regularExpression(pattern: string, budget = new Budget()): (text: string) => boolean {
  budget.spend(stepsPerPattern + pattern.length * stepsPerCharacter)
  const expression = compile(pattern)
  const instructions = expression.programSize()
  budget.spend(instructions * stepsPerInstruction)
  const plain = isPlain.test(pattern)
  return text => {
    if (plain) budget.read(text.length)
    // At worst, half of the program is looked at for each character.
    else budget.spend((text.length * instructions) / 2)
    return expression.test(text)
  }
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL)
  } catch {
    throw new Unreadable(`Expected a regular expression, but this is "${pattern.slice(0, 80)}"`)
  }
}
