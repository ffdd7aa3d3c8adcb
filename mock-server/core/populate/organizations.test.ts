import { describe, expect, it } from 'vitest'
import { readSize } from '../../world/size.ts'
import { layOutOrganizations } from './organizations.ts'
import { everywhere, populate } from './populate.ts'

const count = 100_000

describe('a world of many organizations', () => {
  it('has an id of its own for each', () => {
    const ids = layOutOrganizations(1, count, 0, 1).map(({ id }) => id)
    expect(new Set(ids).size).toBe(count)
  })

  it('has no key twice', () => {
    const size = readSize('lay out a world', { organizations: count })
    const ids = populate(1, size, 0)
      .plan('keys', everywhere)
      .map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(count - 10)
  })
})
