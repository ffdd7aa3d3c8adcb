import { describe, expect, it } from 'vitest'
import { createMock, type Mock, type MockOptions } from './mock.ts'

const now = Date.UTC(2026, 5, 1, 12)
const minute = 60_000

function open(options: MockOptions = {}) {
  const mock = createMock({ now, freeze: true, ...options })
  return { mock, ask: askerOf(mock) }
}

function askerOf(mock: Mock) {
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

/** A mock of the same options that goes on from the state of another, as after a restart. */
function restart(mock: Mock, options: MockOptions = {}) {
  const next = open(options)
  next.mock.load(JSON.parse(JSON.stringify(mock.state())))
  return next
}

describe('after saving and loading', () => {
  it('the rows of a source that was removed are gone, and the state can be loaded', () => {
    const { mock, ask } = open({ logs: 0 })
    const { log } = ask.target.references.sources
    mock.loadRows(log!, [{ Timestamp: now - minute, Body: 'of a source that goes' }])
    mock.remove('source', log!)
    expect(JSON.stringify(restart(mock, { logs: 0 }).mock.state())).not.toContain('of a source that goes')
  })

  it('a grouped alert that fired does not fire again', async () => {
    const { mock, ask } = open()
    const { dashboardId, webhookId, sources } = ask.target.references
    const config = { displayType: 'line', sourceId: sources.log, select: [{ aggFn: 'count', where: 'Body:flood' }] }
    const tile = { name: 'By service', x: 0, y: 0, w: 6, h: 3, config: { ...config, groupBy: 'ServiceName' } }
    const board = JSON.parse((await ask.send('POST', '/dashboards', { name: 'Mine', tiles: [tile] })).body).data
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
    expect((await ask.send('POST', '/alerts', alert)).status, dashboardId).toBe(200)
    const rows = ['web', 'api'].flatMap(ServiceName =>
      Array.from({ length: 20 }, (_, i) => ({
        Timestamp: new Date(now + (1 + (i % 9)) * minute).toISOString(),
        ServiceName,
        Body: 'flood',
      })),
    )
    mock.loadRows(sources.log!, rows)
    const deliveries = mock.moveClock(now + 5 * minute).filter(({ event }) => event().title.includes('Flood'))
    expect(deliveries.map(({ event }) => event().state)).toEqual(['ALERT', 'ALERT'])
    const after = restart(mock).mock
    expect(after.evaluateAlerts()).toEqual([])
    const next = after.moveClock(now + 10 * minute).filter(({ event }) => event().title.includes('Flood'))
    expect(next).toEqual([])
  })

  it('the rate limits go on counting', async () => {
    const options = { rateLimit: true }
    const { mock, ask } = open(options)
    for (let i = 0; i < 60; i++) await ask.send('GET', '/webhooks')
    for (let i = 0; i < 10; i++) expect((await ask.members()).status).toBe(200)
    const after = restart(mock, options)
    expect((await after.ask.send('GET', '/webhooks')).headers['ratelimit-remaining']).toBe('39')
    expect((await after.ask.members()).status).toBe(429)
  })

  it('the dice of chaos go on from where they stood', async () => {
    const options = { chaos: { errorRate: 0.5 } }
    const statuses = async (ask: ReturnType<typeof askerOf>) => {
      const seen: number[] = []
      for (let i = 0; i < 30; i++) seen.push((await ask.send('GET', '/alerts')).status)
      return seen
    }
    const { mock, ask } = open(options)
    const first = await statuses(ask)
    const after = restart(mock, options)
    const expected = await statuses(ask)
    expect(await statuses(after.ask)).toEqual(expected)
    expect(expected).not.toEqual(first)
  })

  it.each([
    [{ dice: 'six' }, 'load a state: trouble.dice: Expected number, received string'],
    [{ cloud: { calls: { key: ['now'] } } }, 'load a state: trouble.cloud'],
    [{ loaded: 1 }, 'load a state: trouble: Unrecognized key'],
  ])('what is no such count is refused with a sentence: %j', (trouble, sentence) => {
    const { mock } = open()
    expect(() => mock.load({ ...(mock.state() as object), trouble })).toThrow(sentence)
  })

  it('a reset goes back to the scenario of the world', () => {
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

  it('what nobody looked at is as it would have been without, although it was not saved', async () => {
    const { mock, ask } = open()
    const { organizationId, serviceId } = mock.target({ cloud: '' }).cloud!
    await ask.send('POST', '/dashboards', { name: 'Kept', tiles: [] })
    await ask.members()
    // What lies within a record that a call creates begins empty, whenever somebody looks.
    mock.records.create('service', { name: 'new' }, { within: organizationId })
    mock.records.remove('backup', mock.records.list('backup', { within: serviceId })[0]!.id, { within: serviceId })
    mock.clock.advance(90 * minute)

    const opened = JSON.parse(JSON.stringify(mock.state('opened')))
    expect(JSON.stringify(opened).length).toBeLessThan(JSON.stringify(mock.state()).length / 2)
    const after = open()
    after.mock.load(opened)
    expect(plain(after.mock)).toEqual(plain(mock))
    expect(() => after.mock.load({ ...opened, created: 'all' })).toThrow(
      'load a state: created: Expected a list of keys',
    )
  })
})

const plain = (mock: Mock) => JSON.parse(JSON.stringify(mock.state()))
