import { describe, expect, it } from 'vitest'
import { createMock } from '../../index.ts'

const start = Date.parse('2026-03-01T12:00:00Z')
const minute = 60_000

const bodies = [
  'timeout after 30s',
  'Timeout waiting',
  'timeouts rising',
  'no time out',
  'row 7 of 9',
  'row 79',
  'NAÏVE',
]

/** A mock with a log row a minute, whose span ids are s0, s1 … in their order. */
function setUp(isDeployment = true) {
  const choices = { selfHosted: { 'version/self-hosted-edition': '2.36' } }
  const options = isDeployment ? { as: 'self-hosted-2.36' as const } : { choices }
  const mock = createMock({ ...options, now: start, scenario: 'empty' })
  const { apiKey, references } = mock.target({ selfHosted: '' }).selfHosted!
  const rows = bodies.map((Body, i) => ({
    Timestamp: start + i * minute,
    SpanId: `s${i}`,
    SeverityNumber: i,
    Body,
    LogAttributes: { code: String(200 + i) },
  }))
  mock.loadRows(references.sources.log!, rows)
  const spans = [
    { SpanId: 't0', 'Events.Name': ['log', 'exception'], 'Events.Attributes': [{}, { type: 'TypeError' }] },
    { SpanId: 't1', 'Events.Name': ['exception'], 'Events.Attributes': [{ type: 'RangeError' }] },
    { SpanId: 't2', TraceId: 's2' },
  ].map((span, i) => ({ Timestamp: start + i * minute, SpanName: 'ev', Duration: i, ...span }))
  mock.loadRows(references.sources.trace!, spans)
  return async (query: object, kind: 'log' | 'trace' | 'metric' | 'session' = 'log') => {
    const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 60 * minute).toISOString() }
    const body = { sourceId: references.sources[kind], ...times, orderBy: 'Timestamp ASC', select: 'SpanId', ...query }
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const call = { method: 'POST', path: '/api/v2/search', query: '', headers, body: JSON.stringify(body) }
    const answer = await mock.answer(call, 'selfHosted')
    const { data, message } = JSON.parse(answer.body)
    return { status: answer.status, data, message }
  }
}

const search = setUp()
const sql = (where: string) => ({ where, whereLanguage: 'sql' })

describe('free text', () => {
  it.each([
    ['timeout', ['s0', 's1']],
    ['TIMEOUT', ['s0', 's1']],
    ['timeo', []],
    ['time', ['s3']],
    ['NOT timeo', ['s0', 's1', 's2', 's3', 's4', 's5', 's6']],
    ['row 7', ['s4']],
    ['"row 7"', ['s4']],
    ['"ow 7"', []],
    ['timeo*', ['s0', 's1', 's2']],
    ['*out', ['s3']],
    ['*ime*', ['s0', 's1', 's2', 's3']],
    ['naïve', []],
    ['naÏve', ['s6']],
    ['Body:naïve', ['s6']],
    ['Body:imeou', ['s0', 's1', 's2']],
  ])('%s finds whole tokens, or parts between wildcards', async (where, found) => {
    expect((await search({ where })).data.map(({ SpanId }: { SpanId: string }) => SpanId)).toEqual(found)
  })

  it('is not searched in sessions', async () => {
    for (const select of ['SpanId', ''])
      expect(await search({ where: 'type', select }, 'session')).toMatchObject({
        status: 500,
        message: 'Internal server error',
      })
  })
})

describe('the columns of a search', () => {
  const first = async (select: string) => (await search({ select, maxResults: 1 })).data[0]

  it.each([
    ['SeverityNumber+1', { 'plus(SeverityNumber, 1)': 1 }],
    ['round(SeverityNumber/1e6)', { 'round(divide(SeverityNumber, 1000000.))': 0 }],
    ["SpanId IN ('s0','s1')", { "in(SpanId, ('s0', 's1'))": 1 }],
    ['(SpanId, SeverityNumber)', { '(SpanId, SeverityNumber)': ['s0', 0] }],
    ['length(Body)', { 'length(Body)': '17' }],
    ["toUnixTimestamp64Nano(toDateTime64('2026-09-02 08:01:00.007', 3)) AS t", { t: '1788336060007000000' }],
    ['bitShiftLeft(toUInt64(1), 60) AS n', { n: '1152921504606846976' }],
    ['SpanId id, SpanId,', { id: 's0', SpanId: 's0' }],
    ['otel_logs.SpanId', { SpanId: 's0' }],
    // An alias that refers to itself through another one means the column.
    ['SpanId AS Body, Body AS SpanId', { Body: bodies[0], SpanId: 's0' }],
  ])('%s have the names of the database', async (select, row) => {
    expect(await first(select)).toEqual(row)
  })

  it('are all of the table for *, without those that EXCEPT names', async () => {
    const all = Object.keys(await first('*'))
    expect(all).toHaveLength(16)
    expect(all.slice(0, 4)).toEqual(['Timestamp', 'TraceId', 'SpanId', 'TraceFlags'])
    expect(Object.keys(await first('* EXCEPT (Body, EventName), 1 AS n'))).toEqual([
      ...all.filter(name => name !== 'Body' && name !== 'EventName'),
      'n',
    ])
  })

  it('make equal rows one with DISTINCT', async () => {
    expect((await search({ select: 'DISTINCT length(Body) > 10 AS long', orderBy: '1 DESC' })).data).toEqual([
      { long: 1 },
      { long: 0 },
    ])
  })
})

describe('columns that are computed from several rows, or are several', () => {
  it.each([
    ['count()', { 'count()': '7' }],
    ['count(), sum(SeverityNumber), avg(SeverityNumber) AS a', { 'count()': '7', 'sum(SeverityNumber)': '21', a: 3 }],
    [
      'max(SeverityNumber) + 1, min(Timestamp) AS t',
      { 'plus(max(SeverityNumber), 1)': 7, t: '2026-03-01T12:00:00.000000000Z' },
    ],
    ['quantile(0.25)(SeverityNumber)', { 'quantile(0.25)(SeverityNumber)': 1.5 }],
    ['countIf(SeverityNumber > 3), any(SpanId)', { 'countIf(greater(SeverityNumber, 3))': '3', 'any(SpanId)': 's0' }],
    ['count(DISTINCT length(Body)), uniq(1)', { 'countDistinct(length(Body))': '5', 'uniq(1)': '1' }],
    ['uniq(SpanId, Body) AS N, quantile(Timestamp) AS t', { N: '7', t: '2026-03-01T12:03:00.000000000Z' }],
    ['uniq(nullIf(SpanId, SpanId)) AS none, max(nullIf(SeverityNumber, 6)) AS most', { none: '0', most: 5 }],
    [
      'argMax(SpanId, SeverityNumber), groupArray(SeverityNumber)',
      { 'argMax(SpanId, SeverityNumber)': 's6', 'groupArray(SeverityNumber)': [0, 1, 2, 3, 4, 5, 6] },
    ],
  ])('%s is one row for all', async (select, row) => {
    expect((await search({ select, orderBy: '1' })).data).toEqual([row])
    expect((await search({ select: `${select}, count() AS n`, orderBy: 'n', offset: 1 })).data).toEqual([])
  })

  it('is one row even where nothing matches', async () => {
    const select = 'count(), max(SeverityNumber) AS most, avg(SeverityNumber) AS mean'
    const { data } = await search({ select, orderBy: '1', where: 'nobody' })
    expect(data).toEqual([{ 'count()': '0', most: 0, mean: null }])
  })

  it('arrayJoin makes a row of each element; equal calls are one', async () => {
    const select = "SpanId, arrayJoin(splitByChar(' ', Body)) AS word, upper(word) AS up"
    const { data } = await search({ ...sql("word LIKE 'row%'"), select, orderBy: 'SpanId DESC' })
    expect(data).toEqual(['s5', 's4'].map(SpanId => ({ SpanId, word: 'row', up: 'ROW' })))
    const query = { select: 'arrayJoin([2, 1]) AS n, SpanId', orderBy: 'n, SpanId', maxResults: 1, offset: 6 }
    expect((await search(query)).data).toEqual([{ n: 1, SpanId: 's6' }])
  })

  it.each([
    ['Events.Name:exc', ['t0', 't1']],
    ['Events.Name:"log"', ['t0']],
    ['Events.Name:"lo"', []],
    ['Events.Name:("lo" OR x)', ['t0', 't1']],
    ['NOT Events.Name:*', ['t2']],
    ['Events.Attributes.type:Type*', ['t0']],
    ['Events.Attributes.type:"RangeError"', ['t1']],
    ['Events.Attributes.type:*', ['t0', 't1']],
  ])('%s finds the arrays that have such an element', async (where, found) => {
    const { data } = await search({ where }, 'trace')
    expect(data.map(({ SpanId }: { SpanId: string }) => SpanId)).toEqual(found)
  })

  it.each(['Events.Attributes:x', 'Events.Name:>a', 'Events.Name:[a TO z]'])('%s is refused', async where => {
    expect(await search({ where }, 'trace')).toMatchObject({ status: 500, message: 'Internal server error' })
  })
})

describe('the order of a search', () => {
  it.each([
    ['2 DESC', 's6'],
    ['-1', 's0'],
    ['SeverityNumber DESCENDING', 's6'],
    ['nullIf(SeverityNumber, 3) NULLS FIRST', 's3'],
    ['(SELECT 1), n DESC', 's6'],
    ['(SELECT max(SeverityNumber) FROM default.otel_logs) - n', 's6'],
    ['[9 - SeverityNumber]', 's6'],
    ['SpanId IN (SELECT SpanId FROM otel_logs WHERE SeverityNumber = 3) DESC', 's3'],
  ])('%s may be a place, an alias or an expression', async (orderBy, id) => {
    const { data } = await search({ select: 'SpanId, SeverityNumber AS n', orderBy, maxResults: 1 })
    expect(data[0].SpanId).toBe(id)
  })
})

describe('a filter in SQL', () => {
  it.each([
    ["SpanId IN (SELECT 's1' UNION ALL SELECT 's2')", 2],
    ["SpanId = (SELECT 's1')", 1],
    ["SpanId IN (SELECT arrayJoin(['s1', 's3']))", 2],
    ['exists(SELECT 1)', 7],
    ['SpanId IN (SELECT id FROM (SELECT SpanId AS id, SeverityNumber AS n FROM otel_logs) WHERE n > 4)', 2],
    ['SpanId IN (SELECT SpanId FROM otel_logs ORDER BY SeverityNumber LIMIT 1 BY length(Body) LIMIT 3)', 3],
    ['SpanId IN (WITH few AS (SELECT SpanId FROM otel_logs LIMIT 2) SELECT * FROM few)', 2],
    ["SpanId IN (SELECT SpanId FROM default.otel_logs WHERE Body LIKE 'row%')", 2],
    ['SpanId NOT IN (SELECT DISTINCT SpanId FROM otel_logs ORDER BY SeverityNumber DESC LIMIT 3)', 4],
    ['SpanId IN (SELECT l.SpanId FROM default.otel_logs AS l WHERE l.SeverityNumber > 1 LIMIT 9 OFFSET 2)', 3],
    ['SpanId GLOBAL IN (SELECT TraceId FROM default.otel_traces)', 1],
    ['(SpanId, SeverityNumber) IN (SELECT SpanId, SeverityNumber FROM otel_logs)', 7],
    ['SeverityNumber > (SELECT avg(SeverityNumber) FROM otel_logs)', 3],
    ['Timestamp = (SELECT max(Timestamp) FROM otel_logs)', 1],
    ['SeverityNumber = (SELECT SeverityNumber FROM otel_logs WHERE 0)', 0],
    ['length(Body) IN (SELECT length(Body) AS n FROM otel_logs GROUP BY n HAVING count() > 1)', 4],
    ['EXISTS (SELECT 1 FROM otel_logs WHERE SeverityNumber = 99)', 0],
    ['arrayJoin([0, 1, 2])', 14],
    ['SpanId IN ()', 0],
    ['toUInt64(1)', 7],
    ["Timestamp > '2026-03-01 12:04:30'", 2],
  ])('%s finds rows', async (where, count) => {
    expect((await search(sql(where))).data).toHaveLength(count)
  })
})

describe('the database refuses', () => {
  it.each([
    [{ select: 'nosuch' }, 'UNKNOWN_IDENTIFIER'],
    [{ select: 'nosuch(1)' }, 'UNKNOWN_FUNCTION'],
    [{ select: 'upper(SeverityNumber)' }, 'ILLEGAL_TYPE_OF_ARGUMENT'],
    [{ select: 'CAST(Body AS Nothing2)' }, 'UNKNOWN_TYPE'],
    [{ select: ' ' }, 'SYNTAX_ERROR'],
    [{ orderBy: '5' }, 'BAD_ARGUMENTS'],
    [{ orderBy: 'SpanId LIMIT 1' }, 'SYNTAX_ERROR'],
    [{ where: 'nosuch:1' }, 'UNKNOWN_IDENTIFIER'],
    [{ where: 'AND timeout' }, 'UNKNOWN_FUNCTION'],
    [{ where: '+LogAttributes.code:200' }, 'UNKNOWN_IDENTIFIER'],
    [{ where: '+SeverityNumber:1' }, 'ILLEGAL_TYPE_OF_ARGUMENT'],
    [sql('Body = 1'), 'NO_COMMON_TYPE'],
    [sql("Body = 'open"), 'SYNTAX_ERROR'],
    [sql('Body'), 'ILLEGAL_TYPE_OF_ARGUMENT'],
    [{ select: 'toString(Timestamp) AS Timestamp' }, 'ILLEGAL_TYPE_OF_ARGUMENT'],
    [sql('SpanId IN (SELECT SpanId FROM default.nosuch)'), 'UNKNOWN_TABLE'],
    [sql('SpanId IN (SELECT nosuch FROM otel_logs)'), 'UNKNOWN_IDENTIFIER'],
    [sql('SpanId IN (SELECT nosuch)'), 'UNKNOWN_IDENTIFIER'],
    [{ select: 'TimestampTime' }, 'UNKNOWN_IDENTIFIER'],
    [{ select: 'arrayJoin(1)' }, 'ILLEGAL_TYPE_OF_ARGUMENT'],
    [{ select: 'sum(Body)', orderBy: '1' }, 'ILLEGAL_TYPE_OF_ARGUMENT'],
    [{ select: 'count()', orderBy: 'nosuch' }, 'UNKNOWN_IDENTIFIER'],
  ])('%o with status 400 and the name of its error', async (query, name) => {
    expect(await search(query)).toMatchObject({
      status: 400,
      message: expect.stringMatching(new RegExp(`^${name}: .`)),
    })
  })

  it.each([
    [{ select: 'count()' }],
    [{ select: 'count(), Body', orderBy: '1' }],
    [{ select: 'count()', orderBy: '' }],
    [{ select: 'count(SpanId, Body)', orderBy: '1' }],
    [{ select: 'quantile(2)(SeverityNumber)', orderBy: '1' }],
    [sql('count() > 1')],
    [sql('SpanId = (SELECT SpanId FROM otel_logs)')],
    [{ select: "throwIf(1, 'stop')" }],
    [{ select: 'toInt32(Body)' }],
    [{ select: '1 AS a, 2 AS a' }],
    // The client of deployments takes the word in brackets for the name of the error.
    [{ select: 'upper(BODY)' }],
    [sql('Body =')],
    [sql('1 UNION SELECT 1')],
    [sql("Timestamp > '2026-03-01T12:04:30Z'")],
  ])('%o as a failure', async query => {
    expect(await search(query)).toMatchObject({ status: 500, message: 'Query execution failed' })
  })

  it('every search of a metric source, and the default columns of a session source', async () => {
    expect(await search({ select: 'Value' }, 'metric')).toMatchObject({
      status: 500,
      message: 'Query execution failed',
    })
    expect((await search({ select: '' }, 'session')).message).toMatch(/^SYNTAX_ERROR: /)
  })

  it('with the part and the position, where the choice is a sentence', async () => {
    const { status, message } = await setUp(false)({ orderBy: 'SpanId, nosuch DESC' })
    expect([status, message]).toEqual([
      400,
      expect.stringMatching(/^orderBy, column 9: Expected a column of the log table/),
    ])
    const { message: sentence } = await setUp(false)({ select: 'count()', orderBy: '' })
    expect(sentence).toBe(
      'orderBy, column 1: Expected an order, such as 1, because rows are sorted by time without one',
    )
  })
})
