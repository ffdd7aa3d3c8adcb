import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { bundlePage } from './bundle-page.ts'

it('the console loads less than 50 KiB, zipped, for its first view, without charts and reference', async () => {
  const { assets } = await bundlePage(build, fileURLToPath(new URL('../../../console/', import.meta.url)))
  const firstFiles = new Set(['style.css', 'app.js'])
  // The loop also visits the names that it adds to the set.
  for (const name of firstFiles) {
    for (const [, imported] of assets[name]!.text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) firstFiles.add(imported!)
  }
  const bytes = [...firstFiles].reduce((sum, name) => sum + gzipSync(assets[name]!.text).length, 0)
  expect(bytes).toBeLessThan(50 * 1024)
  const isLoadedFirst = (text: string) =>
    [...firstFiles].some(name => name.endsWith('.js') && assets[name]!.text.includes(text))
  // Texts that only the overview, the reference and uPlot have.
  expect(['Key secret', 'Search operations', 'u-over'].map(isLoadedFirst)).toEqual([true, false, false])
})
