import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Operation, operations } from '../../fixtures/contract/index.ts'
import { findUnlinkedRules, operationAt, renderRules, vendorsOperations } from './rules-document.ts'

describe('RULES.md', () => {
  it('names the files of a check and a fault for every rule, which a rule without them has to get', () => {
    expect(findUnlinkedRules()).toEqual([])
  })

  it('is fresh (npm run rules writes it anew)', () => {
    expect(readFileSync(new URL('../RULES.md', import.meta.url), 'utf8')).toBe(renderRules())
  })
})

it("finds every documented operation of the cloud API in the vendor's list (fixtures/documents/cloud-operations.tsv; what is not there has another basis)", () => {
  const theirs = new Set(vendorsOperations.map(([, method, path]) => operationAt(method, path)?.[0]))
  const strange = Object.entries<Operation>(operations).filter(
    ([id, { basis, paths, editions, isPublic }]) =>
      basis === 'documented' &&
      editions === undefined &&
      !isPublic &&
      (paths.cloud || paths.managed) &&
      !theirs.has(id),
  )
  expect(strange.map(([id]) => id)).toEqual([])
})
