import { describe, expect, it } from 'vitest'
import { createMock } from '../../index.ts'

/** Saved searches, alerts on them, and the team, through the API of the newer edition. */

function setUp() {
  const now = Date.parse('2026-03-01T12:00:00Z')
  const mock = createMock({ as: 'self-hosted-2.36', now })
  const { apiKey, references } = mock.target({ selfHosted: 'http://localhost' }).selfHosted!
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const text = body === undefined ? '' : JSON.stringify(body)
    const answer = await mock.answer({ method, path: `/api/v2${path}`, query: '', headers, body: text }, 'selfHosted')
    const json = /^[{[]/.test(answer.body) ? JSON.parse(answer.body) : answer.body
    return { status: answer.status, json, data: json.data, message: json.message, cause: answer.cause }
  }
  const { sourceId, webhookId } = references
  const limits = { threshold: 2, thresholdType: 'above', interval: '1m', channel: { type: 'webhook', webhookId } }
  return { mock, send, sourceId, limits, now }
}

describe('a saved search', () => {
  it('gets defaults for omitted fields, when it is created and when it is replaced', async () => {
    const { send, sourceId } = setUp()
    const filters = [{ condition: "ServiceName IN ('a', 'b')" }]
    const { data } = await send('POST', '/saved-searches', { name: ' Mine ', sourceId, tags: ['x'], filters })
    expect(data).toMatchObject({ name: 'Mine', select: '', whereLanguage: 'lucene', tags: ['x'] })
    expect(data.filters).toEqual([{ type: 'sql', ...filters[0] }])
    const replaced = await send('PUT', `/saved-searches/${data.id}`, { name: 'Mine', sourceId })
    expect(replaced.data).toMatchObject({ id: data.id, tags: [], filters: [], createdAt: data.createdAt })
  })

  it.each([
    [{ name: 'x' }, 'Body validation failed: sourceId: Required'],
    [{ name: ' ', sourceId: 'x' }, /^Body validation failed: name: String must contain at least 1 .*Invalid ObjectId$/],
    [{ name: 'x', sourceId: 'f'.repeat(24) }, 'sourceId must be an existing source id'],
  ])('is refused with %j', async (body, sentence) => {
    const { status, message } = await setUp().send('POST', '/saved-searches', body)
    expect(status).toBe(400)
    expect(message).toMatch(sentence)
  })

  it.each([
    ["a IN ('x')", 200],
    ["a NOT IN ('x = 1', 'it''s')", 200],
    ['a BETWEEN 1 AND 2.5', 200],
    ["a BETWEEN 'x' AND 'y'", 400],
    ["a IN ('x') AND b IN ('y')", 400],
    ["NOT (a IN ('x'))", 400],
    ["(a IN ('x'))", 400],
    ["lower(a) IN ('x')", 200],
    ['a IN ()', 400],
    ['a = 1', 400],
  ])('with the filter %s gets the status %i', async (condition, status) => {
    const { send, sourceId } = setUp()
    expect((await send('POST', '/saved-searches', { name: 'x', sourceId, filters: [{ condition }] })).status).toBe(
      status,
    )
  })

  it('is refused for an unknown source before its own id is looked up', async () => {
    const { send, sourceId } = setUp()
    const path = `/saved-searches/${'f'.repeat(24)}`
    expect((await send('PUT', path, { name: 'x', sourceId: 'e'.repeat(24) })).status).toBe(400)
    expect(await send('PUT', path, { name: 'x', sourceId })).toMatchObject({
      status: 404,
      message: 'Saved search not found',
      cause: { basis: 'documented' },
    })
  })
})

describe('an alert on a saved search', () => {
  it('counts the rows that match the text and the filters of its search, and links to the search', async () => {
    const { mock, send, sourceId, limits, now } = setUp()
    const filters = [{ condition: "ServiceName IN ('alarm')" }]
    const { data } = await send('POST', '/saved-searches', {
      name: 'Loud',
      sourceId,
      where: 'SeverityText:FATAL',
      filters,
    })
    const alert = await send('POST', '/alerts', { source: 'saved_search', savedSearchId: data.id, ...limits })
    expect(alert.data).not.toHaveProperty('tileId')
    const row = (ServiceName: string, seconds: number) => ({
      Timestamp: new Date(now + seconds * 1000).toISOString(),
      ServiceName,
      SeverityText: 'FATAL',
      Body: 'x',
    })
    mock.loadRows(sourceId, [row('alarm', 1), row('other', 2), row('alarm', 60), row('alarm', 61)])
    // The threshold is two rows: the first minute has one, the second has two.
    expect(mock.moveClock(now + 60_000)).toEqual([])
    const [delivery] = mock.moveClock(now + 120_000)
    expect(delivery?.renderEvent().title).toBe('🚨 Alert for "Loud" - 2 lines found')
    expect(delivery?.renderEvent().body).toContain('2 lines found, which meets or exceeds the threshold of 2 lines')
    expect(delivery?.renderEvent().link).toContain(`/search/${data.id}?from=`)
    expect((await send('GET', `/alerts/${alert.data.id}`)).data.state).toBe('ALERT')
  })

  it('has its search checked before its webhook, and is deleted with the search', async () => {
    const { send, sourceId, limits } = setUp()
    const wrong = { ...limits, channel: { type: 'webhook', webhookId: 'x' }, source: 'saved_search' }
    expect((await send('POST', '/alerts', { ...wrong, savedSearchId: 'x' })).message).toBe('Invalid saved search ID')
    const unknown = { ...wrong, savedSearchId: 'f'.repeat(24) }
    expect((await send('POST', '/alerts', unknown)).message).toBe('Saved search not found')
    const { data } = await send('POST', '/saved-searches', { name: 'x', sourceId })
    const body = { source: 'saved_search', savedSearchId: data.id, groupBy: 'ServiceName', ...limits }
    expect((await send('POST', '/alerts', { ...wrong, savedSearchId: data.id })).message).toBe('Invalid webhook ID')
    const alert = await send('POST', '/alerts', body)
    expect(alert.data).toMatchObject({ savedSearchId: data.id, groupBy: 'ServiceName', source: 'saved_search' })
    expect((await send('DELETE', `/saved-searches/${data.id}`)).json).toEqual({})
    expect((await send('GET', `/alerts/${alert.data.id}`)).status).toBe(404)
  })
})

describe('a search', () => {
  it('answers the columns, the order and the page of the request', async () => {
    const { mock, send, sourceId, now } = setUp()
    const row = (Body: string, seconds: number) => ({
      Timestamp: new Date(now + seconds * 1000).toISOString(),
      ServiceName: 'probe',
      Body,
    })
    mock.loadRows(sourceId, [row('b', 1), row('c', 2), row('a', 3)])
    mock.moveClock(now + 60_000)
    const ask = { sourceId, where: 'ServiceName:"probe"', select: 'Body, upper(Body) AS Loud' }
    expect((await send('POST', '/search', ask)).json).toEqual({
      data: ['a', 'c', 'b'].map(Body => ({ Body, Loud: Body.toUpperCase() })),
      rows: 3,
    })
    const page = { ...ask, select: 'Body', orderBy: 'Body ASC', maxResults: 1, offset: 1 }
    expect((await send('POST', '/search', page)).json).toEqual({ data: [{ Body: 'b' }], rows: 1 })
    const unknown = await send('POST', '/search', { ...ask, select: 'Nope' })
    expect(unknown.message).toMatch(/^UNKNOWN_IDENTIFIER: Unknown expression or function identifier `Nope`/)
  })

  it.each([
    [{ sourceId: '' }, /: sourceId: sourceId is required; sourceId: sourceId must be a valid ObjectId$/],
    [{ sourceId: '12characters' }, /: sourceId: sourceId must be a valid ObjectId$/],
    [{ select: 'a; b' }, /: select: select must not contain semicolons or SELECT subqueries/],
    [{ maxResults: 0.5 }, /: maxResults: Expected integer, received float; .* greater than or equal to 1$/],
    [{ startTime: 'soon' }, /^Invalid startTime or endTime: must be valid ISO 8601 strings$/],
  ])('is refused with %j', async (part, sentence) => {
    const { send, sourceId } = setUp()
    const { status, message } = await send('POST', '/search', { sourceId, ...part })
    expect(status).toBe(400)
    expect(message).toMatch(sentence)
  })
})

describe('the team', () => {
  it('refuses an invalid invitation with a list of findings, and the removal of the calling user', async () => {
    const { send } = setUp()
    const { status, json, cause } = await send('POST', '/team/invitation', { email: 'x' })
    expect([status, json[0].type, json[0].errors.issues[0].message]).toEqual([400, 'Body', 'Invalid email'])
    expect(cause).toMatchObject({ rule: 'teamInvitation/refused-body', choice: 'list of findings' })
    const { data } = await send('GET', '/team/members')
    const [me] = data.filter((one: { isCurrentUser: boolean }) => one.isCurrentUser)
    expect((await send('DELETE', `/team/member/${me.id}`)).message).toBe('You cannot remove yourself from the team')
    expect(await send('DELETE', `/team/member/${'f'.repeat(24)}`)).toMatchObject({ status: 404, json: 'Not Found' })
  })

  it('answers the first invitation when the same address is invited again', async () => {
    const { send } = setUp()
    const [first, second] = [
      await send('POST', '/team/invitation', { email: 'New@example.com' }),
      await send('POST', '/team/invitation', { email: 'new@example.com' }),
    ]
    expect(second.data).toEqual(first.data)
    expect((await send('GET', '/team/invitations')).data).toHaveLength(1)
  })
})
