import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keepState } from '../faces/keep-state.ts'
import type { TargetFile } from '../index.ts'
import { createMock } from '../mock/mock.ts'
import { cli, startCommand } from '../testing/start-command.ts'

/** A module that kills its process, as `kill -9` does, when the state with the dashboard "Written too late" is written. */
const killHook = `
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
const { writeFile, rename } = fs
const kill = () => new Promise(() => process.kill(process.pid, 'SIGKILL'))
const isLastState = text => process.env.KILL_AT !== undefined && text.includes('Written too late')
let hasWritten = false
fs.writeFile = async (handle, pieces) => {
  let text = ''
  for await (const piece of pieces) text += piece
  hasWritten = isLastState(text)
  if (!hasWritten || process.env.KILL_AT !== 'in the middle') return writeFile(handle, text)
  await writeFile(handle, text.slice(0, text.length / 2))
  await kill()
}
fs.rename = (...args) => hasWritten ? kill() : rename(...args)
syncBuiltinESMExports()
`

it('a mock that is killed while it saves its state keeps the previously saved state', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  const hook = join(folder, 'kill-hook.mjs')
  const state = join(folder, 'state')
  writeFileSync(hook, killHook)
  /** Starts a mock, adds a dashboard to a named world, and stops the mock, which saves the state. */
  const runOnce = async (board: string, killAt?: string) => {
    const env = { NODE_OPTIONS: `--import ${hook}`, ...(killAt && { KILL_AT: killAt }) }
    const args = ['--json', '--cloud-port=0', '--self-hosted-port=0', '--console-port=0', '--state', `${state}/`]
    const mock = await startCommand(args, env)
    const opened = await fetch(`${mock.target.control!.baseUrl}/control/worlds`, {
      method: 'POST',
      body: '{"name":"job"}',
    })
    const { selfHosted }: TargetFile = await opened.json()
    const headers = { authorization: `Bearer ${selfHosted!.apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: board, tiles: [] })
    expect((await fetch(`${selfHosted!.baseUrl}/api/v2/dashboards`, { method: 'POST', headers, body })).status).toBe(
      200,
    )
    await mock.stop('SIGTERM')
    return { opened: opened.status, signal: mock.child.signalCode }
  }
  expect(await runOnce('Written')).toEqual({ opened: 201, signal: null })
  for (const killAt of ['in the middle', 'before the renaming']) {
    expect(await runOnce('Written too late', killAt)).toEqual({ opened: 200, signal: 'SIGKILL' })
    expect(readdirSync(state)).toEqual([
      '_first.json',
      '_lock',
      'job.json',
      expect.stringMatching(/^job\.json\.\d+\.tmp$/),
    ])
    const warnings: string[] = []
    const mock = createMock()
    const kept = await keepState(mock, state, { warn: sentence => warnings.push(sentence) })
    expect(warnings).toEqual([
      expect.stringMatching(/taken over from the mock with PID \d+ on host .+, whose process has ended\.$/),
    ])
    const boards = mock.worlds
      .open({ name: 'job' })
      .world.records.list('dashboard')
      .map(({ name }) => name)
    expect(boards).toContain('Written')
    expect(boards).not.toContain('Written too late')
    expect(await kept.close()).toBe(true)
    expect(readdirSync(state)).toEqual(['_first.json', 'job.json'])
  }
  rmSync(folder, { recursive: true })
}, 60_000)

it('a mock that nodemon restarts saves its state, and ends by the signal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  const state = join(folder, 'world.json')
  const mock = await startCommand([
    '--json',
    '--cloud-port=0',
    '--self-hosted-port=0',
    '--console-port=0',
    '--state',
    state,
  ])
  await fetch(`${mock.target.control!.baseUrl}/control/records/dashboards`, { method: 'POST', body: '{"name":"Kept"}' })
  await mock.stop('SIGUSR2')
  expect(mock.child.signalCode).toBe('SIGUSR2')
  expect(readFileSync(state, 'utf8')).toContain('Kept')
  rmSync(folder, { recursive: true })
})

const canMount = spawnSync('unshare', ['-m', 'true']).status === 0
it.skipIf(!canMount)(
  'a state file that is a mount is written in place, and its lock is said to hold here alone',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
    const [file, mount] = [join(folder, 'shared.json'), join(folder, 'mount.json')]
    for (const one of [file, mount]) writeFileSync(one, '')
    const script =
      'mount --bind "$0" "$1" && exec "$2" "$3" mock --json --cloud-port=0 --self-hosted-port=0 --console-port=0 --state "$1"'
    const child = spawn('unshare', ['-m', 'sh', '-c', script, file, mount, process.execPath, cli])
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    child.stdout.once('data', () => child.kill())
    await new Promise(resolve => child.once('close', resolve))
    expect(stderr).toContain('A mock in another container that mounts it is not kept away: mount its folder instead')
    expect([JSON.parse(readFileSync(file, 'utf8')).version, readFileSync(mount, 'utf8')]).toEqual([2, ''])
    rmSync(folder, { recursive: true })
  },
)
