import { describe, expect, it } from 'vitest'
import type { Fields } from '../../../fixtures/contract/index.ts'
import type { Exchange } from '../../engine/exchange.ts'
import { withoutNamed } from './amend.ts'
import { compareWhole, followsContract } from './compare-whole.ts'
import { createWholeBodies } from './whole-bodies.ts'

const fields = {
  name: { type: 'string' },
  kind: { type: 'string', values: ['a', 'b', 'c'], default: 'a', optional: true },
  size: { type: 'number', min: 1, max: 9, multipleOf: 1, optional: true },
  isOpen: { type: 'boolean', default: true, optional: true },
  owner: { type: 'string', format: 'uuid', optional: true },
  newer: { type: 'string', editions: ['2.36'], optional: true },
  tiles: {
    type: 'array',
    optional: true,
    items: {
      type: 'object',
      fields: { title: { type: 'string', optional: true } },
      oneOf: {
        discriminator: 'type',
        variants: { pie: { groups: { type: 'number', optional: true } }, map: { zoom: { type: 'number', min: 2 } } },
      },
    },
  },
} as const satisfies Fields

const wish = {
  form: 'selfHosted',
  edition: '2.24',
  context: undefined,
  small: { name: 'm' },
  mark: 'mark',
  turn: 0,
} as const

describe('whole bodies', () => {
  it('have every field of the edition, no default, and each variant of a union in one list', () => {
    const [body, ...more] = createWholeBodies({ fields }, wish)
    expect(more).toEqual([])
    expect(body).toMatchObject({ name: 'm', size: 9, isOpen: false })
    expect(['b', 'c']).toContain(body!.kind)
    expect(body).not.toHaveProperty('newer')
    expect((body!.tiles as { type: string }[]).map(({ type }) => type)).toEqual(['pie', 'map'])
  })

  it('have other values in another turn', () => {
    const [first, second] = [0, 1].map(turn => createWholeBodies({ fields }, { ...wish, turn })[0]!)
    for (const name of ['kind', 'size', 'isOpen', 'tiles']) expect(second![name]).not.toEqual(first![name])
  })

  it('leave out what has an exception, and keep small values of required fields', () => {
    const omit = { size: 'it costs', 'tiles.type=pie': 'no reason' }
    const [body] = createWholeBodies({ fields }, { ...wish, omit, values: { owner: 'known' } })
    expect(body).toMatchObject({ owner: 'known', tiles: [{ type: 'map' }] })
    expect(body).not.toHaveProperty('size')
  })

  it('number as many as a union outside of lists has variants', () => {
    const oneOf = { discriminator: 'source', variants: { tile: { tileId: { type: 'string' } }, search: {} } } as const
    const bodies = createWholeBodies({ fields, oneOf }, { ...wish, small: { name: 'm', tileId: 't' } })
    expect(bodies.map(({ source }) => source)).toEqual(['tile', 'search'])
  })
})

describe('a refused body', () => {
  const body = {
    name: 'm',
    kind: 'b',
    tiles: [
      { type: 'pie', title: 'x' },
      { type: 'map', zoom: 2 },
    ],
  }
  it.each([
    ['Body validation failed: kind: Unrecognized key', { ...body, kind: undefined }],
    ['tiles.1.type: Invalid discriminator value', { ...body, tiles: [body.tiles[0]] }],
    ['BAD_REQUEST: request body.tiles.0.title: too long', { ...body, tiles: [{ type: 'pie' }, body.tiles[1]] }],
  ])('is sent again without what the refusal names: %s', (text, expected) => {
    const refused = { response: { status: 400, headers: {}, text } } as unknown as Exchange
    expect(withoutNamed(body, refused, { fields })).toEqual(JSON.parse(JSON.stringify(expected)))
  })

  it('is not sent again if the refusal names nothing that may be left out', () => {
    const refused = { response: { status: 400, headers: {}, text: 'name: Required' } } as unknown as Exchange
    expect(withoutNamed(body, refused, { fields })).toBeUndefined()
  })
})

describe('the comparison', () => {
  const sent = { name: 'm', tiles: [{ type: 'pie', title: 'x', groups: 3 }] }
  const compare = (got: object) => compareWhole(sent, got as typeof sent, { fields }, { fields })
  it.each([
    [{ ...sent, tiles: [{ type: 'pie', title: 'x' }] }, '$.tiles[0].groups'],
    [{ ...sent, tiles: [{ type: 'pie', title: 'y', groups: 3 }] }, '$.tiles[0].title'],
    [{ ...sent, tiles: [] }, '$.tiles'],
    [{ ...sent, tiles: [{ ...sent.tiles[0], zoom: 4 }] }, '$.tiles[0].zoom'],
  ])('names the path of what differs: %j', (got, path) => {
    expect(compare(got)?.path).toBe(path)
  })

  it('accepts further fields', () => {
    expect(compare({ ...sent, id: 'x' })).toBeUndefined()
  })
})

describe('a deployment', () => {
  it('follows the contract if most of the required fields are there', () => {
    const shown = {
      id: { type: 'string' },
      state: { type: 'string' },
      note: { type: 'string', optional: true },
    } as const
    expect(followsContract({ id: '1' }, shown)).toBe(true)
    expect(followsContract({ note: 'x' }, shown)).toBe(false)
    expect(compareWhole({ state: 'x' }, {}, { fields: shown }, { fields: shown }, { mayLose: true })).toBeUndefined()
    expect(
      compareWhole({ state: 'x' }, { state: 'y' }, { fields: shown }, { fields: shown }, { mayLose: true }),
    ).toBeDefined()
  })
})
