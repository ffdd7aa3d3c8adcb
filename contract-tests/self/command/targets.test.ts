import { describe, expect, it, onTestFinished } from 'vitest'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand } from './run-command.ts'

const unencrypted = { selfHosted: { baseUrl: 'http://api.example.test', apiKey: 'k' } }

describe('stack-parity on the command line', () => {
  it.each(['verify', 'compare', 'sweep'])(
    'refuses to send credentials over http: beyond loopback in %s',
    async command => {
      const folder = createFolder()
      const target = ['--target', folder.write('target.json', unencrypted)]
      const more = command === 'sweep' ? ['--ledger', folder.write('ledger', '')] : command === 'compare' ? target : []
      const refused = await runCommand(command, ...target, ...more)
      expect([refused.status, refused.stdout]).toEqual([2, ''])
      expect(refused.stderr).toContain('http://api.example.test would get the credentials unencrypted')
      expect((await runCommand(command, '--help')).stdout).toMatch(/^ {2}--insecure +allow credentials over http:/m)
    },
  )

  it('accepts http: beyond loopback with --insecure', async () => {
    const folder = createFolder()
    const files = ['--target', folder.write('target.json', unencrypted), '--ledger', folder.write('ledger', '')]
    expect((await runCommand('sweep', '--insecure', ...files)).stderr).toContain('it is no ledger of a run')
  })

  it('accepts the target file that a mock prints, and that of a further world', async () => {
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
      ['world.json', { ...(await world.json()), leftOut: ['a tile of a captured scenario is left out'] }],
    ] as const) {
      const { status } = await runCommand('verify', '--target', folder.write(name, text), '--read-only')
      expect([name, status]).toEqual([name, 0])
    }
  })

  it('accepts a section with its sign, §5', async () => {
    const [signed, plain] = await Promise.all(
      ['§5', '5'].map(section => runCommand('verify', '--section', section, '--list')),
    )
    expect([signed!.status, signed!.stdout]).toEqual([0, plain!.stdout])
  })
})
