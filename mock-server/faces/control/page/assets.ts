import { fileURLToPath } from 'node:url'
import { type Asset, bundlePage } from './bundle-page.ts'

/** The files of the page by name. From a checkout they are bundled when they are asked for; the build puts them here whole. */
export async function readAssets(): Promise<Readonly<Record<string, Asset>>> {
  const { build } = await import('esbuild')
  const { assets } = await bundlePage(build, fileURLToPath(new URL('../../../console/', import.meta.url)))
  return assets
}
