import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { recogniseMock } from '../engine/target/own-mock.ts'
import { parseTarget } from '../engine/target/target.ts'
import { verify } from '../index.ts'
import { createFolder, runCommand } from './command/run-command.ts'
import { startProxy } from './command/start-proxy.ts'
import { createDirectClient, directTarget } from './direct-client.ts'
import { startMock } from './start-mock.ts'

/** An address on loopback may be a tunnel to production, so it is no mock of ours unless a control plane lists it. */

/** A deployment behind a forwarder on loopback, as `kubectl port-forward` makes one. */
async function startTunnel() {
  const mock = await startMock()
  onTestFinished(mock.close)
  const { selfHosted, control } = mock.target
  const tunnel = await startProxy(selfHosted!.baseUrl)
  const { apiKey, ingestionKey } = selfHosted!
  const writes = () => tunnel.requests.filter(request => !/^(?:GET|HEAD|OPTIONS) /.test(request))
  return { target: { selfHosted: { baseUrl: tunnel.baseUrl, apiKey, ingestionKey } }, control, tunnel, writes, mock }
}

const few = ['--section', '2.5', '--rate', '1000']

describe('a run through a tunnel', () => {
  it.each([
    ['without a line about writes', {}],
    ['with "writes": false', { writes: false }],
    ['with the control plane of a mock elsewhere', 'control'],
  ])('only reads %s, and its first line says so', async (_, more) => {
    const { target, control, writes } = await startTunnel()
    const file = createFolder().write('t.json', { ...target, ...(more === 'control' ? { control } : (more as object)) })
    const { stderr } = await runCommand('verify', '--target', file, ...few)
    expect(writes()).toEqual([])
    const [first = ''] = stderr.split('\n')
    if (more === 'control' || !('writes' in (more as object)))
      expect(first).toMatch(/^http:\S+: no mock of ours \(.+\), .+ only reads; more is allowed by --allow-writes\.$/)
  })

  it('is planned by the contract, not on a copy of a mock elsewhere', async () => {
    const { target, control, tunnel } = await startTunnel()
    const file = createFolder().write('t.json', { ...target, control })
    const { stdout } = await runCommand('verify', '--target', file, '--plan', '--section', '2.5')
    expect(stdout).toMatch(/^About \d+ requests?/m)
    expect(tunnel.requests).toEqual([])
  })

  it('says how to send as fast as on a mock', async () => {
    const { target } = await startTunnel()
    const file = createFolder().write('t.json', target)
    const { stderr } = await runCommand('verify', '--target', file, '--rule', 'service/head')
    expect(stderr).toMatch(
      /^http.+ only reads and sends at most 0\.9 requests a second; .+ --allow-writes --rate 50\.\n/,
    )
  })

  it('writes with --allow-writes', async () => {
    const { target, writes } = await startTunnel()
    const file = createFolder().write('t.json', target)
    const { stderr } = await runCommand(
      'verify',
      '--target',
      file,
      '--allow-writes',
      '--rule',
      'dashboard/created-is-got',
      '--rate',
      '1000',
    )
    expect(writes().length).toBeGreaterThan(0)
    expect(stderr).toMatch(/^http.+ So this run does nothing that needs --allow-effects; .+ --allow-effects KIND\.\n/)
  })

  it.each([
    ['verify', ['--allow-writes'], '--allow-writes'],
    ['sweep', ['--ledger', 'none'], 'the deletions of a sweep'],
  ])('%s is refused if the target file forbids writes, with the line', async (command, more, asked) => {
    const { target, writes } = await startTunnel()
    const text = `{ // "writes": false is a remark here\n${JSON.stringify(target).slice(1, -1)},\n  "writes":\tfalse }`
    const { status, stderr } = await runCommand(command, '--target', createFolder().write('t.json', text), ...more)
    expect([status, writes()]).toEqual([2, []])
    expect(stderr).toContain(`\`"writes": false\` in line 3 of the target file forbids ${asked}.`)
  })

  it('is refused by the library if the target forbids writes, also on a mock', async () => {
    const { mock } = await startTunnel()
    const target = { ...mock.target, writes: false }
    await expect(verify({ target, readOnly: false })).rejects.toThrow('`"writes": false` of the target file forbids')
    await verify({ target, rules: ['dashboard/created-is-got'] })
    expect(mock.mock.calls(1000).filter(({ request }) => request.method !== 'GET')).toEqual([])
  })
})

describe('a mock of ours', () => {
  const decide = async (change: object) => {
    const { createMock } = await import('../../mock-server/index.ts')
    const { isMock } = await import('../engine/target/own-mock.ts')
    const mock = createMock({ logs: 1 })
    return isMock(await recogniseMock({ ...directTarget(mock), ...change }, createDirectClient(mock)))
  }

  it('is a target whose addresses its control plane lists', async () => {
    expect(await decide({})).toBe(true)
    expect(await decide({ selfHosted: undefined })).toBe(true)
  })

  it.each([
    ['names no control plane', { control: undefined }],
    ['names another one', { control: { baseUrl: 'http://elsewhere.localhost' } }],
    ['has another address', { selfHosted: { baseUrl: 'http://127.0.0.1:8000', apiKey: 'a' } }],
    ['asks SQL elsewhere', { sql: { host: '127.0.0.1', port: 8123 } }],
  ])('is none that %s', async (_, change) => {
    expect(await decide(change)).toBe(false)
  })

  it('is not the page of a proxy, which lists the addresses of a deployment', async () => {
    const { target } = await startTunnel()
    const listing = { baseUrl: 'http://page.localhost' }
    const { isMock } = await import('../engine/target/own-mock.ts')
    const client = { send: async () => ({ status: 200, headers: {}, text: JSON.stringify(target) }) }
    expect(isMock(await recogniseMock({ ...target, control: listing }, client))).toBe(false)
  })
})

it('init writes the lines about writes and the way to the deployment as remarks', async () => {
  const { target } = await startTunnel()
  const folder = createFolder()
  const given = ['--self-hosted', target.selfHosted.baseUrl, '--api-key', target.selfHosted.apiKey, '--rate', '1000']
  expect((await runCommand('init', ...given, '--out', folder.path('t.json'))).status).toBe(0)
  const text = readFileSync(folder.path('t.json'), 'utf8')
  for (const line of ['"writes": true, ', '"tls": {', '"headers": {', '"receiver": {'])
    expect(text).toContain(`  // ${line}`)
  // They are written so that only the slashes have to go.
  const env = { OSS_API_KEY: 'key', NAME: 'secret' }
  const { writes, tls, headers, receiver } = parseTarget(text.replace(/^ {2}\/\/ (?=")/gm, '  '), env)
  expect([writes, tls?.ca, headers, receiver?.listen]).toEqual([true, 'ca.pem', expect.anything(), '127.0.0.1:9009'])
})
