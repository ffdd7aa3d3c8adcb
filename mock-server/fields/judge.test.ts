import { describe, expect, it } from 'vitest'
import type { Field } from '../../fixtures/contract/index.ts'
import { type BodyRules, createJudge } from './judge.ts'

const terms = { form: 'selfHosted', edition: '2.36', now: 0, twelveCharacters: false, maxSeries: 5 } as const
const text = { type: 'string' } as const
const objectField = (fields: Record<string, Field>, more: Partial<Field> = {}): Field => ({
  type: 'object',
  fields,
  ...more,
})

function judge(field: Field, value: unknown, rules: BodyRules & { form?: 'cloud'; edition?: '2.24' } = {}) {
  const setting = { part: 'Body', form: 'selfHosted', edition: '2.36', ...rules } as const
  const { value: accepted, issues } = createJudge(field, setting)(value, terms)
  return { accepted, sentence: issues.map(({ path, sentence }) => [...path, sentence].join(': ')), issues }
}

describe('a body', () => {
  it('is accepted without unknown and read-only fields, with defaults, and trimmed', () => {
    const field = objectField({
      id: { ...text, readOnly: true },
      name: { ...text, trimmed: true, min: 1 },
      tags: { type: 'array', optional: 'request', default: [], items: text },
    })
    expect(judge(field, { id: 5, name: ' a ', other: 1 })).toMatchObject({
      accepted: { name: 'a', tags: [] },
      sentence: [],
    })
  })

  it.each([
    [{}, 'a: Required'],
    [{ a: null }, 'a: Expected string, received null'],
    [{ a: '' }, 'a: String must contain at least 2 character(s)'],
    [{ a: 'xx', b: 0.5 }, 'b: Expected integer, received float'],
    [{ a: 'xx', c: 'z' }, "c: Invalid enum value. Expected 'x' | 'y', received 'z'"],
    [{ a: 'xx', c: 1 }, "c: Expected 'x' | 'y', received number"],
    [{ a: 'xx', d: [1, 2] }, 'd: Array must contain exactly 1 element(s)'],
    [{ a: 'xx', e: 'z' }, 'e: Invalid literal value, expected "x"'],
    [{ a: 'xx', f: 'z' }, 'f: Invalid ObjectId'],
    [{ a: 'xx', g: 'now' }, 'g: Invalid datetime'],
    [{ a: 'xx', h: { k: 5 } }, 'h: k: Expected string, received number'],
  ])('that is %j is refused with the message of deployments', (body, sentence) => {
    const optional = true
    const field = objectField({
      a: { ...text, min: 2 },
      b: { type: 'number', multipleOf: 1, optional },
      c: { ...text, values: ['x', 'y'], optional },
      d: { type: 'array', min: 1, max: 1, optional },
      e: { ...text, values: ['x'], optional },
      f: { ...text, format: 'object-id', optional },
      g: { ...text, format: 'timestamp', optional },
      h: { type: 'object', propertyValues: text, optional },
    })
    expect(judge(field, body).sentence).toEqual([sentence])
  })

  it('has the fields and bounds of its edition', () => {
    const field = objectField({
      a: { ...text, max: 1, byEdition: { '2.24': { max: 2 } } },
      b: { ...text, editions: ['2.36'] },
    })
    expect(judge(field, { a: 'xx', b: 'x' }).sentence).toHaveLength(1)
    expect(judge(field, { a: 'xx', b: 5 }, { edition: '2.24' })).toMatchObject({ sentence: [], accepted: { a: 'xx' } })
  })

  it('with variants has the fields of the variant that its discriminator names', () => {
    const oneOf = { discriminator: 'kind', defaultValue: 'a', variants: { a: { x: text }, b: { y: text } } }
    const field = objectField({ name: text }, { oneOf })
    expect(judge(field, { name: 'n', kind: 'b', x: 1 }).sentence).toEqual(['y: Required'])
    expect(judge(field, { name: 'n', x: 'x' }).accepted).toEqual({ name: 'n', kind: 'a', x: 'x' })
    expect(judge(field, { kind: 'c' }).sentence).toEqual(["kind: Invalid discriminator value. Expected 'a' | 'b'"])
  })

  it('with variants is refused with one message for the whole body by the rules of its family', () => {
    const field = objectField(
      { name: text },
      { oneOf: { discriminator: 'kind', variants: { a: { x: { ...text, min: 1 } }, b: {} } } },
    )
    const rules = { sentences: { union: 'Invalid input' } }
    const { sentence, issues } = judge(field, { name: 'n', kind: 'a' }, rules)
    expect(sentence).toEqual(['Invalid input'])
    expect(issues[0]!.branch).toMatchObject([{ path: ['x'], sentence: 'Required' }])
    // A violated bound is reported by itself.
    expect(judge(field, { name: 'n', kind: 'a', x: '' }, rules).sentence[0]).toMatch(/^x: /)
  })

  it('with variants reports the issues of the variant that it resembles, else only the discriminator', () => {
    const variants = { a: { x: text }, b: { y: text, u: text } }
    const rules = { sentences: { union: 'Invalid input' } }
    const branchOf = (value: object) =>
      judge(objectField({}, { oneOf: { discriminator: 'kind', variants } }), value, rules).issues[0]!.branch
    expect(branchOf({ y: 'y' })).toMatchObject([{ path: ['kind'] }, { path: ['u'], sentence: 'Required' }])
    expect(branchOf({})).toMatchObject([
      { path: ['kind'], sentence: "Invalid discriminator value. Expected 'a' | 'b'" },
    ])
  })

  it('is checked by the rules of its family if its types are valid, and reported with the messages of the family', () => {
    const rules: BodyRules = {
      sentences: { 'a min': { '2.36': 'a is empty' } },
      checks: { '': (body, reportIssue) => body.a === 'b' && reportIssue('a is b', 'a') },
    }
    const field = objectField({ a: { ...text, min: 1 } })
    expect(judge(field, { a: '' }, rules).sentence).toEqual(['a: a is empty'])
    expect(judge(field, { a: 'b' }, rules).sentence).toEqual(['a: a is b'])
    expect(judge(field, { a: 5 }, rules).sentence).toEqual(['a: Expected string, received number'])
  })

  it('of the cloud is refused with cloud messages, for the first issue of each value alone', () => {
    const field = objectField({ a: { ...text, min: 3, pattern: '^x' }, b: { type: 'number', max: 5 } })
    const { sentence } = judge(field, { a: 'a', b: 6 }, { form: 'cloud' })
    expect(sentence).toEqual(['a: Expected at least 3 characters', 'b: Value must be <= 5'])
  })
})
