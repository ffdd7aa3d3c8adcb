import { describe, expect, it } from 'vitest'
import { type Form, type RuleId, rules } from '../../fixtures/contract/index.ts'
import { faults } from '../core/families.ts'
import { contextOf, createStub, ids } from '../testing/stub-deployment.ts'
import { call, exchanges, invalidAuthorizations, unknownId } from '../testing/stub-exchanges.ts'
import type { Answer } from '../words/call.ts'
import type { Fault } from './fault.ts'

type Row = Record<string, unknown>

const untouched: Fault = (call, next) => next(call)

/** The answers to all exchanges, by name, with one fault in force. */
async function answersWith(fault: Fault): Promise<Map<string, Answer>> {
  const { next } = createStub()
  const answers = new Map<string, Answer>()
  // One after the other, as the steps of a life cycle are.
  for (const [name, call] of exchanges) answers.set(name, await fault(call, next, contextOf(call)))
  return answers
}

const plain = await answersWith(untouched)
const before = comparable(plain)

/** The names of the exchanges that go another way; of a requestId only its version and its being new are compared. */
async function changedBy(fault: Fault): Promise<string[]> {
  const after = comparable(await answersWith(fault))
  return [...before.keys()].filter(name => before.get(name) !== after.get(name))
}

function comparable(answers: Map<string, Answer>): Map<string, string> {
  const seen = new Set<string>()
  const compare = ({ status, headers, body }: Answer) => {
    const text = body.replace(/"requestId":"([^"]+)"/, (_, id: string) => {
      const isNew = !seen.has(id)
      seen.add(id)
      return `"requestId":"version ${id[14]}${isNew ? '' : ', repeated'}"`
    })
    return JSON.stringify([status, headers['content-type'], text])
  }
  return new Map([...answers].map(([name, answer]) => [name, compare(answer)]))
}

const both = (step: string) => [`managed ${step}`, `selfHosted ${step}`]
const listsOf = (resource: string) =>
  ['', ' after update', ' after delete'].flatMap(when => both(`${resource}.list${when}`))
const lists = ['members', 'members again', 'members of the second organization']

const successes = [...plain].filter(([, { status }]) => status === 200).map(([name]) => name)
const judged = successes.filter(name => name !== 'description' && name !== 'head of members')
const enveloped = judged.filter(name => !/^selfHosted|^chart by/.test(name))
const badRequests = [...plain]
  .filter(([name, { status }]) => status === 400 && !name.startsWith('selfHosted'))
  .map(([name]) => name)

const charts = [
  'selfHosted chart.query',
  ...['a filter', 'a text', 'groups', 'two series'].map(of => `selfHosted chart of ${of}`),
]

const trespasses = {
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

const shown = {
  cloud: ['member.list', 'backup.get'],
  managed: ['dashboard.list', 'alert.create'],
  selfHosted: ['dashboard.list', 'alert.create', 'chart.query'],
}
const rest = ['dashboard.create', 'dashboard.get', 'dashboard.update', 'dashboard.delete']
const alertsRest = ['alert.list', 'alert.get', 'alert.update', 'alert.delete', 'source.list']
const elsewhere = {
  cloud: [],
  managed: [...rest, ...alertsRest],
  selfHosted: [...rest, ...alertsRest, 'webhook.list'],
}
const probed = (where: Record<Form, string[]>, ...kinds: string[]) =>
  (['cloud', 'managed', 'selfHosted'] as const).flatMap(form =>
    where[form].flatMap(operation =>
      kinds.filter(kind => kind in invalidAuthorizations[form]).map(kind => `${form} ${operation} as ${kind}`),
    ),
  )

/** The stub has the operations of the specification and few ids: the faults of other rules have nothing to change in it. */
const specified = (Object.keys(rules) as RuleId[]).filter(
  id =>
    rules[id].level !== 'documented' &&
    !id.startsWith('key/') &&
    !/^isolation\/(?:unknown-|other-kinds-)?id-is/.test(id),
)

/** What each fault changes; whatever else is asked is answered as if there were no fault. */
const changes: Partial<Record<RuleId, readonly string[]>> = {
  'service/answers-are-json': ['members of the second organization', ...both('source.list')],
  'service/json-is-labelled': judged,
  'path/malformed-organization-id-is-refused': ['cloud malformed organizationId', 'managed malformed organizationId'],
  'path/malformed-service-id-is-refused': ['backup of malformed serviceId', 'managed malformed serviceId'],
  'path/malformed-backup-id-is-refused': ['malformed backupId'],
  'version/description-is-1.0': ['description'],
  'envelope/status-equals-http': enveloped,
  'envelope/request-id-is-uuid-v4': enveloped,
  'envelope/request-id-is-never-repeated': enveloped.filter(name => name !== 'members'),
  'envelope/result-is-array-or-object': ['members of the second organization', 'managed source.list'],
  'envelope/delete-carries-a-result': ['managed dashboard.delete', 'managed alert.delete'],
  'error/bad-request-has-status': badRequests,
  'error/bad-request-has-error-sentence': badRequests,
  'error/malformed-json-is-refused': [
    ...both('dashboard.create of malformed JSON'),
    ...both('alert.create of malformed JSON'),
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
  'dashboard/create-answers': [...both('dashboard.create'), ...both('dashboard.create another')],
  'dashboard/get-answers': [...both('dashboard.get'), ...both('dashboard.get after update')],
  'dashboard/update-answers': both('dashboard.update'),
  'dashboard/delete-answers': both('dashboard.delete'),
  'dashboard/created-is-listed': listsOf('dashboard'),
  'dashboard/created-is-got': both('dashboard.get'),
  'dashboard/updated-is-got': both('dashboard.get after update'),
  'dashboard/siblings-are-untouched': both('dashboard.list after delete'),
  'dashboard/list-agrees-with-get': both('dashboard.list after update'),
  'dashboard/id-never-changes': both('dashboard.update'),
  'dashboard/unsent-stays': both('dashboard.get after update'),
  'dashboard/deleted-is-gone': [...both('dashboard.get after delete'), ...both('dashboard.list after delete')],
  'alert/create-accepts-the-sample': [...both('alert.create'), ...both('alert.create another')],
  'alert/list-answers': listsOf('alert'),
  'alert/get-answers': [...both('alert.get'), ...both('alert.get after update')],
  'alert/update-answers': both('alert.update'),
  'alert/delete-answers': both('alert.delete'),
  'alert/created-is-listed': listsOf('alert'),
  'alert/created-is-got': both('alert.get'),
  'alert/updated-is-got': both('alert.get after update'),
  'alert/siblings-are-untouched': both('alert.list after delete'),
  'alert/list-agrees-with-get': both('alert.list after update'),
  'alert/id-never-changes': both('alert.update'),
  'alert/unsent-stays': both('alert.get after update'),
  'alert/deleted-is-gone': [...both('alert.get after delete'), ...both('alert.list after delete')],
  'source/list-answers': both('source.list'),
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
  'auth/no-credentials-are-refused': probed(shown, 'none'),
  'auth/no-credentials-are-refused-elsewhere': probed(elsewhere, 'none'),
  'auth/empty-secret-is-refused': probed(shown, 'empty secret'),
  'auth/empty-secret-is-refused-elsewhere': probed(elsewhere, 'empty secret'),
  'auth/wrong-secret-is-refused': probed(shown, 'wrong secret'),
  'auth/wrong-secret-is-refused-elsewhere': probed(elsewhere, 'wrong secret'),
  'auth/near-miss-is-refused': probed(
    shown,
    'cut secret',
    'continued secret',
    'secret in another case',
    'key id as secret',
    "other organization's secret",
  ),
  'auth/missing-scheme-is-refused': probed(shown, 'no scheme'),
  'auth/wrong-key-id-is-refused': probed(shown, 'wrong key id'),
  'auth/wrong-key-id-is-refused-elsewhere': probed(elsewhere, 'wrong key id'),
  'auth/wrong-scheme-is-refused': probed(shown, 'wrong scheme', 'key as password'),
  'auth/wrong-scheme-is-refused-elsewhere': probed(elsewhere, 'wrong scheme', 'key as password'),
  'auth/malformed-credentials-are-refused': probed(shown, 'malformed', 'other scheme'),
  'auth/malformed-credentials-are-refused-elsewhere': probed(elsewhere, 'malformed', 'other scheme'),
  'auth/other-forms-credentials-are-refused': probed(shown, 'other form'),
  'auth/other-forms-credentials-are-refused-elsewhere': probed(elsewhere, 'other form'),
  'auth/ingestion-key-is-refused': probed(shown, 'ingestion key'),
  'auth/ingestion-key-is-refused-elsewhere': probed(elsewhere, 'ingestion key'),
  'isolation/unknown-organization-is-refused': trespasses['unknown organization'],
  'isolation/foreign-organization-is-refused': trespasses['foreign organization'],
  'isolation/unknown-service-is-refused': trespasses['unknown service'],
  'isolation/foreign-service-is-refused': trespasses['foreign service'],
  'answer/shows-no-secret-again': ['members of the second organization', ...both('source.list')],
  'isolation/refusals-show-nothing': Object.values(trespasses).flat(),
}

describe('a fault', () => {
  it.each(specified)('of %s changes what that rule is judged by, and nothing else', async id => {
    expect(changes, `${id} wants a line in changes`).toHaveProperty([id])
    expect((await changedBy(faults[id]())).sort()).toEqual([...changes[id]!].sort())
  })

  const aboutEnvelopes = /^service\/answers|^envelope\/|^error\/bad/
  it.each((Object.keys(rules) as RuleId[]).filter(id => !aboutEnvelopes.test(id)))(
    'of %s leaves the envelopes of the cloud API whole',
    async id => {
      const requestIds = new Set<string>()
      const flawed: string[] = []
      for (const [name, { status, body }] of await answersWith(faults[id]())) {
        if (/^selfHosted|^chart by|^description|^head/.test(name)) continue
        const { status: said, requestId, result, error } = JSON.parse(body)
        const isNew = /^.{14}4.{4}[89ab]/.test(requestId) && !requestIds.has(requestId)
        requestIds.add(requestId)
        const isWhole = status < 300 ? typeof result === 'object' : typeof error === 'string' && error !== ''
        if (said !== status || !isNew || !isWhole) flawed.push(name)
      }
      expect(flawed).toEqual([])
    },
  )

  const seen: [RuleId, string, (result: never) => unknown, unknown][] = [
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
  it.each(seen)('of %s shows in %s', async (id, name, look, value) => {
    const { result } = JSON.parse((await answersWith(faults[id]())).get(name)!.body)
    expect(look(result as never)).toEqual(value)
  })

  it('remembers nothing of another that was made before it', async () => {
    const asked = exchanges[1]![1]
    const ask = async (fault: Fault) => (await fault(asked, createStub().next, contextOf(asked))).body
    const [one, other] = [faults['member/list-is-whole-and-steady'](), faults['member/list-is-whole-and-steady']()]
    expect(await ask(one)).toContain('ada@example.com')
    expect(await ask(one)).not.toContain('ada@example.com')
    expect(await ask(other)).toContain('ada@example.com')
  })

  it.each(['PUT', 'DELETE'])('that lets bad credentials through only pretends to %s', async method => {
    const { next, resourcesOf } = createStub()
    const path = '/api/v2/alerts/000000000000000000000001'
    const { headers: _, ...bare } = call(method, path, 'selfHosted', '{"name":"changed"}')
    const sent = { ...bare, headers: {} }
    const answer = await faults['auth/no-credentials-are-refused-elsewhere']()(sent, next, contextOf(sent))
    expect(answer.status).toBe(200)
    expect(resourcesOf('selfHosted', 'alert')).toEqual([{ id: '000000000000000000000001', name: 'spare' }])
  })

  it('drops the entity tag of a body that it changed', async () => {
    const answer = (await answersWith(faults['member/name-is-a-string']())).get('members')
    expect(answer?.headers).not.toHaveProperty('etag')
  })

  it('refuses in the error shape of the form', async () => {
    const answers = await answersWith(faults['source/list-answers']())
    expect(JSON.parse(answers.get('selfHosted source.list')!.body)).toEqual({ message: expect.any(String) })
    expect(JSON.parse(answers.get('managed source.list')!.body)).toEqual({
      status: 500,
      error: expect.any(String),
      requestId: expect.any(String),
    })
  })
})
