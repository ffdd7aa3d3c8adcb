/**
 * `npm run dev -- [options of mock]`: a mock with its console that restarts when the sources change, and the tests that a
 * change affects. Ctrl-C ends both.
 */
import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['fixtures', 'mock-server', 'contract-tests']
const bin = name => join(root, 'node_modules/.bin', name)
const start = (command, args) => spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })

/** tsx watches imported files only, and the mock bundles the page without importing it. */
const page = join(root, 'mock-server/console')
const mock = start(bin('tsx'), [
  'watch',
  '--clear-screen=false',
  ...['ts', 'tsx', 'css'].flatMap(type => ['--include', `${page}/**/*.${type}`]),
  'cli.ts',
  'mock',
  ...process.argv.slice(2),
])

/** The files that changed since the last run of the tests that passed. */
const changed = new Set()
let tests
let timer
function runTests() {
  tests?.kill('SIGINT')
  // Slow tests, which start processes and browsers or break every rule, run with `npm test` only.
  const slowTests = ['.ci/**', 'contract-tests/self/**', '**/*.browser.test.ts'].flatMap(glob => ['--exclude', glob])
  const run = start(bin('vitest'), ['related', '--run', '--passWithNoTests', ...slowTests, ...changed])
  tests = run
  run.once('exit', status => {
    if (tests === run && status === 0) changed.clear()
  })
}
for (const folder of folders) {
  watch(join(root, folder), { recursive: true }, (_, name) => {
    if (!/\.(?:tsx?|css|json|peggy)$/.test(name ?? '')) return
    changed.add(join(folder, name))
    clearTimeout(timer)
    // An editor writes a file in several steps, and a checkout many files.
    timer = setTimeout(runTests, 300)
  })
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    mock.kill(signal)
    tests?.kill(signal)
    process.exit()
  })
}
