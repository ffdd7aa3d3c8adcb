import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dist } from './built-mock.ts'
import { type Chapter, round } from './chapter.ts'

interface PackResult {
  readonly size: number
  readonly unpackedSize: number
  readonly entryCount: number
}

/** Measures the size of the package, and of the bundles for browsers. */
export function measurePackage(): Chapter {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  })
  const [{ size, unpackedSize, entryCount }] = JSON.parse(packed) as [PackResult]
  const sizes = JSON.parse(readFileSync(`${dist}sizes.json`, 'utf8')) as Record<string, { bytes: number; gzip: number }>
  const kibibytes = (bytes: number) => round(bytes / 1024, 0)
  return {
    title: 'Size',
    description: 'The package has no dependencies, so the installed size is the unpacked size.',
    rows: [
      { what: `npm install, ${entryCount} files`, KiB: kibibytes(unpackedSize), 'KiB compressed': kibibytes(size) },
      ...Object.entries(sizes).map(([what, { bytes, gzip }]) => ({
        what,
        KiB: kibibytes(bytes),
        'KiB compressed': kibibytes(gzip),
      })),
    ],
  }
}
