import { describe, expect, it } from 'vitest'
import { contract, type Form, type Gap, type GapId, gaps } from '../../fixtures/built-contract/index.ts'
import { createMock } from '../mock/mock.ts'
import { resolveChoices } from './choices.ts'

/** Tests that a caller observes every choice of every gap. write-reply.test.ts tests the gaps about refusals. */

const now = Date.UTC(2026, 5, 1, 12)

function open(form: Form, choices: object) {
  const mock = createMock({ now, choices: { [form]: choices } })
  const { cloud, selfHosted } = mock.target({ cloud: '', selfHosted: '' })
  const organization = `/v1/organizations/${cloud!.organizationId}`
  const base = {
    cloud: organization,
    managed: `${organization}/services/${cloud!.serviceId}/observability`,
    selfHosted: '/api/v2',
  }
  const authorization =
    form === 'selfHosted' ? `Bearer ${selfHosted!.apiKey}` : `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`
  const send = async (method: string, path: string, body?: unknown, more: Record<string, string | undefined> = {}) => {
    const headers = { authorization, 'content-type': 'application/json', ...more }
    const [plain = '', query = ''] = path.split('?')
    const call = {
      method,
      path: plain.startsWith('/v1') ? plain : base[form] + plain,
      query,
      headers,
      body: body === undefined ? '' : JSON.stringify(body),
    }
    const answer = await mock.answer(call, form === 'selfHosted' ? 'selfHosted' : 'cloud')
    const json = () => JSON.parse(answer.body)
    // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a user would, without types
    return { ...answer, json, result: (): any => json()[form === 'selfHosted' ? 'data' : 'result'] }
  }
  const { dashboardId, tileId, webhookId } = (form === 'selfHosted' ? selfHosted : cloud)!.references
  const alert = (name: string) => ({
    dashboardId,
    tileId,
    channel: { type: 'webhook', webhookId },
    name,
    message: 'Look',
    threshold: 1,
    thresholdType: 'above',
    source: 'tile',
    interval: '1h',
  })
  const series = { aggFn: 'count', where: '', groupBy: [], sourceId: selfHosted!.references.sourceId }
  const chart = (unit: number, more: object) =>
    send('POST', '/charts/series', {
      startTime: (now - 3_600_000) / unit,
      endTime: now / unit,
      granularity: '1h',
      series: [{ ...series, ...more }],
    })
  const query = async (unit: number, where = '') => (await chart(unit, { where })).status
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers as a user would, without types
  const rows = async (more: object): Promise<any[]> => (await chart(1, more)).result()
  const { sources } = selfHosted!.references
  const load = (kind: string, points: readonly object[]) => mock.loadRows(sources[kind]!, points)
  /** Lists with the letter case of the key id or of the token swapped. */
  const listWithSwappedCase = () => {
    const swapCase = (text: string) =>
      text.replace(/[a-z]/gi, letter => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
    const authorization =
      form === 'selfHosted'
        ? `Bearer ${swapCase(selfHosted!.apiKey)}`
        : `Basic ${btoa(`${swapCase(cloud!.keyId)}:${cloud!.keySecret}`)}`
    return send('GET', listPath(form), undefined, { authorization })
  }
  const kafka = { type: 'kafka', format: 'JSONEachRow', brokers: 'b:9092', topics: 't' }
  const columns = ['a', 'b'].map(name => ({ name, type: 'String' }))
  const destination = { database: 'default', table: 'fresh', managedTable: true, columns }
  const pipe = (more: object) =>
    send('POST', `/services/${cloud!.serviceId}/clickpipes`, { name: 'x', source: { kafka }, destination, ...more })
  const wait = (seconds: number) => mock.moveClock(mock.clock.now() + seconds * 1000)
  return { send, alert, pipe, wait, query, listWithSwappedCase, rows, load, sources, base: base[form] }
}

type Client = ReturnType<typeof open>
const listPath = (form: Form) => (form === 'cloud' ? '/members' : '/dashboards')
const succeeds = ({ status }: { status: number }) => status < 300

function recogniseOrder(names: readonly string[], created: readonly string[]): string | undefined {
  const orders: Record<string, readonly string[]> = {
    'oldest first': created,
    'newest first': created.toReversed(),
    name: created.toSorted(),
    'name descending': created.toSorted().toReversed(),
  }
  const listed = names.filter(name => created.includes(name)).join()
  return Object.keys(orders).find(order => orders[order]!.join() === listed)
}

async function observeOrder(client: Client, path: string, body: (name: string) => object) {
  const created = ['b', 'd', 'a', 'c']
  for (const name of created) await client.send('POST', path, body(name))
  return recogniseOrder(
    (await client.send('GET', path)).result().map(({ name }: { name: string }) => name),
    created,
  )
}

const service = { name: 'fresh', provider: 'aws', region: 'us-east-1', ipAccessList: [] }
const board = (name: string) => ({ name, tiles: [] })

async function observeUpdateMethod(client: Client, path: string, body: object) {
  const { id } = (await client.send('POST', path, body)).result()
  const accepted: string[] = []
  for (const method of ['PUT', 'PATCH']) {
    if (succeeds(await client.send(method, `${path}/${id}`, body))) accepted.push(method)
  }
  return accepted.join()
}

describe('an update by PATCH', () => {
  const form = 'selfHosted'
  it.each(['2.24', '2.36'])('keeps fields that are not sent, and refuses an unknown id (edition %s)', async edition => {
    const byPatch = { 'dashboard/update-method': 'PATCH', 'alert/update-method': 'PATCH' }
    const client = open(form, { ...byPatch, 'version/self-hosted-edition': edition })
    for (const [path, body] of [
      ['/dashboards', { ...board('x'), tags: ['kept'] }],
      ['/alerts', client.alert('x')],
    ] as const) {
      const made = (await client.send('POST', path, body)).result()
      const answer = await client.send('PATCH', `${path}/${made.id}`, { name: 'y' })
      expect([answer.status, answer.result()]).toEqual([
        200,
        { ...made, name: 'y', ...pick(answer.result(), 'updatedAt') },
      ])
      expect((await client.send('GET', `${path}/${made.id}`)).result()).toEqual(answer.result())
      expect((await client.send('PATCH', `${path}/${made.id}`, { name: 1 })).status).toBe(400)
      expect((await client.send('PATCH', `${path}/${'0'.repeat(24)}`, { name: 'y' })).status).toBe(404)
      expect((await client.send('PATCH', `${path}/no-id`, { name: 'y' })).status).toBe(400)
    }
  })
})

const pick = (object: Record<string, unknown>, name: string) => (name in object ? { [name]: object[name] } : {})

type Observation = (client: Client, form: Form) => Promise<string | undefined>

/** Finds out through requests which choice of a gap the mock makes. */
const observations: Partial<Record<GapId, Observation>> = {
  'teamInvitation/refused-body': async client => {
    const { body } = await client.send('POST', '/team/invitation', {})
    return Array.isArray(JSON.parse(body)) ? 'list of findings' : 'sentence'
  },
  'service/head': async (client, form) => (succeeds(await client.send('HEAD', listPath(form))) ? 'as GET' : 'refused'),
  'limit/headers': async client =>
    'ratelimit-limit' in (await client.send('GET', '/webhooks')).headers ? 'always' : 'never',
  'id/twelve-characters': async client =>
    (await client.send('GET', '/alerts/abcdefghijkl')).status === 404 ? 'accept' : 'refuse',
  'path/trailing-slash': async (client, form) =>
    succeeds(await client.send('GET', `${listPath(form)}/`)) ? 'same' : 'refused',
  'path/letter-case': async (client, form) =>
    succeeds(await client.send('GET', listPath(form).toUpperCase())) ? 'same' : 'refused',
  'version/self-hosted-edition': async client =>
    'note' in (await client.send('GET', '/alerts')).result()[0] ? '2.36' : '2.24',
  'envelope/delete-result': async (client, form) => {
    const [path, body] = form === 'cloud' ? ['/keys', { name: 'x' }] : ['/dashboards', board('x')]
    const made = (await client.send('POST', path, body)).result()
    const gone = await client.send('DELETE', `${path}/${made.key?.id ?? made.id}`)
    return 'result' in gone.json() ? 'present' : 'absent'
  },
  'webhook/managed-form': async client => (succeeds(await client.send('GET', '/webhooks')) ? 'present' : 'absent'),
  'version/description': async client => (succeeds(await client.send('GET', '/v1')) ? 'served' : 'absent'),
  'envelope/request-id-on-refusals': async (client, form) => {
    const refused =
      form === 'cloud' ? await client.send('GET', '/services/x/backups/y') : await client.send('POST', '/alerts', {})
    return 'requestId' in refused.json() ? 'present' : 'absent'
  },
  'error/content-type': async client => {
    const { status, body } = await client.send('POST', '/dashboards', board('x'), { 'content-type': 'text/plain' })
    if (status < 300) return 'accepted'
    if (status === 415) return 'refused as 415'
    return body.includes('Content-Type') ? 'refused by header' : 'refused by body'
  },
  'error/self-hosted-body': async client => Object.keys((await client.send('POST', '/alerts', {})).json()).join(),
  'auth/challenge': async (client, form) =>
    'www-authenticate' in (await client.send('GET', listPath(form), undefined, { authorization: undefined })).headers
      ? 'present'
      : 'absent',
  'auth/key-id-letter-case': async client => (succeeds(await client.listWithSwappedCase()) ? 'accept' : 'refuse'),
  'auth/token-letter-case': async client => (succeeds(await client.listWithSwappedCase()) ? 'accept' : 'refuse'),
  'service/delete-after-stop': async client => {
    const stopped = (await client.send('GET', '/services'))
      .result()
      .find(({ state }: { state: string }) => state === 'stopped')
    await client.send('PATCH', `/services/${stopped.id}/state`, { command: 'start' })
    client.wait(60)
    await client.send('PATCH', `/services/${stopped.id}/state`, { command: 'stop' })
    client.wait(30)
    return succeeds(await client.send('DELETE', `/services/${stopped.id}`)) ? 'accepted' : 'refused for seconds'
  },
  'service/filter-without-prefix': async client =>
    (await client.send('GET', '/services?filter=Env')).result().length > 0 ? 'ignored' : 'read',
  'service/ip-access-list': async client => {
    const { ipAccessList: _, ...open } = service
    return succeeds(await client.send('POST', '/services', open)) ? 'yes' : 'no'
  },
  'serviceQueryEndpoint/while-provisioning': async client => {
    const { id } = (await client.send('POST', '/services', service)).result().service
    return String((await client.send('POST', `/services/${id}/serviceQueryEndpoint`, { openApiKeys: [] })).status)
  },
  'clickPipe/password': async client => {
    const tableMappings = [{ sourceSchemaName: 'public', sourceTable: 'a', targetTable: 'a' }]
    const postgres = { host: 'db', port: 5432, database: 'x', settings: { replicationMode: 'cdc' }, tableMappings }
    const sent = { source: { postgres }, destination: { database: 'default' } }
    return succeeds(await client.pipe(sent)) ? 'optional' : 'required'
  },
  'clickPipe/table-engine': async client => {
    const tableMappings = [{ sourceSchemaName: 'public', sourceTable: 'a', targetTable: 'a' }]
    const credentials = { username: 'u', password: 'p' }
    const settings = { replicationMode: 'cdc' }
    const postgres = { host: 'db', port: 5432, database: 'x', settings, tableMappings, credentials }
    const { source } = (await client.pipe({ source: { postgres }, destination: { database: 'default' } })).result()
    return 'tableEngine' in source.postgres.tableMappings[0] ? 'shown' : 'absent'
  },
  'error/unknown-property-code': async client => {
    const { error } = (await client.send('POST', '/services', { ...service, colour: 'red' })).json()
    return error.startsWith('BAD_REQUEST: ') ? 'yes' : 'no'
  },
  'clickPipe/unmapped-columns': async client =>
    succeeds(await client.pipe({ fieldMappings: [{ sourceField: 'b', destinationField: 'b' }] }))
      ? 'accepted'
      : 'refused',
  'clickPipeSettings/update': async client => {
    const { id, serviceId } = (await client.pipe({ settings: { clickhouse_max_threads: 2 } })).result()
    const path = `/services/${serviceId}/clickpipes/${id}/settings`
    await client.send('PUT', path, { streaming_max_insert_wait_ms: 600 })
    const { clickhouse_max_threads } = (await client.send('GET', path)).result()
    return clickhouse_max_threads === 2 ? 'merges' : 'replaces'
  },
  'service/list-after-creation': async client => {
    const { id } = (await client.send('POST', '/services', service)).result().service
    const listed = (await client.send('GET', '/services')).result() as { readonly id: string }[]
    return listed.some(one => one.id === id) ? 'at once' : 'seconds later'
  },
  'member/read-after-update': async client => {
    const members = (await client.send('GET', '/members')).result() as {
      readonly userId: string
      readonly role: string
    }[]
    const { userId } = members.find(({ role }) => role === 'developer')!
    const roles = [
      (await client.send('PATCH', `/members/${userId}`, { role: 'admin' })).result().role,
      (await client.send('GET', `/members/${userId}`)).result().role,
    ]
    return { 'admin,admin': 'at once', 'developer,developer': 'seconds later' }[String(roles)]
  },
  'activity/list-after-act': async client => {
    await client.send('POST', '/invitations', { email: 'ada@example.com' })
    const [newest] = (await client.send('GET', '/activities')).result() as { readonly type: string }[]
    return newest!.type === 'organization_invite_create' ? 'at once' : 'seconds later'
  },
  'member/order-of-list': async client => {
    const members = (await client.send('GET', '/members')).result() as Record<string, string>[]
    return ['joinedAt', 'name', 'email'].find(key =>
      members.every((one, i) => i === 0 || members[i - 1]![key]! <= one[key]!),
    )
  },
  'dashboard/create-status': async client => String((await client.send('POST', '/dashboards', board('x'))).status),
  'dashboard/update-method': async client => observeUpdateMethod(client, '/dashboards', board('x')),
  'dashboard/order-of-list': async client => observeOrder(client, '/dashboards', board),
  'dashboard/language-without-query': async client => {
    const board = (await client.send('GET', '/dashboards'))
      .result()
      .find((one: Record<string, unknown>) => one.savedQuery === null)
    return 'savedQueryLanguage' in board ? String(board.savedQueryLanguage) : 'absent'
  },
  'source/unset-expressions': async client => {
    const [log] = (await client.send('GET', '/sources')).result()
    return log.knownColumnsListExpression === '' ? 'empty' : 'absent'
  },
  'alert/create-status': async client => String((await client.send('POST', '/alerts', client.alert('x'))).status),
  'alert/update-method': async client => observeUpdateMethod(client, '/alerts', client.alert('x')),
  'alert/order-of-list': async client => observeOrder(client, '/alerts', client.alert),
  'managed/unknown-property': async client =>
    succeeds(await client.send('POST', '/alerts', { ...client.alert('x'), unheardOf: 1 })) ? 'ignore' : 'refuse',
  'chart/time-unit': async client =>
    (await client.query(1)) === 200
      ? (await client.query(1000)) === 200
        ? 'both accepted'
        : 'milliseconds'
      : (await client.query(1000)) === 200
        ? 'seconds'
        : undefined,
  'chart/free-text': async client => ((await client.query(1, 'GET')) === 200 ? 'search' : 'refuse'),
  'chart/short-names': async client => ((await client.query(1, 'level:error')) === 200 ? 'read' : 'refuse'),
  'chart/group-names': async client => {
    const groups = (await client.rows({ groupBy: ["LogAttributes['http.method']"] })).map(row => row.group[0])
    return groups.includes(null) ? 'collapse' : groups.includes('GET') ? 'keep' : undefined
  },
  'chart/metric-values': async client => {
    const point = { MetricType: 'sum', MetricName: 'queue', AggregationTemporality: 2, IsMonotonic: 0 }
    const values = [3, 5].map((Value, i) => ({ ...point, Value, TimeUnix: now - 60_000 * (2 - i) }))
    client.load('metric', values)
    const [sum] = await client.rows({
      sourceId: client.sources.metric,
      aggFn: 'sum',
      metricDataType: 'sum',
      metricName: 'queue',
    })
    return { 2: '2.36', 5: '2.24' }[sum!['series_0.data'] as number]
  },
  'role/legacy-roles': async client =>
    succeeds(await client.send('POST', '/keys', { name: 'x', roles: ['developer'] })) ? 'accepted' : 'refused',
  'scalingSchedule/no-entries': async client => {
    const [{ id }] = (await client.send('GET', '/services')).result()
    return succeeds(await client.send('POST', `/services/${id}/scalingSchedule`, { entries: [] }))
      ? 'cleared'
      : 'refused'
  },
  'page/unknown-cursor': async client =>
    succeeds(await client.send('GET', '/keys?cursor=x')) ? 'first page' : 'refused',
  'page/limit-above-maximum': async client =>
    succeeds(await client.send('GET', '/udfs?limit=1000')) ? 'capped' : 'refused',
  'udf/shape-of-lists': async client =>
    Array.isArray((await client.send('GET', '/udfs')).result()) ? 'beside the result' : 'within the result',
  'clickhouseSetting/types': async client => {
    const [{ id }] = (await client.send('GET', '/services')).result()
    const path = `/services/${id}/clickhouseSettings`
    const { settings } = (await client.send('PATCH', path, { settings: { max_threads: 8 } })).result()
    return typeof settings === 'string' ? 'text' : 'native'
  },
  'webhook/private-address': async client => {
    const webhook = { name: 'here', service: 'generic', url: 'http://127.0.0.1:9/in' }
    return succeeds(await client.send('POST', '/webhooks', webhook)) ? 'accept' : 'refuse'
  },
}

/** Choices that a gap needs to be observable: only the newer edition has these operations. */
const requiredChoices: Partial<Record<GapId, object>> = {
  'webhook/private-address': { 'version/self-hosted-edition': '2.36' },
  'teamInvitation/refused-body': { 'version/self-hosted-edition': '2.36' },
}

const places = (Object.entries(gaps) as [GapId, Gap][])
  .filter(([, { kind }]) => kind === 'choice')
  .flatMap(([id, { choices, forms }]) => forms.flatMap(form => choices.map(choice => [id, form, choice] as const)))

describe('a changed choice', () => {
  it('applies at once, only in its world, until an earlier snapshot is restored', async () => {
    const mock = createMock({ now, choices: { cloud: { 'service/head': 'refused' } } })
    const { world } = mock.worlds.open({ name: 'other' })
    const call = { method: 'GET', path: '/v1', query: '', headers: {}, body: '' }
    const statusOf = async (one: { answer: typeof world.answer }) => (await one.answer(call, 'cloud')).status
    const before = mock.snapshot()
    mock.setChoices({ cloud: { 'version/description': 'absent', 'path/unknown-path': '410 text' } })
    expect([await statusOf(mock), await statusOf(world)]).toEqual([410, 200])
    expect(mock.choices()).toMatchObject({ cloud: { 'service/head': 'refused', 'version/description': 'absent' } })
    expect(() => mock.setChoices({ cloud: { 'version/descriptoin': 'absent' } })).toThrow('version/description')
    mock.restore(before)
    expect(await statusOf(mock)).toBe(200)
  })
})

describe('a choice', () => {
  it.each(places)('can be observed by a caller: %s, %s, %s', async (id, form, choice) => {
    expect(await observations[id]!(open(form, { ...requiredChoices[id], [id]: choice }), form)).toBe(choice)
  })

  it.each([
    ['dashboard/create-status', 'selfHosted', '202'],
    ['alert/create-status', 'managed', '202'],
    ['chart/time-unit', 'selfHosted', 'both accepted'],
  ] as const)('that is not listed in the contract can be observed, too: %s, %s, %s', async (id, form, choice) => {
    expect(await observations[id]!(open(form, { [id]: choice }), form)).toBe(choice)
  })

  it('of the status 204 sends no body', async () => {
    const { status, body } = await open('selfHosted', { 'dashboard/create-status': '204' }).send(
      'POST',
      '/dashboards',
      board('x'),
    )
    expect([status, body]).toEqual([204, ''])
  })

  it.each(['name', 'name descending', 'newest first'])(
    'of an order holds for the paged lists of edition 2.36, too: %s',
    async order => {
      const edition = { 'version/self-hosted-edition': '2.36', 'alert/order-of-list': order }
      expect(await observations['alert/order-of-list']!(open('selfHosted', edition), 'selfHosted')).toBe(order)
    },
  )

  it.each([
    [
      'alert/create-status',
      '302',
      /selfHosted: "302" is no choice of the mock for alert\/create-status .* it takes 200, 201, or any other status from 200 to 299/,
    ],
    ['chart/time-unit', 'minutes', /it takes milliseconds, seconds, or "both accepted"/],
    ['alert/unknown-id', '404 jsn', /it takes 404 json, 404 text, or any other status from 200 to 599 with json/],
    ['path/letter-case', 'folded', /it takes same, refused$/],
    ['alert/nothing', 'x', /selfHosted has no gap "alert\/nothing"/],
  ])('that the mock does not support is refused with the supported ones: %s, %s', (id, choice, sentence) => {
    expect(() => open('selfHosted', { [id]: choice })).toThrow(sentence)
  })
})

describe('the choices of a mock', () => {
  const forms = ['cloud', 'managed', 'selfHosted'] as const
  const all = Object.entries(gaps) as [GapId, Gap][]
  const isShape = (id: string) => (gaps as Record<string, Gap>)[id]!.kind === 'shape'

  it('are by default those of the contract, for every gap of each form', () => {
    const resolved = resolveChoices(contract)
    for (const form of forms) {
      const defaults = all
        .filter(([, gap]) => gap.forms.includes(form))
        .map(([id, { default: choice }]) => [id, typeof choice === 'string' ? choice : choice[form]])
      expect(resolved[form]).toEqual(Object.fromEntries(defaults))
    }
  })

  it('are drawn from a seed for each form, except shapes, which keep their defaults', () => {
    const byDefault = resolveChoices(contract)
    expect(resolveChoices(contract, {}, 3)).toEqual(resolveChoices(contract, {}, 3))
    const drawn = [1, 2, 3, 4, 5, 6].map(seed => resolveChoices(contract, {}, seed))
    for (const form of forms) {
      for (const [id, choice] of drawn.flatMap(resolved => Object.entries(resolved[form]))) {
        if (isShape(id)) expect(choice).toBe(byDefault[form][id])
        else expect((gaps as Record<string, Gap>)[id]!.choices).toContain(choice)
      }
      expect(new Set(drawn.map(resolved => JSON.stringify(resolved[form]))).size).toBe(6)
    }
    const shared = Object.keys(byDefault.cloud).filter(id => id in byDefault.selfHosted && !isShape(id))
    const [cloud, selfHosted] = (['cloud', 'selfHosted'] as const).map(form =>
      drawn.map(resolved => shared.map(id => resolved[form][id])),
    )
    expect(cloud).not.toEqual(selfHosted)
  })

  it('come from a baseline before a seed, and the shapes of a baseline are ignored', () => {
    for (const choice of ['present', 'absent']) {
      const resolved = resolveChoices(contract, { cloud: { 'auth/challenge': choice }, segment: 'here' }, 3)
      expect(resolved.cloud['auth/challenge']).toBe(choice)
      expect(resolved.managed).toEqual(resolveChoices(contract, {}, 3).managed)
    }
    const [shape, { forms }] = all.find(([id]) => isShape(id))!
    expect(resolveChoices(contract, { [forms[0]!]: { [shape]: 'as seen' } })).toEqual(resolveChoices(contract))
  })

  it.each([
    [{ 'member/order-of-list': 'name' }, 'is no form; it is a gap: write { "cloud": { "member/order-of-list": … } }'],
    [{ selfHosted: { 'alert/get-answers': 'x' } }, 'it is a rule: --fault (faults) breaks one'],
    [{ selfHosted: { 'alert.get': 'x' } }, 'selfHosted has no gap "alert.get"; it is an operation'],
    [{ cloud: { 'chart/unreadable-where': '500 json' } }, 'it is a gap of selfHosted'],
    [
      { mars: {} },
      'take choices: "mars" is no form; the forms are cloud, managed, selfHosted; "segment" is allowed too',
    ],
    [
      { selfHosted: { 'alert/order-of-lst': 'name' } },
      /no gap "alert\/order-of-lst"; the nearest is alert\/order-of-list; stack-parity verify --list/,
    ],
    [{ cloud: { 'auth/missing-credentials': '199 json' } }, '"199 json" is no choice of the mock'],
    [{ cloud: { 'auth/missing-credentials': '600 json' } }, '"600 json"'],
    [{ cloud: { 'auth/missing-credentials': '401 json!' } }, '"401 json!"'],
    [{ cloud: { 'auth/missing-credentials': '1401 json' } }, '"1401 json"'],
    [{ selfHosted: { 'alert/create-status': '2000' } }, '"2000"'],
    [{ selfHosted: { 'alert/create-status': '1200' } }, '"1200"'],
    [{ selfHosted: { 'chart/time-unit': 'both accepted!' } }, '"both accepted!"'],
    [{ selfHosted: { 'chart/time-unit': 'not both accepted' } }, '"not both accepted"'],
    [{ segment: 'a/b' }, 'segment: Expected one segment of a path, received "a/b"'],
    [{ segment: '..' }, 'received ".."'],
    [{ segment: 5 }, 'received 5'],
    [{ managed: null }, 'managed: Expected an object of choices'],
    [{ cloud: [] }, 'cloud: Expected an object of choices'],
  ])('are refused with the reason: %j', (baseline, sentence) => {
    expect(() => resolveChoices(contract, baseline as object)).toThrow(sentence)
  })
})
