import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run } from './run.ts'

const ports = ['--cloud-port', '0', '--self-hosted-port', '0', '--no-console']

it.each([
  ['0 when the world was saved', () => {}, 0, ''],
  ['1 when it could not be', (folder: string) => rmSync(folder, { recursive: true }), 1, 'there is no such folder'],
])('ends with %s', async (_, meanwhile, status, says) => {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-'))
  let written = ''
  let isUp = () => {}
  const up = new Promise<void>(resolve => {
    isUp = resolve
  })
  const ended = run(['--state', join(folder, 'world.json'), ...ports], {
    env: {},
    version: '0.0.0',
    stdout: { write: isUp },
    stderr: { write: text => (written += text) },
    stopped: () => up.then(() => meanwhile(folder)),
  })
  expect(await ended).toBe(status)
  expect(written).toContain(says)
  rmSync(folder, { recursive: true, force: true })
})

it.each([
  [
    ['--freeze', '--speed', '60'],
    'stack-parity mock: --freeze and --speed 60 contradict each other: leave one of them out.\n',
  ],
  [['--cors', 'none,http://a.test'], 'stack-parity mock: --cors none stands alone: leave out http://a.test.\n'],
])('refuses %j', async (args, says) => {
  let written = ''
  const silent = { write: () => {} }
  const stderr = { write: (text: string) => (written += text) }
  const around = { env: {}, version: '0.0.0', stdout: silent, stderr, stopped: () => Promise.resolve() }
  expect([await run([...args, ...ports], around), written]).toEqual([2, says])
})
