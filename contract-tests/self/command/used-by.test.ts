import { readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Usage } from '../../../fixtures/usage.ts'
import type { Report } from '../../report/report.ts'
import { described } from '../document-changes/describe-changed.ts'
import { startMock } from '../start-mock.ts'
import { createFolder, runCommand } from './run-command.ts'

const keys = '/v1/organizations/{organizationId}/keys'
const usage: Usage = {
  usage: 1,
  operations: {
    [`POST ${keys}`]: {
      id: 'key.create',
      count: 2,
      statuses: { 200: 2 },
      fields: {
        $: { count: 2, types: ['object'] },
        '$.name': { count: 2, types: ['string'], from: 'a > makes a key' },
      },
    },
  },
}

/** Two paths of our description, and the same after a field of each is gone. */
function createDocuments() {
  const [older, newer] = [described('cloud'), described('cloud')]
  for (const document of [older, newer])
    for (const path of Object.keys(document.paths))
      if (!/\/(?:keys|invitations)$/.test(path)) delete document.paths[path]
  const { KeyBody, InvitationBody } = newer.components.schemas
  delete KeyBody.properties.name
  KeyBody.required = []
  delete InvitationBody.properties.email
  InvitationBody.required = []
  return { older, newer }
}

describe('verify --used-by', () => {
  it('fails only for differences that touch the use, and takes known drift as before', async () => {
    const folder = createFolder()
    const { older, newer } = createDocuments()
    const file = folder.write('usage.json', usage)
    const verify = (...more: string[]) =>
      runCommand(
        ...['verify', '--document', folder.write('newer.json', newer), '--against', folder.write('older.json', older)],
        ...['--drift', 'error', '--used-by', file, ...more],
      )
    const { status, stdout } = await verify()
    expect(stdout).toMatch(/\n1 of 2 breaking changes touches what you call\n$/)
    expect(stdout).toContain('key.create $.name, 2 calls, as in a > makes a key. Leave out $.name.')
    expect([status, stdout]).toEqual([1, expect.not.stringContaining('InvitationBody')])

    expect(stdout).toContain('Not shown: no request of it could be made.')
    const reported = await verify('--report', 'json=-')
    const { drift, proof } = JSON.parse(reported.stdout) as Report
    expect(proof).toMatchObject({ requests: 0, refused: 0, unexpected: [] })
    const known = folder.write('known.txt', `${drift[0]!.fingerprint} # mended`)
    const second = await verify('--known-drift', known)
    expect([second.status, second.stdout]).toEqual([
      0,
      expect.stringMatching(/\n0 of 1 breaking changes touch what you call\n$/),
    ])
  })

  it('takes recorded traffic, also of operations that only a document has', async () => {
    const folder = createFolder()
    const { older, newer } = createDocuments()
    older.paths['/v1/organizations/{organizationId}/widgets'] = { get: { responses: { 200: { description: '' } } } }
    const entry = {
      startedDateTime: '2026-01-01T00:00:00Z',
      request: { method: 'GET', url: 'https://a.test/v1/organizations/1/widgets', headers: [] },
      response: { status: 200, headers: [], content: {} },
    }
    const recording = folder.write('session.har', { log: { version: '1.2', entries: [entry] } })
    const [newerFile, olderFile] = [folder.write('newer.json', newer), folder.write('older.json', older)]
    const { stdout } = await runCommand(
      'verify',
      '--document',
      newerFile,
      '--against',
      olderFile,
      '--used-by',
      recording,
    )
    expect(stdout).toMatch(/widgets {2}gone\n.*, 1 call, as in session\.har #1\. Shown: 200 before, 404 now\.\n/)
    expect(stdout).toMatch(/\n1 of 3 breaking changes touches what you call\n$/)
  })

  it('keeps nothing of a recording but what it uses: no header, id, query, body, host or name, also in the proof', async () => {
    const needles = {
      authorization: 'Basic bm90LWEta2V5Om5vdC1hLXNlY3JldA==',
      cookie: 'session=ghp_abcdefghijklmnopqrstuvwxyz0123456789',
      host: 'db-7.internal.corp.example.org',
      organization: '7d3cf6a1-1111-4222-8333-944455556666',
      token: '4b1dAbCdEfGhIjKlMnOpQrStUvWxYz0123456789',
      email: 'ada.lovelace@corp.example.org',
      name: 'Ada Lovelace',
      sql: "SELECT card FROM payments WHERE holder = 'Ada'",
      role: '11112222-3333-4444-8555-666677778888',
    }
    const headers = ['authorization', 'cookie'] as const
    const body = { name: needles.name, roles: ['developer'] }
    const odd = { ...body, [needles.email]: needles.sql, assignedRoleIds: [needles.role] }
    const url = `https://${needles.host}/v1/organizations/${needles.organization}/keys?token=${needles.token}&after=${needles.sql}`
    const send = (method: string, json: unknown, status = 200) => ({
      startedDateTime: '2026-01-01T00:00:00Z',
      request: {
        method,
        url: method === 'PATCH' ? url.replace('/keys', `/keys/${needles.role}`) : url,
        headers: headers.map(name => ({ name, value: needles[name] })),
        postData: { mimeType: 'application/json', text: JSON.stringify(json) },
      },
      response: { status, headers: [], content: { text: JSON.stringify({ result: needles }) } },
    })
    const folder = createFolder()
    const { older, newer } = createDocuments()
    const entries = [send('POST', body), send('PATCH', odd), send('GET', {}), send('PUT', needles, 400)]
    const recording = folder.write('session.har', { log: { version: '1.2', entries } })
    const files = ['--document', folder.write('newer.json', newer), '--against', folder.write('older.json', older)]
    const reports = ['json', 'html', 'markdown', 'github', 'junit', 'sarif', 'ctrf'].flatMap(kind => [
      '--report',
      `${kind}=${folder.path(kind)}`,
    ])
    const { stdout } = await runCommand('verify', ...files, '--used-by', recording, ...reports)
    expect(stdout).toContain('Shown: 200 before, 400 now.')
    const written = reports.flatMap(one => one.split('=')[1] ?? []).map(file => readFileSync(file, 'utf8'))
    const merged = await runCommand('usage', 'merge', recording)
    for (const text of [stdout, merged.stdout, ...written])
      for (const needle of Object.values(needles)) expect(text).not.toContain(needle)
  })

  it('needs something to divide, and a file that can be read', async () => {
    const file = createFolder().write('usage.json', usage)
    expect((await runCommand('verify', '--used-by', file)).stderr).toContain('--used-by divides what --baseline FILE')
    const { status, stderr } = await runCommand('verify', '--document', file, '--used-by', '/nowhere')
    expect([status, stderr]).toEqual([2, expect.stringContaining('it is no OpenAPI document')])
  })
})

it('compare --used-by finds no difference where nothing that differs is used', async () => {
  const { target, mock, close } = await startMock({ logs: 1000 })
  onTestFinished(close)
  let requests = 0
  mock.stub({
    when: { operation: 'creditBalances.get' },
    change: answer => {
      if (++requests > 1) answer.body.result.totalRemainingCredits = 'much'
    },
  })
  const folder = createFolder()
  const file = folder.write('a.json', target)
  const usedBy = folder.write('usage.json', usage)
  const { status, stdout } = await runCommand('compare', '--target', file, '--target', file, '--used-by', usedBy)
  expect([status, stdout]).toEqual([
    0,
    expect.stringMatching(/^0 of [1-9]\d* differences between .* touch what you call, /),
  ])
})
