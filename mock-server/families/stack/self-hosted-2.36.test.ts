import { describe, expect, it } from 'vitest'
import { createMock } from '../../faces/create-mock.ts'

/** A mock of 2.36. The expected answers are from the integration tests of 2.36, and from requests to deployments. */
function open() {
  const mock = createMock({ as: 'self-hosted-2.36', logs: 0 })
  const { baseUrl, apiKey, references } = mock.target().selfHosted
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const answer = await mock.fetch(`${baseUrl}/api/v2${path}`, { method, headers, body: JSON.stringify(body) })
    return { status: answer.status, headers: answer.headers, json: await answer.json() }
  }
  return {
    mock,
    send,
    sources: references.sources as Record<'log' | 'metric' | 'session', string>,
    connection: references.connectionId!,
    references,
  }
}

const at = { name: 'Tile', x: 0, y: 0, w: 6, h: 3 }
const counted = { aggFn: 'count' }

describe('formulas', () => {
  const board = (sourceId: string, formulas = [{ expression: 'A * 2' }]) => ({
    name: 'Formulas',
    tiles: [{ ...at, config: { displayType: 'line', sourceId, select: [counted], formulas } }],
  })
  const sentence = (id: string) =>
    `Tiles with formulas require a Metric, Log, or Trace source. The following source IDs are not formula-capable: ${id}`

  it('are refused for a session source, also by a dry run', async () => {
    const { send, sources } = open()
    expect((await send('POST', '/dashboards', board(sources.log))).status).toBe(200)
    const message = sentence(sources.session)
    const refused = await send('POST', '/dashboards', board(sources.session))
    expect([refused.status, refused.json]).toEqual([400, { message }])
    expect((await send('POST', '/dashboards/validate', board(sources.session))).json).toEqual({
      valid: false,
      errors: [{ path: '', message }],
      normalized: null,
    })
  })

  it('are validated in an update only if they or their source changed', async () => {
    const { mock, send, sources } = open()
    const { data } = (await send('POST', '/dashboards', board(sources.log))).json
    mock.update('source', sources.log, { kind: 'session' })
    const renamed = await send('PUT', `/dashboards/${data.id}`, { ...data, name: 'Renamed' })
    expect(renamed.json.data.name).toBe('Renamed')
    const tiles = board(sources.log, [{ expression: 'A * 3' }]).tiles.map(tile => ({ ...tile, id: data.tiles[0].id }))
    const changed = await send('PUT', `/dashboards/${data.id}`, { ...data, tiles })
    expect(changed.json).toEqual({ message: sentence(sources.log) })
  })
})

describe('sources', () => {
  const log = (connection: string) => ({
    kind: 'log',
    name: 'More logs',
    connection,
    from: { databaseName: 'default', tableName: 'otel_logs' },
    timestampValueExpression: 'Timestamp',
    defaultTableSelectExpression: 'Timestamp, Body',
  })
  const trace = (connection: string) => ({
    ...log(connection),
    kind: 'trace',
    durationExpression: 'Duration',
    traceIdExpression: 'TraceId',
    spanIdExpression: 'SpanId',
    parentSpanIdExpression: 'ParentSpanId',
    spanNameExpression: 'SpanName',
    spanKindExpression: 'SpanKind',
  })
  const metric = (connection: string) => ({
    ...log(connection),
    kind: 'metric',
    metricTables: { gauge: 'otel_metrics_gauge' },
    resourceAttributesExpression: 'ResourceAttributes',
  })

  it('refuse null for optional fields, except logSourceId of traces', async () => {
    const { send, connection } = open()
    const getMessage = async (body: object) => (await send('POST', '/sources', body)).json.message
    expect(await getMessage({ ...log(connection), traceSourceId: null })).toBe(
      'Body validation failed: traceSourceId: Expected string, received null',
    )
    expect(await getMessage({ ...log(connection), disabled: null })).toBe(
      'Body validation failed: disabled: Expected boolean, received null',
    )
    expect(await getMessage({ ...metric(connection), metricTables: { gauge: null } })).toBe(
      'Body validation failed: metricTables.gauge: Expected string, received null',
    )
    expect(await getMessage({ ...log(connection), useTextIndexForImplicitColumn: 7 })).toBe(
      "Body validation failed: useTextIndexForImplicitColumn: Invalid enum value. Expected 'auto' | 'enabled' | 'disabled', received '7'",
    )
    const { status, json } = await send('POST', '/sources', { ...trace(connection), logSourceId: null })
    expect([status, json.data.logSourceId]).toEqual([200, null])
  })

  it('accept metadata views without keyRollupTable', async () => {
    const { send, connection } = open()
    const views = { kvRollupTable: 'kv', granularity: '5m' }
    for (const keyRollupTable of [undefined, null, '']) {
      const body = { ...log(connection), metadataMaterializedViews: { ...views, keyRollupTable } }
      const { status, json } = await send('POST', '/sources', body)
      expect([status, json.data.metadataMaterializedViews]).toEqual([
        200,
        JSON.parse(JSON.stringify({ keyRollupTable, ...views })),
      ])
    }
  })

  it('keep seriesTable and spanLinksValueExpression, and drop tableFilterExpression of traces', async () => {
    const { send, connection } = open()
    const kept = await send('POST', '/sources', { ...metric(connection), seriesTable: 'otel_series' })
    expect(kept.json.data.seriesTable).toBe('otel_series')
    const body = { ...trace(connection), spanLinksValueExpression: 'Links', tableFilterExpression: 5 }
    const { data } = (await send('POST', '/sources', body)).json
    expect(data.spanLinksValueExpression).toBe('Links')
    expect(data).not.toHaveProperty('tableFilterExpression')
    const wrong = await send('POST', '/sources', { ...metric(connection), seriesTable: 5 })
    expect(wrong.json.message).toBe('Body validation failed: seriesTable: Expected string, received number')
  })
})

describe('tiles', () => {
  it('have asRatio and formulas validated, also if their kind does not have these fields', async () => {
    const { send, sources, connection } = open()
    const attempt = async (config: object) => {
      const { status, json } = await send('POST', '/dashboards', { name: 'Board', tiles: [{ ...at, config }] })
      return [status, json.message]
    }
    const pie = { displayType: 'pie', sourceId: sources.log, select: [counted] }
    const markdown = { displayType: 'markdown', markdown: '' }
    const sql = { configType: 'sql', displayType: 'table', connectionId: connection, sqlTemplate: 'SELECT 1' }
    const ratio = [
      400,
      'Body validation failed: tiles.0.config: asRatio can only be used with exactly two select items',
    ]
    for (const config of [pie, markdown, sql, { ...pie, displayType: 'number' }]) {
      expect(await attempt({ ...config, asRatio: true })).toEqual(ratio)
      expect((await attempt(config))[0]).toBe(200)
    }
    const formulas = [{ expression: 'B' }]
    const unknown = 'Body validation failed: tiles.0.config.formulas.0.expression: Unknown series "B" — this chart'
    expect(await attempt({ ...pie, formulas })).toEqual([400, `${unknown} only has series A through A`])
    expect(await attempt({ ...markdown, formulas })).toEqual([400, `${unknown} has no series`])
    expect(await attempt({ ...sql, formulas })).toEqual([200, undefined])
    expect(await attempt({ ...pie, formulas: 5 })).toEqual([500, 'Something went wrong :('])
    expect((await attempt({ ...pie, formulas: [{ expression: '('.repeat(100_000) }] }))[1]).toContain('too long')
    expect((await attempt({ ...pie, formulas: [{ expression: '-'.repeat(65) }] }))[1]).toContain('nested too deeply')
  })

  it('are answered without empty formulas and colorRules, and without showOperandSeries if they have no formulas', async () => {
    const { send, sources } = open()
    const number = { displayType: 'number', sourceId: sources.log, select: [counted], formulas: [], colorRules: [] }
    const line = { displayType: 'line', sourceId: sources.log, select: [counted], showOperandSeries: true }
    const tiles = [number, line].map(config => ({ ...at, config }))
    const { data } = (await send('POST', '/dashboards', { name: 'Board', tiles })).json
    for (const field of ['formulas', 'colorRules']) expect(data.tiles[0].config).not.toHaveProperty(field)
    expect(data.tiles[1].config).not.toHaveProperty('showOperandSeries')
  })
})

describe('filters of a dashboard', () => {
  const filter = { type: 'QUERY_EXPRESSION', name: 'Level', expression: 'SeverityText', isVariableEnabled: true }

  it('that act on no tile are answered without appliesToSourceIds', async () => {
    const { send, sources } = open()
    const filters = [{ ...filter, sourceId: sources.log, isBroadcastEnabled: false, appliesToSourceIds: [] }]
    const { data } = (await send('POST', '/dashboards', { name: 'Board', tiles: [], filters })).json
    expect(data.filters[0]).toMatchObject({ name: 'Level', isBroadcastEnabled: false })
    expect(data.filters[0]).not.toHaveProperty('appliesToSourceIds')
  })

  it('with an empty variable name are refused with one issue', async () => {
    const { send, sources } = open()
    const filters = [{ ...filter, sourceId: sources.log, variableName: '' }]
    expect((await send('POST', '/dashboards', { name: 'Board', tiles: [], filters })).json.message).toBe(
      'Body validation failed: filters.0.variableName: Invalid',
    )
  })
})

describe('a number for an enum field', () => {
  it('is reported with its value', async () => {
    const { send, sources } = open()
    const metrics = "'gauge' | 'histogram' | 'sum' | 'summary' | 'exponential histogram'"
    const item = { ...counted, metricType: 7 }
    const tiles = [{ ...at, config: { displayType: 'line', sourceId: sources.metric, select: [item] } }]
    expect((await send('POST', '/dashboards', { name: 'Board', tiles })).json.message).toContain(
      `metricType: Invalid enum value. Expected ${metrics}, received '7'`,
    )
    const series = [{ sourceId: sources.metric, aggFn: 'avg', where: '', groupBy: [], metricDataType: 7 }]
    const chart = { startTime: 1772000000000, endTime: 1772003600000, series }
    expect((await send('POST', '/charts/series', chart)).json.message).toContain(
      `metricDataType: Invalid enum value. Expected ${metrics}, received '7'`,
    )
    const alert = { source: 'tile', dashboardId: 'x', tileId: 'y', threshold: 1, interval: '1h', thresholdType: 7 }
    const { json } = await send('POST', '/alerts', { ...alert, channels: [{ type: 'webhook', webhookId: 'z' }] })
    expect(json.message).toContain("thresholdType: Invalid enum value. Expected 'above' | ")
    expect(json.message).toContain("received '7'")
  })
})

describe('searches', () => {
  it('fail with the messages of deployments', async () => {
    const { send, sources } = open()
    const attempt = async (body: object) => {
      const { status, json } = await send('POST', '/search', body)
      return [status, json.message]
    }
    expect(await attempt({ sourceId: sources.log, where: '(Body:' })).toEqual([500, 'Internal server error'])
    expect(await attempt({ sourceId: sources.metric })).toEqual([500, 'Query execution failed'])
    expect(await attempt({ sourceId: 'twelve-chars' })).toEqual([
      400,
      'Body validation failed: sourceId: sourceId must be a valid ObjectId',
    ])
  })
})

describe('charts of metrics', () => {
  it('need a metric name, and a level for a quantile of a histogram', async () => {
    const { send, sources } = open()
    const attempt = async (more: object) => {
      const series = [{ sourceId: sources.metric, where: '', groupBy: [], aggFn: 'avg', field: 'Value', ...more }]
      const { status, json } = await send('POST', '/charts/series', {
        startTime: 1772000000000,
        endTime: 1772003600000,
        series,
      })
      return [status, json.error]
    }
    expect(await attempt({ metricDataType: 'gauge', metricName: '' })).toEqual([
      500,
      'no query support for metric type=gauge',
    ])
    const quantile = { aggFn: 'quantile', metricDataType: 'histogram', metricName: 'latency' }
    expect((await attempt(quantile))[0]).toBe(500)
    expect(await attempt({ ...quantile, level: 0.5 })).toEqual([200, undefined])
  })
})

describe('rate limits', () => {
  it('are announced in headers, although they are not enforced', async () => {
    const { send } = open()
    for (let call = 1; call <= 101; call++) {
      const { status, headers } = await send('GET', '/webhooks')
      expect(status).toBe(200)
      expect(headers.get('ratelimit-limit')).toBe('100')
      expect(headers.get('ratelimit-remaining')).toBe(String(Math.max(0, 100 - call)))
      expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(60)
      expect(headers.get('retry-after')).toBeNull()
    }
    const silent = createMock({ logs: 0 })
    const { baseUrl, apiKey } = silent.target().selfHosted
    const answer = await silent.fetch(`${baseUrl}/api/v2/webhooks`, { headers: { authorization: `Bearer ${apiKey}` } })
    expect(answer.headers.get('ratelimit-limit')).toBeNull()
  })
})
