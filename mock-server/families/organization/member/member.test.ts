import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/mock.ts'
import { openCloud, start } from '../../../testing/open-cloud.ts'

interface Member {
  readonly userId: string
  readonly email: string
  readonly role: string
  readonly assignedRoles?: readonly { readonly roleName: string }[]
}

const pathOf = ({ userId }: Member) => `/members/${encodeURIComponent(userId)}`
const lastAdmin = 'BAD_REQUEST: The last admin of an organization can be neither demoted nor removed'

async function openWithMembers(place: 'first' | 'second' = 'first') {
  const cloud = openCloud({}, place)
  const list = async (): Promise<readonly Member[]> => (await cloud.send('GET', '/members')).result
  const isAdmin = (one: Member) =>
    place === 'first' ? one.role === 'admin' : one.assignedRoles!.some(({ roleName }) => roleName === 'Admin')
  const members = await list()
  const admins = members.filter(isAdmin)
  const developer = members.find(one => !isAdmin(one))!
  const { result: roles } = await cloud.send('GET', '/roles')
  const idOf = (name: string): string => roles.find((one: { name: string }) => one.name === name).id
  return { ...cloud, list, members, admins, developer, idOf }
}

describe('a member', () => {
  it('is read by its user id: a UUID, or an id of Google or SAML', async () => {
    const { members, send } = await openWithMembers()
    const kinds = [/^[0-9a-f-]{36}$/, /^Google_\d{21}$/, /^samlp\|[0-9a-f-]{36}\|.+@.+$/]
    for (const kind of kinds) expect(members.some(({ userId }) => kind.test(userId))).toBe(true)
    for (const member of members) expect((await send('GET', pathOf(member))).result).toEqual(member)
    for (const nobody of ['nobody', 'a%2Fb%7Cc', '00000000-0000-0000-0000-000000000000'])
      expect((await send('GET', `/members/${nobody}`)).status).toBe(404)
  })

  it('is promoted, demoted and removed, each with an activity', async () => {
    const { developer, send, list, activities } = await openWithMembers()
    expect((await send('PATCH', pathOf(developer), { role: 'admin' })).result).toEqual({ ...developer, role: 'admin' })
    await send('PATCH', pathOf(developer), { role: 'admin' })
    await send('PATCH', pathOf(developer), {})
    expect((await send('PATCH', pathOf(developer), { role: 'developer' })).result).toEqual(developer)
    expect((await send('DELETE', pathOf(developer))).status).toBe(200)
    expect((await send('GET', pathOf(developer))).status).toBe(404)
    expect((await send('DELETE', pathOf(developer))).status).toBe(404)
    expect(await list()).not.toContainEqual(developer)
    expect(await activities('api')).toEqual([
      'organization_member_delete',
      'organization_member_update_role',
      'organization_member_update_role',
    ])
  })

  it.each(['first', 'second'] as const)(
    'is not demoted or removed as the last admin of the %s organization',
    async place => {
      const { admins, send, list, idOf } = await openWithMembers(place)
      const [last, ...others] = admins
      for (const other of others) expect((await send('DELETE', pathOf(other))).status).toBe(200)
      const before = await list()
      const demotion = place === 'first' ? { role: 'developer' } : { assignedRoleIds: [idOf('Member')] }
      expect(await send('PATCH', pathOf(last!), demotion)).toMatchObject({ status: 400, error: lastAdmin })
      expect(await send('DELETE', pathOf(last!))).toMatchObject({ status: 400, error: lastAdmin })
      expect(await list()).toEqual(before)
    },
  )

  it('has roles by id in an organization with custom roles, and is their actor until it is removed', async () => {
    const { developer, send, idOf, activities } = await openWithMembers('second')
    const id = idOf('Deployer')
    const { result } = await send('PATCH', pathOf(developer), { assignedRoleIds: [id] })
    expect(result).toEqual({ ...developer, assignedRoles: [{ roleId: id, roleName: 'Deployer', roleType: 'custom' }] })
    const actors = async () => (await send('GET', `/roles/${id}`)).result.actors
    expect(await actors()).toContain(`user/${developer.userId}`)
    expect((await activities('api'))[0]).toBe('organization_member_update_roles')
    await send('PATCH', `/roles/${id}`, { name: 'Releaser' })
    expect((await send('GET', '/members')).result).toContainEqual({
      ...result,
      assignedRoles: [{ roleId: id, roleName: 'Releaser', roleType: 'custom' }],
    })
    await send('DELETE', pathOf(developer))
    expect(await actors()).not.toContain(`user/${developer.userId}`)
    const error = "BAD_REQUEST: Organization has migrated to Custom Roles. Use 'assignedRoleIds' instead of 'role'."
    expect(await send('PATCH', pathOf(developer), { role: 'admin' })).toMatchObject({ status: 404 })
    const [other] = (await send('GET', '/members')).result
    expect(await send('PATCH', pathOf(other), { role: 'admin' })).toMatchObject({ status: 400, error })
  })

  it.each([
    [{ role: 'owner' }, 'BAD_REQUEST: request body.role: Expected one of admin, developer <string:"owner">'],
    [{ rôle: 'admin' }, "request body property can't be validated: rôle"],
    [
      { role: 'admin', assignedRoleIds: ['0b6f3c1e-9d0a-4c57-8f3e-2a1b4c5d6e7f'] },
      'BAD_REQUEST: request body.assignedRoleIds.0: There is no such role <string:"0b6f3c1e-9d0a-4c57-8f3e-2a1b4c5d6e7f">',
    ],
  ])('is not changed by %j', async (body, error) => {
    const { developer, send } = await openWithMembers()
    expect(await send('PATCH', pathOf(developer), body)).toMatchObject({ status: 400, error })
    expect((await send('GET', pathOf(developer))).result).toEqual(developer)
  })
})

describe('an invitation', () => {
  const sevenDays = 7 * 86_400

  it('has its email address in lower case, expires after seven days, and can be deleted', async () => {
    const { send, activities } = openCloud()
    const { result } = await send('POST', '/invitations', {
      email: 'Ada@Example.COM',
      role: 'admin',
      assignedRoleIds: [],
    })
    expect(result).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: 'ada@example.com',
      role: 'admin',
      createdAt: '2026-06-01T12:00:00.000Z',
      expireAt: '2026-06-08T12:00:00.000Z',
    })
    const path = `/invitations/${result.id}`
    expect((await send('GET', path)).result).toEqual(result)
    expect((await send('GET', '/invitations')).result).toContainEqual(result)
    expect((await send('DELETE', path)).status).toBe(200)
    expect([(await send('GET', path)).status, (await send('DELETE', path)).status]).toEqual([404, 404])
    expect(await activities('api')).toEqual(['organization_invite_delete', 'organization_invite_create'])
  })

  it('is refused for a member or an address with a pending invitation, until the pending one has expired', async () => {
    const { send, wait } = openCloud()
    const invite = (email: string) => send('POST', '/invitations', { email })
    const { result: first } = await invite('ada@example.com')
    expect(await invite('ADA@example.com')).toMatchObject({
      status: 400,
      error: 'BAD_REQUEST: ada@example.com is invited already',
    })
    wait(sevenDays)
    const { result: second } = await invite('ada@example.com')
    expect(second.expireAt > first.expireAt).toBe(true)
    expect((await send('GET', `/invitations/${first.id}`)).status).toBe(404)
    const [{ email }] = (await send('GET', '/members')).result
    expect((await invite(email.toUpperCase())).error).toContain('is a member of the organization already')
  })

  it('is seeded as pending or expired for people who are not members, and kept in a saved state', async () => {
    const { mock, send } = openCloud()
    const { result } = await send('GET', '/invitations')
    const expired = result.filter(({ expireAt }: { expireAt: string }) => Date.parse(expireAt) < start)
    expect([result.length, expired.length]).toEqual([3, 1])
    const emails = (await send('GET', '/members')).result.map(({ email }: Member) => email)
    for (const { email } of result) expect(emails).not.toContain(email)
    const other = createMock({ now: start, freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.state()).toEqual(mock.state())
  })
})
