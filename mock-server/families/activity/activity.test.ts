import { describe, expect, it } from 'vitest'
import { createMock } from '../../core/mock.ts'
import { openCloud, start } from '../../testing/open-cloud.ts'

describe('activities', () => {
  it('begin with the organization and its services, and are read one by one', async () => {
    const { send, organizationId } = openCloud()
    const { result } = await send('GET', '/activities')
    expect(result.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'create_organization',
      ...Array(3).fill('service_create'),
    ])
    for (const activity of result) {
      expect(activity).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{24}$/), organizationId, actorType: 'user' })
      expect((await send('GET', `/activities/${activity.id}`)).result).toEqual(activity)
    }
    expect((await send('GET', `/activities/${'0'.repeat(24)}`)).status).toBe(404)
  })

  it('refuse an id that is too short, in the words of deployments', async () => {
    const { send } = openCloud()
    const error = 'BAD_REQUEST length is too small: 3 < 20'
    expect(await send('GET', '/activities/abc')).toMatchObject({ status: 400, error })
  })

  it('are listed from one moment to another, the newest first', async () => {
    const { send, serviceId, wait } = openCloud()
    for (const name of ['a', 'b', 'c']) {
      await send('PATCH', `/services/${serviceId}`, { name })
      wait(60)
    }
    const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
    const moments = async (query: string) =>
      (await send('GET', `/activities?${query}`)).result.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(await moments(`from_date=${at(0)}`)).toEqual([at(2), at(1), at(0)])
    expect(await moments(`from_date=${at(0)}&to_date=${at(1)}`)).toEqual([at(1), at(0)])
    expect((await send('GET', '/activities?from_date=yesterday')).status).toBe(400)
  })

  it('say who called, and from where', async () => {
    const { send, serviceId } = openCloud()
    await send('PATCH', `/services/${serviceId}`, { name: 'a' }, { address: '127.0.0.1' })
    const { result } = await send('GET', '/activities')
    expect(result[0]).toMatchObject({
      type: 'service_update_name',
      actorType: 'api',
      actorDetails: 'Terraform',
      actorIpAddress: '127.0.0.1',
      serviceId,
    })
  })

  it('are there in a saved state', async () => {
    const { send, serviceId, mock } = openCloud()
    await send('PATCH', `/services/${serviceId}`, { name: 'a' })
    const other = createMock({ now: start, freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.state()).toEqual(mock.state())
  })
})

describe('organizations', () => {
  it('are listed as one: that of the key', async () => {
    const { mock, organizationId, send } = openCloud()
    const { keyId, keySecret } = mock.target({ cloud: 'http://cloud.test' }).cloud!
    const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
    const call = { method: 'GET', path: '/v1/organizations', query: '', headers, body: '' }
    const { result } = JSON.parse((await mock.answer(call, 'cloud')).body)
    expect(result.map(({ id }: { id: string }) => id)).toEqual([organizationId])
    expect((await send('GET', '')).result).toEqual(result[0])
  })
})
