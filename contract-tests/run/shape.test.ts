import { describe, expect, it } from 'vitest'
import { shapeOf } from './shape.ts'

/** The shape of a field in enough records: their number is not kept. */
const inEnoughRecords = (presence: string, types: string[]) => ({ types, presence })
const always = (...types: string[]) => ({ types, presence: 'always', records: 1 })
const sometimes = (...types: string[]) => ({ types, presence: 'sometimes', records: 1 })

describe('the shape of answers', () => {
  it('names the type of each field by its path', () => {
    const answer = {
      id: '01234567-89ab-4def-8123-456789abcdef',
      at: '2024-05-06T07:08:09Z',
      email: 'ada@example.org',
      name: 'Ada',
      size: 1,
      on: true,
      none: null,
      tiles: [{ x: 1 }],
      bucket: { path: 'a' },
    }
    expect(shapeOf([answer])).toEqual({
      '$.at': always('string date-time'),
      '$.bucket': always('object'),
      '$.bucket.path': always('string'),
      '$.email': always('string email'),
      '$.id': always('string uuid'),
      '$.name': always('string'),
      '$.none': always('null'),
      '$.on': always('boolean'),
      '$.size': always('number'),
      '$.tiles': always('array'),
      '$.tiles[].x': always('number'),
    })
  })

  it('lists the fields in the order of their paths', () => {
    expect(Object.keys(shapeOf([{ b: 1, a: { c: 1 } }]))).toEqual(['$.a', '$.a.c', '$.b'])
  })

  it('distinguishes fields that all objects have from those that some have, item by item', () => {
    expect(shapeOf([{ a: 1, list: [{ b: 1 }, { b: 2, c: 1 }] }, { list: [{ b: 3 }] }])).toEqual({
      '$.a': sometimes('number'),
      '$.list': { ...always('array'), records: 2 },
      '$.list[].b': inEnoughRecords('always', ['number']),
      '$.list[].c': sometimes('number'),
    })
    expect(shapeOf([[{ a: 1 }, {}]])).toEqual({ '$[].a': sometimes('number') })
  })

  it('counts a field of an optional object among the objects that are present', () => {
    expect(shapeOf([{ a: { b: 1 } }, {}])).toEqual({ '$.a': sometimes('object'), '$.a.b': always('number') })
  })

  it('lists several types of a field in alphabetical order', () => {
    expect(shapeOf([{ a: 'x' }, { a: null }, { a: 1 }])).toEqual({
      '$.a': inEnoughRecords('always', ['null', 'number', 'string']),
    })
  })

  it('keeps the values of fields with a fixed set of values, and no user data', () => {
    const answers = [{ role: 'developer', name: 'Ada' }, { role: 'admin' }, { role: 'admin', type: 1 }]
    expect(shapeOf(answers)).toMatchObject({ '$.role': { values: ['admin', 'developer'] } })
    expect(shapeOf(answers)['$.name']).not.toHaveProperty('values')
    expect(shapeOf(answers)['$.type']).not.toHaveProperty('values')
    expect(shapeOf([{ role: ['admin'] }])['$.role']).not.toHaveProperty('values')
    // A state changes with the record, not with the API.
    expect(shapeOf([{ state: 'Running', status: 'done' }])).toEqual({
      '$.state': always('string'),
      '$.status': always('string'),
    })
  })

  it.each([
    'kind',
    'source',
    'interval',
    'thresholdType',
    'service',
    'displayType',
    'bucketProvider',
    'aggFn',
    'whereLanguage',
    'savedQueryLanguage',
    'type',
  ])('keeps the values of %s', name => {
    expect(shapeOf([{ [name]: 'word' }])).toEqual({ [`$.${name}`]: { ...always('string'), values: ['word'] } })
  })

  it('is empty for answers without fields', () => {
    expect([shapeOf([]), shapeOf([null, 1, 'a', [], [1]])]).toEqual([{}, {}])
  })

  it('keeps at most 2000 fields, 50 values, and 100 characters of a name or value', () => {
    const fields = Object.fromEntries(Array.from({ length: 2001 }, (_, index) => [`k${index}`, 1]))
    expect(Object.keys(shapeOf([fields])).length).toBe(2000)
    const words = Array.from({ length: 51 }, (_, index) => ({ role: `r${index}` }))
    expect(shapeOf(words)['$.role']!.values!.length).toBe(50)
    expect(shapeOf([{ role: 'r'.repeat(100) }])['$.role']!.values).toEqual(['r'.repeat(100)])
    expect(shapeOf([{ role: 'r'.repeat(101) }])['$.role']).not.toHaveProperty('values')
    expect(Object.keys(shapeOf([{ ['k'.repeat(101)]: 1 }]))).toEqual([`$.${'k'.repeat(100)}`])
  })

  it('counts the records of a known field even after 2000 fields', () => {
    const fields = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`k${index}`, 1]))
    expect(shapeOf([fields, fields])['$.k1999']).toEqual({ ...always('number'), records: 2 })
  })

  it.each<[number | undefined, string, unknown[]]>([
    [1, 'the same id twice', [[{ id: 'a', x: 1 }], { data: [{ id: 'a', x: 2 }] }]],
    [1, 'the same content twice', [[{ x: 1 }], [{ x: 1 }]]],
    [2, 'different contents', [[{ x: 1 }], [{ x: 2 }]]],
    [2, 'different ids', [[{ id: 'a', x: 1 }], [{ userId: 'b', x: 1 }]]],
    [
      undefined,
      'three ids',
      [
        [
          { id: 'a', x: 1 },
          { id: 'b', x: 1 },
          { id: 'c', x: 1 },
        ],
      ],
    ],
  ])('has the record count %s for %s', (records, _, answers) => {
    const [shape] = Object.entries(shapeOf(answers))
      .filter(([path]) => path === '$[].x')
      .map(([, one]) => one)
    expect(shape?.records).toBe(records)
  })

  it('counts the parts of a record by their place in it', () => {
    const answer = [
      { id: 'a', parts: [{ x: 1 }, { x: 1 }] },
      { id: 'b', parts: [{ x: 1 }] },
    ]
    expect(shapeOf([answer, answer])['$[].parts[].x']).toEqual(inEnoughRecords('always', ['number']))
    expect(shapeOf([answer.slice(0, 1), answer.slice(0, 1)])['$[].parts[].x']!.records).toBe(2)
  })
})
