import { describe, expect, it, onTestFinished } from 'vitest'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand } from './run-command.ts'

const open = { selfHosted: { baseUrl: 'http://api.example.test', apiKey: 'k' } }

describe('a target file on the command line', () => {
  it.each(['verify', 'compare', 'sweep'])('gets no credentials over http: beyond loopback from %s', async command => {
    const folder = createFolder()
    const target = ['--target', folder.write('target.json', open)]
    const more = command === 'sweep' ? ['--ledger', folder.write('ledger', '')] : command === 'compare' ? target : []
    const refused = await runCommand(command, ...target, ...more)
    expect([refused.status, refused.stdout]).toEqual([2, ''])
    expect(refused.stderr).toContain('http://api.example.test would get the credentials unencrypted')
    expect((await runCommand(command, '--help')).stdout).toMatch(/^ {2}--insecure +allow credentials over http:/m)
  })

  it('goes on with --insecure, to what is wrong next', async () => {
    const folder = createFolder()
    const files = ['--target', folder.write('target.json', open), '--ledger', folder.write('ledger', '')]
    expect((await runCommand('sweep', '--insecure', ...files)).stderr).toContain('it is no ledger of a run')
  })

  it('may be what a mock says of itself, and of a world of its own', async () => {
    const { target, close } = await startMock()
    onTestFinished(close)
    const worlds = new URL('/control/worlds', target.control!.baseUrl)
    const world = await fetch(worlds, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"seed": 7}',
    })
    const folder = createFolder()
    for (const [name, text] of [
      ['mock.json', target],
      ['world.json', await world.json()],
    ] as const) {
      const { status } = await runCommand('verify', '--target', folder.write(name, text), '--read-only')
      expect([name, status]).toEqual([name, 0])
    }
  })

  it('takes a section with its sign', async () => {
    const [signed, plain] = await Promise.all(
      ['§5', '5'].map(section => runCommand('verify', '--section', section, '--list')),
    )
    expect([signed!.status, signed!.stdout]).toEqual([0, plain!.stdout])
  })
})
