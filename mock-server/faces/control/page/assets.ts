import { fileURLToPath } from 'node:url'
import { type Asset, bundlePage } from './bundle-page.ts'

/** The files of the page by name. The build replaces this module by the bundled files; a checkout bundles them on demand. */
export async function readAssets(): Promise<Readonly<Record<string, Asset>>> {
  const { build } = await import('esbuild')
  const { assets } = await bundlePage(build, fileURLToPath(new URL('../../../console/', import.meta.url)))
  return assets
}
