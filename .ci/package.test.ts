import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import manifest from '../package.json'
import declarations from './declarations.json'

const root = new URL('../', import.meta.url)
type Target = string | { readonly [condition: string]: Target }
const filesOf = (target: Target): readonly string[] =>
  typeof target === 'string' ? [target] : Object.values(target).flatMap(filesOf)

describe.each(Object.entries(manifest.exports as Record<string, Target>))('the door %s of the package', (_, target) => {
  it.each(filesOf(target))('leads to what is built: %s', file => {
    const source = /^\.\/dist\/types\/(.+)\.d\.ts$/.exec(file)?.[1]
    if (source) expect(declarations.files).toContain(`../${source}.ts`)
    else expect(existsSync(new URL(file, root))).toBe(true)
  })
})

it('is no second copy of what a test has: msw and vitest are only asked for', () => {
  expect(Object.keys(manifest)).not.toContain('dependencies')
  expect(readFileSync(new URL('dist/vitest.js', root), 'utf8')).toMatch(/from\s*"vitest"/)
})

it.each(['mock-server', 'contract-tests'])('asks for nothing but msw in a page: %s', name => {
  const text = readFileSync(new URL(`dist/${name}.browser.js`, root), 'utf8')
  const asked = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*"([\w@./:-]+)"/g)].map(([, module]) => module)
  expect(new Set(asked)).toEqual(new Set(name === 'mock-server' ? ['msw/core/http'] : []))
})
