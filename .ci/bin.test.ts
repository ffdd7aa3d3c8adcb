import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import { engines } from '../package.json'

const bin = fileURLToPath(new URL('../dist/cli.js', import.meta.url))

/** Runs the command in a Node that reports another version. */
function runAs(version: string) {
  const program = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
    process.argv = [process.argv[0], 'stack-parity', '--version']
    import(${JSON.stringify(pathToFileURL(bin).href)})`
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

it.each(['10.24.1', '18.20.8', '20.18.9'])('the command refuses Node %s in one sentence', version => {
  const { status, stdout, stderr } = runAs(version)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(
    /^stack-parity needs Node 20\.19 or newer, and this is Node \S+ \(\/.*\): install a newer one.*\n$/,
  )
  expect(`>=${/Node ([\d.]+) or newer/.exec(stderr)![1]}`).toBe(engines.node)
})

it.each(['20.19.0', '22.0.0'])('the command runs in Node %s', version => {
  expect(runAs(version)).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})

it('the command can be parsed by old versions of Node: it imports nothing before the check, and uses no newer syntax', async () => {
  const text = readFileSync(bin, 'utf8')
  expect(text).not.toMatch(/^\s*import\s+[\w{*'"]/m)
  const flat = (code: string) => code.replace(/\/\/.*|[\s;"'`]/g, '')
  const options = { loader: 'js', minifySyntax: false, supported: { 'dynamic-import': true } } as const
  const [now, old] = await Promise.all(
    ['es2024', 'node10'].map(target => transform(text.replace(/^#!.*/, ''), { ...options, target })),
  )
  expect(flat(old!.code)).toBe(flat(now!.code))
})
