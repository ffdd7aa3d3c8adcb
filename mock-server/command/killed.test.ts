import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { keepState } from '../faces/keep-state.ts'
import type { TargetFile } from '../index.ts'
import { createMock } from '../mock/mock.ts'
import { startCommand } from '../testing/start-command.ts'

/** Kills the process that loads it, as `kill -9` does, when the state is written that holds the last board. */
const killer = `
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
const { open, rename } = fs
const die = () => new Promise(() => process.kill(process.pid, 'SIGKILL'))
const isMeant = text => process.env.DIES !== undefined && text.includes('Written too late')
let hasWritten = false
fs.open = async (...args) => {
  const handle = await open(...args)
  const write = handle.writeFile.bind(handle)
  handle.writeFile = async text => {
    hasWritten = isMeant(text)
    if (!hasWritten || process.env.DIES !== 'in the middle') return write(text)
    await write(text.slice(0, text.length / 2))
    await die()
  }
  return handle
}
fs.rename = (...args) => hasWritten ? die() : rename(...args)
syncBuiltinESMExports()
`

it('a process that is killed while it writes loses only what it was writing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  const hook = join(folder, 'killer.mjs')
  const state = join(folder, 'state')
  writeFileSync(hook, killer)
  /** Starts, adds a dashboard to a named world, and stops, which writes. */
  const runOnce = async (board: string, dies?: string) => {
    const env = { NODE_OPTIONS: `--import ${hook}`, ...(dies && { DIES: dies }) }
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
  for (const dies of ['in the middle', 'before the renaming']) {
    expect(await runOnce('Written too late', dies)).toEqual({ opened: 200, signal: 'SIGKILL' })
    expect(readdirSync(state)).toEqual([
      '_first.json',
      '_lock',
      'job.json',
      expect.stringMatching(/^job\.json\.\d+\.tmp$/),
    ])
    const complaints: string[] = []
    const mock = createMock()
    const kept = await keepState(mock, state, { warn: sentence => complaints.push(sentence) })
    expect(complaints).toEqual([
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
