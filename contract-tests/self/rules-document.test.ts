import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { renderRules, unplaced } from './rules-document.ts'

describe('RULES.md', () => {
  it('names the files of a check and a fault for every rule', () => {
    expect(unplaced()).toEqual([])
  })

  it('is fresh (npm run rules writes it anew)', () => {
    expect(readFileSync(new URL('../RULES.md', import.meta.url), 'utf8')).toBe(renderRules())
  })
})
