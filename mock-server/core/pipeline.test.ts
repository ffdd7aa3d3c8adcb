import { describe, expect, it } from 'vitest'
import { type Form, gaps, type Operation, operations, rules } from '../../fixtures/built-contract/index.ts'
import { createMock, type MockOptions } from '../mock/mock.ts'
import { authorization } from '../testing/open-cloud.ts'
import type { Cause } from '../words/cause.ts'

interface Request {
  readonly method?: string
  readonly path: string
  readonly query?: string
  readonly body?: unknown
  /** The Authorization header, by default with the credentials of the form; empty: no header. */
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
}

const unknownUuid = '11111111-1111-4111-8111-111111111111'
const unknownObjectId = '0123456789abcdef01234567'

/** A mock, and a function that sends a request with the credentials of a form to a path below the base of the form. */
function open(options: MockOptions = {}) {
  const mock = createMock({ now: Date.UTC(2026, 5, 1, 12), freeze: true, ...options })
  const target = mock.target({ cloud: 'http://cloud.test', selfHosted: 'http://self-hosted.test' })
  const [cloud, selfHosted] = [target.cloud!, target.selfHosted!]
  const organization = `/v1/organizations/${cloud.organizationId}`
  const base: Readonly<Record<Form, string>> = {
    cloud: organization,
    managed: `${organization}/services/${cloud.serviceId}/observability`,
    selfHosted: '/api/v2',
  }
  async function answer(form: Form, { method = 'GET', path, query = '', body = '', as, headers }: Request) {
    const host = form === 'selfHosted' ? 'selfHosted' : 'cloud'
    const ownAuthorization = form === 'selfHosted' ? `Bearer ${selfHosted.apiKey}` : authorization(cloud)
    const credentials = as === '' ? {} : { authorization: as ?? ownAuthorization }
    return mock.answer(
      {
        method,
        query,
        path: path.startsWith('//') ? path.slice(1) : `${base[form]}${path}`,
        headers: { ...credentials, ...(body !== '' && { 'content-type': 'application/json' }), ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      },
      host,
    )
  }
  return { mock, cloud, selfHosted, answer }
}

const chart = (sourceId: string, where = '') => ({
  startTime: Date.UTC(2026, 5, 1),
  endTime: Date.UTC(2026, 5, 1, 12),
  granularity: '1h',
  series: [{ sourceId, aggFn: 'count', where, groupBy: [] }],
})

describe('the cause of a success', () => {
  it.each([
    ['cloud', { path: '/members' }, 'stated', 'member/list-answers-200'],
    ['cloud', { path: '/services' }, 'documented', 'service/list-answers'],
    ['cloud', { path: '/keys' }, 'documented', 'key/list-answers'],
    ['managed', { path: '/alerts' }, 'implied', 'alert/list-answers'],
    ['selfHosted', { path: '/alerts' }, 'implied', 'alert/list-answers'],
    ['selfHosted', { method: 'HEAD', path: '/alerts' }, 'implied', 'alert/list-answers'],
  ] as const)('of the form %s is the rule that requires it: %j', async (form, request, basis, rule) => {
    const { status, cause } = await open().answer(form, request)
    expect([status, cause]).toEqual([200, { basis, rule, why: rules[rule].sentence }])
  })

  it('is the operation if no rule requires it', async () => {
    const { status, cause } = await open().answer('selfHosted', { path: '' })
    expect([status, cause]).toEqual([200, { basis: 'observed', why: operations['root.get'].description }])
  })
})

describe('the cause of a refusal', () => {
  it.each([
    ['cloud', { path: '/members', as: '' }, 401, 'implied', 'auth/missing-credentials', '401 json'],
    ['managed', { path: '/alerts', as: 'Basic x' }, 401, 'implied', 'auth/invalid-credentials', '401 json'],
    ['selfHosted', { path: '/alerts', as: '' }, 401, 'implied', 'auth/missing-credentials', '401 json'],
    ['selfHosted', { path: '/alerts', as: 'Bearer x' }, 401, 'implied', 'auth/invalid-credentials', '401 json'],
    [
      'cloud',
      { path: `//v1/organizations/${unknownUuid}/members` },
      404,
      'implied',
      'path/unknown-organization',
      '404 json',
    ],
    [
      'cloud',
      { path: `/services/${unknownUuid}/backups/${unknownUuid}` },
      404,
      'implied',
      'backup/unknown-service',
      '404 json',
    ],
    ['cloud', { path: '/services/1/backups/2' }, 400, 'implied', 'path/malformed-id', '400 json'],
    ['cloud', { path: '/nothing' }, 404, 'implied', 'path/unknown-path', '404 json'],
    ['cloud', { path: '/members', method: 'PUT' }, 405, 'implied', 'path/wrong-method', '405 json'],
    ['managed', { path: `/alerts/${unknownObjectId}` }, 404, 'implied', 'alert/unknown-id', '404 json'],
    ['managed', { path: '/alerts', method: 'POST', body: '{' }, 400, 'implied', 'error/malformed-json', '400 json'],
    ['selfHosted', { path: `/alerts/${unknownObjectId}` }, 404, 'implied', 'alert/unknown-id', '404 json'],
    ['selfHosted', { path: '/nothing' }, 404, 'implied', 'path/unknown-path', '404 json'],
    ['selfHosted', { path: '/charts/series' }, 405, 'implied', 'path/wrong-method', '405 json'],
    ['selfHosted', { path: '/alerts', method: 'POST', body: '{' }, 400, 'implied', 'error/malformed-json', '400 json'],
    ['selfHosted', { path: '/alerts', method: 'POST', body: {} }, 400, 'observed', 'error/self-hosted-body', 'message'],
    [
      'selfHosted',
      { path: '/charts/series', method: 'POST', body: chart(unknownObjectId) },
      404,
      'implied',
      'chart/unknown-source',
      '404 json',
    ],
  ] as const)('in the form %s is the gap with its choice: %j', async (form, request, status, basis, rule, choice) => {
    const { mock, answer } = open()
    const refusal = await answer(form, request)
    expect([refusal.status, refusal.cause]).toEqual([
      status,
      { basis, rule, choice, why: expect.stringContaining(gaps[rule].reason) },
    ])
    expect(mock.choices()[form]?.[rule]).toBe(choice)
  })

  it.each([
    [
      'cloud',
      { path: `/services/${unknownUuid}/observability/alerts` },
      404,
      'implied',
      'isolation/unknown-service-is-refused',
    ],
    ['managed', { path: '/alerts', method: 'POST', body: {} }, 400, 'stated', 'error/bad-request-has-error-sentence'],
    ['cloud', { path: '/keys', method: 'POST', body: {} }, 400, 'stated', 'error/bad-request-has-error-sentence'],
  ] as const)('in the form %s is the rule that requires it: %j', async (form, request, status, basis, rule) => {
    const { status: actualStatus, cause } = await open().answer(form, request)
    expect([actualStatus, cause]).toEqual([status, { basis, rule, why: expect.stringMatching(/^[A-Z_]+: ./) }])
  })

  it('is the gap about keys of other organizations, or, with the position, about unreadable filters', async () => {
    const { cloud, selfHosted, answer } = open()
    const path = `//v1/organizations/${cloud.secondOrganizationId}/members`
    expect((await answer('cloud', { path })).cause).toMatchObject({
      basis: 'implied',
      rule: 'auth/key-of-another-organization',
      choice: '403 json',
    })
    const body = chart(selfHosted.references.sourceId!, 'a:(')
    expect((await answer('selfHosted', { path: '/charts/series', method: 'POST', body })).cause).toMatchObject({
      rule: 'chart/unreadable-where',
      choice: '400 json',
      why: expect.stringContaining('column 4'),
    })
  })

  it('with --as self-hosted-2.24 is the observed 401 with plain text', async () => {
    const { answer } = open({ as: 'self-hosted-2.24' })
    for (const [as, rule] of [
      ['', 'auth/missing-credentials'],
      ['Bearer x', 'auth/invalid-credentials'],
    ]) {
      const { status, headers, body, cause } = await answer('selfHosted', { path: '/alerts', as })
      expect([status, headers['content-type'], body]).toEqual([401, 'text/plain; charset=utf-8', 'Unauthorized'])
      expect(cause).toEqual({ basis: 'observed', rule, choice: '401 text', why: expect.stringContaining('401 text') })
    }
  })
})

/** Requests to every operation in every form: with valid, wrong and no credentials, invalid bodies, and unknown ids. */
function* listRequests({ cloud, selfHosted }: ReturnType<typeof open>): Generator<[Form, Request]> {
  for (const { method, paths } of Object.values(operations) as Operation[]) {
    for (const [form, path] of Object.entries(paths) as [Form, string][]) {
      const ids = { organizationId: cloud.organizationId, serviceId: cloud.serviceId!, segment: 'observability' }
      const fill = (own: Readonly<Record<string, string>>, other: string) =>
        `/${path.replace(/\{(\w+)\}/g, (_, name: string) => own[name] ?? other)}`
      const wrong = form === 'selfHosted' ? `Bearer ${selfHosted.ingestionKey}` : `${authorization(cloud)}x`
      const knownPath = fill({ ...ids, backupId: cloud.backupId! }, selfHosted.references.dashboardId!)
      for (const as of ['', wrong]) yield [form, { method, path: knownPath, as }]
      for (const body of ['', '{', '[]', '{}']) yield [form, { method, path: knownPath, body }]
      yield [form, { method, path: knownPath, body: '{}', headers: { 'content-type': 'text/plain' } }]
      for (const id of [unknownUuid, unknownObjectId, 'zz']) {
        yield [form, { method, path: fill(ids, id) }]
        yield [form, { method, path: fill({ ...ids, serviceId: id }, id) }]
        yield [form, { method, path: fill({ segment: ids.segment }, id) }]
      }
      for (const otherMethod of ['OPTIONS', 'HEAD', 'TRACE']) yield [form, { method: otherMethod, path: knownPath }]
      yield [form, { method, path: `${knownPath}/more` }]
    }
  }
}

describe.each([undefined, 'self-hosted-2.24', 'self-hosted-2.36', 'clickhouse-cloud'] as const)(
  'a mock with the option as: %s',
  as => {
    it('records a cause for every answer: a rule, a gap with its choice, or the operation', async () => {
      const opened = open({ as, journal: 1 })
      const { mock, answer } = opened
      const choices = mock.choices()
      let count = 0
      for (const [form, request] of listRequests(opened)) {
        const { status, cause } = await answer(form, request)
        const message = `${form} ${request.method} ${request.path} ${request.body ?? ''}: ${status} ${JSON.stringify(cause)}`
        expect(mock.calls(1)[0]!.because, message).toEqual(cause)
        expect(status, message).toBeLessThan(500)
        checkCause(cause!, message, choices)
        count++
      }
      expect(count).toBeGreaterThan(500)
    })
  },
)

function checkCause(
  { basis, rule, choice, why }: Cause,
  about: string,
  choices: ReturnType<ReturnType<typeof createMock>['choices']>,
) {
  expect(['stated', 'implied', 'documented', 'observed', 'inferred', 'invented'], about).toContain(basis)
  expect(why, about).toMatch(/\w+ ?\w+/)
  expect(why, about).not.toContain('The mock recorded no cause')
  if (rule !== undefined && rule in gaps) {
    const inForce = Object.values(choices).map(all => (all as Record<string, string>)[rule])
    expect(inForce, about).toContain(choice)
    return
  }
  expect(choice, about).toBeUndefined()
  if (rule !== undefined) expect(Object.keys(rules), about).toContain(rule)
  // Only what the specification does not have can lack a rule and a gap.
  else expect(['documented', 'observed', 'invented'], about).toContain(basis)
}

describe('the cause of an answer that is broken on purpose', () => {
  it('is recorded for every fault, and is chaos for a disturbed call', async () => {
    for (const rule of Object.keys(rules) as (keyof typeof rules)[]) {
      const { mock, answer } = open({ faults: [rule], journal: 1 })
      for (const [form, path] of [
        ['cloud', '/members'],
        ['managed', '/alerts'],
        ['selfHosted', '/alerts'],
      ] as const) {
        for (const as of [undefined, '']) await answer(form, { path, as })
        expect(mock.calls(1)[0]!.because.why, rule).not.toContain('The mock recorded no cause')
      }
    }
    for (const chaos of [{ errorRate: 1 }, { dropRate: 1 }, { truncateRate: 1 }]) {
      const { cause } = await open({ chaos }).answer('cloud', { path: '/members' })
      expect([cause!.by, cause!.why], JSON.stringify(chaos)).toEqual(['chaos', expect.stringMatching(/\w+ \w+/)])
    }
  })

  it('is the fault only for an answer that the fault changed', async () => {
    const rule = 'envelope/request-id-is-uuid-v4'
    const { answer } = open({ faults: [rule] })
    expect((await answer('cloud', { path: '/members' })).cause).toMatchObject({ by: 'fault', rule })
    expect((await answer('selfHosted', { path: '/alerts' })).cause).toMatchObject({ rule: 'alert/list-answers' })
  })
})
