import { afterAll, beforeEach, describe, expect, expectTypeOf, it } from 'vitest'
import { core } from '../../mock/made-of.ts'
import { createMock, type TargetFile } from '../../mock/mock.ts'
import { modelOf } from '../../mock/records.ts'
import { pluralOf } from '../../words/plural.ts'
import { keyOf } from '../../world/collection.ts'
import { type RunningMock, startMock } from '../serve.ts'

let running: RunningMock | undefined
beforeEach(async () => {
  await running?.close()
  running = await startMock({ seed: 1 })
})
afterAll(() => running?.close())

describe('records of the control plane', () => {
  it.each(['member', 'members'])(
    'are listed by the name %s in the first organization, and within another',
    async name => {
      const { organizationId, secondOrganizationId } = running!.target().cloud
      const first = await send('GET', name)
      expect(first.json.total).toBe(10)
      expect(first.json).toEqual((await send('GET', `${name}?within=${organizationId}`)).json)
      expect((await send('GET', `${name}?within=${secondOrganizationId}`)).json).not.toEqual(first.json)
      const page = await send('GET', `${name}?offset=8&limit=1`)
      expect(page.json).toEqual({ total: 10, records: [first.json.records[8]] })
    },
  )

  it('are searched by words that must all occur in their values, except in secrets', async () => {
    const { cloud } = running!.target()
    const found = (await send('GET', `keys?search=${cloud.organizationId}%20ADMIN%20disabled`)).json
    expect(found.records.map(({ name }: { name: string }) => name)).toEqual(['Laptop that was lost'])
    expect((await send('GET', `keys?search=${cloud.keySecret}`)).json.total).toBe(0)
    expect((await send('GET', 'keys?search=a&search=b')).json.error).toBe('"search" must be given once.')
  })

  it('are created with generated values for missing fields, read, changed and removed, as the API shows', async () => {
    const created = await send('POST', 'members', { role: 'admin', name: 'Ada' })
    expect([created.status, created.json]).toMatchObject([
      201,
      { role: 'admin', name: 'Ada', email: expect.any(String) },
    ])
    const { id, userId, email } = created.json
    expect(userId).toBe(id)
    expect((await listMembers()).filter(member => member.email === email)).toMatchObject([{ userId, role: 'admin' }])
    expect((await send('GET', `members/${id}`)).json).toEqual(created.json)
    expect((await send('PATCH', `members/${id}`, { role: 'developer' })).json).toEqual({
      ...created.json,
      role: 'developer',
    })
    expect(await listMembers()).toContainEqual(expect.objectContaining({ userId, role: 'developer', name: 'Ada' }))
    expect((await send('DELETE', `members/${id}`)).status).toBe(204)
    expect((await listMembers()).map(member => member.userId)).not.toContain(userId)
  })

  it.each(core.models.filter(({ isSingleton }) => !isSingleton).map(({ name }) => name))(
    'of the kind %s can be created twice without values, with different keys',
    async name => {
      const [one, other] = [await send('POST', name, {}), await send('POST', pluralOf(name), {})]
      expect([one.status, other.status]).toEqual([201, 201])
      const key = (record: object) => keyOf(modelOf(core.models, '', name), record)
      expect(key(one.json)).not.toBe(key(other.json))
      expect((await send('GET', `${name}/${key(one.json)}`)).status).toBe(200)
      expect((await send('PATCH', `${name}/${key(one.json)}`, {})).status).toBe(200)
      const state = await fetch(`${controlUrl()}/control/state`)
      const loaded = await fetch(`${controlUrl()}/control/state`, { method: 'PUT', body: await state.text() })
      expect(loaded.status).toBe(200)
    },
  )

  it.each(core.models.map(({ name }) => name))('of the kind %s accept every field that they show', async name => {
    const key = (record: object) => keyOf(modelOf(core.models, '', name), record)
    const [record] = (await send('GET', name)).json.records
    const shown = record ?? (await send('POST', name, {})).json
    const changed = await send('PATCH', `${name}/${key(shown)}`, shown)
    expect(changed.json).toMatchObject({ ...shown, ...changed.json })
    expect(changed.status).toBe(200)
  })

  it('are created with a given id, in all fields that have the id', async () => {
    const userId = '11111111-2222-4333-8444-555555555555'
    expect((await send('POST', 'members', { userId })).json).toMatchObject({ id: userId, userId })
  })

  it('determine the answers of the API: a failed backup, and a new service without records', async () => {
    const { serviceId, organizationId } = running!.target().cloud
    const backup = await send('POST', 'backups', { status: 'error' })
    expect(backup.json).toMatchObject({ status: 'error', serviceId })
    const fetched = await getFromCloud(`services/${serviceId}/backups/${backup.json.id}`)
    expect(fetched.result).toMatchObject({ status: 'error', serviceId })
    const service = await send('POST', `services?within=${organizationId}`, { name: 'new' })
    const inside = await send('GET', `backups?within=${service.json.id}`)
    expect(inside.json).toEqual({ total: 0, records: [] })
    expect((await send('POST', `alerts?within=${service.json.id}`, {})).status).toBe(201)
    await send('DELETE', `services/${service.json.id}`)
    expect((await send('GET', `backups?within=${service.json.id}`)).status).toBe(404)
  })

  it.each([
    ['key', 'keySecret', 'a-secret'],
    ['webhook', 'headers', { authorization: 'a-secret' }],
    ['connection', 'password', 'a-secret'],
  ])('of the kind %s accept the secret %s, and do not show it', async (name, field, secret) => {
    const created = await send('POST', name, { [field]: secret })
    const { id } = created.json
    const key = (record: object) => keyOf(modelOf(core.models, '', name), record)
    expect(JSON.stringify((await send('GET', name)).json)).not.toContain('a-secret')
    expect((await send('GET', `${name}/${key(created.json)}`)).json).not.toHaveProperty(field)
    expect((await send('PATCH', `${name}/${id}`, { name: 'renamed' })).json).not.toHaveProperty(field)
    expect(await (await fetch(`${controlUrl()}/control/state`)).text()).toContain('a-secret')
  })

  it('do not show the keys of a team, at any depth', async () => {
    const text = JSON.stringify((await send('GET', 'team')).json)
    expect(text).not.toContain(running!.target().selfHosted.apiKey)
    expect(text).not.toContain(running!.target().selfHosted.ingestionKey)
  })

  it('belong to the world of the query, where a created key works', async () => {
    const opened = await fetch(`${controlUrl()}/control/worlds`, { method: 'POST', body: '{}' })
    const { id: world, cloud }: TargetFile & { id: string } = await opened.json()
    const created = await send('POST', `keys?world=${world}`, { organizationId: cloud!.organizationId })
    const listed = async () => {
      const authorization = `Basic ${btoa(`${created.json.keyId}:${created.json.keySecret}`)}`
      const path = `${cloud!.baseUrl}/v1/organizations/${cloud!.organizationId}/members`
      return (await fetch(path, { headers: { authorization } })).status
    }
    expect(await listed()).toBe(200)
    expect((await send('GET', `keys/${created.json.id}`)).status).toBe(404)
    await send('DELETE', `keys/${created.json.id}?world=${world}`)
    expect(await listed()).toBe(401)
  })

  it('are refused if another world has the same credentials', async () => {
    const opened = await fetch(`${controlUrl()}/control/worlds`, { method: 'POST', body: '{}' })
    const { id: world }: { id: string } = await opened.json()
    const { keyId } = running!.target().cloud
    const refused = await send('POST', `keys?world=${world}`, { keyId })
    expect([refused.status, refused.json.error]).toEqual([409, expect.stringContaining('first world')])
    expect((await send('GET', `keys?world=${world}`)).json.records).not.toContainEqual(
      expect.objectContaining({ keyId }),
    )
  })

  it.each([
    ['POST', 'members', { role: 'owner' }, 400, 'create a record: member: role: '],
    ['POST', 'members', { joinedAt: 'soon' }, 400, 'joinedAt: Expected an ISO 8601 time'],
    ['POST', 'members', [], 400, 'must be a JSON object'],
    ['POST', 'alerts', { threshold: 'high' }, 400, 'threshold: '],
    ['POST', 'backup', { stauts: 'error' }, 400, 'backup: stauts: There is no such field; the nearest is status'],
    ['POST', 'alerts', { treshold: 5 }, 400, 'alert: treshold: There is no such field; the nearest is threshold'],
    ['POST', 'dashboards', { tiles: [{ id: 'a', nam: 'b', config: {} }] }, 400, 'tiles.0.nam: There is no such field'],
    ['POST', 'connections', { flavour: 'x' }, 400, 'flavour: There is no such field; there are id, name, host,'],
    ['PATCH', 'team/team', { acessKey: 'x' }, 400, 'the nearest is accessKey'],
    ['POST', 'team', {}, 409, 'with the key team already'],
    ['PATCH', 'members/nobody', {}, 404, 'there is none with the key nobody in '],
    ['DELETE', 'members/nobody', undefined, 404, 'within names another organization'],
    ['DELETE', 'team/team', undefined, 400, 'change it instead'],
    ['GET', 'members/nobody', undefined, 404, 'nobody'],
    ['GET', 'membres', undefined, 404, 'the nearest is members'],
    ['GET', 'savedSearchs', undefined, 404, 'the nearest is savedSearches'],
    ['GET', 'members?within=nowhere', undefined, 404, 'within: Expected the id of a record of organization'],
    ['GET', 'alerts?within=nowhere', undefined, 404, 'within: Expected the id of a service, or self-hosted'],
    ['GET', 'organizations?within=x', undefined, 404, 'the deployment as a whole'],
    ['GET', 'members?limit=few', undefined, 400, '"limit"'],
    ['GET', 'members?world=world-9', undefined, 404, 'world-9'],
  ])('refuse %s %s with a reason: %j', async (method, path, body, status, sentence) => {
    const { organizationId } = running!.target().cloud
    const before = (await send('GET', `members?within=${organizationId}`)).json
    const refused = await send(method, path, body)
    expect([refused.status, refused.json.error]).toEqual([status, expect.stringContaining(sentence)])
    expect((await send('GET', `members?within=${organizationId}`)).json).toEqual(before)
  })

  it('refuse a change of their key', async () => {
    const { organizationId } = running!.target().cloud
    const refused = await send('PATCH', `organizations/${organizationId}`, { id: crypto.randomUUID() })
    expect([refused.status, refused.json.error]).toEqual([400, expect.stringContaining('id: It is the key')])
  })
})

describe('records of the library', () => {
  it('are typed by the name of their model', () => {
    const { records } = createMock()
    const member = records.create('member', { role: 'admin' })
    expectTypeOf(member.role).toEqualTypeOf<'admin' | 'developer'>()
    expectTypeOf(records.list('alert')[0]!.threshold).toEqualTypeOf<number>()
    // @ts-expect-error: an unknown role.
    expect(() => records.update('member', member.id, { role: 'owner' })).toThrow('change a record: member: role: ')
    // @ts-expect-error: an unknown model.
    expect(() => records.list('person')).toThrow('there are no records called "person"')
    records.remove('member', member.id)
    expect(records.get('member', member.id)).toBeUndefined()
  })

  it('are the same for the same seed', () => {
    const create = () => createMock({ seed: 3, now: 1e12, freeze: true }).records.create('service')
    expect(create()).toEqual(create())
  })
})

const controlUrl = () => running!.target().control!.baseUrl

// biome-ignore lint/suspicious/noExplicitAny: tests read answers field by field, without types.
async function send(method: string, path: string, body?: unknown): Promise<{ status: number; json: any }> {
  const response = await fetch(`${controlUrl()}/control/records/${path}`, {
    method,
    body: body && JSON.stringify(body),
  } as RequestInit)
  const text = await response.text()
  return { status: response.status, json: text === '' ? undefined : JSON.parse(text) }
}

async function getFromCloud(path: string) {
  const { baseUrl, organizationId, keyId, keySecret } = running!.target().cloud
  const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
  return (await fetch(`${baseUrl}/v1/organizations/${organizationId}/${path}`, { headers })).json()
}

const listMembers = async (): Promise<{ userId: string; email: string }[]> => (await getFromCloud('members')).result
