import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { drawTile, queryStack } from '../../faces/control/page/draw-tile.ts'
import { createFetch } from '../../faces/fetch.ts'
import { createMock, type ExternalEngine, type Mock, type MockOptions } from '../../mock/mock.ts'
import type { TileConfig } from '../../words/resources.ts'
import { connectTelemetry, requiredTables } from './connect.ts'

interface Sent {
  readonly sql: string
  readonly parameters: URLSearchParams
  readonly authorization: string | undefined
  readonly request: IncomingMessage
}

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const close of cleanups.splice(0)) await close()
})

const columns: (string | undefined)[][] = requiredTables.map(table => [table, 'TimestampTime'])
const writeLines = (rows: readonly unknown[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('')

/** A stand-in for a ClickHouse server: it records requests, and leaves them open where `answer` returns undefined. */
async function playClickHouse(
  answer: (sql: string) => string | undefined = () => '',
  tables = columns,
  readonly = 0,
  grants = ['GRANT ALL ON *.* TO default'],
) {
  const sent: Sent[] = []
  const server = createServer(async (request, response) => {
    const { searchParams: parameters } = new URL(request.url!, 'http://x')
    let sql = parameters.get('query') ?? ''
    for await (const chunk of request) sql += chunk
    if (sql.includes('system.columns')) return response.end(writeLines(tables))
    if (sql.includes('SHOW GRANTS')) return response.end(writeLines(grants.map(grant => [grant])))
    if (sql.includes('getSetting')) return response.end(writeLines([[readonly]]))
    sent.push({ sql, parameters, authorization: request.headers.authorization, request })
    const text = answer(sql)
    if (text?.startsWith('Code: ')) response.statusCode = 500
    if (text !== undefined) response.end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanups.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/otel`
  return { url, sent }
}

async function connect(url: string, options = {}): Promise<ExternalEngine> {
  const engine = await connectTelemetry(url, options)
  cleanups.push(() => engine.close())
  return engine
}

const now = Date.parse('2026-01-05T12:00:00Z')

function openMock(telemetry: ExternalEngine, options: MockOptions = {}) {
  const mock = createMock({ now, telemetry, ...options })
  return { mock, ...openSource(mock) }
}

function openSource(mock: Mock) {
  const { apiKey, references } = mock.target({ selfHosted: '' }).selfHosted!
  const source = references.sources!.log!
  const send = createFetch(mock)
  const chart = (series: object, signal?: AbortSignal) => {
    const all = [{ sourceId: source, aggFn: 'count', where: '', groupBy: [], ...series }]
    const body = JSON.stringify({ startTime: now - 3_600_000, endTime: now, granularity: '1h', series: all })
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    return send('http://self-hosted.localhost/api/v2/charts/series', { method: 'POST', headers, body, signal })
  }
  return { source, chart }
}

describe('a chart computed by ClickHouse', () => {
  it('answers with the values of ClickHouse, and sends bound values and limits with every query', async () => {
    const { url, sent } = await playClickHouse(() => writeLines([['__t'], [String(now), "it's", '3']]))
    const { chart } = openMock(await connect(url.replace('//', '//team:$SECRET@'), { env: { SECRET: 'p@ss/word' } }))
    const where = 'ServiceName:"x\') OR 1=1; DROP TABLE otel_logs --"'
    const answer = await chart({ where, groupBy: ['SeverityText'] })
    expect(await answer.json()).toEqual({ data: [{ ts_bucket: now, group: ["it's"], 'series_0.data': '3' }] })
    const [{ sql, parameters, authorization }] = sent as [Sent]
    expect(sql).not.toMatch(/DROP|1=1/)
    expect([...parameters].filter(([name]) => name.startsWith('param_')).map(([, value]) => value)).toContain(
      "x\\') OR 1=1; DROP TABLE otel_logs --",
    )
    expect(Object.fromEntries(parameters)).toMatchObject({
      readonly: '1',
      max_execution_time: '30',
      max_rows_to_read: '1000000000',
      max_result_rows: '100001',
      cancel_http_readonly_queries_on_client_close: '1',
    })
    expect(atob(authorization!.slice('Basic '.length))).toBe('team:p@ss/word')
  })

  it.each([
    "file('/etc/passwd') = ''",
    'in(Body, system.users)',
    'globalNotIn(Body, secrets AS s)',
    "dictGet('d', 'password', 1) = ''",
    'sleepEachRow(3) = 0',
  ])('is refused if it would read data beyond its source: %s', async where => {
    const { url, sent } = await playClickHouse(() =>
      writeLines([
        ['__t', '__v'],
        [String(now), '3'],
      ]),
    )
    const { chart } = openMock(await connect(url))
    const answer = await chart({ where, whereLanguage: 'sql' })
    expect([answer.status, sent]).toEqual([400, []])
    expect((await chart({ where: "in(Body, ('a', 'b')) AND Body IN ('c')", whereLanguage: 'sql' })).status).toBe(200)
  })

  it('is cancelled when the caller disconnects', async () => {
    const { url, sent } = await playClickHouse(() => undefined)
    const { chart } = openMock(await connect(url))
    const caller = new AbortController()
    const answer = chart({}, caller.signal).catch(error => error.name)
    await expect.poll(() => sent.length).toBe(1)
    const closed = once(sent[0]!.request.socket, 'close')
    caller.abort()
    expect(await answer).toBe('AbortError')
    await closed
  })

  it('shows the error message of ClickHouse without its code and version', async () => {
    const { url } = await playClickHouse(
      () =>
        'Code: 47. DB::Exception: Unknown expression identifier `nope` in scope. (UNKNOWN_IDENTIFIER) (version 26.7)',
    )
    const { chart } = openMock(await connect(url), {
      choices: { selfHosted: { 'chart/unreadable-where': '500 json' } },
    })
    const answer = await chart({ where: 'nope:1' })
    expect([answer.status, await answer.text()]).toEqual([
      500,
      '{"error":"Unknown expression identifier `nope` in scope."}',
    ])
  })
})

describe('a chart of metrics computed by ClickHouse', () => {
  const metric = { sourceId: '', aggFn: 'max', metricName: 'load', metricDataType: 'gauge' }
  const ask = async (type: string | undefined) => {
    const tables = requiredTables.map(table => [table, 'TimeUnix', type])
    const { url, sent } = await playClickHouse(() => writeLines([['__t'], [String(now), '3']]), type ? tables : columns)
    const { mock, chart } = openMock(await connect(url))
    const sourceId = mock.target({ selfHosted: '' }).selfHosted!.references.sources!.metric!
    const answer = await chart({ ...metric, sourceId })
    return { status: answer.status, text: await answer.text(), sql: sent[0]?.sql }
  }

  it.each([
    ['DateTime64(9)', 'toUnixTimestamp64Milli(`TimeUnix`)'],
    ["Nullable(DateTime64(3, 'UTC'))", 'toUnixTimestamp64Milli(`TimeUnix`)'],
    ['DateTime', 'toUnixTimestamp64Milli(toDateTime64(`TimeUnix`, 3))'],
    ["DateTime('Europe/Berlin')", 'toUnixTimestamp64Milli(toDateTime64(`TimeUnix`, 3))'],
    ['LowCardinality(Date32)', 'toUnixTimestamp64Milli(toDateTime64(`TimeUnix`, 3))'],
    [undefined, 'toUnixTimestamp64Milli(toDateTime64(`TimeUnix`, 3))'],
  ])('reads a time column of the type %s', async (type, milliseconds) => {
    const { status, sql } = await ask(type)
    expect(status).toBe(200)
    expect(sql).toContain(`intDiv(${milliseconds}, `)
    expect(sql!.replaceAll(milliseconds, '')).not.toContain('toUnixTimestamp64Milli')
  })

  it('is refused if the time column has another type', async () => {
    expect(await ask('UInt64')).toEqual({
      status: 400,
      text: expect.stringContaining(
        'Expected a time in the column TimeUnix of the table otel_metrics_gauge, but its type is UInt64',
      ),
      sql: undefined,
    })
  })
})

describe('a mock with external telemetry', () => {
  it('has random credentials and no CORS unless options change that', async () => {
    const { url } = await playClickHouse()
    const telemetry = await connect(url)
    const keyOf = (options: MockOptions) =>
      createMock({ telemetry, ...options }).target({ selfHosted: '' }).selfHosted!.apiKey
    const defaultKey = createMock().target({ selfHosted: '' }).selfHosted!.apiKey
    expect(new Set([keyOf({}), keyOf({}), defaultKey]).size).toBe(3)
    expect(keyOf({ seed: 1 })).toBe(defaultKey)
    expect(createMock({ telemetry, as: 'self-hosted-2.36' }).cors.allows).toEqual(['none'])
    expect(createMock({ telemetry, cors: 'any' }).cors.allows).toEqual(['any'])
  })

  it('loads rows only into the database that --telemetry-write names', async () => {
    const { url, sent } = await playClickHouse()
    const row = { Timestamp: now, Body: "it's", ServiceName: 'api' }
    const { mock, source } = openMock(await connect(url))
    await expect(mock.loadRows(source, [row])).rejects.toThrow(
      'which the mock only reads: --telemetry-write otel allows it',
    )
    expect(sent).toEqual([])
    const writing = openMock(await connect(url, { write: 'otel' })).mock
    const { log } = writing.target({ selfHosted: '' }).selfHosted!.references.sources!
    expect(await writing.loadRows(log!, [row])).toBe(1)
    await expect(writing.loadRows(log!, [{ ...row, Level: 1 }])).rejects.toThrow('rows.0.Level: Not a column')
    expect(sent.at(-1)!.sql).toContain('INSERT INTO `otel`.`otel_logs` FORMAT JSONEachRow')
    expect(sent.at(-1)!.sql).toContain(`{"Timestamp":"2026-01-05T12:00:00.000Z","Body":"it's","ServiceName":"api"}`)
  })

  it.each([
    [
      'runs raw SQL of tiles for a user with grants to read tables only',
      ['GRANT SELECT, SHOW TABLES ON otel.* TO reader'],
      '{"as":"number","value":7}',
    ],
    [
      'refuses raw SQL of tiles for a user with other grants',
      ['GRANT SELECT ON otel.* TO team', 'GRANT URL ON *.* TO team'],
      'has grants to SELECT and SHOW, and no others',
    ],
  ])('%s', async (_, grants, drawn) => {
    const { url, sent } = await playClickHouse(() => writeLines([['n'], ['UInt64'], ['7']]), columns, 0, grants)
    const { mock } = openMock(await connect(url))
    const sqlTemplate = 'SELECT count() FROM otel_logs WHERE Timestamp > {startDateMilliseconds:Int64}'
    const config = { configType: 'sql', displayType: 'number', sqlTemplate } as unknown as TileConfig
    const drawing = await drawTile(queryStack(mock, 'self-hosted'), config, { start: now - 1, end: now })
    expect(JSON.stringify(drawing)).toContain(drawn)
    expect(
      sent.map(({ sql, parameters }) => [sql.includes(sqlTemplate), parameters.get('param_startDateMilliseconds')]),
    ).toEqual(drawn.includes('7') ? [[true, String(now - 1)]] : [])
  })

  it('evaluates alerts when ClickHouse has answered', async () => {
    const hour = 3_600_000
    const lastHour = Math.floor(now / hour) * hour
    const { url } = await playClickHouse(() =>
      writeLines([
        ['__t', '__v'],
        [String(lastHour), '1000000'],
      ]),
    )
    const { mock } = openMock(await connect(url))
    const { alerts } = mock.deployment().stackOf('self-hosted')
    const errors = alerts.list().find(({ name }) => name === 'Errors')!
    mock.clock.advance(hour)
    expect(mock.evaluateAlerts()).toEqual([])
    await mock.awaitAlerts()
    expect([errors.state, alerts.get(errors.id)!.state]).toEqual(['OK', 'ALERT'])
  })
})

describe('the start with external telemetry', () => {
  it.each([
    ['missing tables', columns.slice(1), 0, /database otel at http:.* lacks otel_logs: name the database/],
    ['an empty database', [], 0, /has no tables that this user may read/],
    ['a profile that forbids limits', columns, 1, /profile of default has readonly = 1, .*: give it readonly = 2/],
  ])('refuses a database with %s', async (_, tables, readonly, sentence) => {
    const { url } = await playClickHouse(undefined, tables as string[][], readonly)
    await expect(connectTelemetry(url)).rejects.toThrow(sentence)
  })

  it.each([
    ['http://127.0.0.1:9/otel', /^--telemetry: http:\/\/127.0.0.1:9 does not answer as a ClickHouse \(ECONNREFUSED\)/],
    ['http://u:$SECRET@127.0.0.1:9/otel', /^--telemetry: \$SECRET is not in the environment.$/],
    ['http://u:secret@127.0.0.1:9/', /^--telemetry takes embedded, or the HTTP address(?!.*secret)/],
    ['http://u:100%secret@127.0.0.1:9/otel', /^--telemetry takes embedded, or the HTTP address(?!.*secret)/],
    ['ftp://127.0.0.1/otel', /^--telemetry takes embedded/],
  ])('refuses the URL %s', async (url, sentence) => {
    await expect(connectTelemetry(url)).rejects.toThrow(sentence)
  })

  it('refuses to write to another database than the one that is read', async () => {
    await expect(connectTelemetry('http://127.0.0.1:9/otel', { write: 'prod' })).rejects.toThrow(
      '--telemetry-write prod',
    )
  })
})
