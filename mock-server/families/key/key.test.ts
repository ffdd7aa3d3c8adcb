import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { authorization, openCloud, start } from '../../testing/open-cloud.ts'
import { allows } from './addresses.ts'

const ipAccessList = [{ source: '0.0.0.0/0' }]

async function openWithKey(more: object = {}) {
  const cloud = openCloud()
  const { result } = await cloud.send('POST', '/keys', { name: 'pipeline', roles: ['admin'], ipAccessList, ...more })
  const path = `/keys/${result.key.id}`
  const ask = (method = 'GET', below = '/services', body?: object) =>
    cloud.send(method, below, body, { as: authorization(result) })
  return { ...cloud, created: result, path, ask }
}

describe('a key', () => {
  it('is used, disabled, enabled, and deleted by its successor', async () => {
    const { created, path, ask, send, activities } = await openWithKey()
    expect(created.key).toMatchObject({ name: 'pipeline', state: 'enabled', keySuffix: created.keyId.slice(-4) })
    expect((await ask()).status).toBe(200)
    const next = await ask('POST', '/keys', { name: 'pipeline 2', roles: ['admin'], ipAccessList })
    expect((await send('PATCH', path, { state: 'disabled' })).result.state).toBe('disabled')
    expect(await ask()).toMatchObject({ status: 401, error: 'UNAUTHORIZED: Key is not active' })
    expect((await send('PATCH', path, { state: 'enabled' })).result.state).toBe('enabled')
    expect((await ask()).status).toBe(200)
    const as = authorization(next.result)
    expect((await send('DELETE', path, undefined, { as })).status).toBe(200)
    expect(await ask()).toMatchObject({ status: 401, error: 'UNAUTHORIZED: Key is not found' })
    expect((await send('GET', path)).status).toBe(404)
    expect((await send('DELETE', path)).status).toBe(404)
    expect((await activities('api')).slice(0, 5)).toEqual([
      'deleted',
      'state-changed',
      'state-changed',
      'created',
      'created',
    ])
  })

  it('shows its id and secret only when it is created', async () => {
    const { mock, created, path, send } = await openWithKey()
    const shown = [
      await send('GET', path),
      await send('GET', '/keys'),
      await send('PATCH', path, { name: 'other' }),
      await send('GET', '/activities'),
    ]
    expect(JSON.stringify(mock.calls())).not.toContain(created.keySecret)
    expect(JSON.stringify(mock.calls())).toContain('"keySecret\\":\\"[redacted]')
    for (const { result } of shown) {
      expect(JSON.stringify(result)).not.toContain(created.keySecret)
      expect(JSON.stringify(result)).not.toContain(created.keyId)
      expect(JSON.stringify(result)).not.toMatch(/keySecret|keyId"|organizationId":"[^"]*","keyId/)
    }
  })

  it('is refused after it expires, until its expiry is cleared', async () => {
    const expireAt = new Date(start + 60_000).toISOString()
    const { path, ask, send, wait } = await openWithKey({ expireAt })
    expect((await ask()).status).toBe(200)
    wait(60)
    expect(await ask()).toMatchObject({ status: 401, error: 'UNAUTHORIZED: Key is not active' })
    expect((await send('PATCH', path, { name: 'kept' })).result.expireAt).toBe(expireAt)
    expect((await send('PATCH', path, { expireAt: null })).result).not.toHaveProperty('expireAt')
    expect((await ask()).status).toBe(200)
  })

  it.each([
    ['developer', 200, 403],
    ['query_endpoints', 403, 403],
  ])('of the role %s gets the status %i for a read and %i for a write', async (role, reads, writes) => {
    const { ask, send } = await openWithKey({ roles: [role] })
    expect((await ask('GET', '/keys')).status).toBe(reads)
    const refused = await ask('POST', '/keys', { name: 'x' })
    expect(refused.status).toBe(writes)
    expect(refused.error).toMatch(/^FORBIDDEN: /)
    // A key without permission for services gets an empty list.
    const { result } = await send('GET', '/services')
    expect((await ask()).result).toEqual(role === 'developer' ? result : [])
  })

  it('is refused from an address that is not in its list, and from every address with an empty list', async () => {
    const { created, path, send } = await openWithKey({ ipAccessList: undefined })
    expect(created.key.ipAccessList).toEqual([])
    const from = (address?: string) =>
      send('GET', '/services', undefined, { as: authorization(created), ...(address && { address }) })
    expect((await from('127.0.0.1')).status).toBe(403)
    expect((await from()).status).toBe(403)
    await send('PATCH', path, { ipAccessList: [{ source: '127.0.0.0/8' }, { source: '2001:db8::/33' }] })
    expect((await from()).status).toBe(200)
    expect((await from('127.0.0.1')).status).toBe(200)
    expect((await from('::ffff:127.0.0.1')).status).toBe(200)
    expect((await from('2001:db8:7fff::1')).status).toBe(200)
    expect((await from('2001:db8:8000::1')).status).toBe(403)
    expect((await from('128.0.0.1')).status).toBe(403)
    expect(await send('PATCH', path, { ipAccessList: [{ source: 'nowhere' }] })).toMatchObject({ status: 400 })
  })

  it('authenticates by the hashes that its creator sent, and then shows no id or secret', async () => {
    const own = { keyId: 'a'.repeat(20), keySecret: 'b'.repeat(42) }
    const hash = (text: string) => createHash('sha256').update(text).digest('base64')
    const hashData = { keyIdHash: hash(own.keyId), keyIdSuffix: 'aaaa', keySecretHash: hash(own.keySecret) }
    const { created, send } = await openWithKey({ hashData })
    expect(Object.keys(created)).toEqual(['key'])
    expect(created.key.keySuffix).toBe('aaaa')
    const as = (keySecret: string) => ({ as: authorization({ ...own, keySecret }) })
    expect((await send('GET', '/services', undefined, as(own.keySecret))).status).toBe(200)
    expect((await send('GET', '/services', undefined, as('c'.repeat(42)))).status).toBe(401)
  })

  it('has the minute of its last use', async () => {
    const { path, ask, send, wait, created } = await openWithKey()
    expect(created.key).not.toHaveProperty('usedAt')
    wait(90)
    await ask()
    expect((await send('GET', path)).result.usedAt).toBe('2026-06-01T12:01:00Z')
  })

  it('does not change the state when it is used, because a change would write the state file each minute', async () => {
    const { mock, path, ask, send, wait } = await openWithKey()
    wait(90)
    const before = mock.revision()
    expect((await ask()).status).toBe(200)
    expect(mock.revision()).toBe(before)
    const other = createMock({ now: start, freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.state()).toEqual(mock.state())
    expect((await send('GET', path)).result.usedAt).toBe('2026-06-01T12:01:00Z')
  })

  it('cannot delete itself, and is unknown in other organizations', async () => {
    const { mock, path, ask, organizationId } = await openWithKey()
    expect((await ask('DELETE', path)).status).toBe(400)
    const { secondOrganizationId, secondKeyId, secondKeySecret } = mock.target({ cloud: 'http://cloud.test' }).cloud!
    const as = authorization({ keyId: secondKeyId!, keySecret: secondKeySecret! })
    const headers = { authorization: as }
    const get = (id: string) =>
      mock.answer({ method: 'GET', path: `/v1/organizations/${id}${path}`, query: '', headers, body: '' }, 'cloud')
    expect((await get(organizationId)).status).toBe(403)
    expect((await get(secondOrganizationId!)).status).toBe(404)
  })

  it('authenticates in the world that it was created in, beside the first world', async () => {
    const { mock } = openCloud()
    const { world } = mock.worlds.open({ seed: 7 })
    const target = world.target({ cloud: 'http://cloud.test' }).cloud!
    const send = async (method: string, below: string, as: string, body = '') => {
      const headers = { authorization: as, 'content-type': 'application/json' }
      const path = `/v1/organizations/${target.organizationId}${below}`
      return mock.answer({ method, path, query: '', headers, body }, 'cloud')
    }
    const made = await send(
      'POST',
      '/keys',
      authorization(target),
      JSON.stringify({ name: 'x', roles: ['admin'], ipAccessList }),
    )
    const { result } = JSON.parse(made.body)
    expect((await send('GET', '/keys', authorization(result))).status).toBe(200)
  })

  it('is not created when its organization has 100 keys', async () => {
    const { send } = openCloud()
    const { length } = (await send('GET', '/keys')).result
    for (let i = length; i < 100; i++) expect((await send('POST', '/keys', { name: 'x' })).status).toBe(200)
    const error = 'BAD_REQUEST: An organization has at most 100 keys'
    expect(await send('POST', '/keys', { name: 'x' })).toMatchObject({ status: 400, error })
  })

  it('creates an activity for each field that changes', async () => {
    const { send, path, activities } = await openWithKey()
    const [role] = (await send('GET', '/roles')).result
    const change = { name: 'y', roles: ['developer'], assignedRoleIds: [role.id], ipAccessList: [] }
    const expireAt = '2999-12-31T00:00:00.000Z'
    await send('PATCH', path, { ...change, expireAt, state: 'disabled' })
    await send('PATCH', path, { ...change, state: 'disabled' })
    expect((await activities('api')).toSorted()).toEqual([
      ...['created', 'date-changed', 'ip-access-list-changed', 'name-changed', 'role-changed', 'roles-v2-changed'],
      'state-changed',
    ])
  })

  it('is kept in a saved state, and authenticates after it is loaded', async () => {
    const { mock, created, organizationId } = await openWithKey()
    const other = createMock({ now: start, freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.state()).toEqual(mock.state())
    const headers = { authorization: authorization(created) }
    const path = `/v1/organizations/${organizationId}/services`
    expect((await other.answer({ method: 'GET', path, query: '', headers, body: '' }, 'cloud')).status).toBe(200)
  })

  it.each([
    [{ roles: ['admin'] }, 'BAD_REQUEST: request body.name: Required'],
    [{ name: 'x', roles: [] }, 'BAD_REQUEST: request body.roles: Expected at least 1 items <array:[]>'],
    [
      { name: 'x', expireAt: '2026-02-30' },
      'BAD_REQUEST: request body.expireAt: Expected the format date-time <string:"2026-02-30">',
    ],
  ])('is not created with %j', async (body, error) => {
    const { send } = openCloud()
    expect(await send('POST', '/keys', body)).toMatchObject({ status: 400, error })
  })
})

describe('an IP access list', () => {
  it.each([
    ['0.0.0.0/0', '2001:db8::1', true],
    ['10.0.0.0/9', '10.127.255.255', true],
    ['10.0.0.0/9', '10.128.0.0', false],
    ['10.0.0.1', '10.0.0.1', true],
    ['10.0.0.1', '10.0.0.2', false],
    ['2001:DB8::1', '2001:db8::1', true],
    ['10.0.0.0/33', '10.0.0.0', false],
    ['10.0.0.0/8', '0a00::1', false],
    ['2001:db8::/32', '2001:db8:ffff::1', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::1', '0:0:0:0:0:0:0:1', true],
    ['2001:db8::1::2', '2001:db8::1', false],
    ['nowhere', '10.0.0.1', false],
  ])('with %s allows %s: %s', (source, address, isAllowed) => {
    expect(allows([{ source }], address)).toBe(isAllowed)
  })

  it('without entries allows no address', () => {
    expect(allows([], '127.0.0.1')).toBe(false)
  })
})
