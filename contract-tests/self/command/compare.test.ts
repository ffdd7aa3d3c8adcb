import { describe, expect, it, onTestFinished } from 'vitest'
import { startMock } from '../../../mock-server/serve.ts'
import { createFolder, runCommand } from './run-command.ts'

async function start(options: Parameters<typeof startMock>[0]) {
  const running = await startMock(options)
  onTestFinished(running.close)
  return running
}

describe('stack-parity compare', () => {
  it('finds no difference between two deployments of the same world', async () => {
    const now = Date.parse('2026-01-05T10:00:00Z')
    const [one, other] = [await start({ now }), await start({ now })]
    const folder = createFolder()
    const { status, stdout } = await runCommand(
      'compare',
      '--target',
      folder.write('a.json', one.target),
      '--target',
      folder.write('b.json', other.target),
    )
    expect(stdout).toMatch(/^nothing differs between mock and mock/)
    expect(status).toBe(0)
  })

  it('names what differs by rule, with both values, and writes nothing', async () => {
    const [one, other] = [
      await start({}),
      await start({ choices: { selfHosted: { 'path/wrong-method': '404 html' } } }),
    ]
    const folder = createFolder()
    const { status, stdout } = await runCommand(
      'compare',
      '--target',
      folder.write('a.json', one.target),
      '--target',
      folder.write('b.json', other.target),
    )
    expect(status).toBe(1)
    expect(stdout).toMatch(/selfHosted:chart\.get .*path\/wrong-method\n {2}\$\.status: 405 \| 404/)
    expect(one.mock.calls(1000).every(call => ['GET', 'HEAD'].includes(call.request.method))).toBe(true)
  })
})
