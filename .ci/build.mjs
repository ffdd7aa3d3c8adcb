/**
 * Builds dist/: bundles without dependencies, and declarations. With --if-stale, only those that are older than a source: in a
 * checkout, `npx stack-parity` first links the checkout into npm's cache, which runs `prepare` and so this program. With
 * --bundles, no declarations, so that `npm start` does not wait for the compiler.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const sources = ['bin.mjs', 'cli.ts', 'package.json', '.ci/build.mjs', 'fixtures', 'mock-server', 'contract-tests']
/** Their dates are the starts of the builds that wrote them, so that a source that is saved meanwhile is newer. */
const stamp = join(root, 'dist/cli.js')
const declarationsStamp = join(root, 'dist/types/mock-server/index.d.ts')

/** The entry points of the package, in Node and in a browser. */
const entryPoints = {
  main: 'cli.ts',
  'mock-server': 'mock-server/index.ts',
  'contract-tests': 'contract-tests/index.ts',
  vitest: 'mock-server/vitest.ts',
  playwright: 'mock-server/playwright.ts',
}
/** Programs that the entry points start as threads or processes. */
const childPrograms = {
  'judge-worker': 'contract-tests/run/proxy/judge-worker.ts',
  'chdb-child': 'mock-server/sql/chdb/child.ts',
}
const browserEntryPoints = {
  'mock-server.browser': 'mock-server/browser.ts',
  'contract-tests.browser': 'contract-tests/browser.ts',
  // The same file everywhere, because it needs nothing of Node.
  msw: 'mock-server/msw.ts',
}

/** The entry points that `require` may name, and their declarations for a compiler in whose CommonJS it stands. */
const required = {
  'mock-server': "export * from './types/mock-server/index.js'",
  'contract-tests': "export * from './types/contract-tests/index.js'",
  types: "export * from './types.js'",
  // Here `msw` means its CommonJS, whose classes are other types.
  msw: `import type { HttpHandler } from 'msw'
export declare const createMswHandlers: (
  ...given: Parameters<typeof import('./types/mock-server/msw.js').createMswHandlers>
) => HttpHandler[]`,
}

/** Never bundled, because the package must use the copy of the user. */
const shared = ['msw', 'msw/*', 'vitest', 'vitest/*', '@playwright/test']

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minifySyntax: true,
  // Parsing takes a third of the time to start, and long names are a quarter of the text.
  minifyWhitespace: true,
  minifyIdentifiers: true,
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
  write: false,
}

async function bundle() {
  const began = new Date()
  // Imported on demand: they take half of the time of a start that builds nothing.
  const { build } = await import('esbuild')
  const node = await build({
    ...common,
    entryPoints: { ...entryPoints, ...childPrograms },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    platform: 'node',
    target: 'node20.19',
    external: shared,
    plugins: [onlyTheDatabase, onlyUsedWords, onlyUsedMediaTypes, parsers, await wholePage()],
    // Some bundled packages are CommonJS and require modules of Node.
    banner: { js: "import{createRequire as $require}from'node:module';const require=$require(import.meta.url);" },
  })
  const browser = await build({
    ...common,
    entryPoints: browserEntryPoints,
    outdir: 'dist',
    platform: 'browser',
    external: shared,
    plugins: [onlyTheDatabase, onlyUsedWords, noServers, parsers],
  })
  write([...node.outputFiles, ...browser.outputFiles])
  writeSizes(browser.outputFiles)
  copyBaselines()
  await writeDescriptions()
  execFileSync(process.execPath, ['--import', 'tsx', '.ci/types/write-types.ts'], { cwd: root, stdio: 'inherit' })
  writeRequired()
  writeLicences([node, browser].flatMap(({ metafile }) => Object.keys(metafile.inputs)).concat(pageInputs))
  utimesSync(stamp, began, began)
}

/**
 * Before Node 24.9 the `require` of Jest loads no ES modules, but that of Node does: Jest extends Node's class Module. What it
 * loads is the copy that `import` loads, too. A build in CommonJS would be another copy, of 2 MB.
 */
function writeRequired() {
  for (const [name, declarations] of Object.entries(required)) {
    const program = `const {Module}=require('node:module')
const {createRequire}=Object.getPrototypeOf(Module)
module.exports=(createRequire?createRequire(__filename):require)('./${name}.js')
`
    writeFileSync(join(root, `dist/${name}.cjs`), program)
    writeFileSync(join(root, `dist/${name}.d.cts`), `// @ts-nocheck\n${declarations}\n`)
  }
}

/** Removes old chunks last, because a mock may be running from the former build. */
function write(outputs) {
  const chunks = join(root, 'dist/chunks')
  mkdirSync(chunks, { recursive: true })
  for (const { path, contents } of outputs) writeFileSync(path, contents)
  copyFileSync(join(root, 'bin.mjs'), stamp)
  chmodSync(stamp, 0o755)
  const written = new Set(outputs.map(({ path }) => path))
  for (const name of readdirSync(chunks)) if (!written.has(join(chunks, name))) rmSync(join(chunks, name))
}

/**
 * Bundles only the used part of @mswjs/data: its request handlers would need all of msw and graphql, and of two large
 * libraries it uses one function each. With all of these, a start takes 310 ms of processor time instead of 120.
 */
const onlyTheDatabase = {
  name: 'only-the-database',
  setup({ onResolve, onLoad }) {
    const contents = {
      handlers: '',
      'date-fns': "exports.compareAsc = require('date-fns/compareAsc')",
      lodash: "exports.isFunction = require('lodash/isFunction')",
    }
    const isInside = importer => importer.includes(`${sep}@mswjs${sep}data${sep}`)
    onResolve(
      { filter: /^(date-fns|lodash|.*\/generate(Rest|GraphQL)Handlers)$/ },
      ({ path, importer, resolveDir }) => {
        if (!isInside(importer)) return undefined
        return { path: path in contents ? path : 'handlers', namespace: 'only', pluginData: resolveDir }
      },
    )
    onLoad({ filter: /.*/, namespace: 'only' }, ({ path, pluginData }) => ({
      contents: contents[path],
      resolveDir: pluginData,
    }))
  },
}

/**
 * Bundles only the used kinds of Faker's English words: with all of them, a page loads 303 KB, zipped, instead of 206, and a
 * start in Node takes 4 ms more. The use of a kind that is missing here throws, which the tests of the build notice.
 */
const onlyUsedWords = {
  name: 'only-used-words',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@faker-js\/faker\/locale\/en$/ }, ({ path, resolveDir }) => ({
      path,
      namespace: 'words',
      pluginData: resolveDir,
    }))
    onLoad({ filter: /.*/, namespace: 'words' }, async ({ pluginData: resolveDir }) => {
      const { faker } = await import('@faker-js/faker/locale/en')
      const { company, internet, person } = faker.rawDefinitions
      const words = { company, internet: { example_email: internet.example_email }, person }
      const contents = `import { Faker } from '@faker-js/faker'
        export const faker = new Faker({ locale: ${JSON.stringify(words)} })`
      return { contents, resolveDir }
    })
  },
}

/** A page has no SQL engine and no control plane, so it needs no query host and no lists of the console. This saves 4 KB, zipped. */
const noServers = {
  name: 'no-servers',
  setup({ onLoad }) {
    onLoad(
      { filter: /[\\/]families[\\/](service[\\/](sql[\\/]query-host|list-services)|alert[\\/]list-alerts)\.ts$/ },
      () => ({
        contents:
          'export const answerQueryHost = () => undefined, queryHostPaths = [], listServices = 0, listAlerts = 0',
      }),
    )
  },
}

/** Generates the parsers, and bundles them in place of telemetry/query/parsers.ts, so that Peggy is not bundled. */
const parsers = {
  name: 'parsers',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]query[\\/]parsers\.ts$/ }, async ({ path }) => {
      const { grammars } = await importAlone(join(dirname(path), 'grammars.ts'))
      const { default: peggy } = await import('peggy')
      const made = Object.entries(grammars).map(([name, { file, options }]) => {
        const grammar = readFileSync(join(dirname(path), file), 'utf8')
        return `${name}: ${peggy.generate(grammar, { ...options, output: 'source' })}.parse`
      })
      return { contents: `export const parsers = {${made.join()}}` }
    })
  },
}

/** Imports a TypeScript module that has no imports. */
async function importAlone(path) {
  const { transform } = await import('esbuild')
  const { code } = await transform(readFileSync(path, 'utf8'), { loader: 'ts' })
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

/** Includes the files of the console as texts. In a checkout, the mock bundles them on request. */
async function wholePage() {
  const { build } = await import('esbuild')
  const folder = join(root, 'mock-server/console')
  const { bundlePage } = await importAlone(join(root, 'mock-server/faces/control/page/bundle-page.ts'))
  const { assets, inputs } = await bundlePage(build, folder)
  pageInputs = inputs.map(input => input.replace(/^.*(?=node_modules\/)/, ''))
  return {
    name: 'whole-page',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]page[\\/]assets\.ts$/ }, () => ({
        contents: `export const readAssets = async () => (${JSON.stringify(assets)})`,
      }))
    },
  }
}
let pageInputs = []

/**
 * Bundles only the media types that the mock and its console send. Koa would load three copies of the list of all types, which
 * takes 25 of the 158 ms of processor time of a start.
 */
const onlyUsedMediaTypes = {
  name: 'only-used-media-types',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]mime-db[\\/]db\.json$/ }, ({ path }) => {
      const all = JSON.parse(readFileSync(path, 'utf8'))
      const texts = ['text/css', 'text/html', 'text/javascript', 'text/plain']
      const used = [...texts, 'application/json', 'application/octet-stream', 'image/svg+xml']
      const contents = JSON.stringify(Object.fromEntries(used.map(type => [type, all[type]])))
      return { contents, loader: 'json' }
    })
  },
}

function copyBaselines() {
  const from = join(root, 'fixtures/baselines')
  mkdirSync(join(root, 'dist/baselines'), { recursive: true })
  for (const name of existsSync(from) ? readdirSync(from) : []) {
    if (!name.endsWith('.ts')) copyFileSync(join(from, name), join(root, 'dist/baselines', name))
  }
}

/** Writes the sizes of the browser bundles, which a test limits. */
function writeSizes(outputs) {
  const sizes = outputs.map(({ path, contents }) => [
    basename(path),
    { bytes: contents.length, gzip: gzipSync(contents).length },
  ])
  writeFileSync(join(root, 'dist/sizes.json'), `${JSON.stringify(Object.fromEntries(sizes), null, 2)}\n`)
}

/** Writes the OpenAPI documents as files for other tools. */
async function writeDescriptions() {
  const { build } = await import('esbuild')
  const contents = `
    export { contract } from './fixtures/built-contract/index.ts'
    export { listRoutes } from './mock-server/core/dispatch/routes.ts'
    export { describe } from './mock-server/core/openapi/openapi.ts'
    export { resolveChoices } from './mock-server/gaps/choices.ts'`
  const stdin = { contents, resolveDir: root }
  const { outputFiles } = await build({ ...common, metafile: false, stdin, outdir: 'dist', platform: 'neutral' })
  const { contract, describe, listRoutes, resolveChoices } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  )
  const choices = resolveChoices(contract)
  const describeApi = api => describe(contract, api, listRoutes(contract, api, choices, 'observability'), choices)
  const folder = join(root, 'dist/openapi')
  mkdirSync(folder, { recursive: true })
  // Not indented, which would add half a megabyte to the package.
  writeFileSync(join(folder, 'cloud.json'), `${JSON.stringify(describeApi('cloud'))}\n`)
  writeFileSync(join(folder, 'self-hosted.json'), `${JSON.stringify(describeApi('selfHosted'))}\n`)
}

/** The licences of bundled packages require that their texts are distributed, too. */
function writeLicences(inputs) {
  const folders = inputs.map(input => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0])
  const texts = [...new Set(folders)]
    .filter(Boolean)
    .sort()
    .map(folder => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
      const file = readdirSync(join(root, folder)).find(entry => /^licen[cs]e/i.test(entry))
      const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : `Licence: ${license}`
      return `${name} ${version}\n\n${text}\n`
    })
  writeFileSync(join(root, 'dist/LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`))
}

function declare() {
  const began = new Date()
  const types = join(root, 'dist/types')
  rmSync(types, { recursive: true, force: true })
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.ci/declarations.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  const collected = new Set()
  for (const entryPoint of [...Object.values(entryPoints), ...Object.values(browserEntryPoints)]) {
    if (entryPoint !== entryPoints.main) collect(join(types, entryPoint.replace(/\.ts$/, '.d.ts')), collected)
  }
  for (const name of readdirSync(types, { recursive: true })) {
    const file = join(types, name)
    if (name.endsWith('.d.ts') && !collected.has(file)) rmSync(file)
  }
  utimesSync(declarationsStamp, began, began)
}

/**
 * Adapts the declarations that an entry point imports, and collects their paths; the compiler also writes others. Imports end
 * in .js, because the package has no .ts files. Declarations that import a package are not checked: it need not be installed.
 */
function collect(file, collected) {
  if (collected.has(file)) return
  collected.add(file)
  const text = readFileSync(file, 'utf8')
    .replace(/((?:from|import\()\s*['"]\.[^'"]+)\.ts(['"])/g, '$1.js$2')
    // Removes indentation and the sentences of the contract, a tenth of the package, which no compiler needs.
    .replace(/^ +/gm, '')
    .replace(/(readonly (?:description|sentence|asks|because)): "(?:[^"\\]|\\.)*";/g, '$1: string;')
    // Removes `readonly`, every third word of the contract's types: nobody assigns to these values.
    .replace(/readonly (?=\w+\??:|"[^"]*":|\[")/g, file.includes('/fixtures/contract/') ? '' : '$&')
  writeFileSync(file, /(?:from|import\()\s*['"](?!\.)/.test(text) ? `// @ts-nocheck\n${text}` : text)
  for (const [, path] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g)) {
    collect(join(dirname(file), `${path}.d.ts`), collected)
  }
}

const isStale = stamp => sources.some(source => newest(join(root, source)) > newest(stamp))

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return 0
  if (!stat.isDirectory()) return path.endsWith('.test.ts') ? 0 : stat.mtimeMs
  return Math.max(stat.mtimeMs, ...readdirSync(path).map(name => newest(join(path, name))))
}

/** Vitest calls this once before all tests, because the tests of the command line run the bundles. */
export async function setup() {
  if (isStale(stamp)) await bundle()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isNeeded = process.argv.includes('--if-stale') ? isStale : () => true
  if (isNeeded(stamp)) await bundle()
  if (!process.argv.includes('--bundles') && isNeeded(declarationsStamp)) declare()
}
