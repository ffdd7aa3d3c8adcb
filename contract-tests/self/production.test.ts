import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Operation, operations } from '../../fixtures/built-contract/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { conformance as browserConformance, verify as browserVerify } from '../browser.ts'
import type { Client, Outgoing } from '../engine/clients/client.ts'
import type { TargetFile } from '../engine/target/target.ts'
import { conformance, verify } from '../index.ts'
import { createDirectClient, directTarget } from './direct-client.ts'
import { startMock } from './start-mock.ts'
import { startRemote } from './start-remote.ts'

/** How a run protects a deployment that people use, and what the library does by default for this. */

const run = { rate: 1e6 }
const isAlert = ({ path, method }: Outgoing) => /\/alerts(?:\/|$)/.test(path) && /^(?:POST|PUT|PATCH)$/.test(method)

/** Creates a folder and makes it the default folder of ledgers. */
function useTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stack-parity-test-'))
  vi.stubEnv('TMPDIR', folder)
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** The paths of free creations, and those of charts and webhooks, which a run tries in the managed form. */
const creations = Object.entries<Operation>(operations)
  .filter(([id, { effect = 'free' }]) => id.endsWith('.create') && effect === 'free')
  .flatMap(([, { paths }]) => Object.values(paths))
  .flatMap(path => [path, path.replace(/dashboards$/, 'charts'), path.replace(/dashboards$/, 'webhooks')])
  .map(path => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`))

describe('a run with writes beyond loopback', () => {
  it('writes only to objects that it created', async () => {
    const { target, client, sent, answers } = startRemote()
    const created = new Set<string>()
    const send: Client['send'] = async request => {
      const { method } = request
      const answer = await client.send(request)
      const { id } = JSON.parse(answer.text || '{}').data ?? JSON.parse(answer.text || '{}').result ?? {}
      if (method === 'POST' && id) created.add(id)
      return answer
    }
    const report = await verify({ ...run, target, client: { send } })
    expect(report.summary.broken).toBe(0)
    expect(answers.length).toBeGreaterThan(200)
    const unexpected = sent
      .filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method))
      .filter(({ method, path }) => {
        const [, tail = ''] = /\/(?:api\/v2|observability)\/(.*)$/.exec(path) ?? []
        // Charts and searches store nothing.
        if (tail === 'charts/series' || (method === 'POST' && tail === 'search')) return false
        if (method === 'POST' && creations.some(pattern => pattern.test(path))) return false
        // A validation stores nothing.
        if (method === 'POST' && tail === 'dashboards/validate') return false
        // Nothing is uploaded to the address, which expires.
        if (method === 'POST' && path.endsWith('/udfUploads/url')) return false
        return !created.has(tail.split('/')[1] ?? '')
      })
      .map(({ method, path }) => `${method} ${path}`)
    expect(unexpected, 'a creation follows from the contract; any other write needs its reason above').toEqual([])
  })

  it('creates and updates only alerts that cannot fire', async () => {
    const { target, client, sent } = startRemote()
    await verify({ ...run, target, client })
    const alerts = sent.filter(isAlert).flatMap(({ body }) => (body?.endsWith('}') ? [JSON.parse(body)] : []))
    expect(alerts.length).toBeGreaterThan(20)
    for (const { thresholdType, threshold, channel } of alerts) {
      if (channel === undefined) continue
      expect([thresholdType, threshold]).toEqual(['above', 1e15])
    }
  })

  it('sends each credential that is nearly valid once for each form, so that no key is locked out', async () => {
    const { target, client } = startRemote()
    const near: string[] = ['auth/near-miss-is-refused', 'auth/missing-scheme-is-refused']
    const count = async (options: { target: TargetFile; client: Client }) => {
      const kinds = new Map<string, number>()
      const send: Client['send'] = request => {
        const kind = `${request.path.includes('/observability/') ? 'managed' : request.baseUrl} ${request.headers.authorization}`
        if (request.baseUrl !== options.target.control?.baseUrl) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        return options.client.send(request)
      }
      const report = await verify({ ...run, target: options.target, client: { send }, rules: near })
      expect(new Set(report.rules.map(({ outcome }) => outcome))).toEqual(new Set(['held']))
      const { cloud, selfHosted } = options.target
      const good = [`Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`, `Bearer ${selfHosted!.apiKey}`]
      return [...kinds].filter(([kind]) => !good.some(header => kind.endsWith(` ${header}`))).map(([, times]) => times)
    }
    const there = await count({ target, client })
    expect(there).toEqual(there.map(() => 1))
    const mock = createMock()
    const here = await count({ target: directTarget(mock), client: createDirectClient(mock) })
    expect(Math.min(...here)).toBeGreaterThan(1)
  })

  it('does not try which fields an alert needs, unlike a run on a mock, and gives the reason', async () => {
    const { target, client } = startRemote()
    const mock = createMock()
    const rules = ['alert/required-fields']
    const there = await verify({ ...run, target, client, rules })
    expect(there.rules.map(({ outcome, detail }) => [outcome, detail])).toContainEqual([
      'not-applicable',
      'an alert without threshold might fire and notify somebody, so it is created on a mock only',
    ])
    const here = await verify({ target: directTarget(mock), client: createDirectClient(mock), rules })
    expect(new Set(here.rules.map(({ outcome }) => outcome))).toEqual(new Set(['observed']))
  })
})

describe('the library', () => {
  const open = { selfHosted: { baseUrl: 'http://api.example.test', apiKey: 'k' } }
  const sends: Outgoing[] = []
  const client: Client = {
    send: async request => {
      sends.push(request)
      return { status: 401, headers: {}, text: '' }
    },
  }

  /** Runs the first test of the suite with these options. */
  const runFirstTest = async (register: typeof conformance, options: object) => {
    const tests: (() => Promise<void>)[] = []
    register({
      target: open,
      client,
      ...run,
      ...options,
      describe: (_, list) => list(),
      test: (_, test) => tests.push(() => test({})),
    })
    return tests[0]!()
  }

  it.each([
    ['verify', () => verify({ target: open, client })],
    ['verify in a browser', () => browserVerify({ target: open, client })],
    ['conformance', () => runFirstTest(conformance, {})],
    ['conformance in a browser', () => runFirstTest(browserConformance, {})],
  ])('sends no credentials over http: beyond loopback with %s', async (_, start) => {
    sends.length = 0
    await expect(start()).rejects.toThrow(
      'http://api.example.test would get the credentials unencrypted. Use https:, or `insecure: true` if that is meant.',
    )
    expect(sends).toEqual([])
  })

  it('sends credentials over http: with the option insecure', async () => {
    sends.length = 0
    await verify({ ...run, target: open, client, insecure: true, readOnly: true })
    expect(sends.length).toBeGreaterThan(0)
  })

  it.each([
    ['Node', verify],
    ['a browser', browserVerify],
  ])('verifies in %s without the option client', async (_, verify) => {
    const { target, close } = await startMock()
    onTestFinished(close)
    const report = await verify({ target, sections: ['2.2'] })
    expect(report.summary).toMatchObject({ broken: 0, errored: 0 })
    expect(report.summary.held).toBeGreaterThan(5)
  })

  it.each([
    ['verify', (options: { target: TargetFile; client: Client }) => verify(options)],
    ['conformance', (options: object) => runFirstTest(conformance, options)],
  ])(
    'writes with %s each creation to a ledger in the temporary folder first, and removes the ledger in the end',
    async (_, start) => {
      const folder = useTemporaryFolder()
      const mock = createMock()
      const direct = createDirectClient(mock)
      const unwritten: string[] = []
      const client: Client = {
        send(request) {
          const { name } =
            request.method === 'POST' && isAlert(request)
              ? JSON.parse(request.body?.endsWith('}') ? request.body : '{}')
              : {}
          const text = readdirSync(folder)
            .map(file => readFileSync(join(folder, file), 'utf8'))
            .join('')
          if (name && !text.includes(name)) unwritten.push(name)
          return direct.send(request)
        },
      }
      await start({ target: directTarget(mock), client })
      expect(unwritten).toEqual([])
      expect(mock.calls(1000).filter(({ request }) => request.method === 'POST').length).toBeGreaterThan(20)
      expect(readdirSync(folder)).toEqual([])
    },
  )

  it('keeps the ledger when objects could not be deleted, and names the ledger in the report', async () => {
    const folder = useTemporaryFolder()
    const mock = createMock()
    const direct = createDirectClient(mock)
    const client: Client = {
      send: async request =>
        request.method === 'DELETE' ? { status: 500, headers: {}, text: '' } : direct.send(request),
    }
    const { left = [], ledger = '' } = await verify({
      target: directTarget(mock),
      client,
      rules: ['dashboard/created-is-got'],
    })
    expect(left.length).toBeGreaterThan(0)
    expect(ledger.startsWith(folder)).toBe(true)
    for (const { name } of left) expect(readFileSync(ledger, 'utf8')).toContain(name)
  })

  it('writes the ledger to the path of the option ledger', async () => {
    const ledger = join(useTemporaryFolder(), 'mine.ledger')
    const mock = createMock()
    await verify({
      target: directTarget(mock),
      client: createDirectClient(mock),
      ledger,
      rules: ['dashboard/created-is-got'],
    })
    expect(existsSync(ledger)).toBe(true)
  })
})
