import { describe, expect, it } from 'vitest'
import { type Form, gaps, type Operation, operations, rules } from '../../fixtures/contract/index.ts'
import { createMock, type MockOptions } from '../mock/mock.ts'
import { authorization } from '../testing/open-cloud.ts'
import type { Cause } from '../words/cause.ts'

interface Sent {
  readonly method?: string
  readonly path: string
  readonly query?: string
  readonly body?: unknown
  /** Another Authorization header than the right one; empty: none. */
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
}

const nobody = '11111111-1111-4111-8111-111111111111'
const noRecord = '0123456789abcdef01234567'

/** A mock, and the answer to a call of a form with the right credentials. Paths lie below what each form has before them. */
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
  async function answer(form: Form, { method = 'GET', path, query = '', body = '', as, headers }: Sent) {
    const host = form === 'selfHosted' ? 'selfHosted' : 'cloud'
    const own = form === 'selfHosted' ? `Bearer ${selfHosted.apiKey}` : authorization(cloud)
    const credentials = as === '' ? {} : { authorization: as ?? own }
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
  ] as const)('of the form %s is the rule that asks for it: %j', async (form, sent, basis, rule) => {
    const { status, cause } = await open().answer(form, sent)
    expect([status, cause]).toEqual([200, { basis, rule, why: rules[rule].sentence }])
  })

  it('is the operation where no rule asks for it', async () => {
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
      { path: `//v1/organizations/${nobody}/members` },
      404,
      'implied',
      'path/unknown-organization',
      '404 json',
    ],
    ['cloud', { path: `/services/${nobody}/backups/${nobody}` }, 404, 'implied', 'backup/unknown-service', '404 json'],
    ['cloud', { path: '/services/1/backups/2' }, 400, 'implied', 'path/malformed-id', '400 json'],
    ['cloud', { path: '/nothing' }, 404, 'implied', 'path/unknown-path', '404 json'],
    ['cloud', { path: '/members', method: 'PUT' }, 405, 'implied', 'path/wrong-method', '405 json'],
    ['managed', { path: `/alerts/${noRecord}` }, 404, 'implied', 'alert/unknown-id', '404 json'],
    ['managed', { path: '/alerts', method: 'POST', body: '{' }, 400, 'implied', 'error/malformed-json', '400 json'],
    ['selfHosted', { path: `/alerts/${noRecord}` }, 404, 'implied', 'alert/unknown-id', '404 json'],
    ['selfHosted', { path: '/nothing' }, 404, 'implied', 'path/unknown-path', '404 json'],
    ['selfHosted', { path: '/charts/series' }, 405, 'implied', 'path/wrong-method', '405 json'],
    ['selfHosted', { path: '/alerts', method: 'POST', body: '{' }, 400, 'implied', 'error/malformed-json', '400 json'],
    ['selfHosted', { path: '/alerts', method: 'POST', body: {} }, 400, 'observed', 'error/self-hosted-body', 'message'],
    [
      'selfHosted',
      { path: '/charts/series', method: 'POST', body: chart(noRecord) },
      404,
      'implied',
      'chart/unknown-source',
      '404 json',
    ],
  ] as const)(
    'of the form %s is the gap with the choice in force: %j',
    async (form, sent, status, basis, rule, choice) => {
      const { mock, answer } = open()
      const answered = await answer(form, sent)
      expect([answered.status, answered.cause]).toEqual([
        status,
        { basis, rule, choice, why: expect.stringContaining(gaps[rule].reason) },
      ])
      expect(mock.choices()[form]?.[rule]).toBe(choice)
    },
  )

  it.each([
    [
      'cloud',
      { path: `/services/${nobody}/observability/alerts` },
      404,
      'implied',
      'isolation/unknown-service-is-refused',
    ],
    ['managed', { path: '/alerts', method: 'POST', body: {} }, 400, 'stated', 'error/bad-request-has-error-sentence'],
    ['cloud', { path: '/keys', method: 'POST', body: {} }, 400, 'stated', 'error/bad-request-has-error-sentence'],
  ] as const)('of the form %s is the rule that asks for it: %j', async (form, sent, status, basis, rule) => {
    const { status: got, cause } = await open().answer(form, sent)
    expect([got, cause]).toEqual([status, { basis, rule, why: expect.stringMatching(/^[A-Z_]+: ./) }])
  })

  it('is the gap about keys of other organizations, and names where a filter cannot be read', async () => {
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

  it('as self-hosted-2.24 is what was observed there: the plain text of a 401', async () => {
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

/** Every operation in every form: with right, wrong and no credentials, bodies that are none, and ids of nobody. */
function* everyCall({ cloud, selfHosted }: ReturnType<typeof open>): Generator<[Form, Sent]> {
  for (const { method, paths } of Object.values(operations) as Operation[]) {
    for (const [form, path] of Object.entries(paths) as [Form, string][]) {
      const ids = { organizationId: cloud.organizationId, serviceId: cloud.serviceId!, segment: 'observability' }
      const fill = (own: Readonly<Record<string, string>>, other: string) =>
        `/${path.replace(/\{(\w+)\}/g, (_, name: string) => own[name] ?? other)}`
      const wrong = form === 'selfHosted' ? `Bearer ${selfHosted.ingestionKey}` : `${authorization(cloud)}x`
      const there = fill({ ...ids, backupId: cloud.backupId! }, selfHosted.references.dashboardId!)
      for (const as of ['', wrong]) yield [form, { method, path: there, as }]
      for (const body of ['', '{', '[]', '{}']) yield [form, { method, path: there, body }]
      yield [form, { method, path: there, body: '{}', headers: { 'content-type': 'text/plain' } }]
      for (const id of [nobody, noRecord, 'zz']) {
        yield [form, { method, path: fill(ids, id) }]
        yield [form, { method, path: fill({ ...ids, serviceId: id }, id) }]
        yield [form, { method, path: fill({ segment: ids.segment }, id) }]
      }
      for (const other of ['OPTIONS', 'HEAD', 'TRACE']) yield [form, { method: other, path: there }]
      yield [form, { method, path: `${there}/more` }]
    }
  }
}

describe.each([undefined, 'self-hosted-2.24', 'self-hosted-2.36', 'clickhouse-cloud'] as const)('as %s', as => {
  it('every answer says why, by a rule or a gap of its form, or as an operation beyond them', async () => {
    const opened = open({ as, journal: 1 })
    const { mock, answer } = opened
    const choices = mock.choices()
    let count = 0
    for (const [form, sent] of everyCall(opened)) {
      const { status, cause } = await answer(form, sent)
      const about = `${form} ${sent.method} ${sent.path} ${sent.body ?? ''}: ${status} ${JSON.stringify(cause)}`
      expect(mock.calls(1)[0]!.because, about).toEqual(cause)
      expect(status, about).toBeLessThan(500)
      judge(cause!, about, choices)
      count++
    }
    expect(count).toBeGreaterThan(500)
  })
})

function judge(
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
  // What no rule and no gap speaks of comes from beyond the specification.
  else expect(['documented', 'observed', 'invented'], about).toContain(basis)
}

describe('what is broken on purpose', () => {
  it('says so: by the fault of a rule, or by chaos', async () => {
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

  it('blames a fault for what it changed, and for nothing else', async () => {
    const rule = 'envelope/request-id-is-uuid-v4'
    const { answer } = open({ faults: [rule] })
    expect((await answer('cloud', { path: '/members' })).cause).toMatchObject({ by: 'fault', rule })
    expect((await answer('selfHosted', { path: '/alerts' })).cause).toMatchObject({ rule: 'alert/list-answers' })
  })
})
