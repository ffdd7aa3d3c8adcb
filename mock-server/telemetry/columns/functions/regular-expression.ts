import { Budget } from '../budget.ts'
import { readPattern } from './regular-pattern.ts'

/** What it takes to follow one way through a pattern past one character. */
const stepsPerWay = 2

const hasOneWay = /^(?:[\w\s^$.,:;/@-]|\\[dws])*$/

/**
 * The test of a regular expression as the database has them: all ways through a pattern are followed at once, so that none
 * takes longer than its length times that of the text. The engine of the language tries one way after the other, and with
 * patterns such as `(\w+\s?)*$` there are more of these than anybody can wait for.
 */
export function linearExpression(pattern: string, budget = new Budget()): (text: string) => boolean {
  const steps = readPattern(pattern, budget)
  if (hasOneWay.test(pattern)) {
    const quick = new RegExp(pattern, 'su')
    return text => {
      budget.search(text, pattern)
      return quick.test(text)
    }
  }
  const reachedIn = new Uint32Array(steps.length)
  let round = 0

  return text => {
    const signs = [...text]
    let current: number[] = []
    for (let at = 0; at <= signs.length; at++) {
      round++
      let work = 0
      const following: number[] = []
      // A match may begin at every place.
      const waiting = [0, ...current]
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        if (reachedIn[next] === round) continue
        reachedIn[next] = round
        work++
        const step = steps[next]
        if (!step) continue
        if (step.kind === 'end') return true
        if (step.kind === 'fork') for (const by of step.by) waiting.push(next + by)
        else if (step.kind === 'place') step.fits(signs, at) && waiting.push(next + 1)
        else if (at < signs.length && step.fits(signs[at]!)) following.push(next + 1)
      }
      budget.spend(work * stepsPerWay)
      current = following
    }
    return false
  }
}
