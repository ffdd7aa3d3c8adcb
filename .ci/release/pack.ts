import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The output of `npm pack` about a package. */
export interface PackResult {
  /** The path of the package. */
  readonly file: string
  readonly integrity: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

export type Manifest = Readonly<Record<string, unknown>>

/** The manifest without scripts and `devDependencies`: a published package is never built again. */
export const publishedManifest = ({ scripts, devDependencies, allowScripts, ...manifest }: Manifest): Manifest =>
  manifest

/** A document in which links to unpublished files are replaced by their words, and unpublished images are removed. */
export function publishedText(text: string, document: string, files: readonly string[]): string {
  return text.replaceAll(/(!?)\[([^\]]+)\]\((?!https?:|#)([^)#]+)[^)]*\)/g, (link, image, words, path) => {
    if (files.includes(normalize(join(dirname(document), path)))) return link
    return image ? '' : words
  })
}

/**
 * Packs the files that npm selects, with the published manifest and documents. npm gives all files the same date and a fixed
 * order. With fixed permissions, too, the same sources give the same bytes on every machine.
 */
export async function pack(checkout: string, into: string): Promise<PackResult> {
  const staging = mkdtempSync(join(tmpdir(), 'stack-parity-pack-'))
  try {
    const chosen = await npmPack(checkout, staging)
    await run('tar', ['-xzf', chosen.file, '-C', staging])
    const files = chosen.files.map(({ path }) => path)
    const rewrite = (file: string, change: (text: string) => string) => {
      const path = join(staging, 'package', file)
      writeFileSync(path, change(readFileSync(path, 'utf8')))
    }
    rewrite('package.json', text => `${JSON.stringify(publishedManifest(JSON.parse(text)), null, 2)}\n`)
    for (const file of files) if (file.endsWith('.md')) rewrite(file, text => publishedText(text, file, files))
    await run('chmod', ['-R', 'u=rwX,go=rX', staging])
    return await npmPack(join(staging, 'package'), into)
  } finally {
    rmSync(staging, { recursive: true })
  }
}

async function npmPack(folder: string, into: string): Promise<PackResult> {
  const args = ['pack', '--json', '--loglevel=error', '--pack-destination', into]
  const { stdout } = await run('npm', args, { cwd: folder })
  const [packed] = JSON.parse(stdout)
  return { ...packed, file: join(into, packed.filename) }
}
