import { describe, expect, it } from 'vitest'
import { z } from 'zod/v3'
import { buildContract, type OperationId } from '../../fixtures/built-contract/index.ts'
import * as contractFamilies from '../../fixtures/contract/families.ts'
import { createCore } from '../core/core.ts'
import { type Request, serve } from '../families/family.ts'
import * as families from '../families/index.ts'
import type { Model } from '../world/collection.ts'
import { recordOf } from '../world/record.ts'
import type { ModelName } from './made-of.ts'
import { createMock, createMockOf, type Mock } from './mock.ts'

const { key, quota, ...others } = contractFamilies
const resources = {
  ...key.resources,
  keyBody: { ...key.resources.keyBody, fields: { ...key.resources.keyBody.fields, team: { type: 'string', max: 5 } } },
} as const
/** The contract without quotas, and with one more field of new keys. */
const contract = buildContract({ ...others, key: { ...key, resources } })

async function use(mock: Mock) {
  const { cloud } = mock.target({ cloud: '' })
  const headers = {
    authorization: `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`,
    'content-type': 'application/json',
  }
  const path = `/v1/organizations/${cloud!.organizationId}`
  const send = async (method: string, below: string, body?: object) => {
    const call = { method, path: `${path}${below}`, query: '', headers, body: body ? JSON.stringify(body) : '' }
    const { status, body: answered } = await mock.answer(call, 'cloud')
    return [status, JSON.parse(answered).error]
  }
  const described = JSON.stringify(mock.describe('cloud'))
  return {
    quotas: await send('GET', '/quotas'),
    team: await send('POST', '/keys', { name: 'A', team: 'ops' }),
    longTeam: await send('POST', '/keys', { name: 'A', team: 'operations' }),
    describesQuotas: described.includes('"quota.list"'),
    describesTeam: described.includes('"team":{"type":"string","maxLength":5'),
  }
}

it('lets two mocks with different contracts live in one process', async () => {
  const core = createCore({ contract, families })
  const [usual, other] = [createMock(), createMockOf(core)]
  for (const round of [1, 2]) {
    expect([round, await use(usual)]).toEqual([
      round,
      {
        quotas: [200, undefined],
        team: [400, expect.stringContaining('team')],
        longTeam: [400, expect.stringContaining('team')],
        describesQuotas: true,
        describesTeam: false,
      },
    ])
    expect([round, await use(other)]).toEqual([
      round,
      {
        quotas: [404, expect.any(String)],
        team: [200, undefined],
        longTeam: [400, expect.stringContaining('team')],
        describesQuotas: false,
        describesTeam: true,
      },
    ])
  }
  expect(() => other.stub({ when: { operation: 'quota.list' }, answer: {} })).toThrow(/no operation/)
})

describe('a mock of other families', () => {
  const name = { type: 'string', max: 5 } as const
  const id = { type: 'string', format: 'uuid' } as const
  /** Shelves, and books within a shelf. */
  const contract = buildContract({
    shelf: {
      defaults: { paths: { cloud: '/v1/shelves' }, recordPath: '/{shelfId}' },
      resources: { shelf: { fields: { id, name } }, shelfBody: { fields: { name } } },
      operations: {
        'shelf.list': {},
        'shelf.create': { body: 'shelfBody' },
        'shelf.get': {},
        'shelf.delete': {},
      },
    },
    book: {
      defaults: { paths: { cloud: '/v1/shelves/{shelfId}/books' }, recordPath: '/{bookId}' },
      resources: { book: { fields: { id, name } }, bookBody: { fields: { name } } },
      operations: { 'book.list': {}, 'book.create': { body: 'bookBody' }, 'book.get': {}, 'book.delete': {} },
    },
  } as unknown as Parameters<typeof buildContract>[0])
  const record = recordOf<Thing>({ name: z.string() })
  type Thing = { readonly id: string; readonly name: string }
  const shelves: Model<Thing> = { name: 'shelf', within: 'deployment', record, seed: () => [] }
  const books: Model<Thing> = { name: 'book', within: shelves, record, seed: () => [] }
  const familyOf = (model: Model<Thing>) => {
    const { find, get, list, create, remove } = serve(model, { id, name })
    return {
      models: [model],
      handlers: {
        [`${model.name}.list`]: list,
        [`${model.name}.get`]: get,
        [`${model.name}.create`]: (request: Request) =>
          create(request, { id: request.world.newUuid(), ...(request.body as { readonly name: string }) }),
        [`${model.name}.delete`]: (request: Request) => remove(request, find(request)),
      },
    }
  }
  const toys = createCore({ contract, families: { shelf: familyOf(shelves), book: familyOf(books) } })

  async function open(mock = createMockOf(toys)) {
    const send = async (method: string, path: string, body?: object) => {
      const headers = body ? { 'content-type': 'application/json' } : {}
      const call = { method, path, query: '', headers, body: body ? JSON.stringify(body) : '' }
      const answer = await mock.answer(call, 'cloud')
      const { result, error } = JSON.parse(answer.body)
      return [answer.status, result ?? error]
    }
    const [, shelf] = await send('POST', '/v1/shelves', { name: 'tall' })
    return { mock, send, shelf: `/v1/shelves/${shelf.id}` }
  }

  it('creates, lists, answers and deletes their records', async () => {
    const { send, shelf } = await open()
    const [status, book] = await send('POST', `${shelf}/books`, { name: 'Faust' })
    expect([status, book]).toEqual([200, { id: expect.any(String), name: 'Faust' }])
    expect(await send('GET', `${shelf}/books`)).toEqual([200, [book]])
    expect(await send('GET', `${shelf}/books/${book.id}`)).toEqual([200, book])
    expect(await send('POST', `${shelf}/books`, { name: 'Buddenbrooks' })).toEqual([
      400,
      expect.stringContaining('name'),
    ])
    expect(await send('DELETE', `${shelf}/books/${book.id}`)).toEqual([200, {}])
    expect(await send('GET', `${shelf}/books/${book.id}`)).toEqual([404, expect.any(String)])
    await send('DELETE', shelf)
    expect(await send('GET', '/v1/shelves')).toEqual([200, []])
  })

  it('has a journal, a target file, records, stubs, worlds, a reset, and a state that another loads', async () => {
    const { mock, send, shelf } = await open()
    const book = mock.create('book' as ModelName, { name: 'Faust' } as object, { within: shelf.split('/')[3]! })
    expect(await send('GET', `${shelf}/books`)).toEqual([200, [book]])
    const other = await open()
    other.mock.load(mock.state())
    expect(await other.send('GET', `${shelf}/books`)).toEqual([200, [book]])
    mock.worlds.open()
    mock.stub({ when: { operation: 'book.list' as OperationId }, answer: { status: 418 } })
    expect(
      (await mock.answer({ method: 'GET', path: `${shelf}/books`, query: '', headers: {}, body: '' }, 'cloud')).status,
    ).toBe(418)
    expect(mock.calls(1)).toMatchObject([{ operation: 'book.list', response: { status: 418 } }])
    expect(mock.target({ cloud: 'http://mock.test' })).toEqual({ name: 'mock', notOffered: ['managed'], writes: true })
    expect(mock.advance('1h')).toEqual([])
    mock.reset()
    expect(await send('GET', '/v1/shelves')).toEqual([200, []])
  })
})
