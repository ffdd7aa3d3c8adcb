import { describe, expect, it } from 'vitest'
import { createMock } from '../mock/mock.ts'
import { openCloud } from '../testing/open-cloud.ts'

const withLag = (gap: string) => ({ choices: { cloud: { [gap]: 'seconds later' } } })
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)
const newService = { name: 'fresh', provider: 'aws', region: 'us-east-1' }

describe('if a new service is listed seconds later', () => {
  it('a list lacks the service for two seconds, and a get answers at once', async () => {
    const { send, wait } = openCloud(withLag('service/list-after-creation'))
    const count = async () => (await send('GET', '/quotas/services-per-organization')).result.usage
    const before = await count()
    const { id } = (await send('POST', '/services', newService)).result.service
    expect(names((await send('GET', '/services')).result)).not.toContain('fresh')
    expect((await send('GET', `/services/${id}`)).result.name).toBe('fresh')
    wait(1)
    expect(await count()).toBe(before)
    wait(1)
    expect(names((await send('GET', '/services')).result)).toContain('fresh')
    expect(await count()).toBe(before + 1)
  })

  it('a get shows a change of the service before it is listed', async () => {
    const { send } = openCloud(withLag('service/list-after-creation'))
    const { id } = (await send('POST', '/services', newService)).result.service
    await send('PATCH', `/services/${id}`, { name: 'renamed' })
    expect((await send('GET', `/services/${id}`)).result.name).toBe('renamed')
  })
})

describe('if a changed role of a member is read seconds later', () => {
  const gap = 'member/read-after-update'

  it('the answer to the update, and reads for two seconds, have the previous role', async () => {
    const { send, wait } = openCloud(withLag(gap))
    const { result } = await send('GET', '/members')
    const { userId } = result.find(({ role }: { role: string }) => role === 'developer')
    const path = `/members/${encodeURIComponent(userId)}`
    const roleOf = async () => (await send('GET', path)).result.role
    expect((await send('PATCH', path, { role: 'admin' })).result.role).toBe('developer')
    expect(await roleOf()).toBe('developer')
    wait(2)
    expect(await roleOf()).toBe('admin')
  })

  it('a saved state has the new role', async () => {
    const { mock, send, organizationId } = openCloud(withLag(gap))
    const { result } = await send('GET', '/members')
    const { userId } = result.find(({ role }: { role: string }) => role === 'developer')
    await send('PATCH', `/members/${encodeURIComponent(userId)}`, { role: 'admin' })
    const other = createMock({ ...withLag(gap), now: mock.clock.now(), freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.records.get('member', userId, { within: organizationId })?.role).toBe('admin')
    expect(other.state()).toEqual(mock.state())
  })
})

describe('if activities are listed seconds later', () => {
  it('an invitation is readable at once, and its activity is listed after 15 seconds', async () => {
    const { send, wait, activities } = openCloud(withLag('activity/list-after-act'))
    const { id } = (await send('POST', '/invitations', { email: 'ada@example.com' })).result
    expect((await send('GET', `/invitations/${id}`)).status).toBe(200)
    wait(14)
    expect(await activities('api')).not.toContain('organization_invite_create')
    wait(1)
    expect((await activities('api'))[0]).toBe('organization_invite_create')
  })
})

describe('with --as clickhouse-cloud', () => {
  const as = 'clickhouse-cloud'

  it('reads lag after the creation of a service, the change of a role, and an activity', async () => {
    const { send, activities } = openCloud({ as })
    await send('POST', '/services', newService)
    expect(names((await send('GET', '/services')).result)).not.toContain('fresh')
    expect(await activities('api')).not.toContain('service_create')
    const { result: members } = await send('GET', '/members')
    const { userId } = members.find(({ role }: { role: string }) => role === 'developer')
    expect((await send('PATCH', `/members/${encodeURIComponent(userId)}`, { role: 'admin' })).result.role).toBe(
      'developer',
    )
  })

  it('a change of a service is read and listed at once', async () => {
    const { send, serviceId } = openCloud({ as })
    const path = `/services/${serviceId}`
    const tags = [{ key: 'team', value: 'shop' }]
    const changed = (await send('PATCH', path, { name: 'renamed', tags: { add: tags } })).result
    expect(changed).toMatchObject({ name: 'renamed', tags: expect.arrayContaining(tags) })
    expect((await send('GET', path)).result).toEqual(changed)
    expect((await send('GET', '/services')).result).toContainEqual(changed)
    const { result: services } = await send('GET', '/services')
    const idle = `/services/${services.find(({ state }: { state: string }) => state === 'idle').id}`
    const { result: awaking } = await send('PATCH', `${idle}/state`, { command: 'awake' })
    expect((await send('GET', idle)).result).toEqual(awaking)
    const scaled = (await send('PATCH', `${path}/replicaScaling`, { minReplicaMemoryGb: 24 })).result
    expect((await send('GET', path)).result.minReplicaMemoryGb).toBe(scaled.minReplicaMemoryGb)
  })

  it('new roles, invitations, keys, pipes and Postgres services are listed at once', async () => {
    const { send, serviceId } = openCloud({ as })
    const names = async (path: string) =>
      (await send('GET', path)).result.map(({ name, email }: Record<string, string>) => name ?? email)
    await send('POST', '/roles', { name: 'fresh', actors: [], policies: [] })
    expect(await names('/roles')).toContain('fresh')
    await send('POST', '/invitations', { email: 'ada@example.com', role: 'developer' })
    expect(await names('/invitations')).toContain('ada@example.com')
    await send('POST', '/keys', { name: 'fresh' })
    expect(await names('/keys')).toContain('fresh')
    await send('POST', '/postgres', { name: 'fresh', provider: 'aws', region: 'us-east-1', size: 'c6gd.large' })
    expect(await names('/postgres')).toContain('fresh')
    const service = `/services/${serviceId}`
    const source = {
      kafka: { type: 'kafka', format: 'JSONEachRow', brokers: 'b:9092', topics: 't', authentication: 'PLAIN' },
    }
    const destination = { database: 'default', table: 'fresh', managedTable: true, columns: [] }
    await send('POST', `${service}/clickpipes`, { name: 'fresh', source, destination })
    expect(await names(`${service}/clickpipes`)).toContain('fresh')
  })
})
