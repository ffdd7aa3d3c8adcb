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

describe('an observation', () => {
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
  ])('of %s as %j can be reproduced by a mock: %s', (id, value, verdict) => {
    expect(isReproducible(id, value)).toBe(verdict)
  })
})

describe('the baseline of a run', () => {
  it('separates choices from shapes, by form and in the order of their ids', () => {
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

  it('takes shapes only from successful operations with the valid key', () => {
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

  it('is read back from its file unchanged', () => {
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
  ])('cannot be read from %s', (text, sentence) => {
    expect(() => parseBaseline(text)).toThrow(sentence)
  })
})

describe('drift', () => {
  const baselineOfChoices = (values: Record<string, string>): Baseline => ({
    ...about,
    choices: { cloud: values },
    shapes: {},
  })
  const baselineOfAnswers = (...answers: unknown[]) =>
    createBaseline(
      [],
      answers.map(json => exchange(json)),
      about,
    )
  const compare = (was: Baseline, is: Baseline) =>
    compareBaselines(was, is).map(({ kind, part, id, was, is }) => [kind, part, id, was, is])

  it('is empty between equal baselines, and where one of them has no observation', () => {
    const whole = baselineOfAnswers({ a: 1, list: [{ b: 1 }] })
    expect(compare(whole, whole)).toEqual([])
    expect(compare({ ...about, choices: {}, shapes: {} }, whole)).toEqual([])
    expect(compare(baselineOfChoices({ 'path/trailing-slash': 'same' }), baselineOfChoices({}))).toEqual([])
    expect(
      compare(
        baselineOfChoices({ 'path/letter-case': 'same' }),
        baselineOfChoices({ 'path/letter-case': 'same', 'path/trailing-slash': 'same' }),
      ),
    ).toEqual([])
  })

  it('is breaking if the deployment takes another choice', () => {
    expect(
      compare(
        baselineOfChoices({ 'path/trailing-slash': 'same' }),
        baselineOfChoices({ 'path/trailing-slash': 'refused' }),
      ),
    ).toEqual([['breaking', 'choices', 'cloud path/trailing-slash', 'same', 'refused']])
  })

  it.each<[unknown, unknown, string]>([
    [['a'], ['a', 'b'], 'additive'],
    [['a', 'b'], ['a'], 'breaking'],
    ['a', 'b', 'breaking'],
    [['a'], 'a', 'breaking'],
    ['a', ['a'], 'breaking'],
  ])('from %j to %j is %s', (was, is, kind) => {
    const baselineOf = (value: unknown) => createBaseline([observe('member/fields-present', 'cloud', value)], [], about)
    expect(compare(baselineOf(was), baselineOf(is))).toEqual([[kind, 'shapes', 'cloud member/fields-present', was, is]])
  })

  it('of a limit is neutral', () => {
    const baselineOf = (value: unknown) => createBaseline([observe('limit/rate', 'cloud', value)], [], about)
    expect(compare(baselineOf('none'), baselineOf('10 a second')).map(([kind]) => kind)).toEqual(['neutral'])
  })

  const fieldId = (name: string) => `cloud member.list $.${name}`
  it.each<[string, unknown[], unknown[], unknown[]]>([
    ['a lost field', [{ a: 1, b: 1 }], [{ b: 1 }], ['breaking', 'shapes', fieldId('a'), 'number', null]],
    [
      'a lost field that only some records had',
      [{ a: 1, b: 1 }, { b: 1 }],
      [{ b: 1 }],
      ['neutral', 'shapes', fieldId('a'), 'number, sometimes', null],
    ],
    [
      'a lost field of an object',
      [{ o: { a: 1, b: 1 } }],
      [{ o: { b: 1 } }],
      ['breaking', 'shapes', fieldId('o.a'), 'number', null],
    ],
    [
      'a lost field of three items',
      [{ l: [1, 2, 3].map(b => ({ a: 1, b })) }],
      [{ l: [{ b: 1 }] }],
      ['breaking', 'shapes', fieldId('l[].a'), 'number', null],
    ],
    ['another type of a field', [{ a: 1 }], [{ a: 'x' }], ['breaking', 'shapes', fieldId('a'), 'number', 'string']],
    [
      'an additional type',
      [{ a: 1 }],
      [{ a: 1 }, { a: 'x' }],
      ['additive', 'shapes', fieldId('a'), 'number', 'number | string'],
    ],
    [
      'null as an additional type',
      [{ a: 1 }],
      [{ a: 1 }, { a: null }],
      ['neutral', 'shapes', fieldId('a'), 'number', 'null | number'],
    ],
    [
      'null and another additional type',
      [{ a: 1 }],
      [{ a: 1 }, { a: null }, { a: 'x' }],
      ['additive', 'shapes', fieldId('a'), 'number', 'null | number | string'],
    ],
    [
      'a third type',
      [{ a: 1 }, { a: 'x' }],
      [{ a: 1 }, { a: 'x' }, { a: true }],
      ['additive', 'shapes', fieldId('a'), 'number | string', 'boolean | number | string'],
    ],
    [
      'a third value',
      [{ kind: 'a' }, { kind: 'b' }],
      [{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }],
      ['additive', 'shapes', fieldId('kind'), 'a, b', 'a, b, c'],
    ],
    [
      'a lost field of two types',
      [
        { a: 1, b: 1 },
        { a: 'x', b: 1 },
      ],
      [{ b: 1 }],
      ['breaking', 'shapes', fieldId('a'), 'number | string', null],
    ],
    [
      'a lost field of an object with a long name',
      [{ bucket: { provider: 1, path: 1 } }],
      [{ bucket: { path: 1 } }],
      ['breaking', 'shapes', fieldId('bucket.provider'), 'number', null],
    ],
    ['null instead of a number', [{ a: 1 }], [{ a: null }], ['breaking', 'shapes', fieldId('a'), 'number', 'null']],
    [
      'a field that fewer records have',
      [{ a: 1, b: 1 }],
      [{ a: 1, b: 1 }, { b: 1 }],
      ['neutral', 'shapes', fieldId('a'), 'always', 'sometimes'],
    ],
    ['a new field', [{ b: 1 }], [{ a: 1, b: 1 }], ['additive', 'shapes', fieldId('a'), null, 'number']],
    [
      'a new value',
      [{ kind: 'a' }],
      [{ kind: 'a' }, { kind: 'b' }],
      ['additive', 'shapes', fieldId('kind'), 'a', 'a, b'],
    ],
    [
      'a role that the specification does not list',
      [{ role: 'admin' }],
      [{ role: 'viewer' }],
      ['breaking', 'shapes', fieldId('role'), 'admin', 'viewer'],
    ],
    [
      'a lost field that the contract requires, seen in a single record',
      [{ result: [{ userId: 'a', role: 'admin' }] }],
      [{ result: [{ role: 'admin' }] }],
      ['breaking', 'shapes', fieldId('result[].userId'), 'string', null],
    ],
    [
      'null in a field that the contract requires',
      [{ result: [{ userId: 'a' }] }],
      [{ result: [{ userId: 'a' }, { userId: null }] }],
      ['breaking', 'shapes', fieldId('result[].userId'), 'string', 'null | string'],
    ],
  ])('reports %s', (_, was, is, expected) => {
    expect(compare(baselineOfAnswers(...was), baselineOfAnswers(...is))).toEqual([expected])
  })

  const neutralDrift = ['neutral', 'shapes', 'cloud member.list $[].a']
  const threeOf = <Item>(item: Item) => [item, { ...item, b: 2 }, { ...item, b: 3 }]
  it.each<[string, object[], object[], unknown[]]>([
    ['a lost field of one item', [{ a: 1, b: 1 }], [{ b: 2 }], [...neutralDrift, 'number (seen in 1 record)', null]],
    [
      'a lost field of two items',
      threeOf({ a: 1, b: 1 }).slice(1),
      [{ b: 2 }],
      [...neutralDrift, 'number (seen in 2 records)', null],
    ],
    ['null instead of a string', [{ a: 'x' }], [{ a: null }], [...neutralDrift, 'string (seen in 1 record)', 'null']],
    [
      'an id in another format',
      [{ a: '01234567-89ab-4def-8123-456789abcdef' }],
      [{ a: 'x' }],
      [...neutralDrift, 'string uuid (seen in 1 record)', 'string'],
    ],
  ])('from few records is neutral: %s', (_, was, is, expected) => {
    expect(compare(baselineOfAnswers(was), baselineOfAnswers(is))).toEqual([expected])
  })

  it.each<[string, object[], object[], string, string, string | null]>([
    ['a lost field of three items', threeOf({ a: 1 }), [{ b: 1 }], 'breaking', 'number', null],
    ['null instead of a string', threeOf({ a: 'x' }), [{ a: null, b: 1 }], 'breaking', 'string', 'null'],
    ['another type of a field', [{ a: 1 }], [{ a: 'x' }], 'breaking', 'number (seen in 1 record)', 'string'],
    ['an object instead of a list', threeOf({ a: [] }), [{ a: {}, b: 1 }], 'breaking', 'array', 'object'],
    [
      'an id in another format',
      threeOf({ a: '01234567-89ab-4def-8123-456789abcdef' }),
      [{ a: 'x', b: 1 }],
      'breaking',
      'string uuid',
      'string',
    ],
    ['a string instead of null', threeOf({ a: null }), [{ a: 'x', b: 1 }], 'additive', 'null', 'string'],
    [
      'an email address instead of another string',
      threeOf({ a: 'x' }),
      [{ a: 'ada@example.org', b: 1 }],
      'additive',
      'string',
      'string email',
    ],
    [
      'a string as an additional type',
      threeOf({ a: [] }),
      [{ a: [] }, { a: 'x', b: 1 }],
      'additive',
      'array',
      'array | string',
    ],
  ])('in all records is reported: %s', (_, was, is, kind, before, after) => {
    const reported = compare(baselineOfAnswers(was), baselineOfAnswers(is)).filter(
      ([, , id]) => id === 'cloud member.list $[].a',
    )
    expect(reported).toEqual([[kind, 'shapes', 'cloud member.list $[].a', before, after]])
  })

  it('from a baseline without record counts is breaking', () => {
    const { shapes, ...rest } = baselineOfAnswers([{ a: 1, b: 1 }])
    const uncounted = JSON.parse(JSON.stringify(shapes).replaceAll(',"records":1', ''))
    const old = parseBaseline(JSON.stringify({ ...rest, shapes: uncounted }))
    expect(compare(old, baselineOfAnswers([{ b: 1 }])).map(([kind]) => kind)).toEqual(['breaking'])
  })

  describe('in the fields that every record has', () => {
    const createListBaseline = (operation: string, items: object[]) =>
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
    const kindsOf = (was: object[], is: object[]) =>
      compare(createListBaseline('webhook.list', was), createListBaseline('webhook.list', is))
        .filter(([, , id]) => id === 'cloud webhook/fields-present')
        .map(([kind]) => kind)
    const records = [1, 2, 3].map(id => ({ id, body: 'x' }))

    it('is neutral when a further record lacks a field', () => {
      expect(kindsOf(records, [...records, { id: 4 }])).toEqual(['neutral'])
    })

    it('is breaking when all records lack a field', () => {
      expect(kindsOf(records, [{ id: 1 }])).toEqual(['breaking'])
    })

    it('is neutral when all records lack a field that few records had', () => {
      expect(kindsOf(records.slice(1), [{ id: 1 }])).toEqual(['neutral'])
    })

    it('is breaking when the baseline has no records', () => {
      const was = createBaseline([observe('webhook/fields-present', 'cloud', ['id', 'body'])], [], about)
      expect(compare(was, createListBaseline('webhook.list', [{ id: 1 }])).map(([kind]) => kind)).toContain('breaking')
    })
  })

  it('is breaking when a field becomes required, and additive when it becomes optional', () => {
    const baselineOf = (value: unknown) =>
      createBaseline([observe('alert/required-fields', 'managed', value)], [], about)
    const kindsOf = (was: string[], is: string[]) => compare(baselineOf(was), baselineOf(is)).map(([kind]) => kind)
    expect([kindsOf(['a'], ['a', 'b']), kindsOf(['a', 'b'], ['a'])]).toEqual([['breaking'], ['additive']])
  })

  it.each([
    ['that the run did not create is neutral', {}, 'neutral'],
    ['that the run created is breaking', { 'alert.create': { name: 1 } }, 'breaking'],
  ])('from one alert %s', (_, created, kind) => {
    const baselineOf = (alert: object) =>
      createBaseline(
        [],
        [
          exchange({ data: alert }, { operation: 'alert.get' }),
          ...Object.entries(created).map(([operation, answer]) => exchange(answer, { operation })),
        ],
        about,
      )
    expect(compare(baselineOf({ id: 1, a: 1 }), baselineOf({ id: 1 })).map(([kind]) => kind)).toEqual([kind])
  })

  it.each<[string, unknown[], unknown[]]>([
    ['a lost type', [{ a: 1 }, { a: null }], [{ a: 1 }]],
    ['a field that more records have', [{ a: 1, b: 1 }, { b: 1 }], [{ a: 1, b: 1 }]],
    ['a lost value', [{ role: 'a' }, { role: 'b' }], [{ role: 'a' }]],
    [
      'the lost values of a field that is null now',
      [
        { role: 'a', b: 1 },
        { role: null, b: 1 },
      ],
      [{ role: null, b: 1 }],
    ],
    ['a field that only some records have, as before', [{ a: 1, b: 1 }, { b: 1 }], [{ a: 1, b: 1 }, { b: 1 }]],
    ['the fields of objects in items when the list is empty', [{ l: [{ oo: { pp: 1 } }, {}] }], [{ l: [] }]],
    ['the fields of items when the list is empty', [{ l: [{ a: 1 }] }], [{ l: [] }]],
  ])('does not include %s', (_, was, is) => {
    expect(compare(baselineOfAnswers(...was), baselineOfAnswers(...is))).toEqual([])
  })

  it('reports an operation that did not answer before', () => {
    const more = createBaseline([], [exchange({ a: 1 }), exchange({ a: 1 }, { operation: 'backup.get' })], about)
    expect(compare(baselineOfAnswers({ a: 1 }), more)).toEqual([
      ['additive', 'shapes', 'cloud backup.get', null, 'answers'],
    ])
  })

  it('lists choices before shapes, and in each part the breaking drift first', () => {
    const was = {
      ...baselineOfAnswers({ a: 1, c: 1 }, { a: 1, c: 1 }),
      choices: { cloud: { 'path/trailing-slash': 'same' } },
    }
    const is = {
      ...baselineOfAnswers({ b: 1, c: 1 }, { b: 1 }),
      choices: { cloud: { 'path/trailing-slash': 'refused' } },
    }
    expect(compare(was, is).map(([kind, part, id]) => `${kind} ${part} ${id}`)).toEqual([
      'breaking choices cloud path/trailing-slash',
      'breaking shapes cloud member.list $.a',
      'additive shapes cloud member.list $.b',
      'neutral shapes cloud member.list $.c',
    ])
  })

  it('has another fingerprint for each difference', () => {
    const [one, other] = compareBaselines(baselineOfAnswers({ a: 1, b: 1 }), baselineOfAnswers({ a: 'x', b: 'x' }))
    expect(one!.fingerprint).not.toBe(other!.fingerprint)
  })
})
