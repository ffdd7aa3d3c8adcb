import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/** The two programs are two readers of one document: data is shared, judgement is not. */

const root = new URL('../../', import.meta.url)
const files = (folder: string) =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => ({ name: `${folder}/${name}`, text: readFileSync(new URL(`${folder}/${name}`, root), 'utf8') }))

/** Module names that a file imports, of types too. */
const importsOf = (text: string) => [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(match => match[1]!)
const importing = (folder: string, wanted: RegExp, except: RegExp = /^$/) =>
  files(folder)
    .filter(({ name, text }) => !except.test(name) && importsOf(text).some(module => wanted.test(module)))
    .map(({ name }) => name)

describe('the layers', () => {
  it('keeps the suite from the mock, but where they are put together', () => {
    expect(importing('contract-tests', /mock-server\//, /^contract-tests\/(?:self\/|conformance\.test\.ts$)/)).toEqual(
      [],
    )
  })

  it('keeps the mock from the suite', () => {
    expect(importing('mock-server', /contract-tests\//)).toEqual([])
  })

  it('keeps fixtures to data: they import nothing but themselves and hold no function', () => {
    expect(importing('fixtures', /^(?!\.\/)/)).toEqual([])
    expect(
      files('fixtures')
        .filter(({ text }) => /=>|\bfunction\b|\bclass\b/.test(text))
        .map(({ name }) => name),
    ).toEqual([])
  })

  it('keeps Node out of the core, so that it runs in a browser', () => {
    expect(importing('mock-server/core', /^node:/, /\.test\.ts$/)).toEqual([])
    const nodeWords = /\b(?:Buffer|process)\b\s*[.(]/
    expect(
      files('mock-server/core')
        .filter(({ name, text }) => !name.endsWith('.test.ts') && nodeWords.test(text))
        .map(({ name }) => name),
    ).toEqual([])
  })

  it('keeps @mswjs/data behind one file', () => {
    expect(importing('mock-server', /^@mswjs\/data/, /\.test\.ts$/)).toEqual(['mock-server/core/world.ts'])
  })
})
