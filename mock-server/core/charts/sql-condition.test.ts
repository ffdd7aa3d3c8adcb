import { describe, expect, it } from 'vitest'
import { parseSql } from './sql-condition.ts'
import { nameOf } from './sql-expression.ts'
import { Unreadable } from './unreadable.ts'

describe('SQL conditions', () => {
  it.each([
    ["a = 'it''s'", "equals(a, 'it\\'s')"],
    ['a = 1 OR b = 2 AND NOT c = 3', 'or(equals(a, 1), and(equals(b, 2), not(equals(c, 3))))'],
    ['(a = 1 OR b = 2) AND c = 3', 'and(or(equals(a, 1), equals(b, 2)), equals(c, 3))'],
    ['a BETWEEN 1 AND 2 AND b', 'and(and(greaterOrEquals(a, 1), lessOrEquals(a, 2)), b)'],
    ["a not in ('x', 'y')", "notIn(a, tuple('x', 'y'))"],
    ["a NOT LIKE '%x%'", "notLike(a, '%x%')"],
    ['a IS NOT NULL', 'isNotNull(a)'],
    ["LogAttributes['k'] != ''", "notEquals(arrayElement(LogAttributes, 'k'), '')"],
    ['1 + 2 * -b', 'plus(1, multiply(2, negate(b)))'],
    ['CAST(a AS Float64) > 1', "greater(CAST(a, 'Float64'), 1)"],
    ['"Service" = `Name` -- a comment', 'equals(Service, Name)'],
  ])('reads %s', (sql, tree) => {
    expect(nameOf(parseSql(sql))).toBe(tree)
  })

  it.each([
    ['SELECT (', 0, '"SELECT" stands there'],
    ['a =', 3, 'the text ends'],
    ["a = 'x", 6, 'Expected a closing quote'],
    ['a = 1)', 5, 'Expected the end, but ")"'],
    ['a IN (1', 7, 'Expected ")"'],
    ['a ; b', 2, '";" stands there'],
    ['', 0, 'the text ends'],
  ])('says where %s is wrong', (sql, at, says) => {
    const read = () => parseSql(sql)
    expect(read).toThrow(Unreadable)
    expect(read).toThrow(expect.objectContaining({ at, says: expect.stringContaining(says) }))
  })

  it('gives up on hundreds of brackets with a sentence', () => {
    const says = expect.stringContaining('Expected at most 200 levels')
    expect(() => parseSql(`${'('.repeat(300)}1`)).toThrow(expect.objectContaining({ says }))
  })
})
