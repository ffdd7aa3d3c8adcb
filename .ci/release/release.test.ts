import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listObstacles, type ReleaseContext } from './obstacles.ts'
import { pack, publishedManifest, publishedText } from './pack.ts'
import { describeBundles } from './sbom.ts'

// npm takes a second or two each time, and more on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const root = fileURLToPath(new URL('../..', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

describe('listObstacles', () => {
  const ready: ReleaseContext = {
    manifest: { version: '1.2.3', repository: 'somewhere' },
    changelog: '# Changelog\n\n## 1.2.3 - 2026-11-21\n\n## 1.2.2 - 2026-01-01\n',
    changes: '',
    tags: ['v1.2.3'],
    env: { SIGSTORE_ID_TOKEN: 'token' },
  }

  it('returns no obstacle when everything is ready', () => {
    expect(listObstacles(ready)).toEqual({ toRelease: [], toPublish: [] })
  })

  it.each([
    { context: { changes: ' M cli.ts' }, description: /not committed:\n M cli\.ts/ },
    { context: { changelog: '## 1.2.2 - 2026-01-01' }, description: /about 1\.2\.2, package\.json about 1\.2\.3/ },
    { context: { changelog: '' }, description: /about undefined/ },
  ])('returns an obstacle to the release that matches $description', ({ context, description }) => {
    expect(listObstacles({ ...ready, ...context }).toRelease).toEqual([expect.stringMatching(description)])
  })

  it.each([
    { context: { changelog: '## 1.2.3 - unreleased' }, description: /needs the day of 1\.2\.3/ },
    { context: { tags: ['v1.2.2'] }, description: /needs the tag v1\.2\.3/ },
    { context: { manifest: { version: '1.2.3' } }, description: /needs "repository"/ },
    { context: { env: { GITHUB_ACTIONS: 'true' } }, description: /id-token: write/ },
  ])('returns an obstacle to the publication that matches $description', ({ context, description }) => {
    const { toRelease, toPublish } = listObstacles({ ...ready, ...context })
    expect({ toRelease, toPublish }).toEqual({ toRelease: [], toPublish: [expect.stringMatching(description)] })
  })
})

describe('the packed package', () => {
  it('has no scripts and no development dependencies', () => {
    const { scripts, devDependencies, allowScripts, ...published } = manifest
    expect(publishedManifest(manifest)).toEqual(published)
    expect(scripts).toBeDefined()
    expect(published).not.toHaveProperty('dependencies')
  })

  it('has no links to files that it does not contain', () => {
    const text = '[a](b.md#c) [**a**](../x.ts#L1) [a](#c) [a](https://b.example/) ![a](../p.png)'
    expect(publishedText(text, 'docs/README.md', ['docs/b.md', 'p.png'])).toBe(
      '[a](b.md#c) **a** [a](#c) [a](https://b.example/) ![a](../p.png)',
    )
  })

  it('is identical for any folder, time, file mode and order in which its files were written', async () => {
    const manifestText = JSON.stringify({ name: 'thing', version: '1.0.0', scripts: { install: 'exit 1' } })
    const files = { 'b.js': '// b', 'package.json': manifestText, 'a.js': '// a' }
    const write = (entries: [string, string][], mode: number, time: number) => {
      const folder = mkdtempSync(join(tmpdir(), 'stack-parity-pack-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      for (const [name, text] of entries) {
        writeFileSync(join(folder, name), text, { mode })
        utimesSync(join(folder, name), time, time)
      }
      mkdirSync(join(folder, 'into'))
      return pack(folder, join(folder, 'into'))
    }
    const packed = await write(Object.entries(files), 0o644, 1)
    const rewritten = await write(Object.entries(files).reverse(), 0o600, 1e9)
    expect(packed.files.map(({ path }) => path)).toEqual(['a.js', 'b.js', 'package.json'])
    expect(rewritten.integrity).toBe(packed.integrity)
    expect(readFileSync(rewritten.file)).toEqual(readFileSync(packed.file))
  })
})

it('the bill of materials lists every bundled package with its checksum, and no package that only builds or tests', () => {
  const { metadata, components, dependencies } = describeBundles(root)
  expect(metadata.component).toMatchObject({ name: manifest.name, version: manifest.version })
  const names = components.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['koa', '@mswjs/data', '@faker-js/faker', 'supertest', 'zod', 'uplot']))
  for (const name of ['vitest', 'esbuild', 'typescript', 'msw']) expect(names).not.toContain(name)
  expect(components.filter(({ hashes }) => hashes?.[0]?.alg !== 'SHA-512')).toEqual([])
  const references = new Set(components.map(component => component['bom-ref']))
  expect(new Set(dependencies.flatMap(({ dependsOn }) => dependsOn))).toEqual(references)
})
