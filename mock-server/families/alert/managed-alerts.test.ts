import { describe, expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

/** In the newest managed form, an alert has its own name and tags, and may have its own chart. */

function openManaged() {
  const { mock, send, serviceId, wait } = openCloud({ as: 'clickhouse-cloud', segment: 'clickstack', freeze: false })
  const ask = (method: string, path: string, body?: object) =>
    send(method, `/services/${serviceId}/clickstack${path}`, body)
  return { mock, send: ask, wait, serviceId }
}

describe('an alert of the managed form', () => {
  async function open() {
    const { mock, send, wait, serviceId } = openManaged()
    const sources = (await send('GET', '/sources')).result
    const [source] = sources.filter(({ kind }: { kind: string }) => kind === 'log')
    const [webhook] = (await send('GET', '/webhooks')).result
    const chartConfig = {
      name: 'Lines of the shop',
      displayType: 'line',
      sourceId: source.id,
      where: 'SeverityText:info',
      select: [{ aggFn: 'count', where: '' }],
    }
    const body = {
      source: 'inline',
      chartConfig,
      channel: { type: 'webhook', webhookId: webhook.id },
      interval: '5m',
      threshold: 1,
      thresholdType: 'above',
    }
    return { mock, send, wait, body, sources, serviceId }
  }

  it('watches its own chart, takes the name of the chart, and fires', async () => {
    const { send, wait, body } = await open()
    const { status, result } = await send('POST', '/alerts', body)
    expect({ status, result }).toMatchObject({ status: 200, result: { displayName: 'Lines of the shop', tags: [] } })
    expect(result.chartConfig).toMatchObject(body.chartConfig)
    wait(3600)
    expect((await send('GET', `/alerts/${result.id}`)).result.state).toBe('ALERT')
  })

  it('counts only the rows that the filter of its chart finds', async () => {
    const { send, wait, body } = await open()
    const where = 'ServiceName:"no such service"'
    const { result } = await send('POST', '/alerts', { ...body, chartConfig: { ...body.chartConfig, where } })
    wait(3600)
    expect((await send('GET', `/alerts/${result.id}`)).result.state).toBe('OK')
  })

  it('has the name of its tile and the tags of its dashboard until it gets its own', async () => {
    const { send, body } = await open()
    const [dashboard] = (await send('GET', '/dashboards')).result
    const [tile] = dashboard.tiles.filter(
      ({ config }: { config: { displayType: string } }) => config.displayType === 'line',
    )
    const { chartConfig: _, ...rest } = body
    const ofTile = { ...rest, source: 'tile', dashboardId: dashboard.id, tileId: tile.id }
    const { result } = await send('POST', '/alerts', ofTile)
    expect(result).toMatchObject({ displayName: `${dashboard.name} - ${tile.name}`, tags: dashboard.tags })
    const own = { displayName: 'Own name', tags: ['mine'] }
    expect((await send('PUT', `/alerts/${result.id}`, { ...ofTile, ...own })).result).toMatchObject(own)
    expect((await send('GET', '/alerts')).result.find(({ id }: { id: string }) => id === result.id)).toMatchObject(own)
  })

  it('shows its chart alone, not in the list, and may have a chart only if it watches it', async () => {
    const { send, body } = await open()
    const { result } = await send('POST', '/alerts', body)
    const listed = (await send('GET', '/alerts')).result.find(({ id }: { id: string }) => id === result.id)
    expect(listed).toMatchObject({ displayName: 'Lines of the shop', source: 'inline' })
    expect(listed).not.toHaveProperty('chartConfig')
    expect((await send('GET', `/alerts/${result.id}`)).result.chartConfig).toEqual(result.chartConfig)

    const [ofTile] = (await send('GET', '/alerts')).result.filter(({ source }: { source: string }) => source === 'tile')
    const { channel, interval, threshold, thresholdType, source, tileId, dashboardId } = ofTile
    const sent = { channel, interval, threshold, thresholdType, source, tileId, dashboardId }
    for (const chartConfig of [null, body.chartConfig]) {
      for (const [method, path] of [
        ['POST', '/alerts'],
        ['PUT', `/alerts/${ofTile.id}`],
      ] as const) {
        expect(await send(method, path, { ...sent, chartConfig })).toMatchObject({
          status: 400,
          error: expect.stringContaining('chartConfig is only supported when source is "inline"'),
        })
      }
    }
    // What belonged to the other source is gone.
    expect((await send('PUT', `/alerts/${result.id}`, sent)).result).not.toHaveProperty('chartConfig')
  })

  it('is refused with a name or tags that are too long; null stands for none', async () => {
    const { send, body } = await open()
    const create = (more: object) => send('POST', '/alerts', { ...body, ...more })
    expect((await create({ displayName: ' Own ', tags: [] })).result).toMatchObject({ displayName: 'Own', tags: [] })
    expect((await create({ displayName: null, tags: null })).result).toMatchObject({
      displayName: 'Lines of the shop',
      tags: [],
    })
    for (const more of [
      { displayName: ' ' },
      { displayName: 'x'.repeat(513) },
      { tags: Array(51).fill('x') },
      { tags: ['x'.repeat(33)] },
    ])
      expect((await create(more)).status).toBe(400)
  })

  it('is refused when the source of its chart does not exist', async () => {
    const { send, body } = await open()
    const chartConfig = { ...body.chartConfig, sourceId: '0123456789abcdef01234567' }
    expect(await send('POST', '/alerts', { ...body, chartConfig })).toMatchObject({
      status: 400,
      error: expect.stringContaining('Source not found'),
    })
  })

  it('is refused with a chart that an alert cannot watch', async () => {
    const { mock, send, body, sources, serviceId } = await open()
    const error = async (chart: object) =>
      (await send('POST', '/alerts', { ...body, chartConfig: { ...body.chartConfig, ...chart } })).error
    const [item] = body.chartConfig.select
    expect(await error({ displayType: 'number', select: [item, item] })).toContain('support a single select item')
    const session = sources.find(({ kind }: { kind: string }) => kind === 'session')!.id
    expect(await error({ sourceId: session, formulas: [{ expression: 'A' }] })).toContain(
      'Alerts with formulas require a Metric, Log, or Trace source',
    )
    for (const configType of ['promql', 'builder'])
      expect(await error({ configType })).toContain(
        'chartConfig.configType: configType must be "sql" or omitted (builder configs carry no configType)',
      )
    expect(await error({ formulas: [{ expression: 'B' }] })).toContain('Unknown series "B"')
    expect(await error({ asRatio: true })).toContain('asRatio can only be used with exactly two select items')
    const raw = { name: 'x', configType: 'sql', displayType: 'line', sqlTemplate: 'SELECT $__timeInterval(Timestamp)' }
    const errorOfRaw = async (chart: object) =>
      (await send('POST', '/alerts', { ...body, chartConfig: { ...raw, ...chart } })).error
    expect(await errorOfRaw({ connectionId: 'f'.repeat(24) })).toContain('Connection not found')
    const { connection: connectionId } = sources[0]
    expect(await errorOfRaw({ connectionId, sourceId: 'f'.repeat(24) })).toContain('Source not found')
    const host = { name: 'other', host: 'http://other', username: '', password: '' }
    const other = mock.records.create('connection', host, { within: serviceId }).id
    expect(await errorOfRaw({ connectionId: other, sourceId: sources[0].id })).toContain(
      'Source does not belong to the specified connection',
    )
    expect(await errorOfRaw({ connectionId, where: 'x' })).toContain('Raw SQL alert configs have no chart-level where')
  })

  it('compares the last series of its chart, or the ratio or the last formula of its series', async () => {
    const { send, wait, body } = await open()
    const [all, noRows] = body.chartConfig.select.flatMap(item => [item, { ...item, where: 'ServiceName:nobody' }])
    const states = async (config: object) => {
      const chartConfig = { ...body.chartConfig, where: '', ...config }
      const { result } = await send('POST', '/alerts', { ...body, chartConfig, threshold: 0.5 })
      wait(600)
      return (await send('GET', `/alerts/${result.id}`)).result.state
    }
    expect(await states({ select: [all, noRows] })).toBe('OK')
    expect(await states({ select: [noRows, all] })).toBe('ALERT')
    expect(await states({ select: [noRows, all], asRatio: true })).toBe('OK')
    expect(await states({ select: [all, noRows], formulas: [{ expression: 'B' }, { expression: 'A - B' }] })).toBe(
      'ALERT',
    )
    // A formula that divides by zero has no value.
    expect(await states({ select: [all, noRows], formulas: [{ expression: 'A / B' }] })).toBe('OK')
  })

  it('accepts email channels beside webhooks', async () => {
    const { send, wait, body } = await open()
    const mail = { type: 'email', emailRecipients: ['ada@example.com', 'grace@example.com'] }
    const channels = [body.channel, mail]
    const { channel: _, ...rest } = body
    const { result } = await send('POST', '/alerts', { ...rest, channels })
    expect(result).toMatchObject({ channel: body.channel, channels })
    wait(3600)
    expect((await send('GET', `/alerts/${result.id}`)).result).toMatchObject({ state: 'ALERT', channels })
    expect((await send('PUT', `/alerts/${result.id}`, { ...rest, channel: mail })).result.channels).toEqual([mail])
  })

  it.each([
    [[{ type: 'email', emailRecipients: [] }], 'Array must contain at least 1 element(s)'],
    [[{ type: 'email', emailRecipients: ['nobody'] }], 'Invalid email'],
    [[{ type: 'email' }], 'Required'],
    [
      [
        ['a@example.com', 'b@example.com'],
        ['b@example.com', 'a@example.com'],
      ].map(emailRecipients => ({ type: 'email', emailRecipients })),
      'Duplicate notification channels are not allowed',
    ],
    [[{ type: 'pager' }], "Invalid discriminator value. Expected 'webhook' | 'email'"],
  ])('is refused with the channels %j', async (channels, sentence) => {
    const { send, body } = await open()
    const { channel: _, ...rest } = body
    expect(await send('POST', '/alerts', { ...rest, channels })).toMatchObject({
      status: 400,
      error: expect.stringContaining(sentence),
    })
  })
})

describe('the evaluation of the managed form', () => {
  const now = Date.parse('2026-12-01T10:00:20Z')
  const minute = 60_000

  /** An empty stack with one alert of a minute on its own chart. Rows are some seconds after the full minutes named. */
  async function watch(alert: object, rows: readonly { minute: number; service?: string }[], chart: object = {}) {
    const setting = { as: 'clickhouse-cloud', segment: 'clickstack', scenario: 'empty', logs: 0, now } as const
    const { mock, send: sendBelow, organizationId } = openCloud(setting)
    const serviceId = mock.records.create('service', { name: 'new', state: 'running' }, { within: organizationId }).id
    const send = async (method: string, path: string, body?: object) =>
      (await sendBelow(method, `/services/${serviceId}/clickstack${path}`, body)).result
    const log = (await send('GET', '/sources')).find(({ kind }: { kind: string }) => kind === 'log').id
    const times = rows.map(({ minute: at, service = 'svc' }) => ({
      Timestamp: now - 10_000 + at * minute,
      ServiceName: service,
      Body: 'line',
    }))
    mock.loadRows(log, times)
    const hook = { name: 'hook', service: 'generic', url: 'http://127.0.0.1:1/' } as const
    const webhook = mock.records.create('webhook', hook, { within: serviceId })
    const select = [{ aggFn: 'count', where: '' }]
    const { id } = await send('POST', '/alerts', {
      source: 'inline',
      chartConfig: { name: 'Lines', displayType: 'line', sourceId: log, select, ...chart },
      channel: { type: 'webhook', webhookId: webhook.id },
      interval: '1m',
      threshold: 1,
      thresholdType: 'above',
      ...alert,
    })
    return {
      mock,
      read: () => send('GET', `/alerts/${id}`),
      pass: () => mock.advance('1m').map(one => one.renderEvent()),
    }
  }

  it('notifies for each window that violates the threshold, and once for the resolution', async () => {
    const { pass, read } = await watch({}, [{ minute: 0 }, { minute: 1 }])
    const [fired] = pass()
    expect(fired).toMatchObject({
      state: 'ALERT',
      title: '🚨 Alert for "Lines" - 1 meets or exceeds 1',
      body: '\n1 meets or exceeds 1\nTime Range (UTC): [Dec 1 10:00:00 AM - Dec 1 10:01:00 AM)\n',
    })
    expect(await read()).toMatchObject({ state: 'ALERT', executionErrors: [], updatedAt: '2026-12-01T10:01:00.000Z' })
    expect(pass().map(({ state }) => state)).toEqual(['ALERT'])
    expect(pass().map(({ state, body }) => [state, body.split('\n')[0]])).toEqual([
      ['OK', 'The alert has been resolved.'],
    ])
    expect(pass()).toEqual([])
  })

  it('is pending until consecutive windows have violated the threshold', async () => {
    const { pass, read } = await watch({ numConsecutiveWindows: 2 }, [{ minute: 0 }, { minute: 1 }])
    expect([pass(), (await read()).state]).toEqual([[], 'PENDING'])
    expect(pass().map(({ state }) => state)).toEqual(['ALERT'])
  })

  it('after a pause notifies once, and resolves in the next run', async () => {
    const { mock } = await watch({}, [{ minute: 0 }, { minute: 1 }, { minute: 2 }])
    const statesAt = (time: string) => mock.moveClock(`2026-12-01T10:${time}Z`).map(one => one.renderEvent().state)
    expect(statesAt('01:00')).toEqual(['ALERT'])
    // The windows of 10:01 and 10:02 are one notification; those without rows resolve nothing in the same run.
    expect(statesAt('05:00')).toEqual(['ALERT'])
    expect(statesAt('06:00')).toEqual(['OK'])
  })

  it('follows each group, and fires without rows if zero violates the threshold', async () => {
    const rows = [
      { minute: 0, service: 'a' },
      { minute: 0, service: 'b' },
      { minute: 1, service: 'b' },
    ]
    const { pass } = await watch({ threshold: 1 }, rows, { groupBy: 'ServiceName' })
    const groups = () => pass().map(({ state, body }) => `${state} ${body.split('\n')[0]}`)
    expect(groups()).toEqual(['ALERT Group: "ServiceName:a"', 'ALERT Group: "ServiceName:b"'])
    expect(groups()).toEqual([
      'ALERT Group: "ServiceName:b"',
      'OK Group: "ServiceName:a" - The alert has been resolved.',
    ])
    const silent = await watch({ threshold: 1, thresholdType: 'below_or_equal' }, [])
    expect(silent.pass().map(({ state }) => state)).toEqual(['ALERT'])
  })
})
