import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/mock.ts'
import { openCloud, start } from '../../../testing/open-cloud.ts'

describe('activities', () => {
  it('show the creation of every record, and weeks of work by members', async () => {
    const { send, organizationId } = openCloud()
    const [activities, members, services, keys, invitations] = await Promise.all(
      ['activities', 'members', 'services', 'keys', 'invitations'].map(
        async one => (await send('GET', `/${one}`)).result,
      ),
    )
    const listByType = (type: string) => activities.filter((one: { type: string }) => one.type === type)
    const ids = (list: object[], field = 'id') => list.map(one => (one as Record<string, string>)[field]).toSorted()
    expect(activities.at(-1)).toMatchObject({ type: 'create_organization', actorDetails: members[0].email })
    expect(ids(listByType('service_create'), 'serviceId')).toEqual(ids(services))
    expect(ids(listByType('openapi_key_update'), 'targetKeyId')).toEqual(ids(keys))
    expect(ids(listByType('organization_member_join'), 'actorId')).toEqual(ids(members.slice(1), 'userId'))
    expect(listByType('organization_invite_create')).toHaveLength(members.length - 1 + invitations.length)
    expect(listByType('user_login').length).toBeGreaterThan(20)
    for (const { actorType, actorId, createdAt } of activities) {
      expect(Date.parse(createdAt)).toBeLessThan(start)
      if (actorType === 'user') expect(ids(members, 'userId')).toContain(actorId)
    }
    for (const activity of activities.slice(0, 5)) {
      expect(activity).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{24}$/), organizationId })
      expect((await send('GET', `/activities/${activity.id}`)).result).toEqual(activity)
    }
    expect((await send('GET', `/activities/${'0'.repeat(24)}`)).status).toBe(404)
  })

  it('are the same for the same seed, also when they are first read after other calls', async () => {
    const [one, other] = [openCloud(), openCloud()]
    const { result: members } = await one.send('GET', '/members')
    const [creator] = members
    await one.send('PATCH', `/members/${members[1].userId}`, { role: 'admin' })
    await one.send('DELETE', `/members/${creator.userId}`)
    const activities = async ({ send }: typeof one) => (await send('GET', '/activities')).result.filter(isBefore)
    const isBefore = ({ createdAt }: { createdAt: string }) => Date.parse(createdAt) < start
    expect(await activities(one)).toEqual(await activities(other))
  })

  it('refuse an id that is too short with the message of deployments', async () => {
    const { send } = openCloud()
    const error = 'BAD_REQUEST length is too small: 3 < 20'
    expect(await send('GET', '/activities/abc')).toMatchObject({ status: 400, error })
  })

  it('are listed between two times, newest first', async () => {
    const { send, serviceId, wait } = openCloud()
    for (const name of ['a', 'b', 'c']) {
      await send('PATCH', `/services/${serviceId}`, { name })
      wait(60)
    }
    const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString()
    const listTimes = async (query: string) =>
      (await send('GET', `/activities?${query}`)).result.map(({ createdAt }: { createdAt: string }) => createdAt)
    expect(await listTimes(`from_date=${at(0)}`)).toEqual([at(2), at(1), at(0)])
    expect(await listTimes(`from_date=${at(0)}&to_date=${at(1)}`)).toEqual([at(1), at(0)])
    const [today, yesterday] = ['2026-06-01', '2026-05-31']
    expect(await listTimes(`from_date=${today}&to_date=${today}`)).toEqual(
      expect.arrayContaining([at(2), at(1), at(0)]),
    )
    expect(await listTimes(`to_date=${yesterday}`)).not.toContain(at(0))
    const error = 'BAD_REQUEST: query.from_date: Expected the format date-time <string:"yesterday">'
    expect(await send('GET', '/activities?from_date=yesterday')).toMatchObject({ status: 400, error })
    expect((await send('GET', '/activities?from=x')).error).toBe('BAD_REQUEST: Unknown parameter: from')
  })

  it('show the caller and its IP address', async () => {
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

  it('are kept in a saved state', async () => {
    const { send, serviceId, mock } = openCloud()
    await send('PATCH', `/services/${serviceId}`, { name: 'a' })
    const other = createMock({ now: start, freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.state()).toEqual(mock.state())
  })
})

describe('the list of organizations', () => {
  it('has only the organization of the key', async () => {
    const { mock, organizationId, send } = openCloud()
    const { keyId, keySecret } = mock.target({ cloud: 'http://cloud.test' }).cloud!
    const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
    const call = { method: 'GET', path: '/v1/organizations', query: '', headers, body: '' }
    const { result } = JSON.parse((await mock.answer(call, 'cloud')).body)
    expect(result.map(({ id }: { id: string }) => id)).toEqual([organizationId])
    expect((await send('GET', '')).result).toEqual(result[0])
  })
})
