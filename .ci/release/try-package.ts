import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** A first use in CommonJS: imports every entry point but those for Vitest, Playwright and types. */
const commonJsProgram = `
  const { createMock, createMswHandlers, startMock } = require('stack-parity')
  if (require('stack-parity/mock-server').createMock !== createMock) throw new Error('There are two mocks.')
  if (require('stack-parity/contract-tests').rules.length === 0) throw new Error('The suite has no rules.')
  if (createMswHandlers(createMock({ as: 'self-hosted-2.36' })).length !== 2) throw new Error('There are no handlers.')
  startMock().then(({ close }) => close())
`

/** The same for the compiler, in CommonJS. */
const commonJsTypes = `
  import { setupServer } from 'msw/node'
  import { createMock, startMock } from 'stack-parity'
  import { rules } from 'stack-parity/contract-tests'
  import { createMswHandlers } from 'stack-parity/msw'
  import type { Alert } from 'stack-parity/types'
  setupServer(...createMswHandlers(createMock()))
  startMock().then(running => running.advance('5m'))
  // @ts-expect-error: this is no alert. Without types, it would be no error.
  const alert: Alert = rules
`
const commonJsOptions = [
  ['typescript', '--module', 'nodenext'],
  // The resolution that TypeScript 5 has for commonjs, which reads no exports.
  ['typescript-6', '--module', 'commonjs', '--moduleResolution', 'node10', '--ignoreDeprecations', '6.0'],
]

/** The package must work without the environment variables of the build. */
const env = { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' }

/** Compiles the examples with the settings of `tsc --init`, and with the packages that they import. */
async function compileExamples(folder: string): Promise<void> {
  const cwd = join(folder, 'examples')
  cpSync(join(folder, 'node_modules/stack-parity/mock-server/examples'), cwd, { recursive: true })
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }\n')
  // These lie beside the package, because its declarations import them, too.
  mkdirSync(join(folder, 'node_modules/@clickhouse'), { recursive: true })
  for (const name of ['vitest', 'msw', 'playwright-core', '@clickhouse/client'])
    symlinkSync(
      fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url)),
      join(folder, 'node_modules', name),
    )
  for (const option of ['--init', '--noEmit'])
    await promisify(execFile)(process.execPath, [compiler, option], { cwd, env }).catch(({ stdout }) => {
      throw new Error(`The examples do not compile with tsc --init:\n${stdout}`)
    })
}

/**
 * Installs a package in an empty folder, without a network and with an empty cache, and uses it there: the library in Node and
 * with the compiler, the mock, and the suite on that mock. Throws an error at the first failure.
 */
export async function tryPackage(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-try-'))
  const run = async (command: string, ...args: readonly string[]) => {
    await promisify(execFile)(command, args, { cwd: folder, env }).catch(({ message, stdout }) => {
      throw new Error(`${message}${stdout}`)
    })
  }
  try {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n')
    await run('npm', 'install', '--offline', '--cache', join(folder, 'cache'), file)
    const installed = readdirSync(join(folder, 'node_modules')).filter(name => !name.startsWith('.'))
    if (installed.join() !== 'stack-parity')
      throw new Error(`Expected stack-parity alone to be installed, but found ${installed.join(', ')}.`)

    copyFileSync(fileURLToPath(new URL('first-use.js', import.meta.url)), join(folder, 'first-use.js'))
    await run(process.execPath, 'first-use.js')
    const strictOptions = ['--checkJs', '--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2023,dom']
    await run(process.execPath, compiler, ...strictOptions, 'first-use.js')

    await run(process.execPath, '--input-type=commonjs', '-e', commonJsProgram)
    await compileExamples(folder)
    writeFileSync(join(folder, 'first-use.cts'), commonJsTypes)
    for (const [name, ...options] of commonJsOptions) {
      const tsc = fileURLToPath(new URL(`../../node_modules/${name}/bin/tsc`, import.meta.url))
      await run(process.execPath, tsc, '--noEmit', '--strict', '--skipLibCheck', ...options, 'first-use.cts')
    }

    const anyPorts = ['--cloud-port', '0', '--self-hosted-port', '0', '--console-port', '0']
    const command = join(folder, 'node_modules/.bin/stack-parity')
    const mock = spawn(command, ['mock', '--json', ...anyPorts], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    try {
      const ended = once(mock, 'exit').then(([status]) => Promise.reject(new Error(`The mock ended with ${status}.`)))
      const [target] = await Promise.race([once(createInterface(mock.stdout), 'line'), ended])
      writeFileSync(join(folder, 'target.json'), target)
      await run('npx', '--no', '--', 'stack-parity', 'verify', '--target', 'target.json')
    } finally {
      mock.kill()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
