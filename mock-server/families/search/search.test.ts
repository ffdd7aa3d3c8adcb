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
  return async (query: object, kind: 'log' | 'metric' | 'session' = 'log') => {
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
    expect(await search({ where: 'type' }, 'session')).toMatchObject({ status: 500, message: 'Internal server error' })
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

describe('the order of a search', () => {
  it.each([
    ['2 DESC', 's6'],
    ['-1', 's0'],
    ['SeverityNumber DESCENDING', 's6'],
    ['nullIf(SeverityNumber, 3) NULLS FIRST', 's3'],
    ['(SELECT 1), n DESC', 's6'],
  ])('%s may be a place, an alias or an expression', async (orderBy, id) => {
    const { data } = await search({ select: 'SpanId, SeverityNumber AS n', orderBy, maxResults: 1 })
    expect(data[0].SpanId).toBe(id)
  })
})

describe('a filter in SQL', () => {
  it.each([
    ["SpanId IN (SELECT 's1' UNION ALL SELECT 's2')", 2],
    ["SpanId = (SELECT 's1')", 1],
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
    [sql('Body = 1'), 'NO_COMMON_TYPE'],
    [sql("Body = 'open"), 'SYNTAX_ERROR'],
    [sql('Body'), 'ILLEGAL_TYPE_OF_ARGUMENT'],
    [{ select: 'toString(Timestamp) AS Timestamp' }, 'ILLEGAL_TYPE_OF_ARGUMENT'],
  ])('%o with status 400 and the name of its error', async (query, name) => {
    expect(await search(query)).toMatchObject({
      status: 400,
      message: expect.stringMatching(new RegExp(`^${name}: .`)),
    })
  })

  it.each([
    [{ select: 'count()' }],
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
  })
})
