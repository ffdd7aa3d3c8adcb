import { describe, expect, it } from 'vitest'
import { UsageError } from '../../engine/target/target.ts'
import { fingerprint, fingerprintsOf } from '../fingerprint.ts'
import { compareDocuments } from './compare-documents.ts'

type Loose = Record<string, unknown>

/** A document with one list, whose items have this schema. */
const documentOf = (item: Loose, more: { readonly parameter?: Loose; readonly headers?: Loose } = {}) => ({
  openapi: '3.1.0',
  info: { version: '1' },
  paths: {
    '/api/v2/dashboards': {
      get: {
        parameters: [{ in: 'query', name: 'tags', schema: { type: 'array' }, ...more.parameter }],
        responses: { 200: { headers: more.headers, content: { 'application/json': { schema: item } } } },
      },
    },
  },
})
const object = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', deprecated: true } } }

describe('a change that is not judged', () => {
  it.each(['dependentRequired', 'if', 'not', 'patternProperties', 'prefixItems', 'unevaluatedProperties'])(
    'is reported for the keyword %s',
    keyword => {
      const drift = compareDocuments(documentOf(object), documentOf({ ...object, [keyword]: { a: ['b'] } }))
      expect(drift).toMatchObject([
        { kind: 'neutral', id: expect.stringContaining(`/${keyword}-changed-not-judged`), is: '{"a":["b"]}' },
      ])
    },
  )

  it('is reported for the style of a parameter, unless it is the default', () => {
    const compare = (parameter: Loose) =>
      compareDocuments(documentOf(object), documentOf(object, { parameter })).map(({ id }) => id)
    expect(compare({ style: 'form', explode: true })).toEqual([])
    expect(compare({ explode: false })).toEqual(['parameter/dashboard.list:query.tags/style-changed-not-judged'])
  })

  it('is reported for the headers of an answer, without their prose', () => {
    const [was, is] = ['old', 'new'].map(description => ({ 'x-total': { description, schema: { type: 'integer' } } }))
    const compare = (headers: Loose | undefined) =>
      compareDocuments(documentOf(object, { headers: was }), documentOf(object, { headers })).map(({ id }) => id)
    expect(compare(is)).toEqual([])
    expect(compare(undefined)).toEqual(['answer/dashboard.list:200/headers-changed-not-judged'])
  })
})

describe('a field that goes from answers', () => {
  const without = (name: string) => {
    const { [name]: _, ...properties } = object.properties as Loose
    return compareDocuments(documentOf(object), documentOf({ ...object, properties }))
  }

  it('is breaking though it was optional, unless it was deprecated', () => {
    expect(without('a').map(({ kind }) => kind)).toEqual(['breaking'])
    expect(without('b').map(({ kind }) => kind)).toEqual(['neutral'])
  })

  it('is still known by the fingerprint that it had when it was neutral', () => {
    const [drift] = without('a')
    expect(fingerprintsOf(drift!)).toEqual([drift!.fingerprint, fingerprint({ ...drift!, kind: 'neutral' })])
  })
})

describe('an OpenAPI document', () => {
  it.each([
    ['3.2.0', 'it is a document of OpenAPI 3.2.0; 3.0 and 3.1 are read.'],
    ['three', 'it is no OpenAPI document: `openapi` must be a version 3.0 or 3.1.'],
  ])('of version %s is refused as such', (openapi, sentence) => {
    expect(() => compareDocuments(documentOf(object), { ...documentOf(object), openapi })).toThrow(
      new UsageError(sentence),
    )
  })

  it('with a chain of 20,000 references is compared as far as it is read, and says so', () => {
    const length = 20_000
    const names = Array.from({ length }, (_, index) => `S${index}`)
    const chain = (kind: 'schemas' | 'parameters', end: Loose) =>
      Object.fromEntries(
        names.map((name, index) => [name, index + 1 < length ? { $ref: `#/components/${kind}/S${index + 1}` } : end]),
      )
    const parameter = { in: 'query', name: 'page', schema: { type: 'integer' } }
    const document = {
      ...documentOf({ $ref: '#/components/schemas/S0' }),
      components: { schemas: chain('schemas', object), parameters: chain('parameters', parameter) },
    }
    document.paths['/api/v2/dashboards'].get.parameters.push({ $ref: '#/components/parameters/S0' } as never)
    expect(compareDocuments(document, document)).toMatchObject([
      {
        kind: 'neutral',
        id: 'document/references-unread',
        is: [expect.stringContaining('at the end of more than 40')],
      },
    ])
  })
})
