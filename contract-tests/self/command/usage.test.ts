import { readdirSync, readFileSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createProofMock } from '../../../cli.ts'
import type { Usage } from '../../../fixtures/usage.ts'
import { createMock, createMswHandlers, type FetchMock } from '../../../mock-server/index.ts'
import { it as itWithFixtures } from '../../../mock-server/vitest.ts'
import { described } from '../document-changes/describe-changed.ts'
import { createFolder, runCommand } from './run-command.ts'

/** Ends the collection of usage, as the end of a process does. */
function endProcess() {
  const holder = globalThis as { [key: symbol]: { save(): void } | undefined }
  const key = Symbol.for('stack-parity.usage')
  holder[key]?.save()
  delete holder[key]
}

function collectIn(file: string) {
  process.env.STACK_PARITY_USAGE = file
  return file
}

afterEach(() => {
  vi.unstubAllGlobals()
  endProcess()
  delete process.env.STACK_PARITY_USAGE
})

function createClient(mock: FetchMock, send: typeof fetch = mock.fetch) {
  const { baseUrl, apiKey } = mock.target().selfHosted
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  return (method: string, path: string, body?: unknown) =>
    send(`${baseUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
}

const readUsage = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Usage

describe('a test run with STACK_PARITY_USAGE', () => {
  it('adds up the calls of mock.fetch and MSW over all workers, in parts that usage merge makes one file', async () => {
    const folder = createFolder()
    const file = collectIn(folder.path('usage.json'))
    vi.stubGlobal('expect', expect)
    for (const worker of ['first', 'second']) {
      const mock = createMock({ logs: 1 })
      const call = createClient(mock)
      await call('POST', '/api/v2/dashboards', { name: worker, tiles: [] })
      // What is new is in the file at once, before the process ends.
      const [part = ''] = readdirSync(folder.path('.')).slice(-1)
      expect(readUsage(folder.path(part)).operations['POST /api/v2/dashboards']?.count).toBe(1)
      const [, selfHosted] = createMswHandlers(mock)
      const throughMsw = createClient(mock, async (url, init) => {
        const handled = await selfHosted!.run({ request: new Request(url, init), requestId: '1' })
        return handled!.response as Response
      })
      await throughMsw('GET', '/api/v2/alerts')
      endProcess()
    }
    const { status, stderr } = await runCommand('usage', 'merge', file, '--out', file)
    expect([status, stderr]).toEqual([0, `${file} is written: 2 operations.\n`])
    expect(readdirSync(folder.path('.'))).toEqual(['usage.json'])
    expect(readUsage(file).operations).toMatchObject({
      'GET /api/v2/alerts': { count: 2 },
      'POST /api/v2/dashboards': { count: 2, from: [expect.stringContaining('adds up the calls')] },
    })
  })

  it('keeps values of enums by the contract of the mock, which a document may extend', async () => {
    const file = collectIn(createFolder().path('usage.json'))
    const document = described('cloud')
    const keys = '/v1/organizations/{organizationId}/keys'
    const kind = { name: 'kind', in: 'query', schema: { type: 'string', enum: ['robot', 'person'] } }
    document.paths[keys].get.parameters.push(kind)
    const mock = createMock({ logs: 1, document })
    const { baseUrl, organizationId, keyId, keySecret } = mock.target().cloud
    await mock.fetch(`${baseUrl}/v1/organizations/${organizationId}/keys?kind=robot`, {
      headers: { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` },
    })
    const { stdout } = await runCommand('usage', 'merge', file)
    expect((JSON.parse(stdout) as Usage).operations[`GET ${keys}`]?.parameters?.kind?.values).toEqual(['robot'])
  })

  itWithFixtures('names the test that a fixture belongs to', async ({ testWorld }) => {
    const file = collectIn(createFolder().path('usage.json'))
    await createClient(testWorld.mock())('GET', '/api/v2/alerts')
    const { stdout } = await runCommand('usage', 'merge', file)
    expect(Object.values((JSON.parse(stdout) as Usage).operations)).toMatchObject([
      {
        from: [
          'contract-tests/self/command/usage.test.ts > a test run with STACK_PARITY_USAGE > names the test that a fixture belongs to',
        ],
      },
    ])
  })

  it('collects nothing of the mocks on which verify shows differences', async () => {
    const folder = createFolder()
    collectIn(folder.path('usage.json'))
    const mock = await createProofMock('cloud', undefined)
    expect((await mock.send({ method: 'GET', path: '/v1/organizations' })).status).toBe(200)
    endProcess()
    expect(readdirSync(folder.path('.'))).toEqual([])
  })

  it('collects nothing without the variable', async () => {
    await createClient(createMock({ logs: 1 }))('GET', '/api/v2/alerts')
    expect(Symbol.for('stack-parity.usage') in globalThis).toBe(false)
  })
})

describe('usage merge', () => {
  it('adds up usage files and recordings, whose entries it names', async () => {
    const folder = createFolder()
    const mock = createMock({ logs: 1 })
    await createClient(mock)('POST', '/api/v2/dashboards', { name: 'Mine', tiles: [] })
    const entry = (method: string, path: string) => ({
      startedDateTime: '2026-01-01T00:00:00Z',
      request: { method, url: `https://api.example.test${path}`, headers: [] },
      response: { status: 200, headers: [], content: { text: '{}' } },
    })
    const entries = [entry('GET', '/logo.png'), entry('GET', '/api/v2/dashboards?limit=3')]
    const recording = folder.write('session.har', { log: { version: '1.2', entries } })
    const file = folder.write('usage.json', mock.usage())
    const { status, stdout, stderr } = await runCommand('usage', 'merge', file, recording)
    expect([status, stderr]).toEqual([0, '1 recorded exchange left out: the path is no operation of this API.\n'])
    expect(JSON.parse(stdout)).toMatchObject({
      usage: 1,
      operations: {
        'GET /api/v2/dashboards': { from: ['session.har #2'], parameters: { limit: { range: [3, 3] } } },
        'POST /api/v2/dashboards': { count: 1 },
      },
    })
  })

  it.each([
    [['merge'], 'files are needed'],
    [['show', 'a'], 'files are needed'],
    [['merge', '/nowhere/usage.json'], 'usage merge /nowhere/usage.json: there is no such file.'],
  ])('refuses %j', async (args, sentence) => {
    const { status, stderr } = await runCommand('usage', ...args)
    expect([status, stderr]).toEqual([2, expect.stringContaining(sentence)])
  })

  it('refuses a file that is no usage, with the place', async () => {
    const file = createFolder().write('usage.json', { usage: 1, operations: { 'GET /a': { count: 'x' } } })
    const { status, stderr } = await runCommand('usage', 'merge', file)
    expect([status, stderr]).toEqual([2, expect.stringContaining('it is neither a usage file nor a recording (HAR)')])
    expect(stderr).toContain('/operations/GET ~1a')
  })
})
