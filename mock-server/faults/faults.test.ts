import { describe, expect, it } from 'vitest'
import { type Form, type RuleId, rules } from '../../fixtures/built-contract/index.ts'
import { core } from '../mock/made-of.ts'
import { contextOf, createStub, ids } from '../testing/stub-deployment.ts'
import { call, exchanges, invalidAuthorizations, unknownId } from '../testing/stub-exchanges.ts'
import type { Answer } from '../words/call.ts'
import type { Fault } from './fault.ts'

const { faults } = core

type Row = Record<string, unknown>

const noFault: Fault = (call, next) => next(call)

/** The answers to all exchanges, by name, with one fault. */
async function answerWith(fault: Fault): Promise<Map<string, Answer>> {
  const { next } = createStub()
  const answers = new Map<string, Answer>()
  // In sequence, because later exchanges depend on earlier ones.
  for (const [name, call] of exchanges) answers.set(name, await fault(call, next, contextOf(call)))
  return answers
}

const answersWithoutFault = await answerWith(noFault)
const comparableWithoutFault = toComparable(answersWithoutFault)

/** The names of the exchanges that a fault changes. Of request ids, only version and uniqueness are compared. */
async function findChanged(fault: Fault): Promise<string[]> {
  const after = toComparable(await answerWith(fault))
  return [...comparableWithoutFault.keys()].filter(name => comparableWithoutFault.get(name) !== after.get(name))
}

function toComparable(answers: Map<string, Answer>): Map<string, string> {
  const requestIds = new Set<string>()
  const compare = ({ status, headers, body }: Answer) => {
    const text = body.replace(/"requestId":"([^"]+)"/, (_, id: string) => {
      const isNew = !requestIds.has(id)
      requestIds.add(id)
      return `"requestId":"version ${id[14]}${isNew ? '' : ', repeated'}"`
    })
    return JSON.stringify([status, headers['content-type'], text])
  }
  return new Map([...answers].map(([name, answer]) => [name, compare(answer)]))
}

const inBothForms = (step: string) => [`managed ${step}`, `selfHosted ${step}`]
const listsOf = (resource: string) =>
  ['', ' after update', ' after delete'].flatMap(when => inBothForms(`${resource}.list${when}`))
const lists = ['members', 'members again', 'members of the second organization']

const successes = [...answersWithoutFault].filter(([, { status }]) => status === 200).map(([name]) => name)
const comparedSuccesses = successes.filter(name => name !== 'description' && name !== 'head of members')
const withEnvelope = comparedSuccesses.filter(name => !/^selfHosted|^chart by/.test(name))
const badRequests = [...answersWithoutFault]
  .filter(([name, { status }]) => status === 400 && !name.startsWith('selfHosted'))
  .map(([name]) => name)

const charts = [
  'selfHosted chart.query',
  ...['a filter', 'a text', 'groups', 'two series'].map(of => `selfHosted chart of ${of}`),
]

const isolationProbes = {
  'unknown organization': [
    'cloud unknown organization',
    'backup of unknown organization',
    'managed unknown organization',
  ],
  'foreign organization': [
    'cloud foreign organization',
    'backup of foreign organization',
    'managed foreign organization',
  ],
  'unknown service': ['cloud unknown service', 'managed unknown service'],
  'foreign service': ['cloud foreign service', 'managed foreign service'],
}

const shownOperations = {
  cloud: ['member.list', 'backup.get'],
  managed: ['dashboard.list', 'alert.create'],
  selfHosted: ['dashboard.list', 'alert.create', 'chart.query'],
}
const remainingDashboardOperations = ['dashboard.create', 'dashboard.get', 'dashboard.update', 'dashboard.delete']
const remainingAlertOperations = ['alert.list', 'alert.get', 'alert.update', 'alert.delete', 'source.list']
const otherOperations = {
  cloud: [],
  managed: [...remainingDashboardOperations, ...remainingAlertOperations],
  selfHosted: [...remainingDashboardOperations, ...remainingAlertOperations, 'webhook.list'],
}
const listProbes = (where: Record<Form, string[]>, ...kinds: string[]) =>
  (['cloud', 'managed', 'selfHosted'] as const).flatMap(form =>
    where[form].flatMap(operation =>
      kinds.filter(kind => kind in invalidAuthorizations[form]).map(kind => `${form} ${operation} as ${kind}`),
    ),
  )

/** The rules whose faults can change an answer of the stub, which has only the operations of the specification and few ids. */
const testedRules = (Object.keys(rules) as RuleId[]).filter(
  id =>
    rules[id].level !== 'documented' &&
    !id.startsWith('key/') &&
    !/^isolation\/(?:unknown-|other-kinds-)?id-is/.test(id),
)

/** The names of the exchanges that each fault changes. */
const changes: Partial<Record<RuleId, readonly string[]>> = {
  'service/answers-are-json': ['members of the second organization', ...inBothForms('source.list')],
  'service/json-is-labelled': comparedSuccesses,
  'path/malformed-organization-id-is-refused': ['cloud malformed organizationId', 'managed malformed organizationId'],
  'path/malformed-service-id-is-refused': ['backup of malformed serviceId', 'managed malformed serviceId'],
  'path/malformed-backup-id-is-refused': ['malformed backupId'],
  'version/description-is-1.0': ['description'],
  'envelope/status-equals-http': withEnvelope,
  'envelope/request-id-is-uuid-v4': withEnvelope,
  'envelope/request-id-is-never-repeated': withEnvelope.filter(name => name !== 'members'),
  'envelope/result-is-array-or-object': ['members of the second organization', 'managed source.list'],
  'envelope/delete-carries-a-result': ['managed dashboard.delete', 'managed alert.delete'],
  'error/bad-request-has-status': badRequests,
  'error/bad-request-has-error-sentence': badRequests,
  'error/malformed-json-is-refused': [
    ...inBothForms('dashboard.create of malformed JSON'),
    ...inBothForms('alert.create of malformed JSON'),
    'selfHosted chart of malformed JSON',
  ],
  'member/list-answers-200': lists,
  'member/result-is-an-array': lists,
  'member/list-is-whole-and-steady': ['members again'],
  'member/user-id-is-a-string': lists,
  'member/name-is-a-string': lists,
  'member/email-is-an-address': lists,
  'member/role-is-admin-or-developer': lists,
  'member/joined-at-is-a-date-time': lists,
  'member/user-id-occurs-once': lists,
  'member/user-id-is-the-same-in-every-organization': ['members of the second organization'],
  'backup/get-answers-200': ['backup'],
  'backup/result-is-an-object': ['backup'],
  'backup/unknown-id-is-refused': ['unknown backup'],
  'backup/id-is-a-uuid': ['backup'],
  'backup/id-is-the-one-asked-for': ['backup'],
  'backup/service-id-is-a-string': ['backup'],
  'backup/service-id-is-the-one-asked-for': ['backup'],
  'backup/started-at-is-a-date-time': ['backup'],
  'backup/finished-at-is-a-date-time': ['backup'],
  'backup/does-not-finish-before-it-starts': ['backup'],
  'backup/size-in-bytes-is-a-number': ['backup'],
  'backup/duration-in-seconds-is-a-number': ['backup'],
  'backup/backup-name-is-a-string': ['backup'],
  'backup/bucket-is-an-object': ['backup'],
  'backup/bucket-provider-is-a-string': ['backup'],
  'backup/bucket-path-is-a-string': ['backup'],
  'backup/iam-role-arn-is-a-string': ['backup'],
  'backup/iam-role-session-name-is-a-string': ['backup'],
  'dashboard/list-answers': listsOf('dashboard'),
  'dashboard/create-answers': [...inBothForms('dashboard.create'), ...inBothForms('dashboard.create another')],
  'dashboard/get-answers': [...inBothForms('dashboard.get'), ...inBothForms('dashboard.get after update')],
  'dashboard/update-answers': inBothForms('dashboard.update'),
  'dashboard/delete-answers': inBothForms('dashboard.delete'),
  'dashboard/created-is-listed': listsOf('dashboard'),
  'dashboard/created-is-got': inBothForms('dashboard.get'),
  'dashboard/updated-is-got': inBothForms('dashboard.get after update'),
  'dashboard/siblings-are-untouched': inBothForms('dashboard.list after delete'),
  'dashboard/list-agrees-with-get': inBothForms('dashboard.list after update'),
  'dashboard/id-never-changes': inBothForms('dashboard.update'),
  'dashboard/unsent-stays': inBothForms('dashboard.get after update'),
  'dashboard/deleted-is-gone': [
    ...inBothForms('dashboard.get after delete'),
    ...inBothForms('dashboard.list after delete'),
  ],
  'alert/create-accepts-the-sample': [...inBothForms('alert.create'), ...inBothForms('alert.create another')],
  'alert/list-answers': listsOf('alert'),
  'alert/get-answers': [...inBothForms('alert.get'), ...inBothForms('alert.get after update')],
  'alert/update-answers': inBothForms('alert.update'),
  'alert/delete-answers': inBothForms('alert.delete'),
  'alert/created-is-listed': listsOf('alert'),
  'alert/created-is-got': inBothForms('alert.get'),
  'alert/updated-is-got': inBothForms('alert.get after update'),
  'alert/siblings-are-untouched': inBothForms('alert.list after delete'),
  'alert/list-agrees-with-get': inBothForms('alert.list after update'),
  'alert/id-never-changes': inBothForms('alert.update'),
  'alert/unsent-stays': inBothForms('alert.get after update'),
  'alert/deleted-is-gone': [...inBothForms('alert.get after delete'), ...inBothForms('alert.list after delete')],
  'source/list-answers': inBothForms('source.list'),
  'chart/query-is-accepted': charts,
  'chart/filter-is-accepted': ['selfHosted chart of a filter'],
  'chart/filter-never-adds': ['selfHosted chart of a filter'],
  'chart/grouping-is-accepted': ['selfHosted chart of groups'],
  'chart/groups-add-up': ['selfHosted chart of groups'],
  'chart/two-series-are-accepted': ['selfHosted chart of two series'],
  'chart/other-methods-never-succeed': [
    'chart by GET',
    'chart by HEAD',
    'chart by PUT',
    'chart by PATCH',
    'chart by DELETE',
  ],
  'chart/absent-in-managed-form': ['managed charts', 'managed chart series'],
  'webhook/list-answers': ['selfHosted webhook.list'],
  'webhook/absent-in-managed-form': ['managed webhooks'],
  'auth/no-credentials-are-refused': listProbes(shownOperations, 'none'),
  'auth/no-credentials-are-refused-elsewhere': listProbes(otherOperations, 'none'),
  'auth/empty-secret-is-refused': listProbes(shownOperations, 'empty secret'),
  'auth/empty-secret-is-refused-elsewhere': listProbes(otherOperations, 'empty secret'),
  'auth/wrong-secret-is-refused': listProbes(shownOperations, 'wrong secret'),
  'auth/wrong-secret-is-refused-elsewhere': listProbes(otherOperations, 'wrong secret'),
  'auth/near-miss-is-refused': listProbes(
    shownOperations,
    'cut secret',
    'continued secret',
    'secret in another case',
    'key id as secret',
    "other organization's secret",
  ),
  'auth/missing-scheme-is-refused': listProbes(shownOperations, 'no scheme'),
  'auth/wrong-key-id-is-refused': listProbes(shownOperations, 'wrong key id'),
  'auth/wrong-key-id-is-refused-elsewhere': listProbes(otherOperations, 'wrong key id'),
  'auth/wrong-scheme-is-refused': listProbes(shownOperations, 'wrong scheme', 'key as password'),
  'auth/wrong-scheme-is-refused-elsewhere': listProbes(otherOperations, 'wrong scheme', 'key as password'),
  'auth/malformed-credentials-are-refused': listProbes(shownOperations, 'malformed', 'other scheme'),
  'auth/malformed-credentials-are-refused-elsewhere': listProbes(otherOperations, 'malformed', 'other scheme'),
  'auth/other-forms-credentials-are-refused': listProbes(shownOperations, 'other form'),
  'auth/other-forms-credentials-are-refused-elsewhere': listProbes(otherOperations, 'other form'),
  'auth/ingestion-key-is-refused': listProbes(shownOperations, 'ingestion key'),
  'auth/ingestion-key-is-refused-elsewhere': listProbes(otherOperations, 'ingestion key'),
  'isolation/unknown-organization-is-refused': isolationProbes['unknown organization'],
  'isolation/foreign-organization-is-refused': isolationProbes['foreign organization'],
  'isolation/unknown-service-is-refused': isolationProbes['unknown service'],
  'isolation/foreign-service-is-refused': isolationProbes['foreign service'],
  'answer/shows-no-secret-again': ['members of the second organization', ...inBothForms('source.list')],
  'isolation/refusals-show-nothing': Object.values(isolationProbes).flat(),
}

describe('a fault', () => {
  it.each(testedRules)('of %s changes only the answers that its rule judges', async id => {
    expect(changes, `${id} needs an entry in changes`).toHaveProperty([id])
    expect((await findChanged(faults[id]())).sort()).toEqual([...changes[id]!].sort())
  })

  const aboutEnvelopes = /^service\/answers|^envelope\/|^error\/bad/
  it.each((Object.keys(rules) as RuleId[]).filter(id => !aboutEnvelopes.test(id)))(
    'of %s keeps the envelopes of the cloud API valid',
    async id => {
      const requestIds = new Set<string>()
      const flawed: string[] = []
      for (const [name, { status, body }] of await answerWith(faults[id]())) {
        if (/^selfHosted|^chart by|^description|^head/.test(name)) continue
        const { status: envelopeStatus, requestId, result, error } = JSON.parse(body)
        const isNew = /^.{14}4.{4}[89ab]/.test(requestId) && !requestIds.has(requestId)
        requestIds.add(requestId)
        const isValid = status < 300 ? typeof result === 'object' : typeof error === 'string' && error !== ''
        if (envelopeStatus !== status || !isNew || !isValid) flawed.push(name)
      }
      expect(flawed).toEqual([])
    },
  )

  const changedValues: [RuleId, string, (result: never) => unknown, unknown][] = [
    ['member/user-id-is-a-string', 'members', ([one, two]: Row[]) => [one?.userId, two?.userId], [1, 2]],
    ['member/user-id-is-a-string', 'members of the second organization', ([one]: Row[]) => one?.userId, 1],
    ['member/name-is-a-string', 'members', ([one]: Row[]) => one?.name, 7],
    ['member/email-is-an-address', 'members', ([one]: Row[]) => one?.email, 'ada at example.com'],
    ['member/role-is-admin-or-developer', 'members', ([one]: Row[]) => one?.role, 'Admin'],
    ['member/joined-at-is-a-date-time', 'members', ([one]: Row[]) => one?.joinedAt, '2026-02-30T09:00:00.000Z'],
    [
      'member/user-id-occurs-once',
      'members',
      (all: Row[]) => all.map(one => one.userId),
      ['user-1', 'user-2', 'user-1'],
    ],
    ['member/result-is-an-array', 'members', (result: object) => Object.keys(result), ['members']],
    ['backup/id-is-the-one-asked-for', 'backup', (one: Row) => one.id, '44444444-4444-4444-8444-444444444440'],
    [
      'backup/service-id-is-the-one-asked-for',
      'backup',
      (one: Row) => one.serviceId,
      '33333333-3333-4333-8333-333333333330',
    ],
    ['backup/does-not-finish-before-it-starts', 'backup', (one: Row) => one.finishedAt, '2026-01-02T03:04:04.000Z'],
    ['backup/size-in-bytes-is-a-number', 'backup', (one: Row) => one.sizeInBytes, '1024'],
    [
      'backup/unknown-id-is-refused',
      'unknown backup',
      (one: Row) => [one.id, one.serviceId],
      [unknownId, ids.serviceId],
    ],
    ['path/malformed-backup-id-is-refused', 'malformed backupId', (one: Row) => one, {}],
    ['dashboard/created-is-got', 'managed dashboard.get', (one: Row) => one.name, 'Another one'],
    ['dashboard/updated-is-got', 'managed dashboard.get after update', (one: Row) => one.name, 'first'],
    ['alert/created-is-listed', 'managed alert.list', (all: Row[]) => all.map(one => one.name), ['spare']],
    ['alert/deleted-is-gone', 'managed alert.get after delete', (one: Row) => one.name, 'second'],
  ]
  it.each(changedValues)('of %s changes the answer to %s', async (id, name, read, value) => {
    const { result } = JSON.parse((await answerWith(faults[id]())).get(name)!.body)
    expect(read(result as never)).toEqual(value)
  })

  it('shares no state with an earlier instance', async () => {
    const request = exchanges[1]![1]
    const readBody = async (fault: Fault) => (await fault(request, createStub().next, contextOf(request))).body
    const [one, other] = [faults['member/list-is-whole-and-steady'](), faults['member/list-is-whole-and-steady']()]
    expect(await readBody(one)).toContain('ada@example.com')
    expect(await readBody(one)).not.toContain('ada@example.com')
    expect(await readBody(other)).toContain('ada@example.com')
  })

  it.each(['PUT', 'DELETE'])('that accepts bad credentials answers %s without performing it', async method => {
    const { next, resourcesOf } = createStub()
    const path = '/api/v2/alerts/000000000000000000000001'
    const { headers: _, ...bare } = call(method, path, 'selfHosted', '{"name":"changed"}')
    const sent = { ...bare, headers: {} }
    const answer = await faults['auth/no-credentials-are-refused-elsewhere']()(sent, next, contextOf(sent))
    expect(answer.status).toBe(200)
    expect(resourcesOf('selfHosted', 'alert')).toEqual([{ id: '000000000000000000000001', name: 'spare' }])
  })

  it('removes the ETag of a body that it changes', async () => {
    const answer = (await answerWith(faults['member/name-is-a-string']())).get('members')
    expect(answer?.headers).not.toHaveProperty('etag')
  })

  it('refuses in the error shape of the form', async () => {
    const answers = await answerWith(faults['source/list-answers']())
    expect(JSON.parse(answers.get('selfHosted source.list')!.body)).toEqual({ message: expect.any(String) })
    expect(JSON.parse(answers.get('managed source.list')!.body)).toEqual({
      status: 500,
      error: expect.any(String),
      requestId: expect.any(String),
    })
  })
})
