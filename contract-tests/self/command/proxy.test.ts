import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { TargetFile } from '../../engine/target/target.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand, startCommand } from './run-command.ts'

const anyPort = ['--cloud-port', '0', '--self-hosted-port', '0', '--console-port', '0']

/** Starts the proxy of a mock, and resolves once it listens. The target file names a variable that is not set. */
async function startProxyCommand(faults: RuleId[], ...more: string[]) {
  const mock = await startMock({ faults })
  onTestFinished(mock.close)
  const cloud = { ...mock.target.cloud, keySecret: '$NOBODY_SET_THIS' }
  const file = createFolder().write('target.json', { name: 'staging', cloud, writes: true })
  const { child, finished } = startCommand(['proxy', '--target', file, ...anyPort, ...more])
  let log = ''
  const addressAfter = (name: string) => new RegExp(`${name} +(http://127\\.0\\.0\\.1:\\d+)`).exec(log)?.[1]
  await new Promise<void>((resolve, reject) => {
    child.stderr!.on('data', chunk => {
      log += chunk
      if (log.includes('Ctrl-C')) resolve()
    })
    child.on('close', () => reject(new Error(log)))
  })
  return {
    mock: mock.target as Required<TargetFile>,
    address: addressAfter('Cloud, managed')!,
    page: addressAfter('Console')!,
    async stop() {
      child.kill('SIGINT')
      return finished
    },
  }
}

const listMembers = ({ address, mock: { cloud } }: { address: string; mock: Required<TargetFile> }) =>
  fetch(`${address}/v1/organizations/${cloud.organizationId}/members`, {
    headers: { authorization: `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}` },
  })

it('forwards calls, shows their verdicts, and exits with 1 when an answer broke a rule', async () => {
  const recording = createFolder().path('traffic.har')
  const proxy = await startProxyCommand(['member/role-is-admin-or-developer'], '--record', recording)
  const answer = await listMembers(proxy)
  expect(answer.status).toBe(200)
  expect((await answer.json()).result[0].role).toBe('Admin')
  await expect
    .poll(async () => (await fetch(`${proxy.page}/control/calls`)).json())
    .toMatchObject([
      {
        operation: 'member.list',
        because: {
          judged: 'broken',
          rule: 'member/role-is-admin-or-developer',
          why: expect.stringContaining('expected one of admin, developer'),
        },
      },
    ])
  const { status, stdout, stderr } = await proxy.stop()
  expect(status).toBe(1)
  expect(stdout).toContain('✗ member/role-is-admin-or-developer')
  expect(stderr).toMatch(
    /✗ GET +200 .* \/v1\/organizations\/[\w-]+\/members\n +✗ member\/role-is-admin-or-developer: expected/,
  )
  const har = readFileSync(recording, 'utf8')
  expect(JSON.parse(har).log.entries).toHaveLength(1)
  for (const text of [har, stdout, stderr]) expect(text).not.toContain(proxy.mock.cloud.keySecret)
  const again = await runCommand('verify', '--har', recording)
  expect(again.stdout).toContain('✗ member/role-is-admin-or-developer')
})

it('answers 502 with the broken rule instead of the answer when --hold is given, and shows what the client got', async () => {
  const recording = createFolder().path('traffic.har')
  const proxy = await startProxyCommand(['member/role-is-admin-or-developer'], '--hold', '--record', recording)
  const answer = await listMembers(proxy)
  expect(answer.status).toBe(502)
  expect((await answer.json()).error).toMatch(/^stack-parity: broken: member\/role-is-admin-or-developer, expected/)
  expect((await fetch(`${proxy.address}/v1/x`, { headers: { origin: 'https://evil.example' } })).status).toBe(403)

  const readCalls = async (query = '') => (await fetch(`${proxy.page}/control/calls${query}`)).json()
  const declined = { response: { status: 0 }, because: { instead: { as: 'declined', status: 403 } } }
  const held = { response: { status: 200 }, because: { judged: 'broken', instead: { as: 'held', status: 502 } } }
  await expect.poll(() => readCalls()).toMatchObject([declined, held])
  expect(await readCalls('?status=5xx')).toMatchObject([held])
  const ofPage = await (await fetch(`${proxy.page}/control/calls.har`)).json()
  expect(await (await fetch(`${proxy.page}/control/about`)).json()).toMatchObject({
    passes: [{ form: 'cloud', from: proxy.address, to: proxy.mock.cloud.baseUrl }],
  })

  const { status, stderr } = await proxy.stop()
  expect(status).toBe(1)
  expect(stderr).toMatch(/✗ GET +held: 502 .*\/members$/m)
  expect(stderr).toMatch(/GET +declined: 403 .*\/v1\/x\n +the proxy declined the request: it answers no web page/)
  const recorded = JSON.parse(readFileSync(recording, 'utf8'))
  for (const { log } of [ofPage, recorded])
    expect(log.entries.map(({ comment }: { comment: string }) => comment)).toEqual([
      expect.stringMatching(/^held: 502/),
      expect.stringMatching(/^declined: 403/),
    ])
  // The recording has the answers of the deployment, so that they can be judged again.
  const again = await runCommand('verify', '--har', recording)
  expect(again.stdout).toContain('✗ member/role-is-admin-or-developer')
})

it('exits with 0 when no answer breaks a rule, and when no call arrives', async () => {
  const [used, unused] = await Promise.all([startProxyCommand([]), startProxyCommand([])])
  expect((await listMembers(used)).status).toBe(200)
  const [held, empty] = await Promise.all([used.stop(), unused.stop()])
  expect([held.status, empty.status]).toEqual([0, 0])
  expect(held.stdout).toMatch(/^staging, .* 0 broken/m)
  expect(empty.stderr).toContain('Nothing was judged: no call of this API passed.')
})

it.each([
  [[], '--target FILE is needed'],
  [['--target', 'FILE', '--cloud-port', 'x'], '--cloud-port takes a port from 0 to 65535, not "x".'],
  [['--target', 'FILE', '--record', '/nowhere/x.har'], '--record /nowhere/x.har: there is no folder /nowhere.'],
  [['--target', 'FILE', '--drift', 'error'], '--drift gates what --baseline FILE finds; name one.'],
  [['--target', 'FILE', '--fail-on', 'x'], '--fail-on takes must, should, documented, not "x".'],
])('refuses %j with a reason and exit status 2', async (args, sentence) => {
  const target = { cloud: { baseUrl: 'http://127.0.0.1:1', keyId: 'id', keySecret: '$X' } }
  const file = createFolder().write('target.json', target)
  const { status, stderr } = await runCommand('proxy', ...args.map(arg => (arg === 'FILE' ? file : arg)))
  expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)])
})
