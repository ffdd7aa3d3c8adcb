import { describe, expect, it } from 'vitest'
import { type Expression, nameOf } from './expression.ts'
import { InvalidQuery } from './invalid-query.ts'
import { parseSql, parseSqlColumns, parseSqlList, parseSqlOrders } from './sql.ts'

describe('SQL conditions', () => {
  it.each([
    ["a = 'it''s'", "equals(a, 'it\\'s')"],
    ['a = 1 OR b = 2 AND NOT c = 3', 'or(equals(a, 1), and(equals(b, 2), not(equals(c, 3))))'],
    ['(a = 1 OR b = 2) AND c = 3', 'and(or(equals(a, 1), equals(b, 2)), equals(c, 3))'],
    ['a BETWEEN 1 AND 2 AND b', 'and(and(greaterOrEquals(a, 1), lessOrEquals(a, 2)), b)'],
    ["a not in ('x', 'y')", "notIn(a, ('x', 'y'))"],
    ["a NOT LIKE '%x%'", "notLike(a, '%x%')"],
    ['a IS NOT NULL', 'isNotNull(a)'],
    ["LogAttributes['k'] != ''", "notEquals(arrayElement(LogAttributes, 'k'), '')"],
    ['1 + 2 * -b', 'plus(1, multiply(2, negate(b)))'],
    ['CAST(a AS Float64) > 1', "greater(CAST(a, 'Float64'), 1)"],
    ['"Service" = `Name` -- a comment', 'equals(Service, Name)'],
    ['a - b - c || d / e % f', 'concat(minus(minus(a, b), c), modulo(divide(d, e), f))'],
    ['a == 1 <> b', 'notEquals(equals(a, 1), b)'],
    ['a and b AND c or d OR e', 'or(and(a, b, c), d, e)'],
    ['not not a', 'not(not(a))'],
    ["a ILIKE 'x' AND b NOT ILIKE 'y' AND c LIKE 'z'", "and(ilike(a, 'x'), notILike(b, 'y'), like(c, 'z'))"],
    ['a NOT BETWEEN 1 AND b + 1', 'or(less(a, 1), greater(a, plus(b, 1)))'],
    ['a IN b', 'in(a, b)'],
    ['(a, 1) IN (b)', 'in((a, 1), b)'],
    ['a IN (SELECT 1 UNION ALL SELECT 2)', 'in(a, _subquery)'],
    ['a > (SELECT 1) AND exists(SELECT 1)', 'and(greater(a, _subquery), exists(_subquery))'],
    ['a IS NULL', 'isNull(a)'],
    ['a = null OR b = True OR c = false', 'or(equals(a, NULL), equals(b, true), equals(c, false))'],
    ['- 5 + - - 6 - (-7)', 'minus(plus(-5, 6), -7)'],
    ["-'5' = -b", "equals(negate('5'), negate(b))"],
    ["a['x']['y']::Float64::String", "CAST(CAST(arrayElement(arrayElement(a, 'x'), 'y'), 'Float64'), 'String')"],
    ['now() > f(a, 1)', 'greater(now(), f(a, 1))'],
    ['a.b."c d" = 1', 'equals(a.b.c d, 1)'],
    ['f(x -> x + 1, (k, v) -> k)', 'f(lambda(tuple(x), plus(x, 1)), lambda(tuple(k, v), k))'],
    ['CASE WHEN a THEN 1 WHEN b THEN 2 END', 'multiIf(a, 1, b, 2, NULL)'],
    ["CASE a WHEN 1 THEN 'x' ELSE 'y' END", "caseWithExpression(a, 1, 'x', 'y')"],
    ['a + INTERVAL 2 DAYS AND b', 'and(plus(a, toIntervalDay(2)), b)'],
    ["INTERVAL '3 week'", 'toIntervalWeek(3)'],
    ['a ? b : c::Array(Nullable(String))', "if(a, b, CAST(c, 'Array(Nullable(String))'))"],
    ['EXTRACT(YEAR FROM a)', 'toYear(a)'],
    ['DATE_ADD(DAY, 1, a)', 'plus(a, toIntervalDay(1))'],
    ['dateDiff(hour, a, b)', "dateDiff('hour', a, b)"],
    ["a REGEXP 'x' AND [1, 2][1] DIV 2", "and(match(a, 'x'), intDiv(arrayElement([1, 2], 1), 2))"],
    ['f(a AS b) AS c', 'c'],
    ['(a, b).2 <=> NULL', 'isNotDistinctFrom(tupleElement((a, b), 2), NULL)'],
  ])('reads %s', (sql, tree) => {
    expect(nameOf(parseSql(sql))).toBe(tree)
  })

  it.each([
    ['1e6', '1000000.'],
    ['1e21', '1e21'],
    ['1e-7', '1e-7'],
    ['1.50', '1.5'],
    ['-1', '-1'],
    ["'it''s\\n'", "'it\\'s\\n'"],
    ["1::UInt8 + '1'::UInt8", "plus(CAST('1', 'UInt8'), CAST('1', 'UInt8'))"],
    ["a || 'x' || b", "concat(a, 'x', b)"],
    ["a NOT IN ('x')", "notIn(a, 'x')"],
    ['trim(a) = LTRIM(b)', 'equals(trimBoth(a), trimLeft(b))'],
    ['date_diff(day, a, b)', "dateDiff('day', a, b)"],
    ['array(1, a)', '[1, a]'],
  ])('names %s as the database does', (sql, name) => {
    expect(nameOf(parseSql(sql))).toBe(name)
  })

  it('reads the columns of a search', () => {
    const read = (sql: string) => parseSqlColumns(sql).map(nameOf)
    expect(read('a, f(b) AS c , f(b) d, *, t.*, `x`."*",')).toEqual(['a', 'c', 'd', '*', 't.*', 'x.*'])
    expect(() => read('a b c')).toThrow(expect.objectContaining({ at: 4 }))
  })

  it('reads the order of a search', () => {
    const read = (sql: string) =>
      parseSqlOrders(sql).map(({ expression, isDescending, areNullsFirst }) => [
        nameOf(expression),
        isDescending ? 'down' : 'up',
        ...(areNullsFirst ? ['NULL first'] : []),
      ])
    expect(read('a, b DESC, f(c) ascending NULLS FIRST, DESC, 2 descending nulls last')).toEqual([
      ['a', 'up'],
      ['b', 'down'],
      ['f(c)', 'up', 'NULL first'],
      ['DESC', 'up'],
      ['2', 'down'],
    ])
    expect(() => read('a b')).toThrow(expect.objectContaining({ at: 2 }))
  })

  it('reads a list of expressions', () => {
    expect(parseSqlList('a, f(b, c) , 1').map(nameOf)).toEqual(['a', 'f(b, c)', '1'])
    expect(() => parseSqlList('a, b c')).toThrow(expect.objectContaining({ at: 5 }))
  })

  it('keeps the position of each part', () => {
    const positions = (expression: Expression): string[] => {
      const parts = expression.kind === 'call' ? expression.args : expression.kind === 'list' ? expression.items : []
      return [`${expression.at} ${nameOf(expression)}`, ...parts.flatMap(positions)]
    }
    expect(positions(parseSql(" NOT -f(a) IN ('b', 2) OR g() = null OR NOT (c, TRUE, -1)"))).toEqual([
      "1 or(not(in(negate(f(a)), ('b', 2))), equals(g(), NULL), not((c, true, -1)))",
      "1 not(in(negate(f(a)), ('b', 2)))",
      "5 in(negate(f(a)), ('b', 2))",
      '5 negate(f(a))',
      '6 f(a)',
      '8 a',
      "14 ('b', 2)",
      "15 'b'",
      '20 2',
      '26 equals(g(), NULL)',
      '26 g()',
      '32 NULL',
      '40 not((c, true, -1))',
      '44 (c, true, -1)',
      '45 c',
      '48 true',
      '54 -1',
    ])
  })

  it.each([
    ['SELECT (', 0, '"SELECT" stands there'],
    ['a =', 3, 'the text ends'],
    ["a = 'x", 6, 'Expected a closing quote'],
    ['a = 1)', 5, 'Expected the end, but ")"'],
    ['a IN (1', 7, 'Expected ")"'],
    ['a ; b', 2, '";" stands there'],
    ['', 0, 'the text ends'],
    ['f(a) AS 5', 8, 'Expected a column, a value or a function, but "5" stands there'],
    ['a IN (SELECT sum(b) OVER ())', 20, 'the embedded engine has no OVER'],
    ['INTERVAL 1 eon', 0, 'Expected a unit of time'],
    ['CASE WHEN a THEN 1', 18, 'Expected "AND"'],
    ['a IS 1', 5, 'Expected "NULL", but "1"'],
    ['a BETWEEN 1 OR 2', 12, 'Expected "AND", but "OR"'],
    ['a NOT = 1', 2, 'Expected the end, but "NOT"'],
    ["a['x'", 5, 'Expected "]", but the text ends'],
    ['f(a', 3, 'Expected ")", but the text ends'],
    ['(a', 2, 'Expected ")", but the text ends'],
    ['a::5', 3, 'Expected a type, but "5"'],
    ['a. =', 3, 'Expected a name, but "="'],
    ['CAST(a AS', 9, 'Expected a type, but the text ends'],
    ["a '=' 1", 2, 'Expected the end, but "="'],
    ["a '+' 1", 2, 'Expected the end, but "+"'],
    ['a "AND" b', 2, 'Expected the end, but "AND"'],
    ["f(a ',' b)", 4, 'Expected ")", but ","'],
    ['1 + * 2', 4, 'Expected a column, a value or a function, but "*"'],
    ['x'.repeat(10_001), 10_000, 'Expected at most 10000 characters'],
  ])('names the position and the expected token of %s', (sql, at, sentence) => {
    const read = () => parseSql(sql)
    expect(read).toThrow(InvalidQuery)
    expect(read).toThrow(expect.objectContaining({ at, sentence: expect.stringContaining(sentence) }))
  })

  it.each([
    ['brackets', (count: number) => `${'('.repeat(count)}1${')'.repeat(count)}`, 199, 'levels'],
    ['negations', (count: number) => `${'NOT '.repeat(count)}1`, 199, 'levels'],
    ['minus signs', (count: number) => `${'- '.repeat(count)}1`, 199, 'levels'],
    ['sums', (count: number) => `1${' + 1'.repeat(count)}`, 201, 'operators in a row'],
  ])('refuses hundreds of %s', (_, write, max, counted) => {
    expect(() => parseSql(write(max))).not.toThrow()
    const sentence = expect.stringContaining(`Expected at most 200 ${counted}`)
    expect(() => parseSql(write(max + 1))).toThrow(expect.objectContaining({ sentence }))
  })

  it('reads hundreds of brackets side by side', () => {
    const list = Array.from({ length: 300 }, (_, i) => `(-(NOT ${i}))`).join(', ')
    expect(() => parseSqlList(list)).not.toThrow()
  })

  it.each([
    'a IN (',
    'f(a, (',
    'CAST(a[',
    'CAST(a AS Array(',
    'NOT (-(',
    'a BETWEEN (',
    'CASE WHEN ',
    'INTERVAL (',
    '(a, b) -> (',
    'a ? (',
    'EXTRACT(DAY FROM ',
  ])('terminates on nested %s', nested => {
    expect(() => parseSql(nested.repeat(60))).toThrow(expect.objectContaining({ at: expect.any(Number) }))
  })
})
