import { describe, expect, it } from 'vitest'
import type { Exchange } from '../engine/exchange.ts'
import type { RuleReport } from '../report/report.ts'
import {
  type Baseline,
  compareBaselines,
  createBaseline,
  isReproducible,
  parseBaseline,
  renderBaseline,
} from './baseline.ts'

const about = { name: 'staging', observedAt: '2026-01-02' }
const observe = (id: string, form: 'cloud' | 'managed' | 'selfHosted', observed: unknown, outcome = 'observed') =>
  ({ id, form, observed, outcome }) as RuleReport
const exchange = (json: unknown, more: object = {}) =>
  ({
    form: 'cloud',
    operation: 'member.list',
    as: 'key',
    response: { status: 200, headers: {}, text: '' },
    json,
    ...more,
  }) as Exchange

describe('an observation that a mock can make', () => {
  it.each([
    ['path/unknown-path', '404 html', true],
    ['path/unknown-path', '418 text', true],
    ['path/unknown-path', '618 text', false],
    ['path/unknown-path', '404 xml', false],
    ['path/unknown-path', ' 404 html', false],
    ['path/unknown-path', '404 html ', false],
    ['path/unknown-path', 404, false],
    ['path/trailing-slash', 'same', true],
    ['path/trailing-slash', '404 html', false],
    ['member/fields-present', 'userId', false],
    ['member/name-is-a-string', 'same', false],
    ['toString', 'same', false],
    ['alert/create-status', '202', true],
    ['alert/create-status', '302', false],
    ['alert/create-status', '2021', false],
    ['alert/update-method', '202', false],
    ['chart/time-unit', 'both accepted', true],
    ['chart/time-unit', 'neither', false],
    ['path/trailing-slash', 'both accepted', false],
  ])('%s: %j is one: %s', (id, value, verdict) => {
    expect(isReproducible(id, value)).toBe(verdict)
  })
})

describe('the baseline of a run', () => {
  it('keeps choices apart from what is compared only, by form and in the order of their ids', () => {
    const baseline = createBaseline(
      [
        observe('path/unknown-path', 'cloud', '404 json'),
        observe('path/trailing-slash', 'cloud', 'same'),
        observe('member/fields-present', 'cloud', ['userId']),
        observe('path/trailing-slash', 'selfHosted', 'refused'),
        observe('path/letter-case', 'cloud', 'same', 'errored'),
      ],
      [],
      about,
    )
    expect(baseline).toEqual({
      ...about,
      choices: {
        cloud: { 'path/trailing-slash': 'same', 'path/unknown-path': '404 json' },
        selfHosted: { 'path/trailing-slash': 'refused' },
      },
      shapes: { cloud: { observed: { 'member/fields-present': ['userId'] }, operations: {} } },
    })
    expect(Object.keys(baseline.choices.cloud!)).toEqual(['path/trailing-slash', 'path/unknown-path'])
  })

  it('takes shapes from successes of operations with good credentials only', () => {
    const { shapes } = createBaseline(
      [],
      [
        exchange({ a: 1 }),
        exchange({ b: 1 }),
        exchange({ c: 1 }, { operation: undefined }),
        exchange({ d: 1 }, { as: 'none' }),
        exchange({ e: 1 }, { response: { status: 400, headers: {}, text: '' } }),
        exchange(undefined),
        exchange({ f: 1 }, { operation: 'backup.get' }),
      ],
      about,
    )
    const number = (presence: string) => ({ types: ['number'], presence, records: 1 })
    expect(shapes.cloud?.operations).toEqual({
      'backup.get': { '$.f': number('always') },
      'member.list': { '$.a': number('sometimes'), '$.b': number('sometimes') },
    })
    expect(Object.keys(shapes.cloud!.operations!)).toEqual(['backup.get', 'member.list'])
  })

  it('comes back from its file', () => {
    const baseline: Baseline = { ...about, choices: { cloud: { 'path/trailing-slash': 'same' } }, shapes: {} }
    expect(parseBaseline(renderBaseline(baseline))).toEqual(baseline)
    expect(renderBaseline(baseline).endsWith('}\n')).toBe(true)
    expect(parseBaseline('{"choices":{}}')).toEqual({ name: 'unnamed', observedAt: '', choices: {}, shapes: {} })
  })

  it.each([
    ['{', 'it is not JSON'],
    ['null', 'it has no `choices`'],
    ['{}', 'it has no `choices`'],
    ['{"choices":null}', 'it has no `choices`'],
    ['{"choices":"a"}', 'it has no `choices`'],
    ['{"choices":[]}', 'it has no `choices`'],
    ['{"choices":{"cloud":[]}}', '`choices.cloud` must be an object'],
    ['{"choices":{"cloud":{"path/trailing-slsh":"same"}}}', 'names "path/trailing-slsh", which is no gap'],
    ['{"choices":{},"shapes":"x"}', '`shapes` must be an object'],
  ])('is not read from %s', (text, sentence) => {
    expect(() => parseBaseline(text)).toThrow(sentence)
  })
})

describe('drift', () => {
  const choices = (values: Record<string, string>): Baseline => ({ ...about, choices: { cloud: values }, shapes: {} })
  const shape = (...answers: unknown[]) =>
    createBaseline(
      [],
      answers.map(json => exchange(json)),
      about,
    )
  const drift = (was: Baseline, is: Baseline) =>
    compareBaselines(was, is).map(({ kind, part, id, was, is }) => [kind, part, id, was, is])

  it('is none between equals, nor where one side knows nothing', () => {
    const whole = shape({ a: 1, list: [{ b: 1 }] })
    expect(drift(whole, whole)).toEqual([])
    expect(drift({ ...about, choices: {}, shapes: {} }, whole)).toEqual([])
    expect(drift(choices({ 'path/trailing-slash': 'same' }), choices({}))).toEqual([])
    expect(
      drift(
        choices({ 'path/letter-case': 'same' }),
        choices({ 'path/letter-case': 'same', 'path/trailing-slash': 'same' }),
      ),
    ).toEqual([])
  })

  it('is breaking where another choice is taken', () => {
    expect(drift(choices({ 'path/trailing-slash': 'same' }), choices({ 'path/trailing-slash': 'refused' }))).toEqual([
      ['breaking', 'choices', 'cloud path/trailing-slash', 'same', 'refused'],
    ])
  })

  it.each<[unknown, unknown, string]>([
    [['a'], ['a', 'b'], 'additive'],
    [['a', 'b'], ['a'], 'breaking'],
    ['a', 'b', 'breaking'],
    [['a'], 'a', 'breaking'],
    ['a', ['a'], 'breaking'],
  ])('from %j to %j is %3$s', (was, is, kind) => {
    const seen = (value: unknown) => createBaseline([observe('member/fields-present', 'cloud', value)], [], about)
    expect(drift(seen(was), seen(is))).toEqual([[kind, 'shapes', 'cloud member/fields-present', was, is]])
  })

  it('of a limit breaks nobody', () => {
    const seen = (value: unknown) => createBaseline([observe('limit/rate', 'cloud', value)], [], about)
    expect(drift(seen('none'), seen('10 a second')).map(([kind]) => kind)).toEqual(['neutral'])
  })

  const path = (name: string) => `cloud member.list $.${name}`
  it.each<[string, unknown[], unknown[], unknown[]]>([
    ['a field that is gone', [{ a: 1, b: 1 }], [{ b: 1 }], ['breaking', 'shapes', path('a'), 'number', null]],
    [
      'a field that was there sometimes',
      [{ a: 1, b: 1 }, { b: 1 }],
      [{ b: 1 }],
      ['neutral', 'shapes', path('a'), 'number, sometimes', null],
    ],
    [
      'a field of an object',
      [{ o: { a: 1, b: 1 } }],
      [{ o: { b: 1 } }],
      ['breaking', 'shapes', path('o.a'), 'number', null],
    ],
    [
      'a field of three items',
      [{ l: [1, 2, 3].map(b => ({ a: 1, b })) }],
      [{ l: [{ b: 1 }] }],
      ['breaking', 'shapes', path('l[].a'), 'number', null],
    ],
    ['another type', [{ a: 1 }], [{ a: 'x' }], ['breaking', 'shapes', path('a'), 'number', 'string']],
    ['a type more', [{ a: 1 }], [{ a: 1 }, { a: 'x' }], ['additive', 'shapes', path('a'), 'number', 'number | string']],
    ['null beside', [{ a: 1 }], [{ a: 1 }, { a: null }], ['neutral', 'shapes', path('a'), 'number', 'null | number']],
    [
      'null and more beside',
      [{ a: 1 }],
      [{ a: 1 }, { a: null }, { a: 'x' }],
      ['additive', 'shapes', path('a'), 'number', 'null | number | string'],
    ],
    [
      'a third type',
      [{ a: 1 }, { a: 'x' }],
      [{ a: 1 }, { a: 'x' }, { a: true }],
      ['additive', 'shapes', path('a'), 'number | string', 'boolean | number | string'],
    ],
    [
      'a third value',
      [{ kind: 'a' }, { kind: 'b' }],
      [{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }],
      ['additive', 'shapes', path('kind'), 'a, b', 'a, b, c'],
    ],
    [
      'a field that was of two types',
      [
        { a: 1, b: 1 },
        { a: 'x', b: 1 },
      ],
      [{ b: 1 }],
      ['breaking', 'shapes', path('a'), 'number | string', null],
    ],
    [
      'a field of an object with a long name',
      [{ bucket: { provider: 1, path: 1 } }],
      [{ bucket: { path: 1 } }],
      ['breaking', 'shapes', path('bucket.provider'), 'number', null],
    ],
    ['null instead', [{ a: 1 }], [{ a: null }], ['breaking', 'shapes', path('a'), 'number', 'null']],
    [
      'a field that is there less often',
      [{ a: 1, b: 1 }],
      [{ a: 1, b: 1 }, { b: 1 }],
      ['neutral', 'shapes', path('a'), 'always', 'sometimes'],
    ],
    ['a new field', [{ b: 1 }], [{ a: 1, b: 1 }], ['additive', 'shapes', path('a'), null, 'number']],
    ['a new value', [{ kind: 'a' }], [{ kind: 'a' }, { kind: 'b' }], ['additive', 'shapes', path('kind'), 'a', 'a, b']],
    [
      'another role, of which the specification says all',
      [{ role: 'admin' }],
      [{ role: 'viewer' }],
      ['breaking', 'shapes', path('role'), 'admin', 'viewer'],
    ],
    [
      'a field that the contract requires, seen in one record',
      [{ result: [{ userId: 'a', role: 'admin' }] }],
      [{ result: [{ role: 'admin' }] }],
      ['breaking', 'shapes', path('result[].userId'), 'string', null],
    ],
    [
      'null in a field that the contract requires',
      [{ result: [{ userId: 'a' }] }],
      [{ result: [{ userId: 'a' }, { userId: null }] }],
      ['breaking', 'shapes', path('result[].userId'), 'string', 'null | string'],
    ],
  ])('reports %s', (_, was, is, expected) => {
    expect(drift(shape(...was), shape(...is))).toEqual([expected])
  })

  const few = ['neutral', 'shapes', 'cloud member.list $[].a']
  const three = <Item>(item: Item) => [item, { ...item, b: 2 }, { ...item, b: 3 }]
  it.each<[string, object[], object[], unknown[]]>([
    ['a field of one item', [{ a: 1, b: 1 }], [{ b: 2 }], [...few, 'number (seen in 1 record)', null]],
    ['a field of two items', three({ a: 1, b: 1 }).slice(1), [{ b: 2 }], [...few, 'number (seen in 2 records)', null]],
    ['null instead', [{ a: 'x' }], [{ a: null }], [...few, 'string (seen in 1 record)', 'null']],
    [
      'an id in another format',
      [{ a: '01234567-89ab-4def-8123-456789abcdef' }],
      [{ a: 'x' }],
      [...few, 'string uuid (seen in 1 record)', 'string'],
    ],
  ])('of what was seen in few records is neutral: %s', (_, was, is, expected) => {
    expect(drift(shape(was), shape(is))).toEqual([expected])
  })

  it.each<[string, object[], object[], string, string, string | null]>([
    ['a field of three items', three({ a: 1 }), [{ b: 1 }], 'breaking', 'number', null],
    ['null instead', three({ a: 'x' }), [{ a: null, b: 1 }], 'breaking', 'string', 'null'],
    ['another type', [{ a: 1 }], [{ a: 'x' }], 'breaking', 'number (seen in 1 record)', 'string'],
    ['a type instead of another', three({ a: [] }), [{ a: {}, b: 1 }], 'breaking', 'array', 'object'],
    [
      'an id in another format',
      three({ a: '01234567-89ab-4def-8123-456789abcdef' }),
      [{ a: 'x', b: 1 }],
      'breaking',
      'string uuid',
      'string',
    ],
    ['what was null in all records', three({ a: null }), [{ a: 'x', b: 1 }], 'additive', 'null', 'string'],
    ['a format more', three({ a: 'x' }), [{ a: 'ada@example.org', b: 1 }], 'additive', 'string', 'string email'],
    ['a list or a text', three({ a: [] }), [{ a: [] }, { a: 'x', b: 1 }], 'additive', 'array', 'array | string'],
  ])('of what was seen in all records is reported: %s', (_, was, is, kind, before, after) => {
    const reported = drift(shape(was), shape(is)).filter(([, , id]) => id === 'cloud member.list $[].a')
    expect(reported).toEqual([[kind, 'shapes', 'cloud member.list $[].a', before, after]])
  })

  it('of a baseline that did not count its records breaks as it did', () => {
    const { shapes, ...rest } = shape([{ a: 1, b: 1 }])
    const uncounted = JSON.parse(JSON.stringify(shapes).replaceAll(',"records":1', ''))
    const old = parseBaseline(JSON.stringify({ ...rest, shapes: uncounted }))
    expect(drift(old, shape([{ b: 1 }])).map(([kind]) => kind)).toEqual(['breaking'])
  })

  describe('in the fields that every record has', () => {
    const listed = (operation: string, items: object[]) =>
      createBaseline(
        [
          observe(
            `${operation.split('.')[0]}/fields-present`,
            'cloud',
            Object.keys(items[0]!).filter(name => items.every(item => name in item)),
          ),
        ],
        [exchange(items, { operation })],
        about,
      )
    const kinds = (was: object[], is: object[]) =>
      drift(listed('webhook.list', was), listed('webhook.list', is))
        .filter(([, , id]) => id === 'cloud webhook/fields-present')
        .map(([kind]) => kind)
    const generic = [1, 2, 3].map(id => ({ id, body: 'x' }))

    it('is neutral when another record lacks one', () => {
      expect(kinds(generic, [...generic, { id: 4 }])).toEqual(['neutral'])
    })

    it('is breaking when all records lack it', () => {
      expect(kinds(generic, [{ id: 1 }])).toEqual(['breaking'])
    })

    it('is neutral when all lack it, and few had it', () => {
      expect(kinds(generic.slice(1), [{ id: 1 }])).toEqual(['neutral'])
    })

    it('is breaking when the baseline knows no records', () => {
      const was = createBaseline([observe('webhook/fields-present', 'cloud', ['id', 'body'])], [], about)
      expect(drift(was, listed('webhook.list', [{ id: 1 }])).map(([kind]) => kind)).toContain('breaking')
    })
  })

  it('is breaking where a field is required now, and additive where it is not any more', () => {
    const seen = (value: unknown) => createBaseline([observe('alert/required-fields', 'managed', value)], [], about)
    const kinds = (was: string[], is: string[]) => drift(seen(was), seen(is)).map(([kind]) => kind)
    expect([kinds(['a'], ['a', 'b']), kinds(['a', 'b'], ['a'])]).toEqual([['breaking'], ['additive']])
  })

  it.each([
    ['of somebody, read alone, is weak evidence', {}, 'neutral'],
    ['that was created for it is enough evidence', { 'alert.create': { name: 1 } }, 'breaking'],
  ])('of one alert %s', (_, created, kind) => {
    const seen = (alert: object) =>
      createBaseline(
        [],
        [
          exchange({ data: alert }, { operation: 'alert.get' }),
          ...Object.entries(created).map(([operation, answer]) => exchange(answer, { operation })),
        ],
        about,
      )
    expect(drift(seen({ id: 1, a: 1 }), seen({ id: 1 })).map(([kind]) => kind)).toEqual([kind])
  })

  it.each<[string, unknown[], unknown[]]>([
    ['a type less', [{ a: 1 }, { a: null }], [{ a: 1 }]],
    ['a field that is there more often', [{ a: 1, b: 1 }, { b: 1 }], [{ a: 1, b: 1 }]],
    ['a value less', [{ role: 'a' }, { role: 'b' }], [{ role: 'a' }]],
    [
      'a word that is no word any more',
      [
        { role: 'a', b: 1 },
        { role: null, b: 1 },
      ],
      [{ role: null, b: 1 }],
    ],
    ['a field that is there sometimes, still', [{ a: 1, b: 1 }, { b: 1 }], [{ a: 1, b: 1 }, { b: 1 }]],
    ['the fields of an object that is gone this time', [{ l: [{ oo: { pp: 1 } }, {}] }], [{ l: [] }]],
    ['the fields of a list that is empty this time', [{ l: [{ a: 1 }] }], [{ l: [] }]],
  ])('does not count %s', (_, was, is) => {
    expect(drift(shape(...was), shape(...is))).toEqual([])
  })

  it('reports an operation that answers now', () => {
    const more = createBaseline([], [exchange({ a: 1 }), exchange({ a: 1 }, { operation: 'backup.get' })], about)
    expect(drift(shape({ a: 1 }), more)).toEqual([['additive', 'shapes', 'cloud backup.get', null, 'answers']])
  })

  it('begins with choices, and in each part with what breaks', () => {
    const was = { ...shape({ a: 1, c: 1 }, { a: 1, c: 1 }), choices: { cloud: { 'path/trailing-slash': 'same' } } }
    const is = { ...shape({ b: 1, c: 1 }, { b: 1 }), choices: { cloud: { 'path/trailing-slash': 'refused' } } }
    expect(drift(was, is).map(([kind, part, id]) => `${kind} ${part} ${id}`)).toEqual([
      'breaking choices cloud path/trailing-slash',
      'breaking shapes cloud member.list $.a',
      'additive shapes cloud member.list $.b',
      'neutral shapes cloud member.list $.c',
    ])
  })

  it('has a fingerprint for each difference', () => {
    const [one, other] = compareBaselines(shape({ a: 1, b: 1 }), shape({ a: 'x', b: 'x' }))
    expect(one!.fingerprint).not.toBe(other!.fingerprint)
  })
})
