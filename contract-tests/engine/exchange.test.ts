import { describe, expect, it } from 'vitest'
import { countValues, type Exchange, hasBody, isSuccess, lacksExpectedBody, parseJson } from './exchange.ts'

function exchange(status: number, text: string, more: { method?: string; operation?: undefined } = {}): Exchange {
  return {
    step: 'cloud:member.list',
    form: 'cloud',
    operation: 'operation' in more ? undefined : 'member.list',
    as: 'key',
    why: '',
    request: { method: more.method ?? 'GET', path: '/', headers: {}, body: null },
    response: { status, headers: {}, text } as Exchange['response'],
    json: undefined,
    ms: 1,
  }
}

describe('an exchange', () => {
  it('is a success if its status is 200 to 299', () => {
    const statuses = [199, 200, 299, 300].filter(status => isSuccess(exchange(status, '')))
    expect(statuses).toEqual([200, 299])
  })

  it('has a body if its text is not blank, and never for HEAD', () => {
    expect(hasBody(exchange(200, '{}'))).toBe(true)
    expect(hasBody(exchange(200, ' \n'))).toBe(false)
    expect(hasBody(exchange(200, '{}', { method: 'HEAD' }))).toBe(false)
  })

  it('lacks an expected body if an operation succeeds with an empty one, except for 204, 205 and HEAD', () => {
    expect(lacksExpectedBody(exchange(200, ''))).toBe(true)
    expect(lacksExpectedBody(exchange(200, '{}'))).toBe(false)
    for (const status of [204, 205, 404]) expect(lacksExpectedBody(exchange(status, ''))).toBe(false)
    expect(lacksExpectedBody(exchange(200, '', { method: 'HEAD' }))).toBe(false)
    expect(lacksExpectedBody(exchange(200, '', { operation: undefined }))).toBe(false)
  })
})

describe('a parsed body', () => {
  it('counts as the number of all its values, or as infinite if it is too deep', () => {
    const counts = [1, null, 'text', {}, [], [1, { a: 2, b: [3] }]].map(value => countValues(value, 3))
    expect(counts).toEqual([1, 1, 1, 1, 1, 6])
    expect(countValues([[1]], 2)).toBe(3)
    expect(countValues([[1]], 1)).toBe(Number.POSITIVE_INFINITY)
  })

  it('is undefined if the text is not JSON', () => {
    expect([parseJson('{"a":1}'), parseJson('null'), parseJson('{')]).toEqual([{ a: 1 }, null, undefined])
  })
})
