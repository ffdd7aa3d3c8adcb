import { expect, it } from 'vitest'
import { compileFormula } from './formula.ts'

it.each([
  ['A + B * 2', 5],
  ['A - B - 1', -2],
  ['A / B / 2', 0.25],
  ['(A + B) * -2', -6],
  ['--A - -B', 3],
  ['A / (A + B) * 3', 1],
  ['.5 * A', 0.5],
  // A series without a value counts as zero.
  ['A + C', 1],
  ['A / C', Number.NaN],
])('computes %s', (formula, value) => {
  expect(compileFormula(formula)([1, 2])).toBe(value)
})
