import { describe, expect, expectTypeOf, it } from 'vitest'
import { pluralOf } from './plural.ts'

describe('the plural of', () => {
  it.each([
    ['member', 'members'],
    ['activity', 'activities'],
    ['key', 'keys'],
    ['savedSearch', 'savedSearches'],
    ['postgres', 'postgres'],
  ])('%s is %s', (name, plural) => {
    expect(pluralOf(name)).toBe(plural)
  })

  it('a known name is known to the type checker, too', () => {
    expectTypeOf(pluralOf('savedSearch')).toEqualTypeOf<'savedSearches'>()
    expectTypeOf(pluralOf('activity')).toEqualTypeOf<'activities'>()
    expectTypeOf(pluralOf('key')).toEqualTypeOf<'keys'>()
    expectTypeOf(pluralOf('postgres')).toEqualTypeOf<'postgres'>()
  })
})
