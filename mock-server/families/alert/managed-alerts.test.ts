import { describe, expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

/** In the newest managed form, an alert has its own name and tags, and may have its own chart. */

function openManaged() {
  const { mock, send, serviceId, wait } = openCloud({ as: 'clickhouse-cloud', segment: 'clickstack', freeze: false })
  const ask = (method: string, path: string, body?: object) =>
    send(method, `/services/${serviceId}/clickstack${path}`, body)
  return { mock, send: ask, wait }
}

describe('an alert of the managed form', () => {
  async function open() {
    const { send, wait } = openManaged()
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
    return { send, wait, body, sources }
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
    expect(result).toMatchObject({ displayName: tile.name, tags: dashboard.tags })
    const own = { displayName: 'Own name', tags: ['mine'] }
    expect((await send('PUT', `/alerts/${result.id}`, { ...ofTile, ...own })).result).toMatchObject(own)
    expect((await send('GET', '/alerts')).result.find(({ id }: { id: string }) => id === result.id)).toMatchObject(own)
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
    const { send, body, sources } = await open()
    const error = async (chart: object) =>
      (await send('POST', '/alerts', { ...body, chartConfig: { ...body.chartConfig, ...chart } })).error
    const [item] = body.chartConfig.select
    expect(await error({ displayType: 'number', select: [item, item] })).toContain('support a single select item')
    const session = sources.find(({ kind }: { kind: string }) => kind === 'session')!.id
    expect(await error({ sourceId: session, formulas: [{ expression: 'A' }] })).toContain(
      'Alerts with formulas require a Metric, Log, or Trace source',
    )
    const raw = { name: 'x', configType: 'sql', displayType: 'line', sqlTemplate: 'SELECT $__timeInterval(Timestamp)' }
    const errorOfRaw = async (chart: object) =>
      (await send('POST', '/alerts', { ...body, chartConfig: { ...raw, ...chart } })).error
    expect(await errorOfRaw({ connectionId: 'f'.repeat(24) })).toContain('Connection not found')
    const { connection: connectionId } = sources[0]
    expect(await errorOfRaw({ connectionId, sourceId: 'f'.repeat(24) })).toContain('Source not found')
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
