import { describe, expect, it } from 'vitest'
import { InvalidQuery } from '../query/invalid-query.ts'
import { planFilter } from '../query/plan.ts'
import { createTelemetry } from '../telemetry.ts'
import { compileFilters } from './compile-expression.ts'

const midnight = Date.parse('2026-01-05T00:00:00Z')
const telemetry = createTelemetry()
telemetry.load('logs', 'log', [
  row(0, 'api', 'error', 17, 'Timeout of 100_ms', { dur: '10', 'user.id': 'u1' }),
  row(1, 'api', 'info', 9, 'at 100% now', { dur: '30' }),
  row(61, 'billing-api', 'error', 17, '{"user": {"name": "Ada"}}', { dur: 'long' }),
  row(62, 'web', 'warn', 13, 'say "hi": it\'s', {}),
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

const store = telemetry.rows('logs')!

function countOf(text: string, language = 'lucene', edition: '2.24' | '2.36' = '2.24', implicit?: string): string {
  const condition = planFilter({ text, language }, { kind: 'log', edition, implicitColumn: implicit })
  const matches = condition && compileFilters(store, [condition])
  return String([0, 1, 2, 3].filter(index => matches?.(index) ?? true).length)
}

describe('a filter of the search dialect', () => {
  it.each([
    ['ServiceName:api', '3'],
    ['ServiceName:"api"', '2'],
    ['ServiceName:API', '3'],
    ['ServiceName:"API"', '0'],
    ['ServiceName:bill*', '1'],
    ['ServiceName:(*api)', '3'],
    ['ServiceName:(bill*)', '1'],
    ['-ServiceName:(api OR web)', '0'],
    ['ServiceName:(api web)', '0'],
    ['NOT ServiceName:"api" AND SeverityText:error', '1'],
    ['ServiceName:web OR ServiceName:"api" AND SeverityText:error', '2'],
    ['ServiceName:web OR NOT SeverityText:error', '2'],
    ['LogAttributes.user.id:*', '1'],
    ['-LogAttributes.user.id:*', '3'],
    ['LogAttributes.dur:>2', '2'],
    ['SeverityNumber:>=13 SeverityNumber:<17', '1'],
    ['SeverityNumber:[13 TO 17]', '3'],
    ['SeverityNumber:"17"', '2'],
    ['Body.user.name:ada', '1'],
    ['Body:"say \\"hi\\"\\: it\'s"', '1'],
    ['Body:hi\\"\\:', '1'],
    ['Timestamp:>2026-01-05', '3'],
    ['ServiceName:**', '4'],
    ['SeverityText:error AND', '2'],
    ['+ServiceName:api', '3'],
    ['+ServiceName:api +SeverityText:error', '2'],
    ['+ServiceName:(api web)', '0'],
    ['ServiceName:*web', '1'],
    // A wildcard at one end of a value after a field does not anchor the other end.
    ['Body:100*', '2'],
    ['Body:*of', '1'],
    ['SeverityText:*rro', '2'],
    ['ServiceName:*pi', '3'],
  ])('%s finds %s rows', (where, count) => {
    expect(countOf(where)).toBe(count)
  })

  it('treats ranges and the wildcards of LIKE differently in each edition', () => {
    const newer = (text: string) => countOf(text, 'lucene', '2.36')
    expect([countOf('SeverityNumber:{13 TO 17}'), newer('SeverityNumber:{13 TO 17}')]).toEqual(['3', '0'])
    expect([countOf('Body:100_'), newer('Body:100_')]).toEqual(['2', '1'])
    expect(newer('SeverityNumber:[13 TO *]')).toBe('3')
    expect(() => countOf('SeverityNumber:[13 TO *]')).toThrow(InvalidQuery)
  })

  it('searches bare words in the implicit column, and refuses them without that column', () => {
    const inBody = (text: string) => countOf(text, 'lucene', '2.36', 'Body')
    expect([inBody('timeout'), inBody('-timeout'), inBody('"100% now"')]).toEqual(['1', '3', '1'])
    expect(countOf('web', 'lucene', '2.24', 'Body, ServiceName')).toBe('1')
    const raw = 'Can not search bare text without an implicit column set.'
    expect(() => countOf('timeout')).toThrow(expect.objectContaining({ raw }))
  })
})

describe('a filter in SQL', () => {
  it.each([
    ["ServiceName IN ('api', 'web')", '3'],
    ["ServiceName NOT IN ('api')", '2'],
    ["Body LIKE 'at%'", '1'],
    ["Body ILIKE '%TIMEOUT%'", '1'],
    ["Body LIKE '%100\\\\_%'", '1'],
    ['SeverityNumber BETWEEN 9 AND 13', '2'],
    ["mapContains(LogAttributes, 'user.id')", '1'],
    ["LogAttributes['user.id'] = ''", '3'],
    ["toUInt32OrZero(LogAttributes['dur']) > 10", '1'],
    ["NOT toFloat64OrNull(LogAttributes['dur']) > 10", '1'],
    ["toFloat64OrNull(LogAttributes['dur']) IS NULL", '2'],
    ["lower(SeverityText) = 'error' AND startsWith(ServiceName, 'bill')", '1'],
    ["startsWith(ServiceName, 'api')", '2'],
    ["endsWith(ServiceName, 'api')", '3'],
    ["endsWith(ServiceName, 'billing')", '0'],
    ["SeverityNumber = '17'", '2'],
    ["Timestamp >= '2026-01-05 01:00:00'", '2'],
    ['1 = 0', '0'],
    ["nullIf(ServiceName, 'api') IS NULL", '2'],
    ["nullIf(LogAttributes['dur'], '') IS NOT NULL", '3'],
    ['nullIf(ServiceName, NULL) IS NULL', '0'],
    ["xor(ServiceName = 'api', SeverityNumber = 17)", '2'],
    ['xor(1, NULL) IS NULL', '4'],
    ['toHour(Timestamp) = 1', '2'],
    ['toMinute(TimestampTime) > 1', '1'],
    ["toDate(Timestamp) = '2026-01-05'", '4'],
    ["toString(toDate(Timestamp)) = '2026-01-05'", '4'],
    ["toStartOfHour(Timestamp) = '2026-01-05 01:00:00'", '2'],
    ["toStartOfDay(Timestamp) = '2026-01-05 00:00:00'", '4'],
    ["dateDiff('minute', toStartOfDay(Timestamp), Timestamp) = 61", '1'],
    ["dateDiff('hour', Timestamp, toDateTime('2026-01-05 02:00:00')) = 1", '2'],
    ["dateDiff('day', toDateTime('2026-01-04 23:59:59'), Timestamp) = 1", '4'],
    ["dateDiff('week', toDate('2026-01-04'), toDate('2026-01-05')) = 1", '4'],
    ["dateDiff('month', toDate('2026-01-31'), toDate('2026-02-01')) = 1", '4'],
    ["replaceAll(ServiceName, 'api', 'x') = 'billing-x'", '1'],
    ["replaceAll(ServiceName, '', 'x') = 'web'", '1'],
    ["splitByChar('-', ServiceName)[2] = 'api'", '1'],
    ["splitByChar('-', ServiceName)[-1] = 'api'", '3'],
    ["splitByChar('-', ServiceName)[7] = ''", '4'],
    ["has(splitByChar('-', ServiceName), 'billing')", '1'],
    ["multiSearchAny(Body, ['100%', 'Ada'])", '2'],
    ["multiSearchAny(Body, ['timeout'])", '0'],
    ["multiSearchAnyCaseInsensitive(Body, ['timeout'])", '1'],
    ["ServiceName IN ['api', 'web']", '3'],
    ["mapKeys(LogAttributes)[1] = 'dur'", '3'],
    ["LogAttributes[lower('DUR')] = '10'", '1'],
    ["JSONHas(Body, 'user', 'name')", '1'],
    ["JSONHas(Body, 'user', 'age')", '0'],
    ['SeverityNumber', '4'],
  ])('%s finds %s rows', (where, count) => {
    expect(countOf(where, 'sql')).toBe(count)
  })

  it.each([
    'NoSuchColumn = 1',
    "noSuchFunction(Body) = 'x'",
    'ServiceName = 5',
    "SeverityNumber = 'high'",
    'Body LIKE 5',
    'Body',
    'count() > 1',
    'ServiceName =',
    'toHour(Body) = 1',
    "dateDiff('eon', Timestamp, Timestamp) = 0",
    "splitByChar('--', ServiceName)[1] = 'api'",
    "multiSearchAny(Body, 'x')",
    "ServiceName IN ['api'",
    'Body[1]',
    "splitByChar('-', ServiceName)['x'] = ''",
  ])('refuses %s', where => {
    expect(() => countOf(where, 'sql')).toThrow(InvalidQuery)
  })
})
