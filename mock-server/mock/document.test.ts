import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../words/call.ts'
import { createMock, type Mock } from './mock.ts'

type Json = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: the test knows the document.
type Document = any

const describeOwn = (): Document => JSON.parse(JSON.stringify(createMock({ as: 'clickhouse-cloud' }).describe('cloud')))

/** A document of a later release: the description of the mock itself with changes. */
function writeNewer(): Document {
  const document = describeOwn()
  const { schemas } = document.components
  const organization = document.paths['/v1/organizations/{organizationId}']
  const properties = (name: string): Document => schemas[name].properties
  const team = { type: 'string', maxLength: 5, pattern: '^(a+)+$|^[a-z]+$' }
  for (const name of ['KeyBody', 'KeyChange', 'Key']) properties(name).team = team
  properties('CreatedKey').key.properties.team = team
  properties('KeyBody').name.maxLength = 10
  properties('KeyBody').state.enum.push('sleeping')
  properties('Key').state.enum.push('sleeping')
  properties('CreatedKey').key.properties.state.enum.push('sleeping')
  delete properties('KeyBody').roles
  delete properties('Key').keySuffix
  // The specification shows this field, so that no document takes it away.
  delete properties('Member').joinedAt
  const tier = { oneOf: [{ $ref: '#/components/schemas/Tier' }, { type: 'null' }] }
  schemas.Tier = { type: 'object', required: ['name'], properties: { name: { enum: ['gold', 'iron'] } } }
  for (const name of ['ServiceBody', 'ServiceChange', 'Service']) properties(name).tierPlan = tier
  properties('CreatedService').service.properties.tierPlan = tier
  properties('Member').lastSeenAt = { type: 'string', format: 'date-time' }
  schemas.Member.required.push('lastSeenAt')
  schemas.InvitationBody.required.push('role')
  properties('MemberChange').role = { type: 'string', enum: ['admin'] }
  properties('ServiceBody').name = { ...properties('ServiceBody').name, nullable: true }
  Object.defineProperty(properties('KeyBody'), '__proto__', { value: { type: 'string' }, enumerable: true })
  const activities = document.paths['/v1/organizations/{organizationId}/activities'].get
  activities.parameters = activities.parameters.filter((one: Json) => one.name !== 'to_date')
  activities.parameters.push({ name: 'severity', in: 'query', schema: { type: 'string', enum: ['low', 'high'] } })
  organization.post = { responses: { 200: { description: 'Success.' } } }
  delete document.paths['/v1/organizations/{organizationId}/quotas']
  return document
}

function open(mock: Mock) {
  const { cloud } = mock.target({ cloud: '' })
  const authorization = `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`
  const send = async (method: string, below: string, body?: object) => {
    const [path = '', query = ''] = `/v1/organizations/${cloud!.organizationId}${below}`.split('?')
    const headers = { authorization, 'content-type': 'application/json' }
    const call = { method, path, query, headers, body: body ? JSON.stringify(body) : '' }
    const answer: Answer = await mock.answer(call, 'cloud')
    const { result, error } = JSON.parse(answer.body)
    return { status: answer.status, result, error: error as string }
  }
  return { mock, send }
}

describe('a mock with a document', () => {
  let mock: Mock
  let send: ReturnType<typeof open>['send']
  beforeAll(() => ({ mock, send } = open(createMock({ document: writeNewer() }))))

  it('lists what the document changes, and nothing else', () => {
    expect(mock.documentChanges).toMatchSnapshot()
    expect(createMock({ document: describeOwn() }).documentChanges).toEqual([])
    expect(createMock().documentChanges).toEqual([])
  })

  it('judges, keeps, answers, lists and describes a new field, and leaves out one that is gone', async () => {
    const { status, result } = await send('POST', '/keys', { name: 'A', team: 'ops' })
    expect([status, result.key.team]).toEqual([200, 'ops'])
    const path = `/keys/${result.key.id}`
    expect((await send('GET', path)).result.team).toBe('ops')
    expect((await send('PATCH', path, { name: 'B' })).result).toMatchObject({ name: 'B', team: 'ops' })
    expect((await send('PATCH', path, { team: 'dev' })).result.team).toBe('dev')
    const { result: list } = await send('GET', '/keys')
    for (const key of list) expect(key).not.toHaveProperty('keySuffix')
    const teams = list.filter((one: Json) => 'team' in one)
    expect(teams).toEqual([expect.objectContaining({ id: result.key.id, team: 'dev' })])
    expect(await send('POST', '/keys', { name: 'A', team: 'operations' })).toMatchObject({ status: 400 })
    expect(JSON.stringify(mock.describe('cloud'))).toContain('"team":{"type":"string","pattern"')
  })

  it('matches a pattern of the document in linear time', async () => {
    const before = performance.now()
    const team = `${'a'.repeat(40)}!`
    expect(await send('POST', '/keys', { name: 'A', team })).toMatchObject({ status: 400 })
    expect(performance.now() - before).toBeLessThan(1000)
  })

  it('has a new object in what an answer wraps, and null where the document allows it', async () => {
    const { result } = await send('GET', '/services')
    const { provider, region } = result[0]
    const body = { name: 'S', provider, region, ipAccessList: [], tierPlan: { name: 'gold' } }
    const created = await send('POST', '/services', body)
    expect(created.result.service.tierPlan).toEqual({ name: 'gold' })
    const path = `/services/${created.result.service.id}`
    expect((await send('GET', path)).result.tierPlan).toEqual({ name: 'gold' })
    expect((await send('PATCH', path, { tierPlan: null })).status).toBe(200)
    expect((await send('GET', path)).result.tierPlan).toBeNull()
    expect(await send('PATCH', path, { tierPlan: { name: 'tin' } })).toMatchObject({ status: 400 })
  })

  it('shows a value in every answer that must have one', async () => {
    const { result } = await send('GET', '/members')
    for (const member of result) {
      expect(Date.parse(member.lastSeenAt)).toBeGreaterThan(0)
      expect(member).toHaveProperty('joinedAt')
    }
    expect((await send('GET', `/members/${result[0].userId}`)).result.lastSeenAt).toBe(result[0].lastSeenAt)
  })

  it('accepts new values and parameters, and refuses what is newly required, bounded or gone', async () => {
    const state = await send('POST', '/keys', { name: 'A', state: 'sleeping' })
    expect(state.result.key.state).toBe('sleeping')
    expect((await send('GET', '/activities?severity=low')).status).toBe(200)
    const refused = await Promise.all([
      send('GET', '/activities?severity=middle'),
      send('GET', '/activities?to_date=2026-01-01'),
      send('POST', '/keys', { name: 'longer than ten' }),
      send('POST', '/keys', { name: 'A', roles: ['admin'] }),
      send('POST', '/invitations', { email: 'a@example.com' }),
    ])
    expect(refused.map(({ status, error }) => [status, error])).toMatchSnapshot()
    expect((await send('GET', '/quotas')).status).toBe(404)
  })

  it('keeps new fields in records, snapshots and states', async () => {
    const { result } = await send('POST', '/keys', { name: 'A', team: 'ops' })
    const snapshot = mock.snapshot()
    expect(mock.records.update('key', result.key.id, { team: 'dev' } as object)).toMatchObject({ team: 'dev' })
    expect((await send('GET', `/keys/${result.key.id}`)).result.team).toBe('dev')
    mock.restore(snapshot)
    expect((await send('GET', `/keys/${result.key.id}`)).result.team).toBe('ops')
  })

  it('leaves other mocks of the process as they are', async () => {
    const usual = open(createMock())
    expect((await usual.send('POST', '/keys', { name: 'A', team: 'ops' })).error).toContain('team')
    expect((await usual.send('GET', '/quotas')).status).toBe(200)
    expect((await usual.send('GET', '/members')).result[0].lastSeenAt).toBeUndefined()
  })
})

/** The description of the mock with three new resources: pipelines of a service, their runs, and labels with pages. */
function writeResources(): Document {
  const document = describeOwn()
  const { paths } = document
  const ok = (schema: object, status = 200) => {
    const properties = { status: { type: 'number' }, requestId: { type: 'string' }, result: schema }
    return { [status]: { description: 'Success.', content: { 'application/json': { schema: { properties } } } } }
  }
  const body = (schema: object) => ({ content: { 'application/json': { schema } } })
  const name = { type: 'string', minLength: 1, maxLength: 20 }
  const stamp = { type: 'string', format: 'date-time' }
  const pipeline = {
    type: 'object',
    required: ['id', 'name', 'state', 'serviceId', 'createdAt', 'updatedAt'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      name,
      state: { type: 'string', enum: ['idle', 'running'] },
      serviceId: { type: 'string', format: 'uuid' },
      retries: { type: 'integer', minimum: 0, maximum: 9 },
      createdAt: stamp,
      updatedAt: stamp,
    },
  }
  const service = '/v1/organizations/{organizationId}/services/{serviceId}'
  paths[`${service}/pipelines`] = {
    get: {
      responses: ok({ type: 'array', items: pipeline }),
      parameters: [{ name: 'state', in: 'query', schema: pipeline.properties.state }],
    },
    post: {
      requestBody: body({ required: ['name'], properties: { name, retries: pipeline.properties.retries } }),
      responses: ok(pipeline, 201),
    },
  }
  paths[`${service}/pipelines/{pipeline}`] = {
    get: { responses: ok(pipeline) },
    patch: { requestBody: body({ properties: { name } }), responses: ok(pipeline) },
    delete: { responses: { 200: { description: 'Success.' } } },
  }
  const run = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string' }, pipelineId: { type: 'string' } },
  }
  paths[`${service}/pipelines/{pipeline}/runs`] = { get: { responses: ok({ type: 'array', items: run }) } }
  paths[`${service}/pipelines/{pipeline}/runs/{id}`] = { get: { responses: ok(run) } }
  const label = {
    type: 'object',
    required: ['labelId', 'text'],
    properties: { labelId: { type: 'string' }, text: { type: 'string' } },
  }
  const page = [
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 3 } },
    { name: 'cursor', in: 'query', schema: { type: 'string' } },
  ]
  paths['/v1/organizations/{organizationId}/labels'] = {
    get: { parameters: page, responses: ok({ type: 'array', items: label }) },
    post: { requestBody: body({ required: ['text'], properties: { text: { type: 'string' } } }), responses: ok(label) },
  }
  paths['/v1/organizations/{organizationId}/labels/{label}'] = {
    get: { responses: ok(label) },
    put: { requestBody: body({ properties: { text: { type: 'string' } } }), responses: ok(label) },
    delete: { responses: { 200: { description: 'Success.' } } },
  }
  return document
}

describe('a resource that only the document has', () => {
  const { mock, send } = open(createMock({ document: writeResources(), now: '2026-01-01T00:00:00Z' }))
  const { serviceId } = mock.target({ cloud: '' }).cloud!
  const pipelines = `/services/${serviceId}/pipelines`

  it('is listed among the changes', () => {
    expect(mock.documentChanges).toEqual([
      'label: new within organization: list, create, get, replace, delete',
      'pipeline: new within service: list, create, get, delete, update',
      'run: new within pipeline: list, get',
    ])
  })

  it('has seeded records, and a life in which it is judged', async () => {
    const { result: seeded } = await send('GET', pipelines)
    expect(seeded).toMatchObject([
      { name: 'pipeline one', state: 'idle', serviceId, createdAt: '2025-12-31T00:00:00.000Z' },
      { name: 'pipeline two' },
    ])
    expect((await open(createMock({ document: writeResources() })).send('GET', pipelines)).result[0].id).toBe(
      seeded[0].id,
    )
    const created = await send('POST', pipelines, { name: 'Mine', retries: 3 })
    expect(created).toMatchObject({ status: 201, result: { name: 'Mine', retries: 3, serviceId, state: 'idle' } })
    const path = `${pipelines}/${created.result.id}`
    expect((await send('GET', path)).result).toEqual(created.result)
    expect((await send('PATCH', path, { name: 'Yours' })).result).toMatchObject({ name: 'Yours', retries: 3 })
    expect((await send('GET', pipelines)).result).toHaveLength(3)
    expect((await send('GET', `${pipelines}?state=running`)).result).toEqual([])
    const refused = await Promise.all([
      send('POST', pipelines, { name: '' }),
      send('POST', pipelines, { name: 'A', retries: 10 }),
      send('POST', pipelines, { name: 'A', size: 1 }),
      send('POST', pipelines, {}),
      send('GET', `${pipelines}?state=asleep`),
    ])
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400])
    expect((await send('DELETE', path)).status).toBe(200)
    expect((await send('GET', path)).status).toBe(404)
  })

  it('goes with the record in which it lies, at any depth', async () => {
    const { result } = await send('POST', pipelines, { name: 'Mine' })
    const runs = `${pipelines}/${result.id}/runs`
    const [run] = (await send('GET', runs)).result
    expect(run).toEqual({ id: expect.any(String), pipelineId: result.id })
    expect((await send('GET', `${runs}/${run.id}`)).result).toEqual(run)
    await send('DELETE', `${pipelines}/${result.id}`)
    expect(() => mock.records.list('run' as never, { within: result.id })).toThrow(/Expected the id of a record of pip/)
    expect((await send('GET', runs)).status).toBe(404)
  })

  it('has pages, records, snapshots and a description', async () => {
    const snapshot = mock.snapshot()
    for (const text of ['a', 'b', 'c']) await send('POST', '/labels', { text })
    const first = await send('GET', '/labels?limit=3')
    expect(first.result).toHaveLength(3)
    expect((await send('GET', '/labels?limit=4')).status).toBe(400)
    const labels = mock.records.list('label' as never) as readonly Json[]
    expect(labels.map(({ text }) => text).slice(-3)).toEqual(['a', 'b', 'c'])
    const { labelId } = labels.at(-1)!
    expect((await send('PUT', `/labels/${labelId}`, { text: 'z' })).result).toEqual({ labelId, text: 'z' })
    mock.restore(snapshot)
    expect((await send('GET', `/labels/${labelId}`)).status).toBe(404)
    const described = mock.describe('cloud') as { paths: Json }
    expect(Object.keys(described.paths)).toContain('/v1/organizations/{organizationId}/labels/{labelId}')
  })
})

describe('a document', () => {
  const own = describeOwn()
  const withPath = (item: unknown) => ({ ...own, paths: { ...own.paths, '/v1/organizations': item } })
  const withBody = (schema: unknown) => {
    const content = { 'application/json': { schema } }
    const document = structuredClone(own)
    document.paths['/v1/organizations/{organizationId}/keys'].post.requestBody = { content }
    return document
  }
  const deep = (levels: number): object => (levels === 0 ? {} : { items: deep(levels - 1) })
  const many = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => {
        const next = { $ref: `#/components/schemas/Z${index + 1}` }
        return [`Z${index}`, { type: 'object', properties: { a: next, b: next, c: next, d: next } }] as const
      }),
    )

  it.each([
    ['that is no object', [], 'the document: Expected an object'],
    [
      'without JSON',
      '{"openapi"',
      'the document: Expected JSON, but it ends or breaks at position 10 (line 1, column 11)',
    ],
    ['of Swagger', { swagger: '2.0' }, 'swagger: Expected OpenAPI 3.0 or 3.1, received Swagger 2.0'],
    ['of a later version', { openapi: '3.2.0' }, 'openapi: Expected a version 3.0 or 3.1, received "3.2.0"'],
    ['without paths', { openapi: '3.1.0' }, 'paths: Expected an object'],
    ['of another API', { openapi: '3.0.3', paths: { '/pets': { get: {} } } }, 'paths: Expected paths below /v1'],
    ['with a strange path', withPath(7), 'paths./v1/organizations: Expected an object'],
    [
      'that refers to a file',
      withPath({ $ref: './a.json' }),
      'paths./v1/organizations: $ref: Expected a reference within',
    ],
    ['that refers to nothing', withBody({ $ref: '#/components/schemas/No' }), '.requestBody: $ref: There is no #/comp'],
    [
      'that goes in circles',
      withBody({
        $ref: '#/paths/~1v1~1organizations~1{organizationId}~1keys/post/requestBody/content/application~1json/schema',
      }),
      'refers to itself',
    ],
    ['with a keyword of another kind', withBody({ properties: { a: { enum: 'b' } } }), '.a.enum: Expected a list'],
    ['with a bound that is none', withBody({ type: 'string', maxLength: '9' }), '.maxLength: Expected a number'],
    ['with a list of properties', withBody({ properties: [] }), '.properties: Expected an object'],
    ['without answers', withPath({ get: { responses: [] } }), 'organizations.get.responses: Expected an object'],
    [
      'with a bad pattern',
      withBody({ properties: { a: { type: 'string', pattern: '[' } } }),
      '.properties.a.pattern: Expected a regular',
    ],
    ['with a strange type', withBody({ properties: { a: { type: 'text' } } }), '.properties.a.type: Expected a type'],
    ['that is too deep', withBody(deep(200)), 'Expected at most 100 levels'],
  ])('%s is refused with the place', (_, document, sentence) => {
    expect(() => createMock({ document })).toThrow(`read a document: `)
    expect(() => createMock({ document })).toThrow(sentence)
  })

  it('whose references multiply is refused', () => {
    const document = withBody({ $ref: '#/components/schemas/Z0' })
    Object.assign(document.components.schemas, many(40), { Z40: { type: 'string' } })
    expect(() => createMock({ document })).toThrow(/Expected at most \d+ schemas/)
  })

  it('may contain itself by references, and patterns that cannot be judged', async () => {
    const document = withBody({
      required: ['name'],
      properties: { name: { type: 'string', pattern: '^(?=A)' }, tree: { $ref: '#/components/schemas/Tree' } },
    })
    const tree = { $ref: '#/components/schemas/Tree' }
    document.components.schemas.Tree = { type: 'object', properties: { left: tree, right: tree } }
    const { send } = open(createMock({ document: JSON.stringify(document) }))
    expect((await send('POST', '/keys', { name: 'B', tree: { left: { left: {} } } })).status).toBe(200)
  })
})
