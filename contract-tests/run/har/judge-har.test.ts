import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { exitStatus } from '../../report/exit-status.ts'
import { renderHtml } from '../../report/html.ts'
import { renderMarkdown } from '../../report/markdown.ts'
import type { Report } from '../../report/report.ts'
import { createPaint, renderTerminal } from '../../report/terminal.ts'
import { type JudgeHarOptions, judgeHar } from './judge-har.ts'

interface Entry {
  readonly request: string
  readonly sends?: unknown
  readonly answers?: unknown
  readonly status?: number
  /** `null` for no Authorization header. */
  readonly authorization?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly answerHeaders?: Readonly<Record<string, string>>
  readonly content?: object
  readonly at?: number
  readonly more?: object
}

const toHarHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))
const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** A recording of entries, by default ten milliseconds apart. */
const record = (...entries: readonly Entry[]) => ({
  log: {
    version: '1.2',
    entries: entries.map((entry, index) => {
      const [method = '', path = ''] = entry.request.split(' ')
      const scheme = path.startsWith('/v1') ? 'Basic REDACTED' : 'Bearer REDACTED'
      const authorization = entry.authorization === undefined ? scheme : entry.authorization
      const sent = entry.sends === undefined ? undefined : textOf(entry.sends)
      const text = textOf(entry.answers)
      return {
        startedDateTime: new Date(Date.UTC(2026, 0, 1) + (entry.at ?? index * 10)).toISOString(),
        time: 5,
        request: {
          method,
          url: `https://api.example.test${path}`,
          headers: toHarHeaders({
            ...(authorization === null ? {} : { authorization }),
            ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
            ...entry.headers,
          }),
          ...(sent === undefined ? {} : { postData: { mimeType: 'application/json', text: sent } }),
        },
        response: {
          status: entry.status ?? 200,
          headers: toHarHeaders({ 'Content-Type': 'application/json; charset=utf-8', ...entry.answerHeaders }),
          content: { size: text.length, mimeType: 'application/json', text, ...entry.content },
        },
        ...entry.more,
      }
    }),
  },
})

const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`
const [organization, otherOrganization, service, backup] = [1, 2, 3, 4].map(uuid)
const membersPath = `/v1/organizations/${organization}/members`
const backupPath = `/v1/organizations/${organization}/services/${service}/backups/${backup}`
const stackPath = `/v1/organizations/${organization}/services/${service}/observability`
const selfHostedPath = '/api/v2'

let requests = 0
/** The envelope of the cloud API around a result. */
const wrap = (result: unknown, change: object = {}, status = 200) => ({
  status,
  requestId: `00000000-0000-4000-8000-${String(++requests).padStart(12, '0')}`,
  ...(result === undefined ? {} : { result }),
  ...change,
})
const ada = { userId: 'u1', name: 'Ada', email: 'ada@example.test', role: 'admin', joinedAt: '2025-01-01T00:00:00Z' }
const storedBackup = {
  id: backup,
  serviceId: service,
  startedAt: '2025-01-01T00:00:00Z',
  finishedAt: '2025-01-01T00:01:00Z',
  sizeInBytes: 1,
  durationInSeconds: 60,
  backupName: 'nightly',
  bucket: { bucketProvider: 'AWS', bucketPath: 's3://b', iamRoleArn: 'arn', iamRoleSessionName: 's' },
}
const listMembers = (change: object = {}, more: Partial<Entry> = {}): Entry => ({
  request: `GET ${membersPath}`,
  answers: wrap([{ ...ada, ...change }]),
  ...more,
})
const getBackup = (change: object = {}, more: Partial<Entry> = {}): Entry => ({
  request: `GET ${backupPath}`,
  answers: wrap({ ...storedBackup, ...change }),
  ...more,
})
const alertId = 'a'.repeat(24)
const alert = { name: 'Errors', threshold: 1, interval: '1h' }
const createAlert: Entry = {
  request: `POST ${selfHostedPath}/alerts`,
  sends: alert,
  answers: { data: { ...alert, id: alertId } },
}
const getAlert = (name = 'Errors'): Entry => ({
  request: `GET ${selfHostedPath}/alerts/${alertId}`,
  answers: { data: { ...alert, id: alertId, name } },
})
const updateAlert: Entry = {
  request: `PUT ${selfHostedPath}/alerts/${alertId}`,
  sends: { ...alert, name: 'More' },
  answers: { data: { id: alertId, name: 'More' } },
}
const deleteAlert: Entry = { request: `DELETE ${selfHostedPath}/alerts/${alertId}`, answers: {} }
const getDeletedAlert: Entry = {
  request: `GET ${selfHostedPath}/alerts/${alertId}`,
  status: 404,
  answers: { message: 'gone' },
}
const listDashboards: Entry = { request: `GET ${selfHostedPath}/dashboards`, answers: { data: [] } }
const queryChart: Entry = {
  request: `POST ${selfHostedPath}/charts/series`,
  sends: { startTime: 1.7e12, endTime: 1.7e12 + 1, series: [] },
  answers: { data: [] },
}

const judge = (entries: readonly Entry[], options?: JudgeHarOptions) => judgeHar(record(...entries), options)
const idsOfBrokenRules = (...entries: Entry[]) =>
  judge(entries)
    .rules.filter(({ outcome }) => outcome === 'broken')
    .map(({ id }) => id)
const findRule = (name: string, ...entries: Entry[]) => judge(entries).rules.find(({ id }) => id === name)!

const correctSession: readonly Entry[] = [
  listMembers(),
  listMembers(),
  { request: `GET /v1/organizations/${otherOrganization}/members`, answers: wrap([ada]) },
  getBackup(),
  { request: 'GET /v1/organizations/not-a-uuid/members', status: 400, answers: wrap(undefined, { error: 'no' }, 400) },
  { request: `GET ${membersPath}`, authorization: null, status: 401, answers: { error: 'no' } },
  { request: `GET ${stackPath}/dashboards`, answers: wrap([]) },
  { request: `GET ${stackPath}/webhooks`, status: 404, answers: { error: 'no' } },
  listDashboards,
  createAlert,
  { request: `GET ${selfHostedPath}/alerts`, answers: { data: [{ ...alert, id: alertId }] } },
  getAlert(),
  updateAlert,
  getAlert('More'),
  deleteAlert,
  getDeletedAlert,
  queryChart,
  { request: `GET ${selfHostedPath}/charts/series`, status: 404, answers: { message: 'no' } },
]

describe('a recording of a correct session', () => {
  it('breaks no rule in the three forms', () => {
    const { rules, target, requests } = judge(correctSession)
    expect(rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
    expect(target.forms).toEqual(['cloud', 'managed', 'selfHosted'])
    expect(requests).toBe(correctSession.length)
  })

  it('keeps the rules that a recording can show', () => {
    const held = new Set(
      judge(correctSession)
        .rules.filter(({ outcome }) => outcome === 'held')
        .map(({ id }) => id),
    )
    for (const id of [
      'envelope/status-equals-http',
      'envelope/request-id-is-never-repeated',
      'member/list-is-whole-and-steady',
      'member/user-id-is-the-same-in-every-organization',
      'backup/id-is-the-one-asked-for',
      'path/malformed-organization-id-is-refused',
      'error/bad-request-has-status',
      'webhook/absent-in-managed-form',
      'auth/no-credentials-are-refused',
      'alert/created-is-listed',
      'alert/created-is-got',
      'alert/updated-is-got',
      'alert/deleted-is-gone',
      'chart/query-is-accepted',
      'chart/other-methods-never-succeed',
    ])
      expect(held, id).toContain(id)
  })

  it('is judged by the selected rules only, and for the named hosts only', () => {
    expect(judge(correctSession, { sections: ['2.3'] }).rules.every(({ section }) => section === '2.3')).toBe(true)
    expect(judge(correctSession, { origins: ['https://api.example.test/'] }).requests).toBe(correctSession.length)
    expect(() => judge(correctSession, { origins: ['https://other.example.test'] })).toThrow(/no request of this API/)
  })

  it('needs more than a health check, which any host may have, to count as this API', () => {
    expect(() => judge([{ request: 'GET /health', answers: {} }])).toThrow(/no request of this API/)
  })

  it('gives the same report each time', () => {
    const recording = record(...correctSession)
    expect(judgeHar(recording)).toEqual(judgeHar(structuredClone(recording)))
  })
})

describe('a recording of a violation', () => {
  const repeated = wrap([])
  it.each<[string, Entry[]]>([
    ['envelope/status-equals-http', [listMembers({}, { answers: wrap([ada], { status: '200' }) })]],
    ['envelope/request-id-is-uuid-v4', [listMembers({}, { answers: wrap([ada], { requestId: 'x' }) })]],
    [
      'envelope/request-id-is-never-repeated',
      [
        listMembers({}, { answers: repeated }),
        getBackup({}, { answers: wrap(storedBackup, { requestId: repeated.requestId }) }),
      ],
    ],
    ['envelope/result-is-array-or-object', [getBackup({}, { answers: wrap('backup') })]],
    [
      'envelope/delete-carries-a-result',
      [{ request: `DELETE ${stackPath}/alerts/${alertId}`, answers: wrap(undefined) }],
    ],
    ['service/answers-are-json', [{ ...listDashboards, answers: '<html>' }]],
    ['service/json-is-labelled', [{ ...listDashboards, answerHeaders: { 'Content-Type': 'text/html' } }]],
    ['member/list-answers-200', [listMembers({}, { status: 500, answers: { error: 'no' } })]],
    ['member/result-is-an-array', [listMembers({}, { answers: wrap({}) })]],
    ['member/user-id-is-a-string', [listMembers({ userId: 1 })]],
    ['member/name-is-a-string', [listMembers({ name: null })]],
    ['member/email-is-an-address', [listMembers({ email: 'ada' })]],
    ['member/role-is-admin-or-developer', [listMembers({ role: 'Admin' })]],
    ['member/joined-at-is-a-date-time', [listMembers({ joinedAt: '2025-02-30T00:00:00Z' })]],
    ['member/user-id-occurs-once', [listMembers({}, { answers: wrap([ada, ada]) })]],
    [
      'member/user-id-is-the-same-in-every-organization',
      [
        listMembers(),
        { request: `GET /v1/organizations/${otherOrganization}/members`, answers: wrap([{ ...ada, userId: 'u2' }]) },
      ],
    ],
    ['backup/get-answers-200', [getBackup({}, { status: 201, answers: wrap(storedBackup, { status: 201 }) })]],
    ['backup/result-is-an-object', [getBackup({}, { answers: wrap([]) })]],
    ['backup/id-is-the-one-asked-for', [getBackup({ id: uuid(9) })]],
    ['backup/service-id-is-the-one-asked-for', [getBackup({ serviceId: uuid(9) })]],
    ['backup/does-not-finish-before-it-starts', [getBackup({ finishedAt: '2024-01-01T00:00:00Z' })]],
    ['backup/size-in-bytes-is-a-number', [getBackup(), getBackup(), getBackup({ sizeInBytes: '1' })]],
    ['backup/iam-role-arn-is-a-string', [getBackup({ bucket: { iamRoleArn: 1 } })]],
    [
      'path/malformed-organization-id-is-refused',
      [listMembers(), { request: 'GET /v1/organizations/not-a-uuid/members', answers: wrap([ada]) }],
    ],
    [
      'path/malformed-backup-id-is-refused',
      [getBackup(), { request: `GET ${backupPath.slice(0, -36)}nope`, answers: wrap(storedBackup) }],
    ],
    ['error/bad-request-has-status', [{ request: `GET ${membersPath}`, status: 400, answers: { error: 'no' } }]],
    [
      'error/bad-request-has-error-sentence',
      [{ request: `GET ${membersPath}`, status: 400, answers: { status: 400 } }],
    ],
    [
      'error/malformed-json-is-refused',
      [{ request: `POST ${selfHostedPath}/dashboards`, sends: '{"name":', answers: { data: { id: alertId } } }],
    ],
    ['auth/no-credentials-are-refused', [listDashboards, { ...listDashboards, authorization: null }]],
    ['auth/no-credentials-are-refused-elsewhere', [getAlert(), { ...getAlert(), authorization: null }]],
    ['auth/wrong-scheme-is-refused', [listDashboards, { ...listDashboards, authorization: 'Basic REDACTED' }]],
    ['dashboard/list-answers', [createAlert, { ...listDashboards, status: 404, answers: { message: 'no' } }]],
    ['alert/list-answers', [{ request: `GET ${selfHostedPath}/alerts`, status: 500, answers: { message: 'no' } }]],
    ['alert/create-accepts-the-sample', [{ ...createAlert, status: 405, answers: { message: 'no' } }]],
    ['alert/get-answers', [createAlert, { ...getDeletedAlert, status: 500 }]],
    ['alert/delete-answers', [createAlert, { ...deleteAlert, status: 405 }]],
    ['alert/created-is-got', [createAlert, { ...getAlert(), answers: { data: { ...alert, id: 'b'.repeat(24) } } }]],
    ['alert/created-is-got', [createAlert, getAlert('Another')]],
    ['alert/created-is-listed', [createAlert, { request: `GET ${selfHostedPath}/alerts`, answers: { data: [] } }]],
    ['alert/updated-is-got', [createAlert, updateAlert, getAlert()]],
    ['alert/deleted-is-gone', [createAlert, deleteAlert, getAlert()]],
    ['alert/deleted-is-gone', [getAlert(), deleteAlert, getAlert()]],
    ['chart/query-is-accepted', [{ ...queryChart, status: 405, answers: { message: 'no' } }]],
    [
      'chart/other-methods-never-succeed',
      [queryChart, { request: `GET ${selfHostedPath}/charts/series`, answers: { data: [] } }],
    ],
    [
      'chart/absent-in-managed-form',
      [
        { request: `GET ${stackPath}/dashboards`, answers: wrap([]) },
        { request: `POST ${stackPath}/charts/series`, sends: {}, answers: wrap([]) },
      ],
    ],
    [
      'webhook/absent-in-managed-form',
      [
        { request: `GET ${stackPath}/dashboards`, answers: wrap([]) },
        { request: `GET ${stackPath}/webhooks`, answers: wrap([]) },
      ],
    ],
    [
      'version/description-is-1.0',
      [listMembers(), { request: 'GET /v1', answers: { openapi: '3.1.0', info: { version: '2' } } }],
    ],
  ])('breaks %s alone', (id, entries) => {
    expect(idsOfBrokenRules(...entries)).toEqual([id])
  })
})

describe('the report on a recording', () => {
  it.each<[string, Entry[]]>([
    ['a revalidated answer', [listDashboards, { ...listDashboards, status: 304, answers: undefined }]],
    ['an aborted request', [listDashboards, { ...listDashboards, status: 0, answers: undefined }]],
    ['a body that was cut', [{ ...listDashboards, answers: '{"data": [{"id"', content: { size: 9000 } }]],
    ['a body that was left out', [listMembers({}, { content: { text: undefined, size: 300 } })]],
    [
      'the left-out body of a 400',
      [{ request: `GET ${membersPath}`, status: 400, content: { size: 80, text: undefined } }],
    ],
    [
      'a compressed body in base64',
      [
        {
          ...listDashboards,
          content: { encoding: 'base64', text: 'H4sIAAAAAAAAA6tWKkvMKU1VsqpWSkksSVSyilaqrQUAn4GLXxQAAAA=' },
        },
      ],
    ],
    [
      'a requestId that a cache repeats',
      [
        listMembers({}, { answers: wrap([ada], { requestId: uuid(7) }) }),
        listMembers({}, { answers: wrap([ada], { requestId: uuid(7) }), more: { _fromCache: 'disk' } }),
      ],
    ],
    [
      'a repeated entry',
      [
        listMembers({}, { at: 1, answers: wrap([ada], { requestId: uuid(8) }) }),
        listMembers({}, { at: 1, answers: wrap([ada], { requestId: uuid(8) }) }),
      ],
    ],
    [
      'removed ids',
      [
        { request: 'GET /v1/organizations/ORG/members', answers: wrap([ada]) },
        { request: 'GET /v1/organizations/ORG/services/SVC/backups/BACKUP', answers: wrap(storedBackup) },
      ],
    ],
    [
      'removed credentials',
      [
        { ...listDashboards, authorization: null },
        { ...getAlert(), authorization: null },
      ],
    ],
    [
      'a session that authenticates by cookie',
      [listDashboards, { ...listDashboards, authorization: null, headers: { cookie: 'session=12345678' } }],
    ],
    ['two lists that differ', [listMembers(), listMembers({}, { answers: wrap([]) })]],
    ['another name after an update of an alert that was there before', [getAlert(), updateAlert, getAlert('Theirs')]],
    ['overlapping requests', [createAlert, { ...deleteAlert, at: 100 }, { ...getAlert(), at: 102 }]],
    [
      'a wrong request of the client',
      [
        { ...createAlert, status: 400, answers: { message: 'no' } },
        { ...queryChart, status: 500, answers: { error: 'no' } },
      ],
    ],
    [
      'the 404 for an absent record',
      [getDeletedAlert, { request: `GET ${backupPath}`, status: 404, answers: { error: 'no' } }],
    ],
    ['a gateway that is down', [{ ...listDashboards, status: 502, answers: '<html>' }]],
    [
      'an operation that the specification does not show',
      [
        listMembers(),
        {
          request: `GET /v1/organizations/${organization}/prometheus`,
          answers: '# HELP',
          answerHeaders: { 'Content-Type': 'text/plain' },
        },
      ],
    ],
    [
      'a creation whose body is not JSON',
      [createAlert, { ...createAlert, sends: '--x--', headers: { 'content-type': 'multipart/form-data' } }],
    ],
  ])('has no broken rule for %s', (_, entries) => {
    const { rules } = judge(entries)
    const wrong = rules
      .filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
      .map(({ id, detail }) => `${id}: ${detail}`)
    expect(wrong.filter(text => !text.includes('in answers whose body could not be read'))).toEqual([])
  })

  it('gives the reason why a rule is not applicable', () => {
    expect(findRule('auth/no-credentials-are-refused', { ...listDashboards, authorization: null })).toMatchObject({
      outcome: 'not-applicable',
      detail: expect.stringContaining('no Authorization header at all'),
    })
    expect(findRule('alert/updated-is-got', getAlert(), updateAlert, getAlert('Theirs'))).toMatchObject({
      outcome: 'not-applicable',
      detail: expect.stringMatching(/another session .* got "Theirs"/),
    })
    expect(findRule('alert/create-accepts-the-sample', { ...createAlert, status: 400 }).detail).toMatch(
      /answered with 400/,
    )
    expect(findRule('auth/ingestion-key-is-refused', listDashboards).detail).toMatch(/what is wrong with a credential/)
  })

  it('compares a list with a get only if no update lies between them', () => {
    const list = (name: string): Entry => ({
      request: `GET ${selfHostedPath}/alerts`,
      answers: { data: [{ ...alert, id: alertId, name }] },
    })
    const compareListWithGet = (...entries: Entry[]) =>
      findRule('alert/list-agrees-with-get', createAlert, ...entries).outcome
    expect(compareListWithGet(getAlert(), updateAlert, list('More'))).toBe('not-applicable')
    expect(compareListWithGet(list('Errors'), updateAlert, getAlert('More'))).toBe('not-applicable')
    expect(compareListWithGet(getAlert(), updateAlert, list('More'), getAlert('More'))).toBe('held')
    expect(compareListWithGet(getAlert(), updateAlert, getAlert('More'), list('Other'))).toBe('broken')
    expect(compareListWithGet(getAlert(), list('Other'))).toBe('broken')
    expect(findRule('alert/created-is-listed', createAlert, getAlert(), updateAlert, list('More')).outcome).toBe('held')
    const raise = { ...updateAlert, sends: { ...alert, threshold: 2 } }
    const raised = { ...getAlert(), answers: { data: { ...alert, id: alertId, threshold: 2 } } }
    expect(findRule('alert/created-is-got', createAlert, raise, raised).outcome).toBe('not-applicable')
  })

  it('compares the answers to two operations, unless something was written in between', () => {
    const organizationPath = `/v1/organizations/${organization}`
    const answer = (path: string, result: unknown): Entry => ({ request: `GET ${path}`, answers: wrap(result) })
    const caller = answer('/v1/whoami', { actorType: 'apiKey', keyId: uuid(5), organizationId: organization })
    const keys = (id: string) => answer(`${organizationPath}/keys`, [{ id, name: 'One' }])
    expect(findRule('caller/is-a-listed-key', caller, keys(uuid(5))).outcome).toBe('held')
    expect(findRule('caller/is-a-listed-key', caller, keys(uuid(6))).outcome).toBe('broken')
    const quota = answer(`${organizationPath}/quotas`, [{ quotaCode: 'services-per-organization', usage: 2 }])
    const services = answer(`${organizationPath}/services`, [{ id: service, name: 'One' }])
    const created: Entry = { request: `POST ${organizationPath}/services`, sends: {}, answers: wrap({ service: {} }) }
    const compareQuota = (...entries: Entry[]) => findRule('quota/services-are-counted', ...entries).detail
    expect(compareQuota(services, quota)).toMatch(/another session .* the number of services that are listed, 1/)
    expect(compareQuota(services, created, quota)).toMatch(/no request that shows it/)
  })

  it('joins the pages of a list that a client requested one after the other', () => {
    const keysPath = `/v1/organizations/${organization}/keys`
    const page = (query: string, ids: readonly string[], nextCursor: string | null): Entry => ({
      request: `GET ${keysPath}${query}`,
      answers: wrap(
        ids.map(id => ({ id, name: 'One' })),
        { nextCursor, limit: 2 },
      ),
    })
    const created: Entry = {
      request: `POST ${keysPath}`,
      sends: { name: 'One' },
      answers: wrap({ key: { id: uuid(7), name: 'One' }, keyId: 'a', keySecret: 'b' }),
    }
    const first = page('?limit=2', [uuid(5), uuid(6)], 'next')
    const judgeList = (...pages: Entry[]) => findRule('key/created-is-listed', created, ...pages).outcome
    expect(judgeList(first, page('?limit=2&cursor=next', [uuid(7)], null))).toBe('held')
    expect(judgeList(first, page('?cursor=next&limit=2', [uuid(8)], null))).toBe('broken')
    expect(judgeList(first)).toBe('not-applicable')
    expect(judgeList(page('?limit=2', [uuid(5)], null))).toBe('broken')
  })

  it('takes what stands in place of a secret for none', () => {
    const made: Entry = {
      request: `PATCH /v1/organizations/${organization}/services/${service}/password`,
      sends: {},
      answers: wrap({ password: '[redacted]' }),
    }
    const shown = listMembers({ name: 'see ?credential=[redacted]' })
    expect(findRule('answer/shows-no-secret-again', made, shown).outcome).toBe('held')
  })

  it('reads JSON in base64', () => {
    const text = btoa(JSON.stringify(wrap([{ ...ada, role: 'owner' }])))
    expect(idsOfBrokenRules(listMembers({}, { content: { encoding: 'base64', text } }))).toEqual([
      'member/role-is-admin-or-developer',
    ])
  })

  describe('whose bodies are not plain', () => {
    const plain = JSON.stringify(wrap([{ ...ada, role: 'owner' }]))
    it.each<[string, object]>([
      ['plain text that Firefox calls base64', { encoding: 'base64', text: plain }],
      ...Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }).map(
        ([name, compress]): [string, object] => [
          `base64 of ${name}`,
          { encoding: 'base64', text: compress(plain).toString('base64') },
        ],
      ),
      ['a file that Playwright wrote', { text: undefined, size: undefined, _file: 'a.json' }],
    ])('reads %s', (_, content) => {
      const readAttachment = (name: string) => (name === 'a.json' ? Buffer.from(plain) : undefined)
      const { rules } = judge([listMembers({}, { content })], { readAttachment })
      const broken = rules.filter(({ outcome }) => outcome === 'broken').map(({ id }) => id)
      expect(broken).toEqual(['member/role-is-admin-or-developer'])
    })

    it('names the causes of those that it cannot read, and holds no rule that needs them', () => {
      const report = judge([
        listMembers({}, { content: { text: undefined, _file: 'gone.json' } }),
        listMembers({}, { content: { text: 'AAEC/w==', encoding: 'base64' } }),
        listMembers({}, { content: { text: undefined, size: 300 } }),
        listMembers({}, { content: { text: '{"status": 200', size: 300 } }),
      ])
      expect(report.recording).toMatchObject({ entries: 4, judged: 0, unread: 4 })
      expect(report.recording?.left.map(({ why }) => why.replace(/^.*: /, ''))).toEqual([
        'it is in another file, which is not beside the recording',
        'it is neither text nor text that was compressed with gzip, deflate or br',
        'the recorder left it out',
        'the recorder cut it',
      ])
      const outcomeOf = (id: string) => report.rules.find(one => one.id === id)?.outcome
      expect(['member/role-is-admin-or-developer', 'service/answers-are-json'].map(outcomeOf)).toEqual([
        'errored',
        'errored',
      ])
      expect(exitStatus(report)).toBe(2)
    })

    it('are searched for secrets when they are plain', () => {
      const text = JSON.stringify(wrap([{ ...ada, secretKey: 's3cret-value', name: 7, note: 's3cret-value' }]))
      const content = { encoding: 'base64', text: gzipSync(text).toString('base64') }
      expect(JSON.stringify(judge([listMembers({}, { content })]))).not.toContain('s3cret-value')
    })
  })

  it('counts a known-broken rule separately', () => {
    const options = { knownBroken: ['member/role-is-admin-or-developer'] }
    expect(judge([listMembers({ role: 'owner' })], options).summary).toMatchObject({ broken: 0, knownBroken: 1 })
  })
})

describe('an entry that is not judged', () => {
  const elsewhere = (url: string) => {
    const [entry] = record({ request: 'GET /x', answers: 'x' }).log.entries
    return { ...entry!, request: { ...entry!.request, url } }
  }
  const entries = [
    ...record(
      listDashboards,
      ...[1, 2, 3].map(at => ({ ...listDashboards, at, content: { text: undefined, size: 300 } })),
      { ...listDashboards, at: 10, status: 0 },
      { ...listDashboards, at: 20, more: { _fromCache: 'disk' } },
      { ...listDashboards, at: 30 },
      { ...listDashboards, at: 30 },
      { ...listDashboards, at: 40, request: `OPTIONS ${selfHostedPath}/dashboards` },
      { request: 'GET /app.js', answers: 'x' },
      { request: `GET ${selfHostedPath}/nothing`, status: 404, answers: '<html>' },
    ).log.entries,
    elsewhere('https://cdn.example.test/app.js'),
    {},
    elsewhere('app.js'),
  ]

  it('is counted once, under its reason', () => {
    const { recording } = judgeHar({ log: { entries } })
    expect(recording).toEqual({
      entries: entries.length,
      judged: 2,
      left: [
        { count: 3, why: 'only its status was read, not its body: the recorder left it out' },
        ...[
          'no answer came: it was aborted or blocked, or became a web socket',
          'its answer came out of a cache',
          'it is a duplicate',
          'it is a preflight, or opens a tunnel',
          'it has no request or no response',
          'its request has no method or no whole address',
          'its path is not in this API',
          'it went to another host than the requests of this API',
          'it is no operation of the contract and its answer is no JSON, so the general rules skip it',
        ].map(why => ({ count: 1, why })),
      ],
      unread: 3,
    })
  })

  it('is counted in every report that a person reads', () => {
    const report = judgeHar({ log: { entries } })
    for (const render of [renderMarkdown, renderHtml, (one: Report) => renderTerminal(one, createPaint(false))]) {
      const text = render(report)
      expect(text).toContain('Of 14 recorded exchanges, 2 were judged and 12 were not:')
      expect(text).toContain('3 × only its status was read, not its body: the recorder left it out')
    }
    expect(renderTerminal(judge(correctSession), createPaint(false))).toContain(
      `Judged: all of ${correctSession.length} recorded exchanges.`,
    )
  })

  it('is counted even if no entry can be judged', () => {
    expect(() =>
      judge([
        { ...listDashboards, status: 0 },
        { ...listDashboards, at: 5, status: 0 },
      ]),
    ).toThrow(/none of 0 exchanges .* 2 more could not be used: no answer came/)
  })
})

describe('a file that is no recording of this API', () => {
  it.each<[unknown, RegExp]>([
    [null, /no recording/],
    [{ log: {} }, /no recording/],
    [{ log: { entries: [] } }, /no request of this API/],
    [{ log: { entries: [null, { request: {} }, { request: { url: 'x' }, response: {} }] } }, /no request of this API/],
    [record({ request: 'GET /pets' }), /no request of this API/],
  ])('is refused with an error that says so', (har, sentence) => {
    expect(() => judgeHar(har)).toThrow(sentence)
  })
})

describe('secrets', () => {
  const secrets = {
    key: 'Zm9vOnN1cGVyc2VjcmV0',
    bearer: 'b7d1f0aa-1111-4222-8333-444455556666',
    cookie: 'c00kie-v4lue',
    query: 'qu3ry-t0ken',
    body: 'acc3ss-k3y-value',
  }
  const { body: accessKey } = secrets
  const report = () =>
    JSON.stringify(
      judge([
        { ...listMembers({ name: 42, team: secrets.bearer }), authorization: `Basic ${secrets.key}` },
        {
          ...listDashboards,
          request: `GET ${selfHostedPath}/dashboards?api_key=${secrets.query}`,
          authorization: `Bearer ${secrets.bearer}`,
          headers: { cookie: `session=${secrets.cookie}; theme=dark`, 'x-api-key': secrets.body },
          answerHeaders: { 'Content-Type': 'text/plain', 'Set-Cookie': `session=${secrets.cookie}; HttpOnly` },
          answers: { data: [], accessKey, echo: [accessKey, 'supersecret', secrets.cookie, secrets.query] },
        },
      ]),
    )

  it('are nowhere in the report, even if bodies repeat them', () => {
    for (const secret of [...Object.values(secrets), 'supersecret']) expect(report()).not.toContain(secret)
    expect(report()).toContain('[redacted]')
  })

  const discord = 'https://discord.com/api/webhooks/1234567890/d1sc0rd-t0ken-of-the-channel'
  it.each<[string, Partial<Entry>]>([
    ['a token that is echoed in base64', { answers: { data: 1, echo: btoa(`user:${secrets.bearer}`) } }],
    ['a token that is echoed in capitals', { answers: { data: 1, echo: secrets.bearer.toUpperCase() } }],
    ['the user of a data source', { answers: { data: 1, dsn: 'clickhouse://default:b7d1f0aa@db:9000/logs' } }],
    ['a token in a URL', { answers: { data: 1, repository: 'https://b7d1f0aa@git.example.com/it' } }],
    ['the webhook address of a chat', { answers: { data: 1, url: discord } }],
    [
      'the id of a session, repeated in a body',
      { headers: { 'X-Session-Id': 'b7d1f0aa' }, answers: { data: 1, a: 'b7d1f0aa' } },
    ],
    [
      'a credential header with an underscore',
      { headers: { Api_Key: 'b7d1f0aa' }, answers: { data: 1, a: 'b7d1f0aa' } },
    ],
    ['a password in JSON within JSON', { answers: { data: 1, a: JSON.stringify({ password: 'b7d1f0aa' }) } }],
    ['a password in a form body', { answers: { data: 1, a: 'user=a&pass=b7d1f0aa&pwd=b7d1f0ab' } }],
  ])('are not shown: %s', (_, recorded) => {
    const text = JSON.stringify(judge([{ ...listDashboards, authorization: `Bearer ${secrets.bearer}`, ...recorded }]))
    expect(text).toContain('[redacted]')
    expect(text).not.toMatch(/b7d1f0a|d1sc0rd/i)
    expect(text).not.toContain(btoa(`user:${secrets.bearer}`).slice(10, 30))
  })

  it('do not include ids, paths and email addresses', () => {
    const path = `${selfHostedPath}/webhooks/64f0c1d2e3a4b5c6d7e8f901`
    const answers = {
      data: 1,
      url: 'https://example.com/hooks?from=a@b.example',
      session: 'morning',
      mail: 'a@b.example',
    }
    const text = JSON.stringify(
      judge([
        { ...listDashboards, answers },
        { ...listDashboards, request: `GET ${path}`, answers },
      ]),
    )
    for (const word of ['https://example.com/hooks?from=a@b.example', 'morning', 'a@b.example'])
      expect(text).toContain(word)
  })
})
