import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { bundlePage } from './bundle-page.ts'

it('loads less than 50 KiB, zipped, for the first view; charts and the reference when they are opened', async () => {
  const { assets } = await bundlePage(build, fileURLToPath(new URL('../../../console/', import.meta.url)))
  const first = new Set(['style.css', 'app.js'])
  // A set is walked on over what is added meanwhile.
  for (const name of first) {
    for (const [, imported] of assets[name]!.text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) first.add(imported!)
  }
  const bytes = [...first].reduce((sum, name) => sum + gzipSync(assets[name]!.text).length, 0)
  expect(bytes).toBeLessThan(50 * 1024)
  const isFirst = (text: string) => [...first].some(name => name.endsWith('.js') && assets[name]!.text.includes(text))
  // Texts of the overview, of the reference and of uPlot.
  expect(['Key secret', 'Search operations', 'u-over'].map(isFirst)).toEqual([true, false, false])
})
