import { describe, expect, it } from 'vitest'
import { Budget } from './budget.ts'
import { constantOf } from './compiled.ts'
import { sqlFunctions } from './functions/sql-functions.ts'

const tooLong = 'Expected a query that takes less time: ask for a shorter time or by simpler expressions'
const tooLarge = 'Expected a query that needs less memory: ask for fewer groups or by shorter expressions'
const steps = 100_000_000

/** A budget with so many steps left. */
function withLeft(left: number): Budget {
  const budget = new Budget()
  budget.spend(steps - left)
  return budget
}

describe('the budget of a query', () => {
  it('is spent to its last step, by all parts together', () => {
    const budget = withLeft(2)
    budget.spend(1)
    budget.spend(1)
    expect(() => budget.spend(1)).toThrow(expect.objectContaining({ sentence: tooLong }))
  })

  it('takes eight characters for a step', () => {
    withLeft(10).read(80)
    expect(() => withLeft(10).read(88)).toThrow(expect.objectContaining({ sentence: tooLong }))
  })

  it.each([
    ['a number', 1e9, 4],
    ['nothing', null, 4],
    ['an empty text', '', 4],
    ['a text of 80 characters', 'x'.repeat(80), 14],
    ['a list of 10 elements', Array.from({ length: 10 }, () => 1), 44],
    ['a list of a list of 80 characters', [['x'.repeat(80)]], 22],
    ['a map with 80 characters', { key: 'x'.repeat(80) }, 18],
  ])('takes for a call with %s what its length costs', (_, value, cost) => {
    withLeft(cost).take(value)
    expect(() => withLeft(cost - 1).take(value)).toThrow(expect.objectContaining({ sentence: tooLong }))
  })

  it('takes nothing more for a short part, and for a long one each place of the text', () => {
    const text = 'x'.repeat(640)
    const spent = withLeft(0)
    for (const length of [1, 32]) spent.search(text, 'x'.repeat(length))
    expect(() => spent.spend(1)).toThrow(expect.objectContaining({ sentence: tooLong }))
    // 640 places, 8 characters beyond the short ones, 8 a step, 8 a step again.
    withLeft(80).search(text, 'x'.repeat(40))
    expect(() => withLeft(79).search(text, 'x'.repeat(40))).toThrow(expect.objectContaining({ sentence: tooLong }))
  })

  it('keeps texts up to 128 Mi characters together, lists by their elements, and counts nothing else', () => {
    const budget = new Budget()
    const half = 'x'.repeat(64 * 1024 * 1024)
    budget.keep(half)
    budget.keep(half.slice(1))
    budget.keep(1)
    budget.keep([half])
    budget.keep(null)
    expect(() => budget.keep('x')).toThrow(expect.objectContaining({ sentence: tooLarge }))
  })

  it.each([
    ['initcap', 'a b '.repeat(1000), [], 20_000],
    ['format', '{0}'.repeat(1000), ['x'], 10_000],
    ['decodeURLComponent', '%41'.repeat(1000), [], 15_000],
    ['lengthUTF8', 'x'.repeat(4000), [], 4000],
    ['JSONLength', `[${'1,'.repeat(2000)}1]`, [], 4003],
    ['lower', 'éA'.repeat(2000), [], 4000],
    ['hasToken', 'a b '.repeat(1000), ['b'], 4000],
  ])('has %s pay for each piece of a text', (name, text, more, cost) => {
    const args = [text, ...more].map(value => constantOf('String', value))
    const run = (left: number) => {
      const meaning = sqlFunctions[name]!(args, withLeft(left))
      return 'run' in meaning && (meaning.run as (...texts: string[]) => unknown)(text, ...more)
    }
    expect(() => run(cost - 1)).toThrow(expect.objectContaining({ sentence: tooLong }))
    expect(() => run(cost)).not.toThrow()
  })
})
