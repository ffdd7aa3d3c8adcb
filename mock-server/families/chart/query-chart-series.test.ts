import { describe, expect, it } from 'vitest'
import type { Edition } from '../../../fixtures/contract/index.ts'
import { judgeBody } from '../../core/accept/judge-request.ts'
import { core } from '../../mock/made-of.ts'
import { createTelemetry } from '../../telemetry/telemetry.ts'
import { defaultLimits } from '../../words/limits.ts'
import { Refusal } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import type { Request } from '../family.ts'
import type { Stack } from '../stack/stack.ts'
import { queryChartSeries } from './index.ts'

const midnight = Date.parse('2026-01-05T00:00:00Z')
const hour = 3_600_000
const source = (id: string, kind: string, more = {}) => ({
  id,
  kind,
  connection: 'there',
  bodyExpression: 'Body',
  ...more,
})

const [logSource, traceSource, disconnectedSource, metricSource, customLogSource] = ['a', 'b', 'c', 'd', 'e'].map(
  digit => digit.repeat(24),
) as [string, string, string, string, string]

const sources = [
  source(logSource, 'log', { from: { databaseName: 'default', tableName: 'otel_logs' } }),
  source(traceSource, 'trace', { bodyExpression: undefined }),
  source(disconnectedSource, 'log', { connection: 'gone' }),
  source(customLogSource, 'log', {
    serviceNameExpression: "LogAttributes['dur']",
    severityTextExpression: 'toString(SeverityNumber)',
  }),
  source(metricSource, 'metric', { metricTables: { gauge: 'g', sum: 's' }, bodyExpression: undefined }),
] as unknown as Source[]

const telemetry = createTelemetry(undefined, () => [sources[0]!])
telemetry.load(logSource, 'log', [
  row(0, 'api', 'error', 17, 'Timeout of 100_ms', { dur: '10', 'user.id': 'u1' }),
  row(1, 'api', 'info', 9, 'at 100% now', { dur: '30' }),
  row(61, 'billing-api', 'error', 17, '{"user": {"name": "Ada"}}', { dur: 'long' }),
  row(62, 'web', 'warn', 13, 'say "hi": it\'s', {}),
])
telemetry.load(customLogSource, 'log', [row(0, 'api', 'error', 17, '', { dur: 'long' })])
telemetry.load(traceSource, 'trace', [
  { Timestamp: midnight, SpanName: 'GET /cart', ServiceName: 'web', Duration: 1_500_000 },
])
telemetry.load(metricSource, 'metric', [
  { TimeUnix: midnight, MetricName: 'cpu', MetricType: 'gauge', Value: 0.5 },
  { TimeUnix: midnight + 1, MetricName: 'cpu', MetricType: 'gauge', Value: 0.7 },
  { TimeUnix: midnight + 2, MetricName: 'ram', MetricType: 'gauge', Value: 9 },
])

function row(
  minute: number,
  ServiceName: string,
  SeverityText: string,
  SeverityNumber: number,
  Body: string,
  LogAttributes: object,
) {
  return { Timestamp: midnight + minute * 60_000, ServiceName, SeverityText, SeverityNumber, Body, LogAttributes }
}

const createCollection = <T extends { id: string }>(all: readonly T[]) => ({
  get: (id: string) => all.find(one => one.id === id),
})
const stack = {
  sources: createCollection(sources),
  connections: createCollection([{ id: 'there' }]),
  telemetry,
} as unknown as Stack

interface Deployment {
  readonly edition?: Edition
  readonly choices?: Readonly<Record<string, string>>
}
const realDeployment = {
  choices: {
    'chart/free-text': 'refuse',
    'chart/short-names': 'refuse',
    'chart/group-names': 'collapse',
    'chart/unreadable-where': '500 json',
  },
}

function send(body: unknown, { edition = '2.24', choices = {} }: Deployment = {}): Record<string, unknown>[] {
  const request = {
    stack,
    edition,
    body,
    form: 'selfHosted',
    limits: defaultLimits,
    choice: (gap: string) => choices[gap] ?? (gap === 'chart/time-unit' ? 'milliseconds' : '400 json'),
    judge: (read: unknown) => judgeBody(core, 'chart.query', { ...request, body: read } as unknown as Request),
  }
  const reply = queryChartSeries(request as unknown as Request)
  return JSON.parse((reply as { json: string }).json)
}

const series = (more: object = {}) => ({ sourceId: logSource, aggFn: 'count', where: '', groupBy: [], ...more })
const chart = (more: object, ...all: object[]) => ({
  startTime: midnight,
  endTime: midnight + 24 * hour,
  granularity: '1h',
  series: all.length > 0 ? all : [series()],
  ...more,
})
const seriesValue = (more: object, deployment?: Deployment) =>
  send(chart({ granularity: '1d' }, series(more)), deployment)[0]?.['series_0.data']
const countOf = (where: string, deployment?: Deployment, more = {}) =>
  seriesValue({ where, ...more }, deployment) ?? '0'

function refusalOf(body: unknown, deployment?: Deployment): Refusal {
  try {
    send(body, deployment)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('a chart query', () => {
  it('answers one row for each bucket and group, with counts as strings and no key for a series without rows', () => {
    const errors = series({ where: 'SeverityText:error', groupBy: ['ServiceName'] })
    const rows = send(chart({}, errors, { ...errors, where: 'SeverityText:warn' }))
    expect(rows).toEqual([
      { ts_bucket: midnight, group: ['api'], 'series_0.data': '1' },
      { ts_bucket: midnight + hour, group: ['billing-api'], 'series_0.data': '1' },
      { ts_bucket: midnight + hour, group: ['web'], 'series_1.data': '1' },
    ])
  })

  it('answers the column names of the database for seriesReturnType column', () => {
    const rows = send(
      chart(
        { seriesReturnType: 'column', granularity: '1d' },
        series({ groupBy: ['SeverityNumber'], where: 'SeverityNumber:17' }),
      ),
    )
    expect(rows).toEqual([{ series_0: '2', SeverityNumber: 17, __hdx_time_bucket: '2026-01-05T00:00:00Z' }])
  })

  it('groups by the values of a map key, or collapses them into null where the choice is `collapse`', () => {
    const query = chart({ granularity: '1d' }, series({ groupBy: ["LogAttributes['dur']", 'ServiceName'] }))
    const row = (...group: (string | null)[]) => ({ ts_bucket: midnight, group, 'series_0.data': '1' })
    expect(send(query)).toEqual([row('10', 'api'), row('30', 'api'), row('long', 'billing-api'), row('', 'web')])
    expect(send(query, realDeployment)).toEqual([row(null, 'api'), row(null, 'billing-api'), row(null, 'web')])
  })

  it('writes groups by hours and days as the database does', () => {
    const groupBy = ['toHour(Timestamp)', 'toDate(Timestamp)', 'toStartOfHour(Timestamp)']
    const groups = send(chart({ granularity: '1d' }, series({ groupBy }))).map(({ group }) => group)
    expect(groups).toEqual([
      [0, '2026-01-05', '2026-01-05T00:00:00Z'],
      [1, '2026-01-05', '2026-01-05T01:00:00Z'],
    ])
  })

  it('accepts an alias and several groups in one text; the choice `collapse` turns both into null', () => {
    const query = (...groupBy: string[]) =>
      chart({ granularity: '1d' }, series({ groupBy, where: 'SeverityText:error' }))
    const row = (...group: (string | null)[]) => ({ ts_bucket: midnight, group, 'series_0.data': '1' })
    expect(send(query('ServiceName AS s'))).toEqual([row('api'), row('billing-api')])
    expect(send(query('ServiceName, upper(SeverityText) AS u'))).toEqual([
      row('api', 'ERROR'),
      row('billing-api', 'ERROR'),
    ])
    expect(send(query('ServiceName AS s'), realDeployment)).toEqual([row(null)])
    expect(send(query('ServiceName, SeverityText'), realDeployment)).toEqual([row(null)])
  })

  it('filters by the SQL expressions that dashboards use', () => {
    const sql = (where: string) => countOf(where, {}, { whereLanguage: 'sql' })
    expect(sql("toStartOfDay(Timestamp) + INTERVAL 1 day > TIMESTAMP '2026-01-05 23:00:00'")).toBe('4')
    expect(sql("arrayExists(x -> x = 'billing', splitByChar('-', default.otel_logs.ServiceName))")).toBe('1')
    expect(sql('CASE WHEN SeverityNumber = 17 THEN NULL ELSE true END')).toBe('2')
    expect(sql('Timestamp > now() - INTERVAL 100 YEAR')).toBe('4')
    expect(sql("ServiceName IN (SELECT ServiceName FROM otel_logs WHERE SeverityText = 'error')")).toBe('3')
    expect(sql('arrayJoin([1, 0, 1])')).toBe('8')
  })

  it('groups by the elements of an array', () => {
    const query = chart({ granularity: '1d' }, series({ groupBy: ['arrayJoin([1, 2])'] }))
    expect(send(query)).toEqual([1, 2].map(n => ({ ts_bucket: midnight, group: [n], 'series_0.data': '4' })))
  })

  it('refuses unknown names, in the words of the database where the choice says so', () => {
    const sentence = (where: string) =>
      refusalOf(chart({}, series({ where, whereLanguage: 'sql' })), realDeployment).sentence
    expect(sentence("nope = 'x'")).toMatch(/^Unknown expression or function identifier `nope`/)
    expect(sentence('nope(ServiceName)')).toMatch(/^Function with name `nope` does not exist/)
    expect(sentence('ServiceName IN (SELECT Body FROM nosuch)')).toBe("Unknown table expression identifier 'nosuch'")
  })

  it('separates groups whose values contain the character |', () => {
    const groupBy = ["if(ServiceName = 'api', 'a|b', 'a')", "if(ServiceName = 'api', 'c', 'b|c')"]
    expect(send(chart({ granularity: '1d' }, series({ groupBy, where: 'SeverityText:error' })))).toHaveLength(2)
  })

  it.each([
    [{ aggFn: 'avg', field: 'SeverityNumber' }, 14],
    [{ aggFn: 'sum', field: "LogAttributes['dur']" }, 40],
    [{ aggFn: 'max', field: "LogAttributes['dur']" }, 30],
    [{ aggFn: 'avg', field: 'ServiceName' }, 0],
    [{ aggFn: 'max', field: 'LogAttributes.dur' }, 0],
    [{ aggFn: 'count_distinct', field: 'LogAttributes.dur' }, '1'],
    [{ aggFn: 'count_distinct', field: 'ServiceName' }, '3'],
    [{ aggFn: 'quantile', field: 'SeverityNumber', level: 0.25 }, 12],
    [{ aggFn: 'quantile', field: 'SeverityNumber' }, 15],
    [{ aggFn: 'last_value', field: 'SeverityNumber' }, 13],
    [{ aggFn: 'any', field: 'ServiceName' }, 'api'],
    [{ aggFn: 'max', field: 'length(Body)' }, 25],
    [{ aggFn: 'sum', field: 'SeverityNumber / 2' }, 28],
    [{ aggFn: 'sum', field: 'Duration', sourceId: traceSource }, 1_500_000],
    [{ aggFn: 'any', field: 'Duration', sourceId: traceSource }, '1500000'],
    [{ aggFn: 'avg', metricName: 'cpu', metricDataType: 'gauge', sourceId: metricSource }, 0.7],
    [{ aggFn: 'max', field: 'ram', metricDataType: 'gauge', sourceId: metricSource }, 9],
  ])('of %o answers %s', (fields, value) => {
    expect(seriesValue(fields)).toEqual(value)
  })
})

describe('level and service in where', () => {
  it.each([
    ['level:error', '2'],
    ['service:web', '1'],
    ['level:"info" service:"api"', '1'],
    ['-level:error', '2'],
    ['service:(web OR billing)', '2'],
  ])('mean the severity and the service of the source: %s', (where, count) => {
    expect(countOf(where)).toBe(count)
    expect(refusalOf(chart({}, series({ where })), realDeployment).kind).toBe('unreadableWhere')
  })

  it('use the expressions that the source defines', () => {
    expect(countOf('service:long', {}, { sourceId: customLogSource })).toBe('1')
    expect(countOf('level:17', {}, { sourceId: customLogSource })).toBe('1')
    expect(countOf('level:error', {}, { sourceId: customLogSource })).toBe('0')
  })

  it('for a trace source: service works, and level is refused', () => {
    expect(countOf('service:web', {}, { sourceId: traceSource })).toBe('1')
    const level = series({ sourceId: traceSource, where: 'level:error' })
    expect(refusalOf(chart({}, level)).sentence).toContain('Expected a column of the trace table, but "level" is none')
  })
})

describe('free text', () => {
  it('is searched in the body, unless the deployment refuses it', () => {
    expect(countOf('Timeout')).toBe('1')
    expect(refusalOf(chart({}, series({ where: 'timeout' })), realDeployment)).toMatchObject({
      kind: 'unreadableWhere',
      sentence: 'Can not search bare text without an implicit column set.',
    })
  })
})

describe('the validation of a chart query', () => {
  it.each([
    ['where', { where: 'ServiceName:"x' }, 'series.0.where, column 15: Expected a closing quote, but the text ends'],
    [
      'where',
      { where: 'code:500' },
      'series.0.where, column 1: Expected a column of the log table, but "code" is none',
    ],
    [
      'where',
      { where: 'a = ', whereLanguage: 'sql' },
      'series.0.where, column 5: Expected a column, a value or a function',
    ],
    ['where', { where: 'LogAttributes:x' }, 'series.0.where, column 1: Expected a key after "LogAttributes."'],
    [
      'field',
      { aggFn: 'max', field: 'Length' },
      'series.0.field, column 1: Expected a column of the log table, but "Length"',
    ],
    [
      'field',
      { aggFn: 'avg' },
      'series.0.field, column 1: Expected a column, a value or a function, but the text ends',
    ],
    ['field', { aggFn: 'none', field: 'Body' }, 'series.0.field, column 1: Expected an aggregate'],
    ['field', { aggFn: 'max', field: "LogAttributes['a.b']" }, 'series.0.field, column 17: Expected the end, but "a"'],
    [
      'groupBy',
      { groupBy: ['service'] },
      'series.0.groupBy, column 1: Expected a column of the log table, but "service"',
    ],
  ])('names the position of the error in %s: %o', (_, wrong, sentence) => {
    expect(refusalOf(chart({}, series(wrong)))).toMatchObject({
      kind: 'unreadableWhere',
      sentence: expect.stringContaining(sentence),
    })
  })

  it('names the first series whose source or connection is missing', () => {
    const unknown = series({ sourceId: 'f'.repeat(24) })
    const disconnected = series({ sourceId: disconnectedSource })
    expect(refusalOf(chart({}, series(), unknown))).toMatchObject({
      kind: 'unknownSource',
      sentence: 'Source not found for series 1',
    })
    expect(refusalOf(chart({}, disconnected, unknown)).sentence).toBe('Connection not found for series 0')
  })

  it('accepts a source id in upper case', () => {
    expect(countOf('', {}, { sourceId: 'A'.repeat(24) })).toBe('4')
  })

  it('requires the type and the name of a metric, in the words of deployments where the choice says so', () => {
    const sentence = (more: object, deployment?: Deployment) =>
      refusalOf(chart({}, series({ sourceId: metricSource, metricName: 'cpu', aggFn: 'avg', ...more })), deployment)
        .sentence
    expect(sentence({})).toBe('Expected a metric type of this source: gauge, sum')
    expect(sentence({}, realDeployment)).toBe('no query support for metric type=undefined')
    expect(sentence({ metricDataType: 'summary' }, realDeployment)).toBe('no query support for metric type=summary')
    expect(sentence({ metricDataType: 'gauge', metricName: undefined }, realDeployment)).toBe(
      'no query support for metric type=gauge',
    )
  })

  it('refuses times that the database cannot store', () => {
    expect(refusalOf(chart({ endTime: 9e15 })).kind).toBe('unreadableWhere')
  })

  it.each([
    ['2.24', { series: [series({ sourceId: 'x' })] }, ['series.0.sourceId: Invalid input']],
    ['2.36', { series: [series({ sourceId: 'x' })] }, ['series.0.sourceId: Invalid ObjectId']],
    ['2.24', { startTime: 1767571200 }, ['startTime: Timestamp must be in milliseconds']],
    ['2.24', { series: undefined, startTime: undefined }, ['series: Required', 'startTime: Required']],
    [
      '2.24',
      { series: [series(), series({ groupBy: ['Body'] })] },
      ['series: All series must have the same groupBy fields'],
    ],
  ] as const)('in edition %s reports the issues of the body %o', (edition, wrong, sentence) => {
    const refusal = refusalOf(chart(wrong), { edition })
    expect(refusal.kind).toBe('invalid')
    expect(refusal.details.issues?.map(issue => `${issue.path.join('.')}: ${issue.sentence}`)).toEqual(sentence)
  })

  it('knows more aggregates and languages in the newer edition', () => {
    const newer = { edition: '2.36' } as const
    expect(countOf('', newer, { whereLanguage: 'promql' })).toBe('4')
    expect(refusalOf(chart({}, series({ whereLanguage: 'promql' }))).kind).toBe('invalid')
    // The body is valid; the field is not a number.
    expect(refusalOf(chart({}, series({ aggFn: 'increase', field: 'Body' })), newer).kind).toBe('unreadableWhere')
  })
})
