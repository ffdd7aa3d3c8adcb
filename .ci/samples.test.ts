import { execFile } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readOptions } from '../mock-server/command/read-options.ts'
import { createMock } from '../mock-server/faces/create-mock.ts'
import { startMock } from '../mock-server/faces/serve.ts'
import { browserMissing, findBrowser, launchBrowser } from '../mock-server/testing/launch-browser.ts'

/** Runs the samples of the READMEs and guides unchanged, in a temporary folder. The text before a sample names its file. */

const root = new URL('../', import.meta.url)
const guides = ['mock-server/guides', 'contract-tests/guides'].flatMap(path =>
  readdirSync(new URL(path, root)).flatMap(name => (name.endsWith('.md') ? `${path}/${name}` : [])),
)
const documents = ['README.md', 'mock-server/README.md', 'contract-tests/README.md', ...guides]
  .map(name => readFileSync(new URL(name, root), 'utf8'))
  .join('\n')
const samples = new Map(
  [...documents.matchAll(/`([\w.-]+\.(?:[cm]?js|html|sh))`[^\n]*:\n\n```(?:js|html|sh)\n([\s\S]*?)```/g)].map(
    ([, name, text]) => [name!, text!],
  ),
)

const folder = mkdtempSync(join(tmpdir(), 'stack-parity-samples-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  mkdirSync(join(folder, 'node_modules'))
  // A copy instead of a link: Playwright compiles files that are outside of node_modules.
  for (const name of ['package.json', 'dist']) {
    cpSync(new URL(name, root), join(folder, 'node_modules/stack-parity', name), { recursive: true })
  }
  mkdirSync(join(folder, 'node_modules/.bin'))
  symlinkSync('../stack-parity/dist/cli.js', join(folder, 'node_modules/.bin/stack-parity'))
  mkdirSync(join(folder, 'node_modules/@playwright'))
  for (const name of ['msw', 'vitest', 'playwright', '@playwright/test']) {
    symlinkSync(fileURLToPath(new URL(`node_modules/${name}`, root)), join(folder, 'node_modules', name))
  }
  for (const [name, text] of samples) writeFileSync(join(folder, name), text)
})

const env = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', CI: '1' }
const run = async (...args: readonly string[]) =>
  (await promisify(execFile)(process.execPath, args, { cwd: folder, env })).stdout
/** Runs a shell script, and returns its exit status. The folder `first` precedes PATH. */
const runScript = (name: string, { args = [], first = '' }: { args?: readonly string[]; first?: string } = {}) =>
  new Promise<number>(resolve => {
    const options = { cwd: folder, env: { ...env, PATH: `${first}:${env.PATH}` } }
    execFile('sh', [name, ...args], options, error => resolve(Number(error?.code ?? 0)))
  })

describe('a sample of a README or guide', () => {
  it('has a file name, and is in the list of tested samples', () => {
    const programs = [...samples.keys()].filter(name => !name.endsWith('.sh'))
    expect(programs.length).toBe(documents.match(/```(?:js|html)\n/g)!.length)
    expect([...samples.keys()].sort()).toEqual([
      'cloud-client.mjs',
      'conformance.test.js',
      'documents.mjs',
      'gate.sh',
      'in-node.mjs',
      'keys.test.js',
      'members.test.js',
      'nightly.sh',
      'page.html',
      'page.js',
      'page.spec.js',
      'start.cjs',
      'stubs.test.js',
      'time.test.js',
      'worlds.spec.js',
      'worlds.test.js',
    ])
  })

  it.each(['start.cjs', 'in-node.mjs'])('runs: %s', async name => {
    expect(await run(name)).toMatch(/^\[\n? *'[\s\S]+\]\n$/)
  })

  it('runs: cloud-client.mjs', async () => {
    expect(await run('cloud-client.mjs')).toBe('shop is running\n')
  })

  it('runs: worlds.spec.js, and a failed test attaches its world', { timeout: 120_000 }, async () => {
    const failing = `import { expect, test } from 'stack-parity/playwright'
test('fails', async ({ mock }) => {
  mock.create('member', { name: 'Ada' })
  expect(mock.calls()).toHaveLength(1)
})`
    writeFileSync(join(folder, 'fails.spec.js'), failing)
    const cli = join(folder, 'node_modules/@playwright/test/cli.js')
    const reported = await run(cli, 'test', '--reporter=json', 'worlds.spec.js', 'fails.spec.js').catch(
      ({ stdout }) => stdout,
    )
    const { suites, stats } = JSON.parse(reported)
    expect([stats.expected, stats.unexpected]).toEqual([1, 1])
    const [{ attachments }] = suites.find(({ file }: { file: string }) => file === 'fails.spec.js').specs[0].tests[0]
      .results
    const world = attachments.find(({ name }: { name: string }) => name === 'world.json')
    const { snapshot } = JSON.parse(Buffer.from(world.body, 'base64').toString())
    const mock = createMock()
    mock.restore(snapshot)
    expect(mock.list('member').at(-1)!.name).toBe('Ada')
  })

  it('runs: page.spec.js, in a browser, and fails without its base', { timeout: 120_000 }, async context => {
    const launched = await findBrowser()
    if (!launched) return context.skip(browserMissing)
    await launched.browser.close()
    const { executablePath, env: { LD_LIBRARY_PATH } = {} } = launched.options
    const settings = { use: { launchOptions: { executablePath, env: { LD_LIBRARY_PATH } } } }
    writeFileSync(join(folder, 'browser.config.js'), `module.exports = ${JSON.stringify(settings)}`)
    const cli = join(folder, 'node_modules/@playwright/test/cli.js')
    // Without the line that the guide explains, the page finds no API.
    writeFileSync(join(folder, 'no-base.spec.js'), samples.get('page.spec.js')!.replace(/^test\.use.*$/m, ''))
    const printed = await run(
      cli,
      'test',
      '--config=browser.config.js',
      '--reporter=json',
      'page.spec.js',
      'no-base.spec.js',
    ).catch(({ stdout }) => stdout)
    const { suites, stats } = JSON.parse(printed)
    expect(stats).toMatchObject({ expected: 1, unexpected: 1 })
    expect(suites.find(({ file }: { file: string }) => file === 'no-base.spec.js').specs[0].ok).toBe(false)
  })

  it('runs: gate.sh, which notices a broken rule, and nightly.sh, which notices a missing field', {
    timeout: 180_000,
  }, async () => {
    const running = await startMock()
    const { mock } = running
    try {
      writeFileSync(join(folder, 'staging.json'), JSON.stringify(running.target()))
      const keep = 'verify --target staging.json --read-only --update-baseline staging.baseline.json'
      await run(join(folder, 'node_modules/.bin/stack-parity'), ...keep.split(' '))
      mock.setFaults(['member/role-is-admin-or-developer'])
      expect(await runScript('gate.sh')).toBe(1)
      expect(readFileSync(join(folder, 'reports/junit.xml'), 'utf8').match(/<failure/g)).toHaveLength(1)
      mock.setFaults([])
      mock.stub({
        when: { operation: 'organization.get' },
        change: answer => {
          delete answer.body.result.name
        },
      })
      const args = [`${running.target().control!.baseUrl}/control/openapi/cloud.json`]
      expect(await runScript('nightly.sh', { args })).toBe(1)
      expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toMatch(
        /organization\.get.*name|name.*organization\.get/,
      )
      // npm fails with 1, which must not mean that a rule is broken.
      const first = join(folder, 'failing')
      mkdirSync(first)
      writeFileSync(join(first, 'npx'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
      expect([await runScript('gate.sh', { first }), await runScript('nightly.sh', { args, first })]).toEqual([2, 2])
    } finally {
      await running.close()
    }
  })

  it('runs: every Vitest test', { timeout: 180_000 }, async () => {
    const mock = await startMock()
    try {
      writeFileSync(join(folder, 'target.json'), JSON.stringify(mock.target()))
      const tests = [...samples.keys()].filter(name => name.endsWith('.test.js') && name !== 'keys.test.js')
      const printed = await run(join(folder, 'node_modules/vitest/vitest.mjs'), 'run', '--maxWorkers=1', ...tests)
      expect(printed).toMatch(/Test Files +5 passed[\s\S]*Tests +\d{3} passed/)
    } finally {
      await mock.close()
    }
  })

  it('runs: keys.test.js and documents.mjs, with the output that the guide shows', { timeout: 60_000 }, async () => {
    // In CI, less is printed.
    const runAsUser = (args: readonly string[], more = {}) =>
      promisify(execFile)(process.execPath, args, { cwd: folder, env: { ...env, CI: '', ...more } })
    const command = (...args: readonly string[]) => runAsUser([join(folder, 'node_modules/.bin/stack-parity'), ...args])
    const vitest = [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', 'keys.test.js']
    await runAsUser(vitest, { STACK_PARITY_USAGE: 'usage.json' })
    await command('usage', 'merge', 'usage.json', '--out', 'usage.json')
    await runAsUser(['documents.mjs'])
    const guide = readFileSync(new URL('contract-tests/guides/does-it-break-me.md', root), 'utf8')
    const [, words = '', shown = ''] = /npx stack-parity (verify .*)\n```[\s\S]*?```\n(Drift[\s\S]*?)```/.exec(guide)!
    const failed = await command(...words.split(' ')).catch(error => error)
    const withoutIds = (text: string) => text.replace(/"requestId":"[^"]*"/g, '"requestId":""')
    expect([failed.code, withoutIds(failed.stdout)]).toEqual([1, withoutIds(shown)])
  })

  it('runs: page.html, opened from disk', { timeout: 60_000 }, async context => {
    const browser = await launchBrowser()
    if (!browser) return context.skip(browserMissing)
    const mock = await startMock()
    try {
      const port = new URL(mock.target().selfHosted!.baseUrl).port
      writeFileSync(join(folder, 'page.html'), samples.get('page.html')!.replace('127.0.0.1:8000', `127.0.0.1:${port}`))
      const page = await browser.newPage()
      await page.goto(`file://${folder}/page.html`)
      await page.waitForFunction(() => document.querySelectorAll('li').length > 1)
    } finally {
      await browser.close()
      await mock.close()
    }
  })

  it('runs: page.js', { timeout: 120_000 }, async context => {
    const browser = await launchBrowser()
    if (!browser) return context.skip(browserMissing)
    const site = join(folder, 'site')
    const settings = {
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { outDir: site, target: 'es2022' },
    } as const
    writeFileSync(join(folder, 'index.html'), '<!doctype html><body><script type="module" src="page.js"></script>')
    await build({ ...settings, build: { ...settings.build, emptyOutDir: true } })
    copyFileSync(createRequire(import.meta.url).resolve('msw/mockServiceWorker.js'), join(site, 'mockServiceWorker.js'))
    const server = await preview({ ...settings, preview: { host: '127.0.0.1', port: 0 } })
    try {
      const page = await browser.newPage()
      await page.goto(server.resolvedUrls!.local[0]!)
      await page.waitForFunction(() => document.body.textContent!.includes(', '))
    } finally {
      await server.close()
      await browser.close()
    }
  })
})

describe('an example of the package', () => {
  const examples = new URL('mock-server/examples/', root)
  const names = readdirSync(examples).filter(name => name.endsWith('.ts'))
  it.each(names)('imports only other examples and known packages: %s', name => {
    const text = readFileSync(new URL(name, examples), 'utf8')
    const imported = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, module]) => module!)
    const siblings = imported.filter(module => module.startsWith('.'))
    // An import of x.js finds the source x.ts.
    expect(siblings.filter(module => !names.includes(module.replace(/^\.\/(.*)\.js$/, '$1.ts')))).toEqual([])
    const packages = imported.filter(module => !module.startsWith('.')).map(module => module.split('/')[0])
    expect(['stack-parity', 'vitest', 'msw', 'playwright-core', '@clickhouse']).toEqual(
      expect.arrayContaining(packages),
    )
  })
})

describe.each(['compose.yaml', 'kubernetes.yaml'])('the shared mock of %s', name => {
  const text = readFileSync(new URL(`mock-server/examples/shared/${name}`, root), 'utf8')

  it('is started with existing options, and with a folder for its worlds', () => {
    const [, words = ''] = /(?:command|args): \[mock, (.+)\]/.exec(text) ?? []
    const variables = Object.fromEntries([...text.matchAll(/STACK_PARITY_\w+/g)].map(([variable]) => [variable, 'x']))
    expect(readOptions(words.split(', '), variables)).toEqual({
      host: '0.0.0.0',
      state: '/state/',
      'world-idle': 43_200_000,
      'console-token': 'x',
    })
    expect(text).toMatch(/(?:mountPath: |state:)\/state\b/)
  })

  it('is probed at paths of the console port that answer 200', async () => {
    const running = await startMock()
    const paths = [...text.matchAll(/\/(?:health|ready)\b/g)].map(([path]) => path)
    expect(paths).toContain('/ready')
    for (const path of paths) expect((await fetch(running.target().control!.baseUrl + path)).status).toBe(200)
    await running.close()
  })
})
