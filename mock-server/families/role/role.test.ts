import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { authorization, openCloud, start } from '../../testing/open-cloud.ts'

const ipAccessList = [{ source: '0.0.0.0/0' }]

/** The cloud form, with functions that create roles, and keys with roles. */
function open() {
  const cloud = openCloud()
  const { send, organizationId } = cloud
  const own = `organization/${organizationId}`
  const allow = (permissions: readonly string[], ...resources: string[]) => ({
    allowDeny: 'ALLOW',
    permissions: permissions.map(name => `control-plane:${name}`),
    resources: resources.length > 0 ? resources : [own],
  })
  let made = 0
  const makeRole = async (...policies: object[]) =>
    (await send('POST', '/roles', { name: `role ${++made}`, actors: [], policies })).result
  /** Calls with a key that has these roles. */
  async function callAs(...assignedRoleIds: string[]) {
    const { result } = await send('POST', '/keys', { name: 'x', assignedRoleIds, ipAccessList })
    const as = authorization(result)
    return { key: result.key, ask: (method: string, path: string, body?: object) => send(method, path, body, { as }) }
  }
  return { ...cloud, own, allow, makeRole, callAs }
}

describe('roles', () => {
  it('of the system are listed with their policies, and refuse changes', async () => {
    const { send, own } = open()
    const { result } = await send('GET', '/roles')
    expect(result.map(({ name, type }: Record<string, string>) => `${name} (${type})`)).toContain('Admin (system)')
    for (const role of result.filter(({ type }: { type: string }) => type === 'system')) {
      expect((await send('GET', `/roles/${role.id}`)).result).toEqual(role)
      expect(role).toMatchObject({ tenantId: own, ownerId: own, actors: [] })
      expect((await send('PATCH', `/roles/${role.id}`, { name: 'Mine' })).status).toBe(403)
      expect((await send('DELETE', `/roles/${role.id}`)).status).toBe(403)
    }
    expect((await send('GET', '/roles')).result).toEqual(result)
  })

  it('are created with the permissions that others include, updated, and deleted', async () => {
    const { send, own, allow, wait } = open()
    const policies = [allow(['organization:view']), allow(['service:manage'], 'instance/*')]
    const created = await send('POST', '/roles', { name: 'Operator', actors: [], policies })
    expect(created.result).toMatchObject({ name: 'Operator', type: 'custom', tenantId: own, ownerId: own, actors: [] })
    const [, ofService] = created.result.policies
    const added = ['manage', 'view', 'delete'].map(name => `control-plane:service:${name}`)
    expect(ofService).toMatchObject({ allowDeny: 'ALLOW', permissions: added, resources: ['instance/*'] })
    expect(ofService).toMatchObject({ roleId: created.result.id, tenantId: own, id: expect.any(String) })
    wait(60)
    const path = `/roles/${created.result.id}`
    const renamed = await send('PATCH', path, { name: 'Other' })
    expect(renamed.result).toEqual({ ...created.result, name: 'Other', updatedAt: '2026-06-01T12:01:00.000Z' })
    const replaced = await send('PATCH', path, { policies: [allow(['organization:view'])] })
    expect(replaced.result.policies).toHaveLength(1)
    expect((await send('GET', path)).result).toEqual(replaced.result)
    expect((await send('DELETE', path)).status).toBe(200)
    expect((await send('GET', path)).status).toBe(404)
    expect((await send('DELETE', path)).status).toBe(404)
  })

  it('have actors until the role or the actor is deleted', async () => {
    const { send, makeRole, allow, callAs } = open()
    const role = await makeRole(allow(['organization:view']))
    const { key, ask } = await callAs()
    const [member] = (await send('GET', '/members')).result
    expect((await ask('GET', '')).status).toBe(403)
    const actors = [`user/${member.userId}`, `apiKey/${key.id}`]
    expect((await send('PATCH', `/roles/${role.id}`, { actors })).result.actors).toEqual(actors)
    const assignedRoles = [{ roleId: role.id, roleName: role.name, roleType: 'custom' }]
    expect((await send('GET', `/keys/${key.id}`)).result.assignedRoles).toEqual(assignedRoles)
    expect((await ask('GET', '')).status).toBe(200)
    await send('DELETE', `/keys/${key.id}`)
    expect((await send('GET', `/roles/${role.id}`)).result.actors).toEqual([actors[0]])
    const listed = async () => JSON.stringify((await send('GET', '/members')).result)
    expect(await listed()).toContain(`"roleName":"${role.name}"`)
    await send('PATCH', `/roles/${role.id}`, { name: 'Renamed' })
    expect(await listed()).toContain('"roleName":"Renamed"')
    const other = await callAs(role.id)
    expect((await other.ask('GET', '')).status).toBe(200)
    await send('DELETE', `/roles/${role.id}`)
    expect((await send('GET', `/keys/${other.key.id}`)).result.assignedRoles).toEqual([])
    expect((await other.ask('GET', '')).status).toBe(403)
    expect(await listed()).not.toContain('Renamed')
    const activities = (await send('GET', '/activities')).result.filter(
      ({ targetRoleIds }: { targetRoleIds?: string[] }) => targetRoleIds?.includes(role.id),
    )
    const ofRole = activities.map((one: Record<string, unknown>) => [one.type, one.targetActorIds])
    expect(ofRole.reverse()).toEqual([
      ['role_create', undefined],
      ['role_update', actors],
      ['role_update', undefined],
      ['role_delete', expect.arrayContaining([actors[0], `apiKey/${other.key.id}`])],
    ])
  })

  it('determine by their policies which operations and services a key may use', async () => {
    const { send, makeRole, allow, callAs, serviceId } = open()
    const [, other] = (await send('GET', '/services')).result
    const role = await makeRole(allow(['service:view'], `instance/${serviceId}`), allow(['organization:view-api-keys']))
    const { ask } = await callAs(role.id)
    expect((await ask('GET', `/services/${serviceId}`)).status).toBe(200)
    expect((await ask('GET', `/services/${other.id}`)).status).toBe(403)
    expect((await ask('GET', '/services')).result.map(({ id }: { id: string }) => id)).toEqual([serviceId])
    expect((await ask('GET', '/keys')).status).toBe(200)
    expect(await ask('POST', '/keys', { name: 'x' })).toMatchObject({
      status: 403,
      error: 'FORBIDDEN: The key lacks the permission control-plane:organization:create-api-keys',
    })
    const boards = `/services/${serviceId}/observability/dashboards`
    expect((await ask('GET', boards)).status).toBe(403)
    const policies = [allow(['service:manage-clickstack-api'], 'instance/*')]
    await send('PATCH', `/roles/${role.id}`, { policies })
    expect((await ask('GET', boards)).status).toBe(200)
    expect((await ask('GET', '/keys')).status).toBe(403)
    const denied = { ...allow(['service:manage-clickstack-api'], `instance/${serviceId}`), allowDeny: 'DENY' }
    await send('PATCH', `/roles/${role.id}`, { policies: [...policies, denied] })
    expect((await ask('GET', boards)).status).toBe(403)
  })

  it.each([
    [
      'permissions of two scopes',
      ['organization:view', 'service:view'],
      'instance/*',
      'All permissions in a policy must target the same resource scope',
    ],
    [
      'a resource of another scope',
      ['service:view'],
      'own',
      'All permissions in a policy must target the same resource scope',
    ],
    [
      'all organizations as the resource',
      ['organization:view'],
      'organization/*',
      "Organization * must match the role's organization",
    ],
    [
      'an unknown kind of resource',
      ['service:view'],
      'service/1',
      'Expected organization/<id>, instance/<id> or instance/*, received service/1',
    ],
    ['an unknown permission', ['view'], 'own', 'There is no permission control-plane:view'],
  ])('are not created with %s', async (_, permissions, resource, sentence) => {
    const { send, allow, own } = open()
    const policies = [allow(permissions, resource === 'own' ? own : resource)]
    const error = `BAD_REQUEST: ${sentence}`
    expect(await send('POST', '/roles', { name: 'x', actors: [], policies })).toMatchObject({ status: 400, error })
  })

  it('have unique names, and only existing actors', async () => {
    const { send } = open()
    expect((await send('POST', '/roles', { name: 'Admin', actors: [], policies: [] })).status).toBe(409)
    const actors = ['user/nobody']
    const error = 'BAD_REQUEST: There is no actor user/nobody in the organization'
    expect(await send('POST', '/roles', { name: 'x', actors, policies: [] })).toMatchObject({ status: 400, error })
    const assignedRoleIds = ['11111111-2222-4333-8444-555555555555']
    expect((await send('POST', '/keys', { name: 'x', assignedRoleIds })).status).toBe(400)
    expect((await send('POST', '/keys', { name: 'x', roles: ['admin'], assignedRoleIds: [] })).status).toBe(200)
  })

  it('are kept in a saved state, with their actors', async () => {
    const { mock, makeRole, allow, callAs } = open()
    await callAs((await makeRole(allow(['organization:view']))).id)
    const other = createMock({ now: start, freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.state()).toEqual(mock.state())
  })
})

describe('an organization that has moved to custom roles', () => {
  const sentence = `BAD_REQUEST: Organization has migrated to Custom Roles. Use 'assignedRoleIds' instead of 'roles'.`

  it.each(['by choice', 'by its record'])('refuses legacy roles %s', async how => {
    const choices = { cloud: { 'role/legacy-roles': 'refused' } }
    const { mock, send, organizationId } = openCloud(how === 'by choice' ? { choices } : {})
    if (how === 'by its record') mock.records.update('organization', organizationId, { usesCustomRoles: true })
    expect((await send('GET', '')).result).not.toHaveProperty('usesCustomRoles')
    const body = { name: 'x', roles: ['admin'] }
    expect(await send('POST', '/keys', body)).toMatchObject({ status: 400, error: sentence })
    const { result } = await send('POST', '/keys', { name: 'x', assignedRoleIds: [] })
    expect(result.key).toMatchObject({ roles: [], assignedRoles: [] })
    expect(await send('PATCH', `/keys/${result.key.id}`, { roles: ['admin'] })).toMatchObject({ error: sentence })
  })

  it('is the second of the scenario, whose keys have roles of each kind', async () => {
    const { mock } = openCloud()
    const { secondOrganizationId, secondKeyId, secondKeySecret } = mock.target({ cloud: 'http://cloud.test' }).cloud!
    const headers = { authorization: authorization({ keyId: secondKeyId!, keySecret: secondKeySecret! }) }
    const path = `/v1/organizations/${secondOrganizationId}/keys`
    const { status, body } = await mock.answer({ method: 'GET', path, query: '', headers, body: '' }, 'cloud')
    expect(status).toBe(200)
    const listed: { assignedRoles: { roleName: string }[]; roles: [] }[] = JSON.parse(body).result
    expect(listed.map(({ assignedRoles: [role], roles }) => [role?.roleName, ...roles])).toEqual([
      ['Admin'],
      ['Deployer'],
      ['Production Operator'],
      ['Basic Service API Reader'],
    ])
  })
})
