import { describe, expect, it } from 'vitest'
import { Budget } from './budget.ts'
import { constantOf } from './compiled.ts'
import { sqlFunctions } from './functions/sql-functions.ts'

const tooLong = 'Expected a query that takes less time: ask for a shorter time or by simpler expressions'
const tooLarge = 'Expected a query that needs less memory: ask for fewer groups or by shorter expressions'
const steps = 100_000_000

/** Creates a budget with the given number of steps left. */
function createBudget(left: number): Budget {
  const budget = new Budget()
  budget.spend(steps - left)
  return budget
}

describe('the budget of a query', () => {
  it('is spent to its last step by all parts of the query together', () => {
    const budget = createBudget(2)
    budget.spend(1)
    budget.spend(1)
    expect(() => budget.spend(1)).toThrow(expect.objectContaining({ sentence: tooLong }))
  })

  it('charges a step for eight characters', () => {
    createBudget(10).chargeCharacters(80)
    expect(() => createBudget(10).chargeCharacters(88)).toThrow(expect.objectContaining({ sentence: tooLong }))
  })

  it.each([
    ['a number', 1e9, 4],
    ['nothing', null, 4],
    ['an empty text', '', 4],
    ['a text of 80 characters', 'x'.repeat(80), 14],
    ['a list of 10 elements', Array.from({ length: 10 }, () => 1), 44],
    ['a list of a list of 80 characters', [['x'.repeat(80)]], 22],
    ['a map with 80 characters', { key: 'x'.repeat(80) }, 18],
  ])('charges a call with %s by its length', (_, value, cost) => {
    createBudget(cost).chargeArgument(value)
    expect(() => createBudget(cost - 1).chargeArgument(value)).toThrow(expect.objectContaining({ sentence: tooLong }))
  })

  it('charges nothing for a search for a short substring, and each position of the text for a long one', () => {
    const text = 'x'.repeat(640)
    const spent = createBudget(0)
    for (const length of [1, 32]) spent.chargeSearch(text, 'x'.repeat(length))
    expect(() => spent.spend(1)).toThrow(expect.objectContaining({ sentence: tooLong }))
    // 640 positions times 8 characters beyond the free 32, divided twice by 8.
    createBudget(80).chargeSearch(text, 'x'.repeat(40))
    expect(() => createBudget(79).chargeSearch(text, 'x'.repeat(40))).toThrow(
      expect.objectContaining({ sentence: tooLong }),
    )
  })

  it('allows 128 Mi characters and list elements in memory, and charges nothing for other values', () => {
    const budget = new Budget()
    const half = 'x'.repeat(64 * 1024 * 1024)
    budget.chargeMemory(half)
    budget.chargeMemory(half.slice(1))
    budget.chargeMemory(1)
    budget.chargeMemory([half])
    budget.chargeMemory(null)
    expect(() => budget.chargeMemory('x')).toThrow(expect.objectContaining({ sentence: tooLarge }))
  })

  it.each([
    ['initcap', 'a b '.repeat(1000), [], 20_000],
    ['format', '{0}'.repeat(1000), ['x'], 10_000],
    ['decodeURLComponent', '%41'.repeat(1000), [], 15_000],
    ['lengthUTF8', 'x'.repeat(4000), [], 4000],
    ['JSONLength', `[${'1,'.repeat(2000)}1]`, [], 4003],
    ['lower', 'éA'.repeat(2000), [], 4000],
    ['hasToken', 'a b '.repeat(1000), ['b'], 4000],
  ])('charges %s for each part of a text', (name, text, more, cost) => {
    const args = [text, ...more].map(value => constantOf('String', value))
    const run = (left: number) => {
      const compiled = sqlFunctions[name]!(args, createBudget(left))
      return 'run' in compiled && (compiled.run as (...texts: string[]) => unknown)(text, ...more)
    }
    expect(() => run(cost - 1)).toThrow(expect.objectContaining({ sentence: tooLong }))
    expect(() => run(cost)).not.toThrow()
  })
})
