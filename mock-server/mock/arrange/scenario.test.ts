import { describe, expect, it } from 'vitest'
import { createMock } from '../../faces/create-mock.ts'
import type { MockOptions, ScenarioRecords } from '../mock.ts'

const ownRecords: ScenarioRecords = {
  scenario: 'empty',
  // Children before their parent: the order does not matter.
  backup: [{ status: 'error', within: '11111111-1111-4111-8111-111111111111' }],
  members: [{ name: 'Ada' }],
  services: [{ id: '11111111-1111-4111-8111-111111111111', name: 'orders', state: 'degraded' }],
}

/** Creates a mock, and reads its alerts. */
async function open(options: MockOptions) {
  const mock = createMock({ logs: 0, ...options })
  const { cloud, selfHosted } = mock.target()
  const authorization = `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}`
  const get = async (path: string, headers: Record<string, string> = { authorization }) => {
    const response = await mock.fetch(`${cloud.baseUrl}/v1/organizations/${cloud.organizationId}/${path}`, { headers })
    return { status: response.status, list: (await response.json()).result }
  }
  const alerts = await mock.fetch(`${selfHosted.baseUrl}/api/v2/alerts`, {
    headers: { authorization: `Bearer ${selfHosted.apiKey}` },
  })
  return { mock, get, alerts: (await alerts.json()).data }
}

describe('a world without', () => {
  it.each([['members'], ['services']] as const)('%s answers an empty list, and its key works', async part => {
    const { mock, get } = await open({ [part]: 0 })
    expect(await get(part)).toEqual({ status: 200, list: [] })
    expect(JSON.stringify(mock.state())).toContain(mock.target().cloud.organizationId)
  })

  it('backups answers an empty list for each service', async () => {
    const { mock, get } = await open({ backups: 0 })
    expect(await get(`services/${mock.target().cloud.serviceId}/backups`)).toEqual({ status: 200, list: [] })
  })

  it('organizations is refused, because every key belongs to an organization', () => {
    expect(() => createMock({ organizations: 0 })).toThrow('organizations: Expected a whole number from 1')
  })
})

describe('the scenario', () => {
  it('empty has one member, one key and the default sources, and nothing else', async () => {
    const { mock, get, alerts } = await open({ scenario: 'empty' })
    const lists = await Promise.all(['members', 'keys', 'services', 'invitations', 'activities'].map(path => get(path)))
    expect(lists.map(({ list }) => list.length)).toEqual([1, 1, 0, 0, 0])
    expect([alerts, mock.list('dashboard'), mock.list('source').length]).toEqual([[], [], 4])
  })

  it('empty is kept in a snapshot, and can have services', () => {
    const mock = createMock({ scenario: 'empty', services: 2 })
    const { state } = mock.snapshot()
    const other = createMock()
    other.load(state)
    const { serviceId } = other.target().cloud
    expect([other.list('service').length, other.list('backup').length]).toEqual([2, 0])
    expect(other.list('dashboard', { within: serviceId })).toEqual([])
    other.reset()
    expect([other.scenario(), other.list('alert')]).toEqual(['empty', []])
    expect(() => other.load({ ...(state as object), scenario: 'empt' })).toThrow(
      'load a state: scenario: Expected one of',
    )
  })

  it('degraded has a degraded service, a failed backup and a failed pipe', async () => {
    const { mock, get } = await open({ scenario: 'degraded' })
    const { serviceId } = mock.target().cloud
    expect((await get('services')).list[0]).toMatchObject({ id: serviceId, state: 'degraded' })
    const backups: { status: string; finishedAt: string }[] = (await get(`services/${serviceId}/backups`)).list
    expect(backups.find(({ finishedAt }) => finishedAt && Date.now() - Date.parse(finishedAt) < 60_000)).toMatchObject({
      status: 'error',
    })
    expect((await get(`services/${serviceId}/clickpipes`)).list).toContainEqual(
      expect.objectContaining({ state: 'Failed' }),
    )
  })

  it.each([4, 18])(
    'incident has errors in the logs, and alerts that still fire after an evaluation, at %i:59',
    async hour => {
      const now = Date.UTC(2026, 10, 22, hour, 59)
      const { mock, alerts } = await open({ scenario: 'incident', logs: 500_000, now, freeze: true })
      const { baseUrl, apiKey, references } = mock.target().selfHosted
      const count = async (from: number) => {
        const body = {
          startTime: now - from * 3_600_000,
          endTime: now - (from - 1) * 3_600_000,
          granularity: '1h',
          series: [{ sourceId: references.sources.log, aggFn: 'count', where: 'SeverityText:ERROR', groupBy: [] }],
        }
        const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
        const response = await mock.fetch(`${baseUrl}/api/v2/charts/series`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        })
        const { data }: { data: Record<string, string>[] } = await response.json()
        return data.reduce((sum, point) => sum + Number(point['series_0.data']), 0)
      }
      expect(await count(1)).toBeGreaterThan(4 * (await count(4)) + 15)
      mock.evaluateAlerts()
      const firing = (list: readonly { name?: string | null; state: string }[]) =>
        list.filter(({ state }) => state === 'ALERT').map(({ name }) => name)
      expect([firing(alerts), firing(mock.list('alert'))]).toEqual([
        ['Errors', 'Declined payments'],
        ['Errors', 'Declined payments'],
      ])
    },
  )

  it('can be records, which are added to another scenario or change its records', async () => {
    const { mock, get } = await open({ scenario: ownRecords })
    expect((await get('members')).list.map(({ name }: { name: string }) => name)).toContain('Ada')
    expect((await get('services')).list).toMatchObject([{ name: 'orders', state: 'degraded' }])
    expect((await get(`services/${ownRecords.services![0]!.id}/backups`)).list).toMatchObject([{ status: 'error' }])

    const [alert] = createMock().list('alert')
    const changed = createMock({ scenario: { alert: [{ id: alert!.id, state: 'ALERT' }] } })
    expect(changed.list('alert')).toHaveLength(4)
    expect(changed.list('alert')[0]).toEqual({ ...alert, ...changed.list('alert')[0], state: 'ALERT' })
    expect(mock.list('alert')).toEqual([])
  })

  it('has dashboards of somebody without tiles, tags and filters of the shop', () => {
    const mock = createMock({ scenario: { scenario: 'empty', dashboards: [{ name: 'My own' }] }, logs: 0 })
    expect(mock.list('dashboard')).toMatchObject([{ name: 'My own', tiles: [], tags: [], filters: [] }])
    expect(createMock({ logs: 0 }).create('dashboard', { name: 'Mine' })).toMatchObject({ name: 'Mine', tiles: [] })
  })

  it('is restored by a reset, which can name another, and can be set for other worlds', () => {
    const mock = createMock({ scenario: 'empty', members: 3 })
    mock.create('member', { name: 'Ada' })
    mock.reset()
    expect([mock.list('member').length, mock.list('service').length]).toEqual([3, 0])
    mock.reset({ scenario: 'shop' })
    expect([mock.list('member').length, mock.list('service').length, mock.scenario()]).toEqual([3, 4, 'shop'])
    const { world } = mock.worlds.open({ name: 'job', scenario: 'degraded' })
    expect(world.list('service')[0]?.state).toBe('degraded')
    expect(() => mock.worlds.open({ name: 'job', scenario: 'shop' })).toThrow('is open with scenario "degraded"')
  })

  const refused: readonly (readonly [scenario: unknown, sentence: string])[] = [
    ['empt', 'scenario: Expected one of shop, empty, incident, degraded'],
    [{ scenario: 'full' }, 'received "full"'],
    [{ membrs: [] }, 'there are no records called "membrs"; the nearest is members'],
    [
      { backups: [{ stauts: 'error' }] },
      'create a record: backup: stauts: There is no such field; the nearest is status',
    ],
    [{ savedSearchs: [] }, 'the nearest is savedSearches'],
    [{ members: {} }, 'members: Expected a list of records'],
    [{ members: [{ role: 'owner' }] }, "create a record: member: role: Invalid enum value. Expected 'admin'"],
    [
      { members: [{ name: 'Ada' }, { name: 'Eve', rol: 'admin' }] },
      'members[1] ("Eve"): create a record: member: rol: There is no such field; the nearest is role',
    ],
    [{ scenario: 'empty', backups: [{}] }, 'create a record: backup: there is no service for it'],
  ]
  it.each(refused)('is refused if it is %j', (scenario, sentence) => {
    expect(() => createMock({ scenario: scenario as 'shop' })).toThrow(sentence)
  })
})
