import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { readArguments } from '../../../mock-server/command/read-arguments.ts'
import { createMock } from '../../../mock-server/index.ts'
import { capturableOf } from '../../../mock-server/mock/arrange/captured.ts'
import { core } from '../../../mock-server/mock/made-of.ts'
import type { CommandContext } from '../../command/command.ts'
import { run } from '../../command/run.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand } from './run-command.ts'

/** Runs the command in this process, because another process takes most of a second to start. */
async function capture(...args: string[]) {
  const written = { stdout: '', stderr: '' }
  const streamOf = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      written[name] += text
    },
  })
  const base = { readArguments, env: {}, stdout: streamOf('stdout'), stderr: streamOf('stderr') }
  const rest = { stopped: () => new Promise(() => {}), listCapturable: async () => capturableOf(core) }
  const status = await run(['capture', ...args], { ...base, ...rest } as unknown as CommandContext)
  return { status, ...written }
}

it('writes the records of a deployment as a scenario of the mock, and prints how each field was treated', async () => {
  const mock = await startMock({ services: 1, members: 3, backups: 1, logs: 0 })
  onTestFinished(mock.close)
  const folder = createFolder()
  const file = folder.write('target.json', mock.target)
  const out = folder.path('world.json')
  const { status, stdout, stderr } = await runCommand('capture', '--target', file, '--out', out)
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringMatching(/^About \d+ requests, and further ones/),
  })
  expect(stdout).toMatch(/^member\.email +replaced 6$/m)
  expect(stdout).toMatch(/^service\.state +kept 2$/m)
  expect(stdout).toMatch(/^\d+ fields: .*Look at what is kept before you share the file\.$/m)

  const text = readFileSync(out, 'utf8')
  const { cloud, selfHosted } = mock.target
  for (const own of [cloud!.organizationId!, cloud!.keyId, cloud!.keySecret, selfHosted!.apiKey])
    expect(text).not.toContain(own)
  const twin = createMock({ scenario: JSON.parse(text), logs: 0 })
  const target = twin.target()
  const answer = await twin.fetch(`${target.cloud.baseUrl}/v1/organizations/${target.cloud.organizationId}/members`, {
    headers: { authorization: `Basic ${btoa(`${target.cloud.keyId}:${target.cloud.keySecret}`)}` },
  })
  expect((await answer.json()).result).toHaveLength(3)
})

it('prints with --plan the requests for one family and its parents, and sends nothing', async () => {
  const target = { cloud: { baseUrl: 'http://127.0.0.1:9', keyId: 'a', keySecret: 'b' } }
  const file = createFolder().write('target.json', target)
  const { status, stdout } = await capture('--target', file, '--plan', '--only', 'backup')
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Nothing was sent.') })
  expect(stdout.match(/^GET .*$/gm)).toEqual([
    'GET /v1/organizations/{organizationId}/services',
    'GET /v1/organizations/{organizationId}/services/{serviceId}/backups, for each serviceId of service.list',
  ])
})

it.each(['target', 'har'])('does not write over the file of --%s', async option => {
  const folder = createFolder()
  const content = { cloud: { baseUrl: 'http://127.0.0.1:9', keyId: 'a', keySecret: 'b' } }
  const file = folder.write('input.json', content)
  const refused = await capture(`--${option}`, file, '--out', folder.path('./input.json'))
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('this file is read. Choose another name.'),
  })
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(content)
})

it('writes nothing when a list cannot be read, unless --partial is given', async () => {
  const mock = createMock({ services: 1, logs: 0 })
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url!.endsWith('/backups')) return void outgoing.writeHead(503).end()
    const headers = { authorization: incoming.headers.authorization! }
    const answer = await mock.fetch(`${mock.target().cloud.baseUrl}${incoming.url}`, { headers })
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { secondKeyId: _secondKeyId, secondKeySecret: _secondKeySecret, ...cloud } = mock.target().cloud
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = createFolder()
  const file = folder.write('target.json', { cloud: { ...cloud, baseUrl } })
  const out = folder.path('world.json')
  const only = ['--rate', '1000', '--target', file, '--out', out, '--only', 'backup', '--only', 'member']
  const refused = await capture(...only)
  expect(refused).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/backups was answered with 503, as by a gateway .+\. Nothing is written; --partial/),
  })
  expect(() => readFileSync(out)).toThrow('ENOENT')
  expect(await capture(...only, '--partial')).toMatchObject({ status: 0 })
  const world = JSON.parse(readFileSync(out, 'utf8'))
  expect([world.member.length > 0, 'backup' in world]).toEqual([true, false])
  const members = await capture('--rate', '1000', '--target', file, '--out', out, '--only', 'member')
  expect(members).toMatchObject({ status: 0, stderr: expect.stringMatching(/^About 1 request /) })
})

it('writes the records of recorded traffic as a scenario, without the secrets of the recording', async () => {
  const organizationId = '11111111-1111-4111-8111-111111111111'
  const secret = 'sk-very-secret-1234567890'
  const member = {
    userId: 'u1',
    name: `Ada ${secret}`,
    email: 'ada@acme.io',
    role: 'admin',
    joinedAt: '2026-01-01T00:00:00Z',
  }
  const json = { status: 200, requestId: '22222222-2222-4222-8222-222222222222', result: [member] }
  const url = `https://api.acme.io/v1/organizations/${organizationId}/members`
  const headers = [{ name: 'Authorization', value: `Bearer ${secret}` }]
  const response = { status: 200, headers: [], content: { mimeType: 'application/json', text: JSON.stringify(json) } }
  const entries = [
    { startedDateTime: '2026-02-01T00:00:00Z', time: 5, request: { method: 'GET', url, headers }, response },
  ]
  const folder = createFolder()
  const har = folder.write('traffic.har', { log: { version: '1.2', entries } })
  const out = folder.path('world.json')
  expect(await capture('--har', har, '--out', out, '--verbatim')).toMatchObject({ status: 0 })
  const text = readFileSync(out, 'utf8')
  expect(text).not.toContain(secret)
  const mock = createMock({ scenario: JSON.parse(text), logs: 0, now: Date.UTC(2026, 2, 1), freeze: true })
  expect(mock.list('member', { within: organizationId })).toMatchObject([
    { name: 'Ada [redacted]', email: 'ada@acme.io', joinedAt: '2026-01-28T23:59:59Z' },
  ])
  expect(await capture('--har', har, '--out', out)).toMatchObject({ status: 0 })
  expect(readFileSync(out, 'utf8')).not.toMatch(/acme|Ada|1111-4111|2026-02/)
})

it('exits with 2 when the deployment refuses the credentials, and for an unknown family', async () => {
  const mock = await startMock({ services: 1, logs: 0 })
  onTestFinished(mock.close)
  const folder = createFolder()
  const { selfHosted } = mock.target
  const file = folder.write('target.json', { selfHosted: { ...selfHosted, apiKey: 'wrong' } })
  const run = (...more: string[]) =>
    capture('--rate', '1000', '--target', file, '--out', folder.path('world.json'), ...more)
  expect(await run()).toMatchObject({ status: 2, stderr: expect.stringContaining('apiKey') })
  expect(await run('--only', 'backupz')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('there is no such family'),
  })
})

it('redacts secrets in any notation even with --verbatim, and keeps all other text', async () => {
  const scenario = {
    scenario: 'empty',
    dashboards: [
      ['--password hunter2', 'mysql -phunter2', 'PASSWORD=left&hunter2', String.raw`{"p\u0061ssword":"hunt\"er2"}`],
      [btoa('user:hunter2'), btoa('user:hunter2').replaceAll('=', ''), '?token=hunter2&page=2'],
      [btoa('an innocent text'), '--host db', 'https://a.example/?page=2'],
    ].map((texts, index) => ({ id: `64f0c1d2e3a4b5c6d7e8f90${index}`, name: texts.join(' | '), tags: [], tiles: [] })),
  } as const
  const mock = await startMock({ scenario, logs: 0 })
  onTestFinished(mock.close)
  const folder = createFolder()
  const file = folder.write('target.json', { ...mock.target, cloud: undefined })
  const out = folder.path('world.json')
  expect(await capture('--target', file, '--out', out, '--verbatim')).toMatchObject({ status: 0 })
  const names = JSON.parse(readFileSync(out, 'utf8')).dashboard.map(({ name }: { name: string }) => name)
  expect(names.toSorted()).toEqual(
    [
      String.raw`--password [redacted] | mysql -p[redacted] | PASSWORD=[redacted] | {"p\u0061ssword":"[redacted]"}`,
      '[redacted] | [redacted] | ?token=[redacted]',
      `${btoa('an innocent text')} | --host db | https://a.example/?page=2`,
    ].toSorted(),
  )
})
