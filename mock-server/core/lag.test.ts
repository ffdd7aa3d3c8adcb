import { describe, expect, it } from 'vitest'
import { openCloud } from '../testing/open-cloud.ts'
import { createMock } from './mock.ts'

const lagging = { choices: { cloud: { 'service/reads-after-writes': 'seconds later' } } }
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

describe('where reads lag behind writes', () => {
  it('a list misses a new service for two seconds, and a get has it at once', async () => {
    const { send, wait } = openCloud(lagging)
    const wanted = { name: 'fresh', provider: 'aws', region: 'us-east-1' }
    const count = async () => (await send('GET', '/quotas/services-per-organization')).result.usage
    const before = await count()
    const { id } = (await send('POST', '/services', wanted)).result.service
    expect(names((await send('GET', '/services')).result)).not.toContain('fresh')
    expect((await send('GET', `/services/${id}`)).result.name).toBe('fresh')
    wait(1)
    expect(await count()).toBe(before)
    wait(1)
    expect(names((await send('GET', '/services')).result)).toContain('fresh')
    expect(await count()).toBe(before + 1)
  })

  it('a change shows in get and list after two seconds, and writes build upon each other meanwhile', async () => {
    const { send, serviceId, wait } = openCloud(lagging)
    const path = `/services/${serviceId}`
    const before = (await send('GET', path)).result
    expect((await send('PATCH', path, { name: 'renamed' })).result.name).toBe('renamed')
    expect((await send('PATCH', path, { releaseChannel: 'fast' })).result.name).toBe('renamed')
    expect((await send('GET', path)).result).toEqual(before)
    wait(2)
    expect((await send('GET', path)).result).toEqual({ ...before, name: 'renamed', releaseChannel: 'fast' })
  })

  it('the answer to the update of a member has the role of before', async () => {
    const { send, wait } = openCloud(lagging)
    const { result } = await send('GET', '/members')
    const { userId } = result.find(({ role }: { role: string }) => role === 'developer')
    const path = `/members/${encodeURIComponent(userId)}`
    expect((await send('PATCH', path, { role: 'admin' })).result.role).toBe('developer')
    expect((await send('GET', path)).result.role).toBe('developer')
    wait(2)
    expect((await send('GET', path)).result.role).toBe('admin')
  })

  it('activities are seen a quarter of a minute later, and what was deleted is gone at once', async () => {
    const { send, wait, activities } = openCloud(lagging)
    const { id } = (await send('POST', '/invitations', { email: 'ada@example.com' })).result
    wait(14)
    expect(await activities('api')).not.toContain('organization_invite_create')
    wait(1)
    expect((await activities('api'))[0]).toBe('organization_invite_create')
    await send('DELETE', `/invitations/${id}`)
    expect((await send('GET', `/invitations/${id}`)).status).toBe(404)
  })

  it('a saved state has caught up', async () => {
    const { mock, serviceId, send, organizationId } = openCloud(lagging)
    await send('PATCH', `/services/${serviceId}`, { name: 'renamed' })
    const other = createMock({ ...lagging, now: mock.clock.now(), freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.records.get('service', serviceId, { within: organizationId })?.name).toBe('renamed')
    expect(other.state()).toEqual(mock.state())
  })

  it.each([
    ['clickhouse-cloud', false],
    ['self-hosted-2.36', true],
  ] as const)('as %s is deployed, a new service is listed at once: %s', async (as, isSeen) => {
    const { send } = openCloud({ as })
    await send('POST', '/services', { name: 'fresh', provider: 'aws', region: 'us-east-1' })
    expect(names((await send('GET', '/services')).result).includes('fresh')).toBe(isSeen)
  })
})
