import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Operation, operations } from '../../fixtures/built-contract/index.ts'
import { findUnlinkedRules, findUnusedReasons, operationAt, renderRules, vendorsOperations } from './rules-document.ts'

describe('RULES.md', () => {
  it('names the files of a check and a fault for every rule', () => {
    expect(findUnlinkedRules()).toEqual([])
  })

  it('lists no reason that no check and no visit gives', () => {
    expect(findUnusedReasons()).toEqual([])
  })

  it('is up to date (npm run rules writes it)', () => {
    expect(readFileSync(new URL('../RULES.md', import.meta.url), 'utf8')).toBe(renderRules())
  })
})

it("every documented operation of the cloud API is in the vendor's list, cloud-operations.tsv; any other needs another basis", () => {
  const listed = new Set(vendorsOperations.map(([, method, path]) => operationAt(method, path)?.[0]))
  const missing = Object.entries<Operation>(operations).filter(
    ([id, { basis, paths, editions, isPublic }]) =>
      basis === 'documented' &&
      editions === undefined &&
      !isPublic &&
      (paths.cloud || paths.managed) &&
      !listed.has(id),
  )
  expect(missing.map(([id]) => id)).toEqual([])
})
