import { expect, it } from 'vitest'
import { authorization, openCloud } from '../../../testing/open-cloud.ts'

interface Notification {
  readonly type: string
  readonly resourceId: string
  readonly createdAt: string
}

function open() {
  const cloud = openCloud()
  const list = async (query = '', more = {}): Promise<Notification[]> =>
    (await cloud.send('GET', `/notifications${query}`, undefined, more)).result
  const types = (all: Notification[]) => all.map(({ type }) => type)
  return { ...cloud, list, types }
}

it('reports backups, services and pipes that fail, and a quota that is reached', async () => {
  const { mock, list, types, serviceId, organizationId, wait } = open()
  const before = (await list()).length
  wait(1)
  const [backup] = mock.records.list('backup', { within: serviceId }).filter(one => one.status === 'done')
  mock.records.update('backup', backup!.id as string, { status: 'error' }, { within: serviceId })
  mock.records.update('service', serviceId!, { state: 'degraded' })
  const [pipe] = mock.records.list('clickPipe', { within: serviceId })
  mock.records.update('clickPipe', pipe!.id as string, { state: 'Failed' }, { within: serviceId })
  for (let left = 20 - mock.records.list('service').length; left > 0; left--)
    mock.create('service', { name: `s${left}` })
  const notifications = await list()
  expect(types(notifications).slice(0, -before).toSorted()).toEqual([
    ...['clickpipe_failed', 'organization_quota_reached', 'service_backup_failed', 'service_degraded'],
  ])
  const about = types(await list(`?resource_id=${serviceId}&from_date=2026-06-01T12:00:01Z`))
  expect(about.toSorted()).toEqual(['clickpipe_failed', 'service_backup_failed', 'service_degraded'])
  expect(types(await list(`?resource_id=${organizationId}&type=organization_quota_reached`))).toHaveLength(1)
})

it('reports credits before they expire, and is removed after 180 days', async () => {
  const { list, mock, types } = open()
  expect(types(await list('?resource_type=organization'))).toEqual(['organization_credits_expiring'])
  const first = (await list()).at(-1)!
  mock.clock.advance(181 * 86_400_000)
  expect((await list()).map(({ createdAt }) => createdAt)).not.toContain(first.createdAt)
})

it('is hidden from a key that may not view its resource, and has types that are all available', async () => {
  const { send, list, types } = open()
  const everywhere = [{ source: '0.0.0.0/0' }]
  const { result } = await send('POST', '/keys', { name: 'q', roles: ['query_endpoints'], ipAccessList: everywhere })
  const as = authorization(result)
  expect(types(await list())).toContain('service_backup_failed')
  expect(types(await list('', { as }))).toEqual([])
  const all = (await send('GET', '/notificationTypes')).result
  expect(all.every(({ isAvailable }: { isAvailable: boolean }) => isAvailable)).toBe(true)
  expect((await send('GET', '/notifications?from_date=2026-06-01')).status).toBe(400)
})
