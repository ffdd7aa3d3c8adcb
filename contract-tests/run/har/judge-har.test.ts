import { describe, expect, it } from 'vitest'
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

const list = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, value]) => ({ name, value }))
const textOf = (value: unknown) =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)

/** A recording of entries, one after the other, ten milliseconds apart. */
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
          headers: list({
            ...(authorization === null ? {} : { authorization }),
            ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
            ...entry.headers,
          }),
          ...(sent === undefined ? {} : { postData: { mimeType: 'application/json', text: sent } }),
        },
        response: {
          status: entry.status ?? 200,
          headers: list({ 'Content-Type': 'application/json; charset=utf-8', ...entry.answerHeaders }),
          content: { size: text.length, mimeType: 'application/json', text, ...entry.content },
        },
        ...entry.more,
      }
    }),
  },
})

const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`
const [organization, another, service, backup] = [1, 2, 3, 4].map(uuid)
const members = `/v1/organizations/${organization}/members`
const oneBackup = `/v1/organizations/${organization}/services/${service}/backups/${backup}`
const stack = `/v1/organizations/${organization}/services/${service}/observability`
const api = '/api/v2'

let requests = 0
const wrap = (result: unknown, change: object = {}, status = 200) => ({
  status,
  requestId: `00000000-0000-4000-8000-${String(++requests).padStart(12, '0')}`,
  ...(result === undefined ? {} : { result }),
  ...change,
})
const ada = { userId: 'u1', name: 'Ada', email: 'ada@example.test', role: 'admin', joinedAt: '2025-01-01T00:00:00Z' }
const made = {
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
  request: `GET ${members}`,
  answers: wrap([{ ...ada, ...change }]),
  ...more,
})
const getBackup = (change: object = {}, more: Partial<Entry> = {}): Entry => ({
  request: `GET ${oneBackup}`,
  answers: wrap({ ...made, ...change }),
  ...more,
})
const id = 'a'.repeat(24)
const alert = { name: 'Errors', threshold: 1, interval: '1h' }
const create: Entry = { request: `POST ${api}/alerts`, sends: alert, answers: { data: { ...alert, id } } }
const get = (name = 'Errors'): Entry => ({
  request: `GET ${api}/alerts/${id}`,
  answers: { data: { ...alert, id, name } },
})
const update: Entry = {
  request: `PUT ${api}/alerts/${id}`,
  sends: { ...alert, name: 'More' },
  answers: { data: { id, name: 'More' } },
}
const remove: Entry = { request: `DELETE ${api}/alerts/${id}`, answers: {} }
const gone: Entry = { request: `GET ${api}/alerts/${id}`, status: 404, answers: { message: 'gone' } }
const dashboards: Entry = { request: `GET ${api}/dashboards`, answers: { data: [] } }
const chart: Entry = {
  request: `POST ${api}/charts/series`,
  sends: { startTime: 1.7e12, endTime: 1.7e12 + 1, series: [] },
  answers: { data: [] },
}

const judge = (entries: readonly Entry[], options?: JudgeHarOptions) => judgeHar(record(...entries), options)
const broken = (...entries: Entry[]) =>
  judge(entries)
    .rules.filter(({ outcome }) => outcome === 'broken')
    .map(({ id }) => id)
const rule = (name: string, ...entries: Entry[]) => judge(entries).rules.find(({ id }) => id === name)!

const good: readonly Entry[] = [
  listMembers(),
  listMembers(),
  { request: `GET /v1/organizations/${another}/members`, answers: wrap([ada]) },
  getBackup(),
  { request: 'GET /v1/organizations/not-a-uuid/members', status: 400, answers: wrap(undefined, { error: 'no' }, 400) },
  { request: `GET ${members}`, authorization: null, status: 401, answers: { error: 'no' } },
  { request: `GET ${stack}/dashboards`, answers: wrap([]) },
  { request: `GET ${stack}/webhooks`, status: 404, answers: { error: 'no' } },
  dashboards,
  create,
  { request: `GET ${api}/alerts`, answers: { data: [{ ...alert, id }] } },
  get(),
  update,
  get('More'),
  remove,
  gone,
  chart,
  { request: `GET ${api}/charts/series`, status: 404, answers: { message: 'no' } },
]

describe('a recording of a good session', () => {
  it('breaks nothing, in three forms', () => {
    const { rules, target, requests } = judge(good)
    expect(rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')).toEqual([])
    expect(target.forms).toEqual(['cloud', 'managed', 'selfHosted'])
    expect(requests).toBe(good.length)
  })

  it('answers what a recording can answer', () => {
    const held = new Set(
      judge(good)
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

  it('judges only what is selected, and only the hosts that are named', () => {
    expect(judge(good, { sections: ['2.3'] }).rules.every(({ section }) => section === '2.3')).toBe(true)
    expect(judge(good, { origins: ['https://api.example.test/'] }).requests).toBe(good.length)
    expect(() => judge(good, { origins: ['https://other.example.test'] })).toThrow(/no request of this API/)
  })

  it('is of this API by more than a health check, which any host may have', () => {
    expect(() => judge([{ request: 'GET /health', answers: {} }])).toThrow(/no request of this API/)
  })

  it('is judged the same each time', () => {
    const recording = record(...good)
    expect(judgeHar(recording)).toEqual(judgeHar(structuredClone(recording)))
  })
})

describe('a broken rule', () => {
  const twice = wrap([])
  it.each<[string, Entry[]]>([
    ['envelope/status-equals-http', [listMembers({}, { answers: wrap([ada], { status: '200' }) })]],
    ['envelope/request-id-is-uuid-v4', [listMembers({}, { answers: wrap([ada], { requestId: 'x' }) })]],
    [
      'envelope/request-id-is-never-repeated',
      [listMembers({}, { answers: twice }), getBackup({}, { answers: wrap(made, { requestId: twice.requestId }) })],
    ],
    ['envelope/result-is-array-or-object', [getBackup({}, { answers: wrap('backup') })]],
    ['envelope/delete-carries-a-result', [{ request: `DELETE ${stack}/alerts/${id}`, answers: wrap(undefined) }]],
    ['service/answers-are-json', [{ ...dashboards, answers: '<html>' }]],
    ['service/json-is-labelled', [{ ...dashboards, answerHeaders: { 'Content-Type': 'text/html' } }]],
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
        { request: `GET /v1/organizations/${another}/members`, answers: wrap([{ ...ada, userId: 'u2' }]) },
      ],
    ],
    ['backup/get-answers-200', [getBackup({}, { status: 201, answers: wrap(made, { status: 201 }) })]],
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
      [getBackup(), { request: `GET ${oneBackup.slice(0, -36)}nope`, answers: wrap(made) }],
    ],
    ['error/bad-request-has-status', [{ request: `GET ${members}`, status: 400, answers: { error: 'no' } }]],
    ['error/bad-request-has-error-sentence', [{ request: `GET ${members}`, status: 400, answers: { status: 400 } }]],
    [
      'error/malformed-json-is-refused',
      [{ request: `POST ${api}/dashboards`, sends: '{"name":', answers: { data: { id } } }],
    ],
    ['auth/no-credentials-are-refused', [dashboards, { ...dashboards, authorization: null }]],
    ['auth/no-credentials-are-refused-elsewhere', [get(), { ...get(), authorization: null }]],
    ['auth/wrong-scheme-is-refused', [dashboards, { ...dashboards, authorization: 'Basic REDACTED' }]],
    ['dashboard/list-answers', [create, { ...dashboards, status: 404, answers: { message: 'no' } }]],
    ['alert/list-answers', [{ request: `GET ${api}/alerts`, status: 500, answers: { message: 'no' } }]],
    ['alert/create-accepts-the-sample', [{ ...create, status: 405, answers: { message: 'no' } }]],
    ['alert/get-answers', [create, { ...gone, status: 500 }]],
    ['alert/delete-answers', [create, { ...remove, status: 405 }]],
    ['alert/created-is-got', [create, { ...get(), answers: { data: { ...alert, id: 'b'.repeat(24) } } }]],
    ['alert/deleted-is-gone', [create, remove, get()]],
    ['alert/deleted-is-gone', [get(), remove, get()]],
    ['chart/query-is-accepted', [{ ...chart, status: 405, answers: { message: 'no' } }]],
    ['chart/other-methods-never-succeed', [chart, { request: `GET ${api}/charts/series`, answers: { data: [] } }]],
    [
      'chart/absent-in-managed-form',
      [
        { request: `GET ${stack}/dashboards`, answers: wrap([]) },
        { request: `POST ${stack}/charts/series`, sends: {}, answers: wrap([]) },
      ],
    ],
    [
      'webhook/absent-in-managed-form',
      [
        { request: `GET ${stack}/dashboards`, answers: wrap([]) },
        { request: `GET ${stack}/webhooks`, answers: wrap([]) },
      ],
    ],
    [
      'version/description-is-1.0',
      [listMembers(), { request: 'GET /v1', answers: { openapi: '3.1.0', info: { version: '2' } } }],
    ],
  ])('is seen: %s', (id, entries) => {
    expect(broken(...entries)).toEqual([id])
  })
})

describe('what a recording cannot show', () => {
  it.each<[string, Entry[]]>([
    ['a revalidated answer', [dashboards, { ...dashboards, status: 304, answers: undefined }]],
    ['an aborted request', [dashboards, { ...dashboards, status: 0, answers: undefined }]],
    ['a body that was cut', [{ ...dashboards, answers: '{"data": [{"id"', content: { size: 9000 } }]],
    ['a body that was left out', [listMembers({}, { content: { text: undefined, size: 300 } })]],
    [
      'the left-out body of a 400',
      [{ request: `GET ${members}`, status: 400, content: { size: 80, text: undefined } }],
    ],
    [
      'a body in base64 that is compressed',
      [
        {
          ...dashboards,
          content: { encoding: 'base64', text: 'H4sIAAAAAAAAA6tWKkvMKU1VsqpWSkksSVSyilaqrQUAn4GLXxQAAAA=' },
        },
      ],
    ],
    [
      'a requestId that a cache gave out again',
      [
        listMembers({}, { answers: wrap([ada], { requestId: uuid(7) }) }),
        listMembers({}, { answers: wrap([ada], { requestId: uuid(7) }), more: { _fromCache: 'disk' } }),
      ],
    ],
    [
      'an entry that stands there twice',
      [
        listMembers({}, { at: 1, answers: wrap([ada], { requestId: uuid(8) }) }),
        listMembers({}, { at: 1, answers: wrap([ada], { requestId: uuid(8) }) }),
      ],
    ],
    [
      'ids that were taken out',
      [
        { request: 'GET /v1/organizations/ORG/members', answers: wrap([ada]) },
        { request: 'GET /v1/organizations/ORG/services/SVC/backups/BACKUP', answers: wrap(made) },
      ],
    ],
    [
      'credentials that were taken out',
      [
        { ...dashboards, authorization: null },
        { ...get(), authorization: null },
      ],
    ],
    [
      'a session by cookie',
      [dashboards, { ...dashboards, authorization: null, headers: { cookie: 'session=12345678' } }],
    ],
    ['lists that differ', [listMembers(), listMembers({}, { answers: wrap([]) })]],
    ['a list without what was created', [create, { request: `GET ${api}/alerts`, answers: { data: [] } }]],
    ['another name after an update', [create, update, get('Theirs')]],
    ['another name after the creation', [create, get('Theirs')]],
    ['requests side by side', [create, { ...remove, at: 100 }, { ...get(), at: 102 }]],
    [
      'a request that the client got wrong',
      [
        { ...create, status: 400, answers: { message: 'no' } },
        { ...chart, status: 500, answers: { error: 'no' } },
      ],
    ],
    ['what is not there', [gone, { request: `GET ${oneBackup}`, status: 404, answers: { error: 'no' } }]],
    ['a gateway that is down', [{ ...dashboards, status: 502, answers: '<html>' }]],
    [
      'an operation that is not shown',
      [listMembers(), { request: `GET /v1/organizations/${organization}/prometheus`, answers: '# HELP' }],
    ],
    [
      'a body of a creation that is no JSON',
      [create, { ...create, sends: '--x--', headers: { 'content-type': 'multipart/form-data' } }],
    ],
  ])('is not broken: %s', (_, entries) => {
    const { rules } = judge(entries)
    expect(
      rules
        .filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
        .map(({ id, detail }) => `${id}: ${detail}`),
    ).toEqual([])
  })

  it('is said with its reason', () => {
    expect(rule('auth/no-credentials-are-refused', { ...dashboards, authorization: null })).toMatchObject({
      outcome: 'not-applicable',
      detail: expect.stringContaining('no Authorization header at all'),
    })
    expect(rule('alert/updated-is-got', create, update, get('Theirs'))).toMatchObject({
      outcome: 'not-applicable',
      detail: expect.stringMatching(/another session .* got "Theirs"/),
    })
    expect(rule('alert/create-accepts-the-sample', { ...create, status: 400 }).detail).toMatch(/answered with 400/)
    expect(rule('auth/ingestion-key-is-refused', dashboards).detail).toMatch(/what is wrong with a credential/)
  })

  it('compares a list with a get of the same moment: an update between them is no disagreement', () => {
    const list = (name: string): Entry => ({
      request: `GET ${api}/alerts`,
      answers: { data: [{ ...alert, id, name }] },
    })
    const agrees = (...entries: Entry[]) => rule('alert/list-agrees-with-get', create, ...entries).outcome
    expect(agrees(get(), update, list('More'))).toBe('not-applicable')
    expect(agrees(list('Errors'), update, get('More'))).toBe('not-applicable')
    expect(agrees(get(), update, list('More'), get('More'))).toBe('held')
    expect(agrees(get(), update, get('More'), list('Other'))).toBe('broken')
    expect(agrees(get(), list('Other'))).toBe('broken')
    expect(rule('alert/created-is-listed', create, get(), update, list('More')).outcome).toBe('held')
    const raise = { ...update, sends: { ...alert, threshold: 2 } }
    const raised = { ...get(), answers: { data: { ...alert, id, threshold: 2 } } }
    expect(rule('alert/created-is-got', create, raise, raised).outcome).toBe('not-applicable')
  })

  it('reads a body in base64 that is JSON', () => {
    const text = btoa(JSON.stringify(wrap([{ ...ada, role: 'owner' }])))
    expect(broken(listMembers({}, { content: { encoding: 'base64', text } }))).toEqual([
      'member/role-is-admin-or-developer',
    ])
  })

  it('keeps a known-broken rule apart', () => {
    const options = { knownBroken: ['member/role-is-admin-or-developer'] }
    expect(judge([listMembers({ role: 'owner' })], options).summary).toMatchObject({ broken: 0, knownBroken: 1 })
  })
})

describe('what was not judged of a recording', () => {
  const elsewhere = (url: string) => {
    const [entry] = record({ request: 'GET /x', answers: 'x' }).log.entries
    return { ...entry!, request: { ...entry!.request, url } }
  }
  const entries = [
    ...record(
      dashboards,
      ...[1, 2, 3].map(at => ({ ...dashboards, at, content: { text: undefined, size: 300 } })),
      { ...dashboards, at: 10, status: 0 },
      { ...dashboards, at: 20, more: { _fromCache: 'disk' } },
      { ...dashboards, at: 30 },
      { ...dashboards, at: 30 },
      { ...dashboards, at: 40, request: `OPTIONS ${api}/dashboards` },
      { request: 'GET /app.js', answers: 'x' },
      { request: `GET ${api}/nothing`, status: 404, answers: '<html>' },
    ).log.entries,
    elsewhere('https://cdn.example.test/app.js'),
    {},
    elsewhere('app.js'),
  ]

  it('is counted by its reason, and every entry is counted once', () => {
    const { recording } = judgeHar({ log: { entries } })
    expect(recording).toEqual({
      entries: entries.length,
      judged: 2,
      left: [
        { count: 3, why: 'the body of its answer was cut or left out, so only its status tells something' },
        ...[
          'no answer came: it was aborted or blocked, or became a web socket',
          'its answer came out of a cache',
          'it stands there twice',
          'it is a preflight, or opens a tunnel',
          'it has no request or no response',
          'its request has no method or no whole address',
          'its path is none of this API',
          'it went to another host than the requests of this API',
          'it is no operation of the contract and its answer is no JSON, so the general rules pass it by',
        ].map(why => ({ count: 1, why })),
      ],
    })
  })

  it('is said in every report that a person reads', () => {
    const report = judgeHar({ log: { entries } })
    for (const render of [renderMarkdown, renderHtml, (one: Report) => renderTerminal(one, createPaint(false))]) {
      const text = render(report)
      expect(text).toContain('Of 14 recorded exchanges, 2 were judged and 12 were not:')
      expect(text).toContain('3 × the body of its answer was cut or left out')
    }
    expect(renderTerminal(judge(good), createPaint(false))).toContain(
      `Judged: all of ${good.length} recorded exchanges.`,
    )
  })

  it('is said also where nothing is left to judge', () => {
    expect(() =>
      judge([
        { ...dashboards, status: 0 },
        { ...dashboards, at: 5, status: 0 },
      ]),
    ).toThrow(/none of 0 exchanges .* 2 more could not be used: no answer came/)
  })
})

describe('what is no recording of this API', () => {
  it.each<[unknown, RegExp]>([
    [null, /no recording/],
    [{ log: {} }, /no recording/],
    [{ log: { entries: [] } }, /no request of this API/],
    [{ log: { entries: [null, { request: {} }, { request: { url: 'x' }, response: {} }] } }, /no request of this API/],
    [record({ request: 'GET /pets' }), /no request of this API/],
  ])('is refused with a sentence', (har, sentence) => {
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
          ...dashboards,
          request: `GET ${api}/dashboards?api_key=${secrets.query}`,
          authorization: `Bearer ${secrets.bearer}`,
          headers: { cookie: `session=${secrets.cookie}; theme=dark`, 'x-api-key': secrets.body },
          answerHeaders: { 'Content-Type': 'text/plain', 'Set-Cookie': `session=${secrets.cookie}; HttpOnly` },
          answers: { data: [], accessKey, echo: [accessKey, 'supersecret', secrets.cookie, secrets.query] },
        },
      ]),
    )

  it('are nowhere in the report, also where they are repeated in bodies', () => {
    for (const secret of [...Object.values(secrets), 'supersecret']) expect(report()).not.toContain(secret)
    expect(report()).toContain('[redacted]')
  })

  const discord = 'https://discord.com/api/webhooks/1234567890/d1sc0rd-t0ken-of-the-channel'
  it.each<[string, Partial<Entry>]>([
    ['a token that is echoed in base64', { answers: { data: 1, echo: btoa(`user:${secrets.bearer}`) } }],
    ['a token that is echoed in capitals', { answers: { data: 1, echo: secrets.bearer.toUpperCase() } }],
    ['who a data source logs in as', { answers: { data: 1, dsn: 'clickhouse://default:b7d1f0aa@db:9000/logs' } }],
    ['whose token a URL carries', { answers: { data: 1, repository: 'https://b7d1f0aa@git.example.com/it' } }],
    ['the address of a chat', { answers: { data: 1, url: discord } }],
    [
      'the id of a session, wherever it stands',
      { headers: { 'X-Session-Id': 'b7d1f0aa' }, answers: { data: 1, a: 'b7d1f0aa' } },
    ],
    ['a header with an underscore', { headers: { Api_Key: 'b7d1f0aa' }, answers: { data: 1, a: 'b7d1f0aa' } }],
    ['a password in JSON within JSON', { answers: { data: 1, a: JSON.stringify({ password: 'b7d1f0aa' }) } }],
    ['a password of a form', { answers: { data: 1, a: 'user=a&pass=b7d1f0aa&pwd=b7d1f0ab' } }],
  ])('are not shown: %s', (_, recorded) => {
    const text = JSON.stringify(judge([{ ...dashboards, authorization: `Bearer ${secrets.bearer}`, ...recorded }]))
    expect(text).toContain('[redacted]')
    expect(text).not.toMatch(/b7d1f0a|d1sc0rd/i)
    expect(text).not.toContain(btoa(`user:${secrets.bearer}`).slice(10, 30))
  })

  it('are not every word of a recording: ids, paths and mail addresses stay', () => {
    const path = `${api}/webhooks/64f0c1d2e3a4b5c6d7e8f901`
    const answers = {
      data: 1,
      url: 'https://example.com/hooks?from=a@b.example',
      session: 'morning',
      mail: 'a@b.example',
    }
    const text = JSON.stringify(
      judge([
        { ...dashboards, answers },
        { ...dashboards, request: `GET ${path}`, answers },
      ]),
    )
    for (const word of ['https://example.com/hooks?from=a@b.example', 'morning', 'a@b.example'])
      expect(text).toContain(word)
  })
})
