import { expect, it } from 'vitest'
import { createMock } from '../../faces/create-mock.ts'
import { openCloud } from '../../testing/open-cloud.ts'
import type { MockOptions } from '../mock.ts'

it('a captured world with more services than the usual quota has no quota notification until its own quota is reached', async () => {
  const organization = { id: '10000000-0000-4000-8000-000000000000', name: 'Many' }
  const service = Array.from({ length: 39 }, (_, index) => ({
    id: `10000000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
    name: `s${index}`,
    state: index === 0 ? 'degraded' : 'running',
    within: organization.id,
  }))
  const captured = { captured: { at: '2026-11-23T10:00:00Z' }, organization: [organization], service }
  for (const more of [{}, { notification: [] }]) {
    const scenario = { ...captured, ...more } as MockOptions['scenario'] & {}
    const mock = createMock({ scenario, organizations: 1, logs: 0 })
    const types = () => mock.list('notification').map(({ type }) => type)
    expect([mock.list('service').length, types()]).toEqual([39, []])
    mock.create('service', { name: 'the fortieth' })
    expect(types()).toEqual(['organization_quota_reached'])
    expect(mock.list('notification')[0]?.description).toContain('has 40 services, as many as it may have')
  }
})

it('the quota of services is never below the number of services of an organization', async () => {
  const quota = async (services: number) =>
    (await openCloud({ services, logs: 0 }).send('GET', '/quotas/services-per-organization')).result
  expect(await quota(4)).toMatchObject({ value: 20, usage: 4 })
  expect(await quota(20)).toMatchObject({ value: 20, usage: 20 })
  expect(await quota(21)).toMatchObject({ value: 40, usage: 21 })
})
