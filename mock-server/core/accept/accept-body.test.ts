import { describe, expect, it } from 'vitest'
import type { Call } from '../../words/call.ts'
import { Refusal } from '../../words/refusal.ts'
import { acceptAsJson, acceptBody } from './accept-body.ts'

const call = (body: string, type?: string, unread?: Call['unread']): Call => ({
  method: 'POST',
  path: '/',
  query: '',
  headers: { 'content-type': type },
  body,
  ...(unread && { unread }),
})
const read = (body: string) => acceptBody(call(body, 'application/json')).value

function refusalOf(act: () => unknown): Refusal {
  try {
    act()
  } catch (reason) {
    if (reason instanceof Refusal) return reason
    throw reason
  }
  throw new Error('nothing was refused')
}
const saysOf = (body: string) => refusalOf(() => read(body)).says

describe('a body', () => {
  it.each(['application/json', 'Application/JSON; charset=utf-8', ' application/json ;x'])('is JSON as %s', type => {
    expect(acceptBody(call('{"a":[1]}', type))).toEqual({ value: { a: [1] } })
  })

  it('is nothing when it is empty, whatever its label says', () => {
    expect(acceptBody(call('', 'text/plain'))).toEqual({ value: {} })
  })

  it('of another media type is read as deployments read it', () => {
    expect(acceptBody(call('{"a":1}', 'Text/Plain'))).toEqual({ value: '{"a":1}', label: 'text/plain' })
    const form = acceptBody(call('a=1&b=x+y&__proto__=z', 'application/x-www-form-urlencoded'))
    expect(form).toEqual({ value: { a: '1', b: 'x y' }, label: 'application/x-www-form-urlencoded' })
    expect(Object.getPrototypeOf(form.value)).toBe(Object.prototype)
    expect(acceptBody(call('{"a":1}', 'image/png'))).toEqual({ value: {}, label: 'image/png' })
    expect(acceptBody(call('{"a":1}'))).toEqual({ value: {}, label: 'nothing' })
    expect(acceptBody(call('{"a":1}', ';'))).toEqual({ value: {}, label: 'nothing' })
  })

  it('is read as JSON whatever its label says, for whoever asks', () => {
    expect(acceptAsJson(call('{"a":1}', 'text/plain'))).toEqual({ a: 1 })
  })

  it('may begin with a byte order mark, and brings no prototype', () => {
    expect(read('\u{feff}[1]')).toEqual([1])
    for (const text of ['{"a":{"__proto__":{"b":1},"c":2}}', '{"a":{"\\u005f_proto__":{"b":1},"c":2}}']) {
      const { a } = read(text) as { a: object }
      expect(Object.keys(a)).toEqual(['c'])
      expect('b' in a).toBe(false)
    }
  })

  it.each([
    ['too-large', 'tooLarge', 'request body: Expected at most 32 MiB'],
    ['crowded', 'tooLarge', 'reading 512 MiB of other bodies'],
    ['unsupported-charset', 'unsupported', 'header Content-Type: Expected the charset utf-8'],
    ['unsupported-encoding', 'unsupported', 'header Content-Encoding: Expected identity, gzip, deflate or br'],
    ['invalid-encoding', 'malformed', 'request body: It cannot be decoded as its headers say'],
  ] as const)('that came as %s is refused with the reason', (unread, kind, says) => {
    const refusal = refusalOf(() => acceptBody(call('', undefined, unread)))
    expect(refusal).toMatchObject({ kind, says: expect.stringContaining(says) })
  })

  it.each([
    ['{"a":', 'position 5 (line 1, column 6)'],
    ['{\n "a": x}', 'position 8 (line 2, column 7)'],
    ['   ', 'position 3 (line 1, column 4)'],
  ])('that is no JSON is refused with the place: %j', (body, place) => {
    const refusal = refusalOf(() => read(body))
    expect(refusal).toMatchObject({ kind: 'malformed', more: { gap: 'error/malformed-json' } })
    expect(refusal.says).toBe(`request body: Expected JSON, but it ends or breaks at ${place}`)
  })

  it.each([
    ['"text"', '"text"'],
    ['1', '1'],
    ['null', 'null'],
    [`"${'x'.repeat(200)}"`, `"${'x'.repeat(79)}`],
  ])('that is no object is refused with what came: %s', (body, came) => {
    expect(saysOf(body)).toBe(`request body: Expected an object, received ${came}`)
  })

  it('that is too much is refused before it is read', () => {
    expect(saysOf('['.repeat(501))).toBe('request body: Expected at most 500 levels of arrays and objects')
  })
})
