import { describe, expect, it } from 'vitest'
import { createMock } from '../../faces/create-mock.ts'
import { alertOn, createStackClient, ids, lineTile } from '../../testing/example-stack.ts'

const withBoard = (edition: '2.24' | '2.36' = '2.24') => {
  const asker = createStackClient(undefined, { edition })
  const board = asker.answer('dashboard.create', { body: { name: 'Shop', tiles: [lineTile] } })
  const create = (more?: object) => asker.answer('alert.create', { body: alertOn(board, more) })
  return { ...asker, board, create }
}

describe('creating an alert', () => {
  it('answers the alert as it is stored, in the words of each edition', () => {
    const older = withBoard().create({ name: 'Too many' })
    expect(older).toMatchObject({ name: 'Too many', message: null, state: 'OK', teamId: ids.team })
    expect(older).not.toHaveProperty('channels')
    const newer = withBoard('2.36').create()
    expect(newer).toMatchObject({ note: null, numConsecutiveWindows: null, channels: [newer.channel] })
  })

  it('names every missing field, and a body that fits neither kind of alert', () => {
    const { sentences, refusal } = withBoard()
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
  ])('without a source is explained by the kind of alert that was meant: %j', (body, sentence) => {
    const issues = withBoard().refusal('alert.create', { body }).details.issues
    expect(issues?.at(-1)?.branch).toMatchObject([{ path: ['source'], sentence: expect.stringMatching(sentence) }])
  })

  it('names what was sent instead of what is expected', () => {
    const { board, refusal } = withBoard()
    const { issues } = refusal('alert.create', { body: alertOn(board, { interval: '2h' }) }).details
    expect(issues).toMatchObject([{ part: 'Body', path: ['interval'], received: '2h' }])
  })

  it('looks up references in order: dashboard, tile, webhook', () => {
    const { board, refusal } = withBoard()
    const lost = { dashboardId: ids.nobody, tileId: 'x', channel: { type: 'webhook', webhookId: 'x' } }
    const sentence = (more: object) => refusal('alert.create', { body: alertOn(board, more) }).sentence
    expect(sentence({ ...lost, dashboardId: 'x' })).toBe('Invalid dashboard ID')
    expect(sentence(lost)).toBe('Dashboard not found')
    expect(sentence({ ...lost, dashboardId: board.id })).toBe('Tile not found')
    expect(sentence({ channel: lost.channel })).toBe('Invalid webhook ID')
  })

  it('finds a dashboard by its id in upper case and answers it in lower case', () => {
    const { board, create } = withBoard()
    expect(create({ dashboardId: board.id.toUpperCase() }).dashboardId).toBe(board.id)
  })

  it('compares the start of the schedule with the clock of the mock', () => {
    const { board, sentences } = withBoard()
    const body = alertOn(board, { scheduleStartAt: '2026-01-01T00:00:00Z' })
    const now = Date.parse('2020-01-01T00:00:00Z')
    expect(sentences('alert.create', { body, now })).toEqual([
      'scheduleStartAt: scheduleStartAt must be within 1 year from now',
    ])
  })

  it('takes several channels in the newer edition, without duplicates', () => {
    const { create, board, sentences } = withBoard('2.36')
    const channel = { type: 'webhook', webhookId: ids.webhook }
    expect(create({ channel: undefined, channels: [channel] }).channel).toEqual(channel)
    expect(sentences('alert.create', { body: alertOn(board, { channels: [channel, channel] }) })).toEqual([
      'channels: Duplicate notification channels are not allowed',
    ])
  })

  it('takes a twelve-character id where the deployment does, and never finds anything by it', () => {
    const { refusal } = withBoard()
    const id = 'abcdefghijkl'
    expect(refusal('alert.get', { id }).kind).toBe('invalid')
    expect(refusal('alert.get', { id, choices: { 'id/twelve-characters': 'accept' } }).kind).toBe('unknownId')
  })

  it('refuses a property that the gateway of the managed form does not know', () => {
    const { board, refusal } = withBoard()
    const body = { ...alertOn(board), id: 'x' }
    const choices = { 'managed/unknown-property': 'refuse' }
    expect(refusal('alert.create', { form: 'managed', body, choices }).sentence).toBe(
      "request body property can't be validated: id",
    )
  })
})

describe('replacing an alert', () => {
  it('clears texts that are left out and keeps the upper threshold and the schedule', () => {
    const { create, answer, board } = withBoard()
    const { id } = create({ name: 'first', message: 'look', thresholdMax: 30, scheduleOffsetMinutes: 2 })
    const changed = answer('alert.update', { id, body: alertOn(board), now: Date.parse('2026-03-02') })
    expect(changed).toMatchObject({ id, name: null, message: null, thresholdMax: 30, scheduleOffsetMinutes: 2 })
    expect(changed.updatedAt > changed.createdAt).toBe(true)
  })

  it('puts the offset to zero with a start of the schedule', () => {
    const { create, answer, board } = withBoard()
    const { id } = create({ scheduleOffsetMinutes: 2 })
    const body = alertOn(board, { scheduleStartAt: '2026-01-05T00:00:00Z' })
    expect(answer('alert.update', { id, body })).toMatchObject({
      scheduleOffsetMinutes: 0,
      scheduleStartAt: '2026-01-05T00:00:00.000Z',
    })
  })
})

describe('listing alerts', () => {
  it('pages in the newer edition and says how many there are', () => {
    const { create, ask, sentences } = withBoard('2.36')
    const created = [create(), create(), create()]
    expect(ask('alert.list', { query: 'limit=1&offset=1' })).toMatchObject({
      value: [created[1]],
      meta: { total: 3, limit: 1, offset: 1 },
    })
    expect(sentences('alert.list', { query: 'limit=0&offset=-1' })).toHaveLength(2)
  })

  it('takes a list of one number for the number, and no longer list', () => {
    const { create, ask, sentences } = withBoard('2.36')
    const created = [create(), create()]
    for (const query of ['limit[]=1', 'limit[0]=1', 'limit%5B%5D=1']) {
      expect(ask('alert.list', { query })).toMatchObject({ value: [created[0]], meta: { total: 2, limit: 1 } })
    }
    for (const query of ['limit[]=1&limit[]=2', 'limit=1&limit=2', 'limit=1&limit[0]=2']) {
      expect(sentences('alert.list', { query })).toHaveLength(1)
    }
  })

  it('does not look at the query in the older edition', () => {
    const { create, answer } = withBoard()
    const created = [create(), create()]
    expect(answer('alert.list', { query: 'limit=0' })).toEqual(created)
  })
})

describe('deleting an alert', () => {
  it('refuses an unknown id', () => {
    const { refusal } = withBoard()
    expect(refusal('alert.delete', { id: ids.nobody })).toMatchObject({
      kind: 'unknownId',
      sentence: 'Alert not found',
    })
  })
})

describe('a saved state', () => {
  it('may hold alerts without a name, a message and channels', () => {
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
