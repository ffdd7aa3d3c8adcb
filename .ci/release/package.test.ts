import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire, Module as NodeModule } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import manifest from '../../package.json'
import declarations from '../declarations.json'
import { pack } from './pack.ts'
import { tryPackage } from './try-package.ts'

const root = new URL('../../', import.meta.url)
type Target = string | { readonly [condition: string]: Target }
const filesOf = (target: Target): readonly string[] =>
  typeof target === 'string' ? [target] : Object.values(target).flatMap(filesOf)

describe.each(Object.entries(manifest.exports as Record<string, Target>))(
  'the entry point %s of the package',
  (_, target) => {
    it.each(filesOf(target))('has the file %s', file => {
      const source = /^\.\/dist\/types\/(.+)\.d\.ts$/.exec(file)?.[1]
      if (source) expect(declarations.files).toContain(`../${source}.ts`)
      else expect(existsSync(new URL(file, root))).toBe(true)
    })
  },
)

it('the package does not bundle vitest, and has no dependencies', () => {
  expect(Object.keys(manifest)).not.toContain('dependencies')
  expect(readFileSync(new URL('dist/vitest.js', root), 'utf8')).toMatch(/from\s*"vitest"/)
})

it('no file of the package has a top-level await, which require() does not support', async () => {
  const dist = fileURLToPath(new URL('dist/', root))
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.js'))
  expect(files).toContain('cli.js')
  // CommonJS has no top-level await, so esbuild refuses to convert a file that has one.
  for (const name of files) await transform(readFileSync(join(dist, name), 'utf8'), { format: 'cjs', sourcefile: name })
})

it.each(['mock-server', 'mock-server.browser', 'contract-tests', 'contract-tests.browser'])(
  'require() loads the bundle %s',
  name => {
    const program = `console.log(Object.keys(require(${JSON.stringify(fileURLToPath(new URL(`dist/${name}.js`, root)))})).join())`
    const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(stdout).toContain(name.startsWith('mock') ? 'createMswHandlers' : 'verify')
  },
)

it.each(['mock-server', 'contract-tests', 'msw', 'types'])('Jest, which loads no ES module, can require %s', name => {
  const file = fileURLToPath(new URL(`dist/${name}.cjs`, root))
  const refuse = () => {
    throw new Error('Must use import to load an ES module')
  }
  // As Jest derives it from the class of Node.
  class Module extends NodeModule {
    static override createRequire = refuse
  }
  const loaded = { exports: {} }
  const load = new Function('module', '__filename', 'require', readFileSync(file, 'utf8'))
  load(loaded, file, (id: string) => (id === 'node:module' ? { Module } : refuse()))
  expect(Object.keys(loaded.exports)).toEqual(Object.keys(createRequire(import.meta.url)(`../../dist/${name}.js`)))
})

it.each(['mock-server', 'contract-tests'])('the browser bundle of %s imports no module, not even msw', name => {
  const text = readFileSync(new URL(`dist/${name}.browser.js`, root), 'utf8')
  const imported = [...text.matchAll(/(?:\bfrom|\bimport\(?)\s*"([\w@./:-]+)"/g)].map(([, module]) => module)
  expect(imported).toEqual([])
  // The query host runs only on ports, so no page has it.
  expect(text).not.toContain('runPostgres')
})

it.each(['mock-server', 'mock-server.browser'])(
  'the bundle %s creates the same world as its source, although it has only some of the words of Faker',
  async name => {
    const built = (await import(new URL(`dist/${name}.js`, root).href)) as { createMock: typeof createMock }
    for (const seed of [1, 2]) {
      const options = { seed, now: Date.parse('2026-03-01T00:00:00Z'), organizations: 20, members: 100 }
      expect(built.createMock(options).state()).toEqual(createMock(options).state())
    }
  },
)

it('the packed package has the files that its users need, and works in an empty folder', {
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-package-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // Packed in a copy, where declarations that are missing or old can be made: other tests run what is in dist.
  const copy = join(folder, 'copy')
  const copied = readdirSync(root).filter(name => !['.git', 'node_modules', 'reports'].includes(name))
  mkdirSync(copy)
  // Keeps the times, so that only what is older than its sources is built again.
  execFileSync('cp', ['-a', ...copied.map(name => fileURLToPath(new URL(name, root))), copy])
  symlinkSync(fileURLToPath(new URL('node_modules', root)), join(copy, 'node_modules'))
  const { file, files, unpackedSize } = await pack(copy, folder)
  const places = files.map(({ path }) => /^dist\/\w+(?=\/)|.+/.exec(path)?.[0])
  expect([...new Set(places)].sort()).toMatchInlineSnapshot(`
    [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "SECURITY.md",
      "contract-tests/README.md",
      "contract-tests/RULES.md",
      "contract-tests/guides/a-gate-on-staging.md",
      "contract-tests/guides/a-nightly-job.md",
      "contract-tests/guides/does-it-break-me.md",
      "contract-tests/guides/your-own-world.md",
      "dist/LICENSES.txt",
      "dist/baselines",
      "dist/chdb-child.js",
      "dist/chunks",
      "dist/cli.js",
      "dist/contract-tests.browser.js",
      "dist/contract-tests.cjs",
      "dist/contract-tests.d.cts",
      "dist/contract-tests.js",
      "dist/judge-worker.js",
      "dist/main.js",
      "dist/mock-server.browser.js",
      "dist/mock-server.cjs",
      "dist/mock-server.d.cts",
      "dist/mock-server.js",
      "dist/msw.cjs",
      "dist/msw.d.cts",
      "dist/msw.js",
      "dist/openapi",
      "dist/playwright.js",
      "dist/types",
      "dist/types.cjs",
      "dist/types.d.cts",
      "dist/types.d.ts",
      "dist/types.js",
      "dist/vitest.js",
      "fixtures/schemas/report.schema.json",
      "fixtures/schemas/usage.schema.json",
      "fixtures/targets/deployment.example.json",
      "mock-server/README.md",
      "mock-server/examples/README.md",
      "mock-server/examples/alerts-client.ts",
      "mock-server/examples/clickhouse/compose.yaml",
      "mock-server/examples/fixture.test.ts",
      "mock-server/examples/msw-in-node.test.ts",
      "mock-server/examples/playwright.spec.ts",
      "mock-server/examples/shared/compose.yaml",
      "mock-server/examples/shared/kubernetes.yaml",
      "mock-server/examples/sql-client.ts",
      "mock-server/guides/freeze-time.md",
      "mock-server/guides/instead-of-clickhouse-cloud.md",
      "mock-server/guides/one-world-per-test.md",
      "mock-server/guides/stub-an-answer.md",
      "mock-server/guides/the-vendors-next-document.md",
      "package.json",
    ]
  `)
  expect(unpackedSize).toBeLessThan(8_500_000)
  const readme = execFileSync('tar', ['-xzOf', file, 'package/README.md'], { encoding: 'utf8' })
  expect(readme).toContain('](contract-tests/RULES.md)')
  expect(readme).not.toContain('](CONTRIBUTING.md')
  expect(readme).not.toContain('.png')
  await tryPackage(file)
})
