import { describe, expect, it } from 'vitest'
import { operations } from '../../../fixtures/built-contract/index.ts'
import type { Call } from '../../words/call.ts'
import { defaultLimits } from '../../words/limits.ts'
import { Refusal } from '../../words/refusal.ts'
import type { Context } from '../context.ts'
import { acceptBody, bodyFor } from './accept-body.ts'

const call = (body: string, type?: string, unread?: Call['unread']): Call => ({
  method: 'POST',
  path: '/',
  query: '',
  headers: { 'content-type': type },
  body,
  ...(unread && { unread }),
})
/** The context of the pipeline for a call, after its body was read. */
function contextOf(call: Call, more: Partial<Context> = {}): Context {
  const context = { call, form: 'selfHosted', limits: defaultLimits, choiceOfGap: {}, ...more } as Context
  acceptBody(context)
  return context
}
const accept = (call: Call) => contextOf(call).body!
const readJson = (body: string) => accept(call(body, 'application/json')).value

function catchRefusal(act: () => unknown): Refusal {
  try {
    act()
  } catch (reason) {
    if (reason instanceof Refusal) return reason
    throw reason
  }
  throw new Error('no refusal was thrown')
}
const refusalSentenceOf = (body: string) => catchRefusal(() => readJson(body)).sentence

describe('a body', () => {
  it.each(['application/json', 'Application/JSON; charset=utf-8', ' application/json ;x'])(
    'of the media type %j is read as JSON',
    type => {
      expect(accept(call('{"a":[1]}', type))).toEqual({ value: { a: [1] } })
    },
  )

  it('that is empty is read as an empty object, whatever its media type', () => {
    expect(accept(call('', 'text/plain'))).toEqual({ value: {} })
  })

  it('of another media type is read as deployments do', () => {
    expect(accept(call('{"a":1}', 'Text/Plain'))).toEqual({ value: '{"a":1}', label: 'text/plain' })
    const form = accept(call('a=1&b=x+y&__proto__=z', 'application/x-www-form-urlencoded'))
    expect(form).toEqual({ value: { a: '1', b: 'x y' }, label: 'application/x-www-form-urlencoded' })
    expect(Object.getPrototypeOf(form.value)).toBe(Object.prototype)
    expect(accept(call('{"a":1}', 'image/png'))).toEqual({ value: {}, label: 'image/png' })
    expect(accept(call('{"a":1}'))).toEqual({ value: {}, label: 'nothing' })
    expect(accept(call('{"a":1}', ';'))).toEqual({ value: {}, label: 'nothing' })
  })

  it.each([
    ['accepted', { a: 1 }],
    ['refused by body', '{"a":1}'],
    ['refused as 415', 'unsupported'],
    ['refused by header', 'malformed'],
  ] as const)('of another media type than JSON is %s if that is the choice', (choice, outcome) => {
    const operation = operations['alert.create']
    const context = contextOf(call('{"a":1}', 'text/plain'), {
      operation,
      choiceOfGap: { 'error/content-type': choice },
    })
    if (choice === 'accepted' || choice === 'refused by body') return expect(bodyFor(context)).toEqual(outcome)
    expect(catchRefusal(() => bodyFor(context))).toMatchObject({
      kind: outcome,
      details: { gap: 'error/content-type' },
    })
  })

  it('is ignored if the operation expects no body', () => {
    const operation = operations['member.list']
    expect(bodyFor(contextOf(call('{"a":1}', 'application/json'), { operation }))).toEqual({})
    expect(contextOf(call('{', 'application/json'), { operation, form: 'cloud' }).body).toBeUndefined()
  })

  it('may begin with a byte order mark, and cannot set a prototype', () => {
    expect(readJson('\u{feff}[1]')).toEqual([1])
    for (const text of ['{"a":{"__proto__":{"b":1},"c":2}}', '{"a":{"\\u005f_proto__":{"b":1},"c":2}}']) {
      const { a } = readJson(text) as { a: object }
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
  ] as const)('that could not be read (%s) is refused with the reason', (unread, kind, sentence) => {
    const refusal = catchRefusal(() => accept(call('', undefined, unread)))
    expect(refusal).toMatchObject({ kind, sentence: expect.stringContaining(sentence) })
  })

  it.each([
    ['{"a":', 'position 5 (line 1, column 6)'],
    ['{\n "a": x}', 'position 8 (line 2, column 7)'],
    ['   ', 'position 3 (line 1, column 4)'],
  ])('that is not JSON is refused with the position of the error: %j', (body, place) => {
    const refusal = catchRefusal(() => readJson(body))
    expect(refusal).toMatchObject({ kind: 'malformed', details: { gap: 'error/malformed-json' } })
    expect(refusal.sentence).toBe(`request body: Expected JSON, but it ends or breaks at ${place}`)
  })

  it.each([
    ['"text"', '"text"'],
    ['1', '1'],
    ['null', 'null'],
    [`"${'x'.repeat(200)}"`, `"${'x'.repeat(79)}`],
  ])('that is not an object is refused with the received value: %s', (body, received) => {
    expect(refusalSentenceOf(body)).toBe(`request body: Expected an object, received ${received}`)
  })

  it('that is nested too deeply is refused before it is parsed', () => {
    expect(refusalSentenceOf('['.repeat(501))).toBe('request body: Expected at most 500 levels of arrays and objects')
  })
})
