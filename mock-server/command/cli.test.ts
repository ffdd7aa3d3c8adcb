import { type ChildProcess, execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { version } from '../../package.json'
import type { TargetFile } from '../index.ts'
import { cli, startCommand } from '../testing/start-command.ts'

const anyPorts = ['--cloud-port', '0', '--self-hosted-port=0', '--console-port', '0']

describe('stack-parity', () => {
  it('prints its version and its help', async () => {
    expect(await run('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' })
    const { status, stdout } = await run('--help')
    expect(status).toBe(0)
    for (const command of ['mock', 'verify', 'sweep', 'compare']) expect(stdout).toContain(`stack-parity ${command} `)
  })

  it('without arguments prints the help on stderr', async () => {
    const { status, stdout, stderr } = await run()
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toContain('stack-parity mock')
  })

  it('suggests the nearest command for an unknown command', async () => {
    expect(await run('mokc')).toMatchObject({ status: 2, stderr: expect.stringContaining('Did you mean mock?') })
    expect(await run('zzzz')).toMatchObject({
      status: 2,
      stderr: 'stack-parity has no command "zzzz". stack-parity --help lists the commands.\n',
    })
  })
})

describe('stack-parity mock', () => {
  const started: ChildProcess[] = []
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL')
  })

  const start = async (...args: string[]) => {
    const running = await startCommand([...anyPorts, ...args])
    started.push(running.child)
    return running
  }

  it('exits with an error when the ClickHouse of --telemetry does not answer', async () => {
    const { status, stderr } = await run('mock', ...anyPorts, '--telemetry', 'http://127.0.0.1:9/otel')
    const sentence = 'stack-parity mock: --telemetry: http://127.0.0.1:9 does not answer as a ClickHouse (ECONNREFUSED)'
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })

  it('prints its target file as the only line on stdout, once all ports answer', async () => {
    const mock = await start('--json')
    expect((await listMembers(mock.target)).status).toBe(200)
    const { baseUrl, apiKey } = mock.target.selfHosted!
    const dashboards = await fetch(`${baseUrl}/api/v2/dashboards`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(dashboards.status).toBe(200)
    const target = await fetch(`${mock.target.control!.baseUrl}/control/target`)
    expect(await target.json()).toEqual(mock.target)
    expect(await mock.stop('SIGTERM')).toMatchObject({ status: 0, lines: 1 })
  })

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'exits with status 0 within a second on %s, even while it answers a call',
    async signal => {
      const mock = await start('--json')
      const chaos = { method: 'PUT', body: '{"latencyMs":[30000,30000]}' }
      await fetch(`${mock.target.control!.baseUrl}/control/chaos`, chaos)
      const pending = listMembers(mock.target).catch(() => 'hung up')
      await fetch(`${mock.target.control!.baseUrl}/control/calls`)
      const began = performance.now()
      expect((await mock.stop(signal)).status).toBe(0)
      expect(performance.now() - began).toBeLessThan(1000)
      expect(await pending).toBe('hung up')
    },
  )

  it('prints its addresses, its credentials and curl lines at the start', async () => {
    const mock = await start('--json', '--seed', '7', '--tls', '--tls-port', '0')
    const { stderr } = await mock.stop('SIGTERM')
    const { cloud, selfHosted, control } = mock.target
    for (const text of [cloud!.baseUrl, cloud!.keySecret, selfHosted!.baseUrl, selfHosted!.apiKey, control!.baseUrl]) {
      expect(stderr).toContain(text)
    }
    expect(stderr).toMatch(/Seed +7/)
    expect(stderr).toMatch(/Cloud over TLS +https:/)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences for colours contain one.
    expect(stderr).not.toMatch(/\u001b/)
    expect(stderr.match(/^ +curl .*$/gm)).toHaveLength(3)
  })

  it('prints curl lines that a shell can run', async () => {
    const mock = await start('--json')
    const lines = (await mock.banner()).match(/^ +curl .*$/gm)!
    for (const line of lines) {
      const { stdout } = await runInShell(`${line.trim()} -s -o /dev/null -w '%{http_code}'`)
      expect(stdout).toBe('200')
    }
  })

  it('has the same credentials for the same seed, and different credentials for a different seed', async () => {
    const [one, same, other] = await Promise.all([
      start('--json', '--seed', '5'),
      start('--json', '--seed=5'),
      start('--json', '--seed', '6'),
    ])
    expect(same.target.cloud!.keySecret).toBe(one.target.cloud!.keySecret)
    expect(other.target.cloud!.keySecret).not.toBe(one.target.cloud!.keySecret)
  })

  it('reads options from environment variables, which the command line overrides', async () => {
    const env = { STACK_PARITY_SEGMENT: 'clickstack', STACK_PARITY_SEED: '5', STACK_PARITY_NO_CONSOLE: '1' }
    const mock = await startCommand(['--json', '--seed', '6', ...anyPorts], env)
    started.push(mock.child)
    const sameSeed = await start('--json', '--seed', '6')
    expect(mock.target.cloud).toMatchObject({
      observabilitySegment: 'clickstack',
      keyId: sameSeed.target.cloud!.keyId,
    })
    expect(mock.target.control).toBeUndefined()
  })

  it('creates a world of the given size', async () => {
    const mock = await start('--json', '--members', '23')
    const { result } = await (await listMembers(mock.target)).json()
    expect(result).toHaveLength(23)
  })

  it('breaks the rule of --fault', async () => {
    const mock = await start('--json', '--fault', 'envelope/status-equals-http')
    const response = await listMembers(mock.target)
    expect((await response.json()).status).not.toBe(response.status)
  })

  it('applies the chaos options, and prints them at the start', async () => {
    const env = { STACK_PARITY_LATENCY: '1-2', STACK_PARITY_CHAOS_OPERATION: 'member.list, alert.list' }
    const args = ['--json', '--drop-rate', '1', '--truncate-rate=.25', '--error-rate', '0', '--chaos-seed', '7']
    const { child, target, banner } = await startCommand([...args, ...anyPorts], env)
    started.push(child)
    expect(await (await fetch(`${target.control!.baseUrl}/control/chaos`)).json()).toEqual({
      latencyMs: [1, 2],
      errorRate: 0,
      dropRate: 1,
      truncateRate: 0.25,
      rateLimit: false,
      operations: ['member.list', 'alert.list'],
      seed: 7,
    })
    await expect(listMembers(target)).rejects.toThrow('fetch failed')
    expect(await banner()).toContain('1–2 ms, 100 % dropped, 25 % cut off, only member.list, alert.list')
  })

  it('makes the choices of the baseline that --as names', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'stack-parity-')), 'baseline.json')
    const choices = { selfHosted: { 'auth/missing-credentials': '401 text' } }
    writeFileSync(file, JSON.stringify({ choices, segment: 'stack' }))
    const mock = await start('--json', '--as', file)
    const response = await fetch(`${mock.target.selfHosted!.baseUrl}/api/v2/alerts`)
    expect([response.status, await response.text()]).toEqual([401, 'Unauthorized'])
    expect(mock.target.cloud!.observabilitySegment).toBe('stack')
  })

  it('saves its world in the file of --state, and continues with it after a restart', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'stack-parity-')), 'world.json')
    const mock = await start('--json', '--seed', '5', '--state', file)
    const { baseUrl, apiKey } = mock.target.selfHosted!
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const body = '{"name":"Kept","tiles":[]}'
    expect((await fetch(`${baseUrl}/api/v2/dashboards`, { method: 'POST', headers, body })).status).toBe(200)
    expect((await mock.stop('SIGTERM')).status).toBe(0)

    const restarted = await start('--json', '--state', file)
    expect(restarted.target.selfHosted!.apiKey).toBe(apiKey)
    const list = await fetch(`${restarted.target.selfHosted!.baseUrl}/api/v2/dashboards`, { headers })
    expect(await list.text()).toContain('Kept')
    expect((await restarted.stop('SIGINT')).stderr).toMatch(/Seed +5/)
  })

  it('evaluates alerts in real time, and delivers webhooks', async () => {
    const received: string[] = []
    const receiver = createHttpServer(async (request, response) => {
      for await (const chunk of request) received.push(String(chunk))
      response.end()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => receiver.once('listening', resolve))
    const { port } = receiver.address() as { port: number }
    const mock = await start('--json', '--evaluate-alerts', '--webhook-host', 'example.test')
    const control = `${mock.target.control!.baseUrl}/control`
    const state = await (await fetch(`${control}/state`)).json()
    const [webhook] = state.records.webhook['self-hosted']
    const alert = state.records.alert['self-hosted'].find(({ name }: { name: string }) => name === 'Nobody shops')
    Object.assign(webhook, { url: `http://localhost:${port}/in`, body: '{"title":"{{title}}"}' })
    Object.assign(alert, { threshold: 1e9, evaluatedUntil: undefined })
    expect((await fetch(`${control}/state`, { method: 'PUT', body: JSON.stringify(state) })).status).toBe(200)
    await expect.poll(() => received.some(text => text.includes('Nobody shops'))).toBe(true)
    const called = async () => {
      const calls = await (await fetch(`${control}/calls`)).json()
      return calls.find(({ request }: { request: { path: string } }) => request.path === webhook.url)?.response.status
    }
    await expect.poll(called).toBe(200)
    receiver.close()
  })

  it('prints the help with every option, its environment variable and its default', async () => {
    const { status, stdout } = await run('mock', '--help')
    expect(status).toBe(0)
    for (const option of ['host', 'cloud-port', 'as', 'fault', 'webhook-host', 'json']) {
      expect(stdout).toMatch(new RegExp(`--${option}\\b`))
      expect(stdout).toContain(`STACK_PARITY_${option.toUpperCase().replace('-', '_')}`)
    }
    expect(stdout).toContain('default: 8001')
    const options = stdout.split('\n').filter(line => /^ {2}--/.test(line))
    for (const line of options) expect(line).toMatch(/^ {2}--\S+(?: \S+)? {2,}\S/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
  })

  it.each([
    [['--cloud-prt', '1'], /^stack-parity mock: there is no option --cloud-prt\. Did you mean --cloud-port\?/],
    [['--constructor'], /there is no option --constructor\. stack-parity mock --help lists them\./],
    [['8001'], /"8001" is no option/],
    [['--cloud-port'], /--cloud-port needs a value: --cloud-port PORT/],
    [['--cloud-port', '70000'], /--cloud-port takes a port from 0 to 65535, not "70000"/],
    [['--seed', 'x'], /--seed takes a whole number from 0 to 9007199254740991, not "x"/],
    [['--seed', '1', '--seed', '2'], /--seed is given twice/],
    [['--now', 'soon'], /--now takes an ISO 8601 time or epoch milliseconds, from 1970 to 9999, not "soon"/],
    [['--json=maybe'], /--json takes true or false, not "maybe"/],
    [['--state', '/nowhere/world.json'], /--state \/nowhere\/world\.json: there is no such folder/],
    [['--state', cli], /--state .*: the file holds no world: .*It is not changed/],
    [['--evaluate-alerts=perhaps'], /--evaluate-alerts takes true or false, not "perhaps"/],
    [['--as', 'self-hosted-9'], /--as self-hosted-9: there is no such file/],
    [
      ['--as', 'self-hosted-2.23'],
      /--as self-hosted-2\.23: .* no baseline of this name\. Did you mean self-hosted-2\.24\?/,
    ],
    [
      ['--as', 'zzzz'],
      /no baseline of this name\. The package ships clickhouse-cloud, self-hosted-2\.24, self-hosted-2\.36\./,
    ],
    [['--as', cli], /--as .*cli\.js: it is not JSON: it ends or breaks at position 0/],
    [['--fault', 'envelope/status-equal-http'], /--fault takes .* Did you mean envelope\/status-equals-http\?/],
    [['--choose', 'service/hed=refused'], /There is no gap "service\/hed"; the nearest is service\/head; /],
    [
      ['--choose', 'service/head=refussed'],
      /"refussed" is no choice .* it takes as GET, refused; the nearest is refused/,
    ],
    [['--choose', 'clod:service/head=refused'], /There is no form "clod"; the nearest is cloud/],
    [
      ['--choose', 'managed:member/order-of-list=name'],
      /managed has no gap "member\/order-of-list"; it is one of cloud/,
    ],
    [['--choose', 'limit/rate=any'], /limit\/rate is only compared with a baseline/],
    [['--choose', 'service/head'], /Expected GAP=VALUE or FORM:GAP=VALUE, received "service\/head"/],
    [['--fault', 'zzzz'], /--fault takes the id of a rule, not "zzzz"\. stack-parity verify --list prints them all/],
    [['--organizations', '0'], /--organizations takes a whole number from 1 to 1000000, not "0"/],
    [['--latency', '200-50'], /--latency takes a number up to 60000, or two as MIN-MAX, .*, not "200-50"/],
    [['--latency', '70000'], /--latency takes a number up to 60000, .*, not "70000"/],
    [['--drop-rate', '1.5'], /--drop-rate takes a number from 0 to 1, not "1\.5"/],
    [['--truncate-rate=10%'], /--truncate-rate takes a number from 0 to 1, not "10%"/],
    [['--chaos-operation', 'alert.lst'], /--chaos-operation takes .*, not "alert\.lst"\. Did you mean alert\.list\?/],
    [['--chaos-operation', 'zzzz'], /--chaos-operation takes .*, not "zzzz"\. There are .*member\.list, /],
    [['--segment', 'a/b'], /--segment takes one segment of a path, such as observability, not "a\/b"/],
    [
      ['--host', '203.0.113.1', ...anyPorts],
      /203\.0\.113\.1 is no address of this machine\. Choose another with --host/,
    ],
  ])('refuses %j with a reason on one line', async (args, sentence) => {
    const { status, stdout, stderr } = await run('mock', ...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(sentence)
    expect(stderr.trimEnd()).not.toContain('\n')
  })

  it('makes the choices of --choose, for one form or for all, which override those of the baseline', async () => {
    const as = ['--as', 'self-hosted-2.24', '--choose', 'selfHosted:auth/missing-credentials=401 json']
    const mock = await start('--json', ...as, '--choose', 'service/head=refused')
    const { selfHosted, control } = mock.target
    const choices = (await (await fetch(`${control!.baseUrl}/control/choices`)).json()) as Record<string, object>
    expect(choices).toMatchObject({
      cloud: { 'service/head': 'refused' },
      selfHosted: { 'service/head': 'refused', 'auth/invalid-credentials': '401 text' },
    })
    const refused = await fetch(`${selfHosted!.baseUrl}/api/v2/alerts`)
    expect([refused.status, refused.headers.get('content-type')]).toEqual([401, expect.stringContaining('json')])
    await mock.stop('SIGTERM')
  })

  it('warns when it listens beyond loopback, and answers on loopback, too', async () => {
    const mock = await start('--json', '--host', '0.0.0.0')
    expect(await mock.banner()).toMatch(/0\.0\.0\.0 is not loopback/)
    expect(mock.target.cloud!.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/)
    expect((await listMembers(mock.target)).status).toBe(200)
  })
})

interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(...args: string[]): Promise<Outcome> {
  return new Promise(resolve => {
    const child = execFile(process.execPath, [cli, ...args], (_error, stdout, stderr) => {
      resolve({ status: child.exitCode, stdout, stderr })
    })
  })
}

function runInShell(line: string): Promise<Outcome> {
  return new Promise(resolve => {
    const child = execFile('sh', ['-c', line], (_error, stdout, stderr) => {
      resolve({ status: child.exitCode, stdout, stderr })
    })
  })
}

function listMembers({ cloud }: TargetFile): Promise<Response> {
  const { baseUrl, keyId, keySecret, organizationId } = cloud!
  const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
  return fetch(`${baseUrl}/v1/organizations/${organizationId}/members`, { headers: { authorization } })
}
