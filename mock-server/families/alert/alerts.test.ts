import { describe, expect, it } from 'vitest'
import { createMock } from '../../faces/create-mock.ts'
import { alertOn, createStackClient, ids, lineTile } from '../../testing/example-stack.ts'

const openWithDashboard = (edition: '2.24' | '2.36' = '2.24') => {
  const client = createStackClient(undefined, { edition })
  const board = client.answer('dashboard.create', { body: { name: 'Shop', tiles: [lineTile] } })
  const create = (more?: object) => client.answer('alert.create', { body: alertOn(board, more) })
  return { ...client, board, create }
}

describe('creating an alert', () => {
  it('answers the stored alert with the fields of the edition', () => {
    const older = openWithDashboard().create({ name: 'Too many' })
    expect(older).toMatchObject({ name: 'Too many', message: null, state: 'OK', teamId: ids.team })
    expect(older).not.toHaveProperty('channels')
    const newer = openWithDashboard('2.36').create()
    expect(newer).toMatchObject({ note: null, numConsecutiveWindows: null, channels: [newer.channel] })
  })

  it('reports every missing field, and a body that matches no kind of alert', () => {
    const { sentences, refusal } = openWithDashboard()
    expect(sentences('alert.create')).toEqual([
      'channel: Required',
      'interval: Required',
      'threshold: Required',
      'thresholdType: Required',
      'Invalid input',
    ])
    const issues = refusal('alert.create', { body: { source: 'tile', tileId: 'x' } }).details.issues
    expect(issues?.at(-1)?.branch).toMatchObject([{ path: ['dashboardId'], sentence: 'Required' }])
  })

  it.each([
    [{ dashboardId: 'a', tileId: 'b' }, /^Invalid literal value, expected "?tile/],
    [{ savedSearchId: 'a' }, /^Invalid literal value, expected "?saved_search/],
    [{}, /^Invalid discriminator value\. Expected 'saved_search' \| 'tile'$/],
  ])('without a source reports the issues of the kind that the other fields suggest: %j', (body, sentence) => {
    const issues = openWithDashboard().refusal('alert.create', { body }).details.issues
    expect(issues?.at(-1)?.branch).toMatchObject([{ path: ['source'], sentence: expect.stringMatching(sentence) }])
  })

  it('reports the received value with an issue', () => {
    const { board, refusal } = openWithDashboard()
    const { issues } = refusal('alert.create', { body: alertOn(board, { interval: '2h' }) }).details
    expect(issues).toMatchObject([{ part: 'Body', path: ['interval'], received: '2h' }])
  })

  it('looks up references in order: dashboard, tile, webhook', () => {
    const { board, refusal } = openWithDashboard()
    const unknownIds = { dashboardId: ids.nobody, tileId: 'x', channel: { type: 'webhook', webhookId: 'x' } }
    const sentence = (more: object) => refusal('alert.create', { body: alertOn(board, more) }).sentence
    expect(sentence({ ...unknownIds, dashboardId: 'x' })).toBe('Invalid dashboard ID')
    expect(sentence(unknownIds)).toBe('Dashboard not found')
    expect(sentence({ ...unknownIds, dashboardId: board.id })).toBe('Tile not found')
    expect(sentence({ channel: unknownIds.channel })).toBe('Invalid webhook ID')
  })

  it('accepts a dashboard id in upper case and answers it in lower case', () => {
    const { board, create } = openWithDashboard()
    expect(create({ dashboardId: board.id.toUpperCase() }).dashboardId).toBe(board.id)
  })

  it('compares the start of the schedule with the clock of the mock', () => {
    const { board, sentences } = openWithDashboard()
    const body = alertOn(board, { scheduleStartAt: '2026-01-01T00:00:00Z' })
    const now = Date.parse('2020-01-01T00:00:00Z')
    expect(sentences('alert.create', { body, now })).toEqual([
      'scheduleStartAt: scheduleStartAt must be within 1 year from now',
    ])
  })

  it('accepts several channels in the newer edition, and refuses duplicates', () => {
    const { create, board, sentences } = openWithDashboard('2.36')
    const channel = { type: 'webhook', webhookId: ids.webhook }
    expect(create({ channel: undefined, channels: [channel] }).channel).toEqual(channel)
    expect(sentences('alert.create', { body: alertOn(board, { channels: [channel, channel] }) })).toEqual([
      'channels: Duplicate notification channels are not allowed',
    ])
  })

  it('never assigns a twelve-character id, which a get refuses as invalid, or as unknown by choice', () => {
    const { refusal } = openWithDashboard()
    const id = 'abcdefghijkl'
    expect(refusal('alert.get', { id }).kind).toBe('invalid')
    expect(refusal('alert.get', { id, choices: { 'id/twelve-characters': 'accept' } }).kind).toBe('unknownId')
  })

  it('refuses a property that the gateway of the managed form does not know', () => {
    const { board, refusal } = openWithDashboard()
    const body = { ...alertOn(board), id: 'x' }
    const choices = { 'managed/unknown-property': 'refuse' }
    expect(refusal('alert.create', { form: 'managed', body, choices }).sentence).toBe(
      "request body property can't be validated: id",
    )
  })
})

describe('replacing an alert', () => {
  it('clears omitted texts, and keeps an omitted upper threshold and schedule offset', () => {
    const { create, answer, board } = openWithDashboard()
    const { id } = create({ name: 'first', message: 'look', thresholdMax: 30, scheduleOffsetMinutes: 2 })
    const changed = answer('alert.update', { id, body: alertOn(board), now: Date.parse('2026-03-02') })
    expect(changed).toMatchObject({ id, name: null, message: null, thresholdMax: 30, scheduleOffsetMinutes: 2 })
    expect(changed.updatedAt > changed.createdAt).toBe(true)
  })

  it('resets the schedule offset to zero when the body has a schedule start', () => {
    const { create, answer, board } = openWithDashboard()
    const { id } = create({ scheduleOffsetMinutes: 2 })
    const body = alertOn(board, { scheduleStartAt: '2026-01-05T00:00:00Z' })
    expect(answer('alert.update', { id, body })).toMatchObject({
      scheduleOffsetMinutes: 0,
      scheduleStartAt: '2026-01-05T00:00:00.000Z',
    })
  })
})

describe('listing alerts', () => {
  it('pages in the newer edition, and answers the total', () => {
    const { create, ask, sentences } = openWithDashboard('2.36')
    const created = [create(), create(), create()]
    expect(ask('alert.list', { query: 'limit=1&offset=1' })).toMatchObject({
      value: [created[1]],
      meta: { total: 3, limit: 1, offset: 1 },
    })
    expect(sentences('alert.list', { query: 'limit=0&offset=-1' })).toHaveLength(2)
  })

  it('accepts a query parameter as a list of one number, and refuses longer lists', () => {
    const { create, ask, sentences } = openWithDashboard('2.36')
    const created = [create(), create()]
    for (const query of ['limit[]=1', 'limit[0]=1', 'limit%5B%5D=1']) {
      expect(ask('alert.list', { query })).toMatchObject({ value: [created[0]], meta: { total: 2, limit: 1 } })
    }
    for (const query of ['limit[]=1&limit[]=2', 'limit=1&limit=2', 'limit=1&limit[0]=2']) {
      expect(sentences('alert.list', { query })).toHaveLength(1)
    }
  })

  it('ignores the query in the older edition', () => {
    const { create, answer } = openWithDashboard()
    const created = [create(), create()]
    expect(answer('alert.list', { query: 'limit=0' })).toEqual(created)
  })
})

describe('deleting an alert', () => {
  it('refuses an unknown id', () => {
    const { refusal } = openWithDashboard()
    expect(refusal('alert.delete', { id: ids.nobody })).toMatchObject({
      kind: 'unknownId',
      sentence: 'Alert not found',
    })
  })
})

describe('a saved state', () => {
  it('may contain alerts without a name, a message and channels', () => {
    const mock = createMock({ logs: 0 })
    const state = structuredClone(mock.state()) as unknown as { records: { alert: Record<string, object[]> } }
    const [first] = state.records.alert['self-hosted']!
    const { name: _name, message: _message, ...nameless } = first as Record<string, unknown>
    const silent = { ...nameless, channels: [] }
    state.records.alert['self-hosted'] = [silent]
    mock.load(state)
    expect(mock.list('alert', { within: 'self-hosted' })).toEqual([silent])
  })
})
