import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'

const run = promisify(execFile)

/** The unpacked browser, and the folder of the system libraries that come with it. */
export interface UnpackedBrowser {
  readonly executable: string
  readonly libraries: string
}

/**
 * Unpacks the Chromium of the npm package, once for each version. Undefined without the package, and on all systems but
 * Linux on x64. The package's own code is not used: it would start any file `chromium` in the shared temporary folder,
 * even one that another test is still writing.
 */
export async function unpackChromium(): Promise<UnpackedBrowser | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined
  const home = findPackage()
  if (!home) return undefined
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  const cache = join(home, '../../.cache')
  const folder = join(cache, `stack-parity-chromium-${version}`)
  if (!existsSync(folder)) await unpack(join(home, 'bin'), cache, folder)
  return { executable: join(folder, 'chromium'), libraries: join(folder, 'lib') }
}

function findPackage(): string | undefined {
  try {
    return dirname(dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))))
  } catch {
    return undefined
  }
}

/** Unpacks into a temporary folder and renames it, because several test files may do so at the same time. */
async function unpack(packed: string, cache: string, folder: string) {
  await mkdir(cache, { recursive: true })
  const draft = await mkdtemp(join(cache, 'chromium-'))
  const executable = join(draft, 'chromium')
  const libraries = join(draft, 'libraries.tar')
  await Promise.all([
    decompress(join(packed, 'chromium.br'), executable),
    decompress(join(packed, 'al2023.tar.br'), libraries),
  ])
  await run('tar', ['-xf', libraries, '-C', draft])
  await chmod(executable, 0o755)
  await rename(draft, folder).catch(async error => {
    await rm(draft, { recursive: true })
    if (!existsSync(folder)) throw error
  })
}

function decompress(from: string, to: string): Promise<void> {
  return pipeline(createReadStream(from), createBrotliDecompress({ chunkSize: 2 ** 20 }), createWriteStream(to))
}
