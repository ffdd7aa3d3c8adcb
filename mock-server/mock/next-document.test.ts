import { beforeAll, describe, expect, it } from 'vitest'
import type { Answer } from '../words/call.ts'
import { createMock, type Mock } from './mock.ts'

// biome-ignore lint/suspicious/noExplicitAny: the test knows the document and the answers.
type Any = any

const org = '/v1/organizations/{organizationId}'
const service = `${org}/services/{serviceId}`

const json = (schema: Any) => ({ content: { 'application/json': { schema } } })
const answer = (schema: Any, status = 200) => ({ [status]: { description: 'Success.', ...json(schema) } })
const envelope = (result: Any, more: Any = {}) => ({
  type: 'object',
  required: ['status', 'requestId'],
  properties: { status: { type: 'number' }, requestId: { type: 'string', format: 'uuid' }, result, ...more },
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const query = (name: string, schema: Any) => ({ name, in: 'query', schema })
const text = { type: 'string' }

/** A release of the vendor with some thirty changes, in several styles. */
function writeNext(): Any {
  const document: Any = JSON.parse(JSON.stringify(createMock({ as: 'clickhouse-cloud' }).describe('cloud')))
  const { paths } = document
  const { schemas } = document.components
  const properties = (name: string): Any => schemas[name].properties
  const managed = Object.keys(paths)
    .find(path => path.endsWith('/dashboards'))!
    .replace('/dashboards', '')

  // Known operations: fields, values, bounds, marks, parameters, statuses, ids.
  for (const name of ['KeyBody', 'KeyChange', 'Key']) properties(name).team = { type: ['string', 'null'], maxLength: 5 }
  properties('CreatedKey').key.properties.team = { type: ['string', 'null'], maxLength: 5 }
  properties('KeyBody').state.enum = ['enabled', 'sleeping']
  properties('Key').state.enum = ['enabled', 'sleeping']
  properties('CreatedKey').key.properties.state.enum = ['enabled', 'sleeping']
  properties('KeyBody').name = { type: 'string', minLength: 2, maxLength: 10, pattern: '^[A-Z]' }
  // Requests have bounds that answers do not say, and answers fields of their own.
  const perMinute = { type: 'integer', minimum: 1 }
  properties('KeyBody').quota = { type: 'object', required: ['perMinute'], properties: { perMinute } }
  const shown = { type: 'object', properties: { perMinute: { type: 'integer' }, used: { type: 'integer' } } }
  for (const one of [properties('Key'), properties('CreatedKey').key.properties]) one.quota = shown
  for (const name of ['ServiceBody', 'Service', 'CreatedService']) {
    const own = name === 'CreatedService' ? properties(name).service?.properties : properties(name)
    own?.provider?.enum?.push('oracle')
    own?.region?.enum?.push('us-ashburn-1')
  }
  for (const name of ['ServiceBody', 'Service', 'CreatedService', 'ServiceReplicaScaling']) {
    const own = name === 'CreatedService' ? properties(name).service.properties : properties(name)
    own.idleTimeoutMinutes = { type: 'string', pattern: '^\\d+m$' }
    own.maxReplicaMemoryGb = text
  }
  properties('ServiceBody').encryptionKey.format = 'uri'
  delete properties('ServiceBody').numReplicas.maximum
  properties('InvitationBody').reason = { type: 'string' }
  schemas.InvitationBody.required = ['email', 'reason', 'role']
  properties('ServiceBody').name.type = ['string', 'null']
  schemas.ServiceBody.required = schemas.ServiceBody.required.filter((name: string) => name !== 'provider')
  properties('ServiceBody').endpoints.items.properties.port = { type: 'integer', minimum: 1 }
  properties('Member').lastSeenAt = { type: 'string', format: 'date-time' }
  schemas.Member.required.push('lastSeenAt')
  delete properties('Member').joinedAt
  delete properties('Key').keySuffix
  paths[`${org}/keys`].post.responses = { 201: paths[`${org}/keys`].post.responses[200] }
  paths[`${org}/activities`].get.parameters.push(query('actorType', text))
  paths[`${org}/activities`].get.parameters = paths[`${org}/activities`].get.parameters.filter(
    ({ name }: Any) => name !== 'to_date',
  )
  paths[`${org}/members`].get.parameters.push(query('limit', { type: 'integer', minimum: 1, maximum: 2 }))
  paths[`${org}/members`].get.parameters.push(query('cursor', text))
  const page = { limit: { type: 'number' }, nextCursor: { type: ['string', 'null'] } }
  paths[`${org}/members`].get.responses = answer(envelope({ type: 'array', items: ref('Member') }, page))
  paths['/v1/organizations/{org}/keys/{id}'] = paths[`${org}/keys/{keyId}`]
  delete paths[`${org}/keys/{keyId}`]
  delete paths[`${org}/quotas`]
  delete paths[`${org}/roles/{roleId}`].delete

  // A resource of a service, composed by allOf, whose lists have pages of their own.
  schemas.Row = {
    required: ['id', 'createdAt'],
    properties: { id: { type: 'string', format: 'uuid', readOnly: true } },
  }
  schemas.Row.properties.createdAt = { type: 'string', format: 'date-time', readOnly: true }
  schemas.RowInput = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', maxLength: 20 }, enabled: { type: 'boolean', default: true }, note: text },
  }
  schemas.RowOut = {
    allOf: [
      ref('Row'),
      ref('RowInput'),
      { properties: { status: { type: 'string', enum: ['creating', 'ready'] } }, required: ['status'] },
    ],
  }
  const pages = [query('pageSize', { type: 'integer', minimum: 1, maximum: 5 }), query('pageToken', text)]
  const rows = { type: 'object', properties: { rows: { type: 'array', items: ref('RowOut') }, nextPageToken: text } }
  paths[`${service}/policies`] = {
    parameters: pages,
    get: { parameters: [query('status', text), query('createdAfter', text)], responses: answer(envelope(rows)) },
    post: {
      requestBody: json(ref('RowInput')),
      responses: answer(envelope({ type: 'object', properties: { policy: ref('RowOut'), secret: text } }), 201),
    },
  }
  paths[`${service}/policies/{policy_id}`] = {
    get: { responses: answer(envelope(ref('RowOut'))) },
    put: { requestBody: json(ref('RowInput')), responses: answer(envelope(ref('RowOut'))) },
    delete: { responses: { 204: { description: 'Success.' } } },
  }
  paths[`${service}/policies/{policy_id}/apply`] = { post: { responses: answer(envelope(ref('RowOut')), 202) } }

  // One of an organization by name, outside the envelope, and one at the top, of the managed form and below its records.
  schemas.Label = { type: 'object', required: ['name'], properties: { name: text, weight: { type: 'integer' } } }
  const labels = {
    type: 'object',
    required: ['data', 'meta'],
    properties: { data: { type: 'array', items: ref('Label') } },
  }
  const meta = {
    type: 'object',
    required: ['nextCursor'],
    properties: { nextCursor: { type: 'string', nullable: true } },
  }
  Object.assign(labels.properties, { meta })
  const limit = query('limit', { type: 'integer', maximum: 3 })
  paths[`${org}/labels`] = { get: { parameters: [limit, query('cursor', text)], responses: answer(labels) } }
  paths[`${org}/labels/{name}`] = {
    get: { responses: answer(ref('Label')) },
    put: { requestBody: json({ properties: { weight: { type: 'integer' } } }), responses: answer(ref('Label')) },
    delete: { responses: answer(ref('Label')) },
  }
  const region = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'integer' }, provider: { enum: ['aws'] } },
  }
  paths['/v1/regions'] = { get: { responses: answer(envelope({ type: 'array', items: region })) } }
  paths['/v1/regions/{regionId}'] = { get: { responses: answer(envelope(region)) } }
  const note = { type: 'object', required: ['id', 'text'], properties: { id: text, text } }
  for (const place of [`${managed}/notes`, `${managed}/dashboards/{id}/comments`]) {
    const body = json({ type: 'object', required: ['text'], properties: { text } })
    paths[place] = {
      get: { responses: answer(envelope({ type: 'array', items: note })) },
      post: { requestBody: body, responses: answer(envelope(note)) },
    }
    paths[`${place}/{noteId}`] = {
      get: { responses: answer(envelope(note)) },
      patch: { requestBody: body, responses: answer(envelope(note)) },
      delete: { responses: answer(envelope({ type: 'object' })) },
    }
  }
  // Objects of which each place has one.
  const days = { type: 'integer', minimum: 1, maximum: 90 }
  const retention = { type: 'object', properties: { days, mode: { type: 'string', enum: ['soft', 'hard'] } } }
  paths[`${service}/settings/retention`] = {
    get: { responses: answer(envelope({ ...retention, required: ['days', 'mode'] })) },
    patch: { requestBody: json(retention), responses: answer(envelope({ ...retention, required: ['days', 'mode'] })) },
  }
  paths[`${org}/motto`] = {
    get: { responses: answer({ type: 'object', properties: { text } }) },
    put: {
      requestBody: json({ type: 'object', required: ['text'], properties: { text } }),
      responses: { 204: { description: 'Success.' } },
    },
    delete: { responses: { 204: { description: 'Success.' } } },
  }
  // Operations of no usual shape.
  const code = { type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' }
  const statistics = {
    type: 'object',
    required: ['count', 'code'],
    properties: { count: { type: 'integer', minimum: 3 }, code },
  }
  paths[`${service}/policyStatistics`] = { get: { responses: answer(envelope(statistics)) } }
  paths[`${service}/freeze`] = {
    post: { responses: answer(envelope({ properties: { id: text, frozen: { type: 'boolean' } } })) },
  }
  const plain = { 200: { description: 'Success.', content: { 'text/csv': { schema: text } } } }
  paths[`${org}/export`] = { get: { responses: plain } }
  // A discriminated union.
  const target = (type: string, more: Any) => ({
    type: 'object',
    required: ['type', ...Object.keys(more)],
    properties: { type: { const: type }, ...more },
  })
  const sink = {
    type: 'object',
    required: ['id', 'target'],
    properties: {
      id: text,
      target: { oneOf: [target('s3', { bucket: text }), target('http', { url: { type: 'string', format: 'uri' } })] },
    },
  }
  const { id: _, ...sent } = sink.properties
  paths[`${org}/sinks`] = {
    get: { responses: answer(envelope({ type: 'array', items: sink })) },
    post: {
      requestBody: json({ type: 'object', required: ['target'], properties: sent }),
      responses: answer(envelope(sink)),
    },
  }
  paths[`${org}/sinks/{sinkId}`] = { get: { responses: answer(envelope(sink)) } }
  return document
}

describe('the next document of the vendor', () => {
  let mock: Mock
  let ids: { organizationId: string; serviceId: string; authorization: string; segment: string }
  beforeAll(() => {
    mock = createMock({
      document: writeNext(),
      now: '2026-01-01T00:00:00Z',
      freeze: true,
      services: 2,
      members: 4,
      logs: 100,
    })
    const {
      keyId,
      keySecret,
      organizationId,
      serviceId,
      observabilitySegment: segment,
    } = mock.target({ cloud: '' }).cloud as Any
    ids = {
      organizationId,
      serviceId,
      segment,
      authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}`,
    }
  })

  async function send(method: string, where: string, body?: object) {
    const [path = '', query = ''] = where
      .replace('ORG', `/v1/organizations/${ids.organizationId}`)
      .replace('SVC', `/v1/organizations/${ids.organizationId}/services/${ids.serviceId}`)
      .split('?')
    const headers = { authorization: ids.authorization, 'content-type': 'application/json' }
    const call = { method, path, query, headers, body: body ? JSON.stringify(body) : '' }
    const { status, body: sent, cause }: Answer = await mock.answer(call, 'cloud')
    const value: Any = sent.startsWith('{') ? JSON.parse(sent) : sent
    return { status, value, result: value.result, basis: cause?.basis }
  }
  const statusOf = async (...call: Parameters<typeof send>) => (await send(...call)).status

  it('changes known operations', async () => {
    const body = { name: 'Abc', team: 'ops', state: 'sleeping', quota: { perMinute: 9 } }
    const created = await send('POST', 'ORG/keys', body)
    expect(created).toMatchObject({ status: 201, result: { key: body } })
    const { result: key } = await send('PATCH', `ORG/keys/${created.result.key.id}`, { team: null })
    expect(key.team).toBeNull()
    expect(key).not.toHaveProperty('keySuffix')
    const refused = await Promise.all([
      send('POST', 'ORG/keys', { name: 'Abc', team: 'longer' }),
      send('POST', 'ORG/keys', { name: 'abc' }),
      send('POST', 'ORG/keys', { name: 'A' }),
      send('POST', 'ORG/keys', { name: 'Abcdefghijk' }),
      send('POST', 'ORG/keys', { name: 'Abc', state: 'disabled' }),
      send('POST', 'ORG/keys', { name: 'Abc', quota: {} }),
      send('POST', 'ORG/keys', { name: 'Abc', quota: { perMinute: 0 } }),
      send('POST', 'ORG/invitations', { email: 'a@example.com', role: 'admin' }),
      send('GET', 'ORG/activities?to_date=2026-01-01'),
      send('GET', 'ORG/members?limit=3'),
    ])
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400))
    expect(await statusOf('POST', 'ORG/invitations', { email: 'a@example.com', role: 'admin', reason: 'R' })).toBe(200)
    expect([await statusOf('GET', 'ORG/quotas'), await statusOf('DELETE', `ORG/roles/${ids.serviceId}`)]).toEqual([
      404, 405,
    ])
    const members = await send('GET', 'ORG/members?limit=1')
    expect([members.result.length, members.value.limit]).toEqual([1, 1])
    expect(await send('GET', `ORG/members?limit=1&cursor=${members.value.nextCursor}`)).toMatchObject({ status: 200 })
    // The specification shows when a member joined.
    expect(members.result[0]).toMatchObject({ lastSeenAt: expect.stringMatching(/Z$/), joinedAt: expect.any(String) })
    expect(mock.documentDisagreements).toContain('member.joinedAt: gone, but it stays as stated')
    const activities = await send('GET', 'ORG/activities?actorType=user')
    expect(new Set(activities.result.map(({ actorType }: Any) => actorType))).toEqual(new Set(['user']))
  })

  it('lets requests omit what handlers need, and keeps fields within fields', async () => {
    const { result } = await send('GET', 'ORG/services')
    const endpoints = [{ protocol: 'mysql', enabled: true, port: 3307 }]
    const body = { name: null, region: result[0].region, ipAccessList: [], endpoints }
    const created = await send('POST', 'ORG/services', body)
    expect(created.status).toBe(200)
    expect(created.result.service.provider).toBe('aws')
    expect(mock.documentChanges).toContain('serviceBody.numReplicas: no max')
    expect(await statusOf('POST', 'ORG/services', { ...body, numReplicas: 60 })).toBe(200)
    const elsewhere = { ...body, provider: 'oracle', region: 'us-ashburn-1' }
    expect((await send('POST', 'ORG/services', elsewhere)).result.service).toMatchObject({ provider: 'oracle' })
    expect(await statusOf('POST', 'ORG/services', { ...body, endpoints: [{ ...endpoints[0], port: 0 }] })).toBe(400)
  })

  it('judges, keeps and shows values of another type or format', async () => {
    expect(mock.documentChanges).toEqual(
      expect.arrayContaining([
        'serviceBody.idleTimeoutMinutes: type "string"',
        'createdService.service.idleTimeoutMinutes: type "string"',
        'serviceBody.encryptionKey: format "uri"',
      ]),
    )
    const { result } = await send('GET', 'ORG/services')
    for (const { idleTimeoutMinutes, maxReplicaMemoryGb } of result)
      expect([idleTimeoutMinutes, maxReplicaMemoryGb].join()).toMatch(/^(?:\d+m)?,\d+$/)
    const { provider, region } = result[0]
    const sizes = { numReplicas: 2, minReplicaMemoryGb: 8, maxReplicaMemoryGb: '32' }
    const body = { name: 'S', provider, region, ipAccessList: [], idleTimeoutMinutes: '15m', ...sizes }
    for (const wrong of [{ idleTimeoutMinutes: 15 }, { idleTimeoutMinutes: '15' }, { encryptionKey: 'no uri' }])
      expect(await statusOf('POST', 'ORG/services', { ...body, ...wrong })).toBe(400)
    const { result: created } = await send('POST', 'ORG/services', body)
    const shown = { idleTimeoutMinutes: '15m', maxReplicaMemoryGb: '32' }
    expect(created.service).toMatchObject(shown)
    const path = `ORG/services/${created.service.id}`
    expect((await send('GET', path)).result).toMatchObject(shown)
    const changed = await send('PATCH', `${path}/replicaScaling`, { idleTimeoutMinutes: '20m' })
    expect(changed.result.idleTimeoutMinutes).toBe('20m')
    const state = mock.state()
    mock.load(state)
    expect((await send('GET', path)).result).toMatchObject({ ...shown, idleTimeoutMinutes: '20m' })
  })

  it('has resources with lives, in any envelope, with pages, filters and parents', async () => {
    const { status, result } = await send('POST', 'SVC/policies', { name: 'Mine', note: 'n' })
    expect([status, Object.keys(result).toSorted()]).toEqual([201, ['policy', 'secret']])
    const { id } = result.policy
    expect(result.policy).toMatchObject({
      name: 'Mine',
      enabled: true,
      status: 'ready',
      createdAt: '2026-01-01T00:00:00.000Z',
    })
    const first = await send('GET', 'SVC/policies?pageSize=2')
    const last = await send('GET', `SVC/policies?pageSize=2&pageToken=${first.result.nextPageToken}`)
    expect([...first.result.rows, ...last.result.rows].map(({ id }: Any) => id)).toContain(id)
    expect(last.result).not.toHaveProperty('nextPageToken')
    expect((await send('GET', 'SVC/policies?createdAfter=2026-01-01')).result.rows).toHaveLength(1)
    expect((await send('GET', 'SVC/policies?status=creating')).result.rows).toEqual([])
    const replaced = await send('PUT', `SVC/policies/${id}`, { name: 'Yours' })
    expect(replaced.result).toMatchObject({ id, name: 'Yours' })
    expect(replaced.result).not.toHaveProperty('note')
    const applied = await send('POST', `SVC/policies/${id}/apply`)
    expect(applied).toMatchObject({ status: 202, basis: 'invented', result: { id, name: 'Yours' } })
    expect([
      await statusOf('GET', 'SVC/policies/x'),
      await statusOf('POST', 'SVC/policies', { name: 'A', x: 1 }),
    ]).toEqual([400, 400])
    expect([await statusOf('DELETE', `SVC/policies/${id}`), await statusOf('GET', `SVC/policies/${id}`)]).toEqual([
      204, 404,
    ])
    expect(await statusOf('POST', `SVC/policies/${id}/apply`)).toBe(404)

    expect((await send('PUT', 'ORG/labels/mine', { weight: 3 })).value).toEqual({ name: 'mine', weight: 3 })
    const labels = (await send('GET', 'ORG/labels?limit=1')).value
    expect(labels).toMatchObject({ data: [expect.anything()], meta: { nextCursor: expect.any(String) } })
    expect((await send('DELETE', 'ORG/labels/mine')).value).toEqual({ name: 'mine', weight: 3 })
    expect(await statusOf('GET', 'ORG/labels/mine')).toBe(404)
    expect((await send('GET', '/v1/regions/1')).result).toEqual({ id: 1, provider: 'aws' })

    const managed = `SVC/${ids.segment}`
    const dashboard = (await send('GET', `${managed}/dashboards`)).result[0].id
    for (const path of [`${managed}/notes`, `${managed}/dashboards/${dashboard}/comments`]) {
      const { result: own } = await send('POST', path, { text: 'a' })
      expect((await send('PATCH', `${path}/${own.id}`, { text: 'b' })).result).toEqual({ id: own.id, text: 'b' })
      expect((await send('GET', path)).result).toContainEqual({ id: own.id, text: 'b' })
      expect([await statusOf('DELETE', `${path}/${own.id}`), await statusOf('GET', `${path}/${own.id}`)]).toEqual([
        200, 404,
      ])
    }
    expect(await statusOf('DELETE', `${managed}/dashboards/${dashboard}`)).toBe(200)
    expect(await statusOf('GET', `${managed}/dashboards/${dashboard}/comments`)).toBe(404)
  })

  it('keeps objects of which each place has one', async () => {
    const at = 'SVC/settings/retention'
    const { result: seeded } = await send('GET', at)
    const state = mock.state()
    expect((await send('PATCH', at, { days: 33 })).result).toEqual({ ...seeded, days: 33 })
    expect(await statusOf('PATCH', at, { days: 91 })).toBe(400)
    expect((await send('GET', at)).result).toEqual({ ...seeded, days: 33 })
    const services = (await send('GET', 'ORG/services')).result
    const other = services.find(({ id }: Any) => id !== ids.serviceId).id
    expect((await send('GET', `ORG/services/${other}/settings/retention`)).result).toEqual(seeded)
    mock.load(state)
    expect((await send('GET', at)).result).toEqual(seeded)
    const motto = () => send('GET', 'ORG/motto')
    expect(await statusOf('PUT', 'ORG/motto', { text: 'Per aspera' })).toBe(204)
    expect((await motto()).value).toEqual({ text: 'Per aspera' })
    expect([await statusOf('DELETE', 'ORG/motto'), (await motto()).status]).toEqual([204, 404])
    expect([await statusOf('PUT', 'ORG/motto', { text: 'Again' }), (await motto()).value.text]).toEqual([204, 'Again'])
  })

  it('judges variants, and answers examples of other operations', async () => {
    const s3 = { target: { type: 's3', bucket: 'b' } }
    const { result } = await send('POST', 'ORG/sinks', s3)
    expect((await send('GET', `ORG/sinks/${result.id}`)).result).toEqual({ id: result.id, ...s3 })
    const wrong = [{ type: 's3' }, { type: 'ftp', bucket: 'b' }, { type: 'http', url: 'no' }]
    for (const target of wrong) expect(await statusOf('POST', 'ORG/sinks', { target })).toBe(400)
    const statistics = await send('GET', 'SVC/policyStatistics')
    expect(statistics).toMatchObject({
      basis: 'invented',
      result: { count: 3, code: expect.stringMatching(/^[A-Z]{3}-\d{4}$/) },
    })
    expect((await send('POST', 'SVC/freeze')).result).toEqual({ id: ids.serviceId, frozen: true })
    expect(await send('GET', 'ORG/export')).toMatchObject({ status: 200, value: 'text' })
  })

  it('is that of a state, which no other mock loads', () => {
    const state = mock.state()
    expect(() => createMock().load(state)).toThrow(
      /saved under "Cloud management API 1.0 \(\w+-\w+\)", and the mock has none/,
    )
    mock.load(state)
    const { version: _, document: __, ...old } = state as Any
    expect(() => mock.load({ ...old, version: 2, document: 'another' })).toThrow(/and the mock has Cloud/)
  })
})
