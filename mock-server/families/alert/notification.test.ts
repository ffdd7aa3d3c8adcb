import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'

const now = Date.parse('2026-12-01T10:00:20Z')

/** An empty stack with one webhook, in which alerts are created over the API; rows are those of the first minute. */
function open(edition: '2.24' | '2.36' = '2.36') {
  const choices = { selfHosted: { 'version/self-hosted-edition': edition } }
  const mock = createMock({ scenario: 'empty', logs: 0, now, freeze: true, choices })
  const { apiKey, references } = mock.target({ selfHosted: '' }).selfHosted!
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const call = { method, path: `/api/v2${path}`, query: '', headers, body: body ? JSON.stringify(body) : '' }
    const answer = await mock.answer(call, 'selfHosted')
    expect(answer.status, answer.body).toBe(200)
    return JSON.parse(answer.body).data
  }
  const within = { within: 'self-hosted' }
  const webhook = mock.records.create(
    'webhook',
    { name: 'hook', service: 'generic', url: 'http://127.0.0.1:1/' },
    within,
  )
  const limits = {
    interval: '1m',
    threshold: 1,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: webhook.id },
  }
  const log = references.sources.log!
  return {
    mock,
    send,
    log,
    load: (...rows: readonly object[]) =>
      mock.loadRows(
        log,
        rows.map((row, i) => ({ Timestamp: now - 10_000 + i, ServiceName: 'svc', Body: 'line', ...row })),
      ),
    async watchTile(config: object = {}, alert: object = {}) {
      const select = [{ aggFn: 'count', where: '' }]
      const tile = {
        name: 'Tile',
        x: 0,
        y: 0,
        w: 6,
        h: 3,
        config: { displayType: 'line', sourceId: log, select, ...config },
      }
      const board = await send('POST', '/dashboards', { name: 'Board', tiles: [tile] })
      const ids = { source: 'tile', dashboardId: board.id, tileId: board.tiles[0].id }
      const { id } = await send('POST', '/alerts', { ...ids, ...limits, ...alert })
      return { id, read: () => send('GET', `/alerts/${id}`), ...ids }
    },
    async watchSearch(search: object = {}, alert: object = {}) {
      const body = {
        name: 'Search',
        sourceId: log,
        where: '',
        whereLanguage: 'lucene' as const,
        select: 'Body',
        ...search,
      }
      const saved = mock.records.create('savedSearch', { orderBy: '', tags: [], filters: [], ...body }, within)
      return send('POST', '/alerts', { source: 'saved_search', savedSearchId: saved.id, ...limits, ...alert })
    },
    /** Lets a minute pass, and renders what it notifies. */
    pass: (samples?: string) => mock.advance('1m').map(one => one.renderEvent(undefined, samples)),
  }
}

it('the message is trimmed at its start', async () => {
  const { load, watchTile, pass } = open()
  load({})
  await watchTile({}, { message: ' \n Look' })
  expect(pass()[0]!.body.split(')\n').at(-1)).toBe('Look ')
})

it('another identity has the event of an alert whose tile gets a group', async () => {
  const { mock, load, watchTile, send } = open()
  load({}, { Timestamp: now + 60_000 })
  const { dashboardId } = await watchTile()
  const [fired] = mock.advance('1m')
  const board = await send('GET', `/dashboards/${dashboardId}`)
  const [tile] = board.tiles
  const tiles = [{ ...tile, config: { ...tile.config, groupBy: 'ServiceName' } }]
  await send('PUT', `/dashboards/${dashboardId}`, { name: 'Board', tiles, tags: [] })
  const events = mock.advance('1m').map(one => [one.group, one.renderEvent().state, one.eventId(one.webhooks[0]!)])
  expect(events.map(([group, state]) => [group, state])).toEqual([
    ['ServiceName:svc', 'ALERT'],
    ['', 'OK'],
  ])
  expect(events.map(([, , id]) => id)).not.toContain(fired!.eventId(fired!.webhooks[0]!))
})

describe('an alert on raw SQL', () => {
  const open236 = () => {
    const opened = open()
    const { connection: connectionId } = opened.mock.records.list('source')[0]!
    const watch = (displayType: string, sqlTemplate: string, alert?: object) =>
      opened.watchTile(
        { configType: 'sql', displayType, connectionId, sqlTemplate, select: undefined, sourceId: opened.log },
        alert,
      )
    return { ...opened, watch }
  }
  const bodiesOf = (events: readonly { readonly body: string }[]) =>
    events.map(({ body }) => body.split('\n').slice(0, 3))

  it('compares the last number of each bucket, by the texts beside it', async () => {
    const { load, watch, pass } = open236()
    load({ ServiceName: 'a' }, { ServiceName: 'a' }, { ServiceName: 'b' })
    const { id, read } = await watch(
      'line',
      'SELECT $__timeInterval(Timestamp) AS ts, ServiceName, count() AS n FROM $__sourceTable WHERE $__timeFilter(Timestamp) GROUP BY ts, ServiceName',
      { threshold: 2, message: '{{attributes.ServiceName}}' },
    )
    expect(bodiesOf(pass())).toEqual([
      ['Group: "ServiceName:a"', '2 meets or exceeds 2', 'Time Range (UTC): [Dec 1 10:00:00 AM - Dec 1 10:01:00 AM)'],
    ])
    expect(bodiesOf(pass())[0]![0]).toBe('Group: "ServiceName:a" - The alert has been resolved.')
    expect(await read()).toMatchObject({ id, state: 'OK', executionErrors: [], updatedAt: '2026-12-01T10:02:00.000Z' })
  })

  it('compares one value of a number tile, in the window after the evaluated one', async () => {
    const { load, watch, pass } = open236()
    load({}, {})
    await watch('number', 'SELECT count() FROM $__sourceTable WHERE $__timeFilter(Timestamp)')
    const range = 'Time Range (UTC): [Dec 1 10:01:00 AM - Dec 1 10:02:00 AM)'
    expect(bodiesOf(pass())).toEqual([['', '2 meets or exceeds 1', range]])
  })

  it('has an error if the SQL fails, and rests if there is nothing to compare', async () => {
    const { watch, pass } = open236()
    const interval = '{intervalSeconds:Int64}'
    const failing = await watch('line', `SELECT ${interval} FROM nowhere`)
    const resting = await watch('line', `SELECT ServiceName, ${interval} AS n FROM $__sourceTable`)
    expect(pass()).toEqual([])
    expect((await failing.read()).executionErrors).toEqual([
      expect.objectContaining({ type: 'QUERY_ERROR', message: expect.stringContaining('default.nowhere is none') }),
    ])
    const rested = await resting.read()
    expect(rested.updatedAt).toBe(rested.createdAt)
    expect(rested).not.toHaveProperty('executionErrors')
  })
})

describe.each(['2.24', '2.36'] as const)('a notification of %s', edition => {
  it('about a tile names value, condition and window, and links to seven windows on both sides', async () => {
    const { load, watchTile, pass } = open(edition)
    load({}, {})
    const { dashboardId, tileId } = await watchTile({}, { threshold: 0.5 })
    const [fired] = pass()
    expect(fired).toMatchObject({
      title: '🚨 Alert for "Tile" in "Board" - 2.0 meets or exceeds 0.5',
      body: '\n2.0 meets or exceeds 0.5\nTime Range (UTC): [Dec 1 10:00:00 AM - Dec 1 10:01:00 AM)\n',
      state: 'ALERT',
    })
    const link = new URL(fired!.link)
    expect([link.pathname, ...link.searchParams]).toEqual([
      `/dashboards/${dashboardId}`,
      ['from', String(Date.parse('2026-12-01T09:53:00Z'))],
      ['granularity', '1 minute'],
      ['to', String(Date.parse('2026-12-01T10:08:00Z'))],
      ...(edition === '2.36' ? [['highlightedTileId', tileId]] : []),
    ])
    expect(pass()[0]).toMatchObject({
      title: '✅ Alert for "Tile" in "Board" - 0.0 falls below 0.5',
      body: 'The alert has been resolved.\nTime Range (UTC): [Dec 1 10:01:00 AM - Dec 1 10:02:00 AM)\n',
    })
  })

  it('names columns and values of a group, as the engine names them', async () => {
    const { load, watchTile, pass } = open(edition)
    load({ ServiceName: 'a', ResourceAttributes: { 'host.name': 'h1' } })
    await watchTile({ groupBy: "ServiceName, ResourceAttributes['host.name']" }, { message: 'Look' })
    const group = `Group: "ServiceName:a, arrayElement(ResourceAttributes, 'host.name'):h1"`
    const window = (from: string, to: string) => `Time Range (UTC): [Dec 1 ${from} AM - Dec 1 ${to} AM)`
    expect(pass()[0]!.body).toBe(`${group}\n1 meets or exceeds 1\n${window('10:00:00', '10:01:00')}\nLook `)
    expect(pass()[0]!.body).toBe(`${group} - The alert has been resolved.\n${window('10:01:00', '10:02:00')}\nLook `)
  })

  it('about a search has up to five of its rows, in the order of the table, which are cut', async () => {
    const { mock, load, watchSearch } = open(edition)
    load({ Body: 'b' }, { Body: 'say "hi", you' }, { Body: 'x'.repeat(501) }, {}, {}, {})
    await watchSearch({ select: 'Timestamp, ServiceName, Body AS text', where: "text != 'b'", whereLanguage: 'sql' })
    const [notification] = mock.advance('1m')
    const samples = await notification!.readSamples()
    expect(samples.split('\n')).toEqual([
      '"2026-12-01T10:00:10.001000000Z","svc","say ""hi"", you"',
      `${`"2026-12-01T10:00:10.002000000Z","svc","${'x'.repeat(501)}`.slice(0, 500)}...`,
      ...[3, 4, 5].map(ms => `"2026-12-01T10:00:10.00${ms}000000Z","svc","line"`),
      '',
    ])
    const { title, body } = notification!.renderEvent(undefined, samples)
    expect(title).toBe('🚨 Alert for "Search" - 5 lines found')
    expect(body).toContain(`5 lines found, which meets or exceeds the threshold of 1 lines\n`)
    expect(body.endsWith(`\n\n\`\`\`\n${samples}\n\`\`\``)).toBe(true)
  })

  it('about a search shows a row at the very end of the window, too, which is not counted', async () => {
    const { mock, load, watchSearch } = open(edition)
    load({}, { Timestamp: Date.parse('2026-12-01T10:01:00Z'), Body: 'next' })
    await watchSearch()
    const [notification] = mock.advance('1m')
    expect(notification!.renderEvent().title).toBe('🚨 Alert for "Search" - 1 lines found')
    expect(await notification!.readSamples()).toBe('"line"\n"next"\n')
  })

  it('is not sent for a tile of another kind, whose alert is never touched', async () => {
    const { load, watchTile, pass } = open(edition)
    load({})
    const { read } = await watchTile({ displayType: 'table' })
    const before = await read()
    expect(pass()).toEqual([])
    expect(await read()).toEqual(before)
    expect(before).not.toHaveProperty('executionErrors')
  })

  it('is not sent for a filter without a language, which is a query error', async () => {
    const { load, watchTile, pass } = open(edition)
    load({})
    const { read } = await watchTile({ select: [{ aggFn: 'count', where: 'Body:line' }] })
    expect(pass()).toEqual([])
    const alert = await read()
    expect(alert).toMatchObject({ state: 'OK', executionErrors: [{ type: 'QUERY_ERROR' }] })
    expect(alert.updatedAt).toBe('2026-12-01T10:01:00.000Z')
  })

  it('is not sent for a column of texts alone, whose alert is never touched, unless its groups are numbers', async () => {
    const { load, watchTile, pass } = open(edition)
    load({ TraceFlags: 2, LogAttributes: { size: '7000000000' } })
    const select = [{ aggFn: 'any', valueExpression: 'Body', where: '' }]
    const { read } = await watchTile({ select })
    const before = await read()
    // A 64-bit integer, which is a text in JSON.
    await watchTile({ select, groupBy: "toInt64OrZero(LogAttributes['size'])" })
    expect(pass().map(one => one.title)).toEqual(['🚨 Alert for "Tile" in "Board" - 7000000000 meets or exceeds 1'])
    expect(await read()).toEqual(before)
  })

  it('compares an aggregate of the user, with and without groups', async () => {
    const { load, watchTile, pass } = open(edition)
    load({ SeverityNumber: 3 }, { SeverityNumber: 9 }, { SeverityNumber: 8, ServiceName: 'other' })
    const own = { select: [{ aggFn: 'none', valueExpression: 'max(SeverityNumber) - min(SeverityNumber)', where: '' }] }
    await watchTile(own)
    await watchTile({ ...own, groupBy: 'upper(ServiceName) AS service' })
    const firstLines = () => pass().map(({ state, body }) => `${state} ${body.split('\n').slice(0, 2).join('|')}`)
    expect(firstLines()).toEqual(['ALERT |6 meets or exceeds 1', 'ALERT Group: "service:SVC"|6 meets or exceeds 1'])
    expect(firstLines().map(line => line.split('|')[0])).toEqual([
      'OK The alert has been resolved.',
      'OK Group: "service:SVC" - The alert has been resolved.',
    ])
  })

  it('compares a numeric group instead of the series, without a group text', async () => {
    const { load, watchTile, pass } = open(edition)
    load({ SeverityNumber: 17 }, { SeverityNumber: 3 })
    await watchTile({ groupBy: 'SeverityNumber' }, { threshold: 5 })
    expect(pass().map(one => one.title)).toEqual(['🚨 Alert for "Tile" in "Board" - 17 meets or exceeds 5'])
    expect(pass().map(one => one.title)).toEqual(['✅ Alert for "Tile" in "Board" - 0 falls below 5'])
  })
})

it('a group that is a time names the window, and the window is part of the group', async () => {
  const { load, watchTile, pass } = open()
  load({}, { Timestamp: now + 60_000 })
  await watchTile({ groupBy: 'toStartOfHour(Timestamp), ServiceName' })
  const groups = () => pass().map(({ state, body }) => `${state} ${body.split('\n')[0]}`)
  expect(groups()).toEqual(['ALERT Group: "ServiceName:svc, __hdx_time_bucket:2026-12-01T10:00:00Z"'])
  // The rows of the next minute are those of 10:00, too, which is no start of its window.
  expect(groups()).toEqual([
    'OK Group: "ServiceName:svc, __hdx_time_bucket:2026-12-01T10:00:00Z" - The alert has been resolved.',
  ])
})

it('a tile that gets groups resolves what fired without them', async () => {
  const { send, load, watchTile, pass, log } = open()
  load({}, { Timestamp: now + 60_000 })
  const { dashboardId, tileId } = await watchTile()
  expect(pass().map(({ state }) => state)).toEqual(['ALERT'])
  const config = { displayType: 'line', sourceId: log, select: [{ aggFn: 'count', where: '' }], groupBy: 'ServiceName' }
  const tiles = [{ id: tileId, name: 'Tile', x: 0, y: 0, w: 6, h: 3, config }]
  await send('PUT', `/dashboards/${dashboardId}`, { name: 'Board', tiles })
  expect(pass().map(({ state, body }) => `${state} ${body.split('\n')[0]}`)).toEqual([
    'ALERT Group: "ServiceName:svc"',
    'OK The alert has been resolved.',
  ])
})

it('a mention of a message is taken out of it, and each further channel adds a blank', async () => {
  const { mock, load, watchTile } = open()
  load({})
  await watchTile({}, { message: 'see @webhook-hook, a@b.example' })
  const [notification] = mock.advance('1m')
  const { body } = notification!.renderEvent()
  expect(body.split('\n').at(-1)).toBe('see , a@b.example ')
})

it('a window is queried from an offset, and named by the clock', async () => {
  const { mock, load, watchTile } = open()
  load({ Timestamp: Date.parse('2026-12-01T10:01:10Z') }, { Timestamp: Date.parse('2026-12-01T10:04:10Z') })
  await watchTile({}, { interval: '5m', scheduleOffsetMinutes: 2 })
  const fired = mock.advance('7m').map(one => {
    const { startTime, endTime } = one.renderEvent()
    return [new Date(one.at).toISOString().slice(11, 16), startTime, endTime]
  })
  const window = [Date.parse('2026-12-01T10:00Z'), Date.parse('2026-12-01T10:05Z')]
  expect(fired).toEqual([
    ['10:02', ...window],
    ['10:07', ...window],
  ])
})

it('a later start of the schedule cuts off what came before it', async () => {
  const { mock, send, load, watchTile } = open()
  load({ Timestamp: Date.parse('2026-12-01T10:05:10Z') }, { Timestamp: Date.parse('2026-12-01T10:07:10Z') })
  const { id, dashboardId, tileId } = await watchTile({}, { interval: '5m' })
  mock.advance('5m')
  const { channel, ...limits } = await send('GET', `/alerts/${id}`)
  const body = { ...limits, channel, dashboardId, tileId, scheduleStartAt: '2026-12-01T10:06:00Z' }
  await send('PUT', `/alerts/${id}`, body)
  const fired = mock
    .advance('6m')
    .map(one => `${new Date(one.at).toISOString().slice(11, 16)} ${one.renderEvent().title}`)
  expect(fired).toEqual(['10:11 🚨 Alert for "Tile" in "Board" - 1 meets or exceeds 1'])
})

it('a metric of 2.36 counts its increase from the point before the window, window by window', async () => {
  const { mock, watchTile } = open()
  const { metric } = mock.target({ selfHosted: '' }).selfHosted!.references.sources
  const point = (time: string, Value: number) => ({
    TimeUnix: `2026-12-01T${time}Z`,
    MetricType: 'sum',
    MetricName: 'req',
    AggregationTemporality: 2,
    IsMonotonic: true,
    Value,
  })
  // The point before 10:04 is too old to be known.
  mock.loadRows(metric!, [
    point('09:59:10', 100),
    point('10:00:40', 120),
    point('10:01:10', 125),
    point('10:04:10', 150),
  ])
  const select = [{ aggFn: 'sum', valueExpression: 'Value', metricName: 'req', metricType: 'sum', where: '' }]
  await watchTile({ sourceId: metric, select })
  expect(mock.advance('5m').map(one => one.renderEvent().title.match(/- (\d+)/)![1])).toEqual(['20', '5', '0'])
})

it('a silenced alert goes on without notifying, and what was resolved meanwhile stays untold', async () => {
  const { mock, load, watchTile, pass } = open()
  load({}, { Timestamp: now + 180_000 })
  const { id, read } = await watchTile()
  expect(pass()).toHaveLength(1)
  const silenced = { at: '2026-12-01T10:01:00.000Z', until: '2026-12-01T10:02:30.000Z' }
  mock.records.update('alert', id, { silenced }, { within: 'self-hosted' })
  expect([pass(), (await read()).state]).toEqual([[], 'OK'])
  expect(pass()).toEqual([])
  expect(pass().map(({ state }) => state)).toEqual(['ALERT'])
  expect((await read()).silenced).toEqual(silenced)
})

it('a channel whose webhook has vanished is an error of each window', async () => {
  for (const [edition, error] of [
    ['2.36', /^Webhook not found\. .* \(webhook "[0-9a-f]{24}"\)$/],
    ['2.24', /^Failed to send webhook notification\. /],
  ] as const) {
    const { mock, load, watchTile, pass } = open(edition)
    load({})
    const { read } = await watchTile()
    const [webhook] = mock.records.list('webhook', { within: 'self-hosted' })
    mock.records.remove('webhook', webhook!.id, { within: 'self-hosted' })
    expect(pass()).toHaveLength(1)
    expect((await read()).executionErrors).toMatchObject([
      { type: 'WEBHOOK_ERROR', timestamp: '2026-12-01T10:01:00.000Z', message: expect.stringMatching(error) },
    ])
  }
})

it('a pause is one run at the new time', async () => {
  const { mock, load, watchTile } = open()
  load(...Array.from({ length: 5 }, (_, i) => ({ Timestamp: now + i * 60_000 })))
  await watchTile()
  const windows = mock.moveClock('2026-12-01T10:05:00Z').map(one => one.renderEvent().startTime)
  // Nothing was evaluated before: only the last window counts.
  expect(windows).toEqual([Date.parse('2026-12-01T10:04:00Z')])
  expect(mock.at('2026-12-01T10:09:30Z').map(one => one.renderEvent().state)).toEqual(['OK'])
})

it.each([
  ['2.24', 1],
  ['2.36', 2],
] as const)('free text of %s finds whole words: %i of them', async (edition, count) => {
  const { load, watchTile, pass } = open(edition)
  load({ Body: 'a boom here' }, { Body: 'Boom' }, { Body: 'boomerang' })
  await watchTile({ select: [{ aggFn: 'count', where: 'boom', whereLanguage: 'lucene' }] })
  expect(pass()[0]!.title).toBe(`🚨 Alert for "Tile" in "Board" - ${count} meets or exceeds 1`)
})
