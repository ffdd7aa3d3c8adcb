import { describe, expect, it } from 'vitest'
import { type AlertNotification, createMock, type Mock, type MockOptions } from './mock.ts'

const now = Date.UTC(2026, 5, 1, 12)
const minute = 60_000

function open(options: MockOptions = {}) {
  const mock = createMock({ now, freeze: true, ...options })
  return { mock, client: clientOf(mock) }
}

function clientOf(mock: Mock) {
  const { cloud, selfHosted } = mock.target({ cloud: '', selfHosted: '' })
  return {
    target: selfHosted!,
    send: (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${selfHosted!.apiKey}`, 'content-type': 'application/json' }
      const text = body === undefined ? '' : JSON.stringify(body)
      return mock.answer({ method, path: `/api/v2${path}`, query: '', headers, body: text }, 'selfHosted')
    },
    members: () => {
      const headers = { authorization: `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}` }
      const path = `/v1/organizations/${cloud!.organizationId}/members`
      return mock.answer({ method: 'GET', path, query: '', headers, body: '' }, 'cloud')
    },
  }
}

/** A mock with the same options that loads the state of another, as after a restart. */
function restart(mock: Mock, options: MockOptions = {}) {
  const next = open(options)
  next.mock.load(JSON.parse(JSON.stringify(mock.state())))
  return next
}

describe('in a saved and loaded state', () => {
  it('the rows of a removed source are missing', () => {
    const { mock, client } = open({ logs: 0 })
    const { log } = client.target.references.sources
    mock.loadRows(log!, [{ Timestamp: now - minute, Body: 'of a source that goes' }])
    mock.remove('source', log!)
    expect(JSON.stringify(restart(mock, { logs: 0 }).mock.state())).not.toContain('of a source that goes')
  })

  it('the groups of an alert are still firing, and resolve', async () => {
    const { mock, client } = open()
    const { dashboardId, webhookId, sources } = client.target.references
    const config = {
      displayType: 'line',
      sourceId: sources.log,
      select: [{ aggFn: 'count', where: 'Body:flood', whereLanguage: 'lucene' }],
    }
    const tile = { name: 'By service', x: 0, y: 0, w: 6, h: 3, config: { ...config, groupBy: 'ServiceName' } }
    const board = JSON.parse((await client.send('POST', '/dashboards', { name: 'Mine', tiles: [tile] })).body).data
    const alert = {
      source: 'tile',
      dashboardId: board.id,
      tileId: board.tiles[0].id,
      channel: { type: 'webhook', webhookId },
      threshold: 5,
      thresholdType: 'above',
      interval: '5m',
      name: 'Flood',
      message: 'Look',
    }
    expect((await client.send('POST', '/alerts', alert)).status, dashboardId).toBe(200)
    const rows = ['web', 'api'].flatMap(ServiceName =>
      Array.from({ length: 20 }, (_, i) => ({
        Timestamp: new Date(now + (1 + (i % 9)) * minute).toISOString(),
        ServiceName,
        Body: 'flood',
      })),
    )
    mock.loadRows(sources.log!, rows)
    const statesOf = (notifications: readonly AlertNotification[]) =>
      notifications.map(one => one.renderEvent()).flatMap(({ title, state }) => (title.includes('Flood') ? state : []))
    expect(statesOf(mock.advance('5m'))).toEqual(['ALERT', 'ALERT'])
    const after = restart(mock).mock
    expect(statesOf(after.evaluateAlerts())).toEqual([])
    expect(statesOf(after.advance('5m'))).toEqual(['ALERT', 'ALERT'])
    expect(statesOf(after.advance('5m'))).toEqual(['OK', 'OK'])
  })

  it('rate limits keep their counts', async () => {
    const options = { rateLimit: true }
    const { mock, client } = open(options)
    for (let i = 0; i < 60; i++) await client.send('GET', '/webhooks')
    for (let i = 0; i < 10; i++) expect((await client.members()).status).toBe(200)
    const after = restart(mock, options)
    expect((await after.client.send('GET', '/webhooks')).headers['ratelimit-remaining']).toBe('39')
    expect((await after.client.members()).status).toBe(429)
  })

  it('the random numbers of chaos continue', async () => {
    const options = { chaos: { errorRate: 0.5 } }
    const statuses = async (client: ReturnType<typeof clientOf>) => {
      const received: number[] = []
      for (let i = 0; i < 30; i++) received.push((await client.send('GET', '/alerts')).status)
      return received
    }
    const { mock, client } = open(options)
    const first = await statuses(client)
    const after = restart(mock, options)
    const expected = await statuses(client)
    expect(await statuses(after.client)).toEqual(expected)
    expect(expected).not.toEqual(first)
  })

  it.each([
    [{ dice: 'six' }, 'load a state: disruptions.dice: Expected number, received string'],
    [{ cloud: { calls: { key: ['now'] } } }, 'load a state: disruptions.cloud'],
    [{ loaded: 1 }, 'load a state: disruptions: Unrecognized key'],
  ])('invalid counts and random numbers are refused: %j', (disruptions, sentence) => {
    const { mock } = open()
    expect(() => mock.load({ ...(mock.state() as object), disruptions })).toThrow(sentence)
  })

  it('a reset returns to the scenario of the saved world', () => {
    const { mock } = open({ scenario: 'empty' })
    const after = open()
    after.mock.load(JSON.parse(JSON.stringify(mock.state('opened'))))
    expect(after.mock.scenario()).toBe('empty')
    after.mock.reset()
    expect(after.mock.records.list('dashboard', { within: 'self-hosted' })).toEqual([])
    expect(() => after.mock.load({ ...(mock.state() as object), scenario: 'emty' })).toThrow(
      'load a state: scenario: Expected one of shop, empty',
    )
  })

  it('records that were never read are not saved, and are created as they would have been', async () => {
    const { mock, client } = open()
    const { organizationId, serviceId } = mock.target({ cloud: '' }).cloud!
    await client.send('POST', '/dashboards', { name: 'Kept', tiles: [] })
    await client.members()
    // A new service has no seeded records, even if they are read later.
    mock.records.create('service', { name: 'new' }, { within: organizationId })
    mock.records.remove('backup', mock.records.list('backup', { within: serviceId })[0]!.id, { within: serviceId })
    mock.clock.advance(90 * minute)

    const opened = JSON.parse(JSON.stringify(mock.state('opened')))
    expect(JSON.stringify(opened).length).toBeLessThan(JSON.stringify(mock.state()).length / 2)
    const after = open()
    after.mock.load(opened)
    expect(plainState(after.mock)).toEqual(plainState(mock))
    expect(() => after.mock.load({ ...opened, created: 'all' })).toThrow(
      'load a state: created: Expected a list of keys',
    )
  })
})

const plainState = (mock: Mock) => JSON.parse(JSON.stringify(mock.state()))
