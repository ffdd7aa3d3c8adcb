import type { build as Build } from 'esbuild'

export interface Asset {
  readonly type: 'js' | 'css'
  readonly text: string
}

/** Bundles the script and the style of the page; `inputs` are its source files. The build imports this module, too. */
export async function bundlePage(build: typeof Build, folder: string) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: folder,
    entryPoints: { app: 'page/app.tsx', style: 'style.css' },
    outdir: 'out',
    bundle: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    logLevel: 'silent',
    metafile: true,
    write: false,
  })
  const assets: Readonly<Record<string, Asset>> = Object.fromEntries(
    outputFiles.map(({ path, text }): [string, Asset] => {
      const name = path.slice(path.lastIndexOf('out') + 4)
      return [name, { type: name.endsWith('.css') ? 'css' : 'js', text }]
    }),
  )
  return { assets, inputs: Object.keys(metafile.inputs) }
}
