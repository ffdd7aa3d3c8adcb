import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createMock } from './create-mock.ts'

/** Lists the keys of the world; `read` gets the answer. Returns what the usage says was not read. */
async function ignoredAfter(read: (response: Response) => unknown) {
  const mock = createMock({ logs: 1, recordReads: true })
  await read(await listKeys(mock))
  return mock.usage().operations['GET /v1/organizations/{organizationId}/keys']?.ignored
}

function listKeys(mock: ReturnType<typeof createMock>) {
  const { baseUrl, organizationId, keyId, keySecret } = mock.target().cloud
  const authorization = `Basic ${btoa(`${keyId}:${keySecret}`)}`
  return mock.fetch(`${baseUrl}/v1/organizations/${organizationId}/keys`, { headers: { authorization } })
}

// biome-ignore lint/suspicious/noExplicitAny: answers have no type here.
type Loose = any
const withJson = (read: (body: Loose) => unknown) => async (response: Response) => read(await response.json())

describe('what a program ignores of an answer', () => {
  it('is every field that came and was not read', async () => {
    const ignored = await ignoredAfter(withJson(({ result }) => result.map(({ name }: Loose) => name)))
    expect(ignored).toEqual(expect.arrayContaining(['$.requestId', '$.result[].id', '$.result[].roles']))
    expect(ignored).not.toContain('$.result[].name')
    expect(ignored).not.toContain('$.result')
  })

  it.each<[string, (body: Loose) => unknown]>([
    ['a spread', ({ result: [key] }) => ({ ...key })],
    ['a destructuring', ({ result: [{ id: _, ...rest }] }) => rest],
    ['structuredClone', ({ result: [key] }) => structuredClone(key)],
    ['JSON.stringify', ({ result: [key] }) => JSON.stringify(key)],
    [
      'toEqual',
      ({ result: [key] }) =>
        expect(key).toEqual(Object.fromEntries(Object.keys(key).map(name => [name, expect.toSatisfy(() => true)]))),
    ],
    ['console.log', ({ result: [key] }) => inspect(key)],
    ['Object.entries', ({ result: [key] }) => Object.entries(key)],
  ])('is no field of an object that is read whole by %s', async (_, read) => {
    const ignored = await ignoredAfter(withJson(read))
    expect(ignored?.filter(path => /^\$\.result\[\]\.\w+$/.test(path))).toEqual([])
    expect(ignored).toContain('$.requestId')
  })

  it.each<[string, (response: Response) => unknown]>([
    ['text', response => response.text()],
    ['arrayBuffer', response => response.arrayBuffer()],
    ['blob', response => response.blob()],
    ['body', response => response.body!.getReader().read()],
    ['text of a clone', response => response.clone().text()],
  ])('is nothing of an answer whose %s is read', async (_, read) => {
    expect(await ignoredAfter(read)).toBeUndefined()
  })

  it('is nothing if one of the calls reads in an unknown way, and nothing by default', async () => {
    const mock = createMock({ logs: 1, recordReads: true })
    await (await listKeys(mock)).json()
    const { baseUrl, organizationId, keyId, keySecret } = mock.target().cloud
    const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
    const call = { method: 'GET', path: `/v1/organizations/${organizationId}/keys`, query: '', headers, body: '' }
    expect(baseUrl).toBeDefined()
    const ignored = () => Object.values(mock.usage().operations)[0]!.ignored
    expect(ignored()).toBeDefined()
    await mock.answer(call, 'cloud')
    expect(ignored()).toBeUndefined()
    const other = createMock({ logs: 1 })
    await (await listKeys(other)).json()
    expect(Object.values(other.usage().operations)[0]).not.toHaveProperty('ignored')
  })
})

it('ignores fields by the contract of the mock, which a document may extend', async () => {
  const document: Loose = structuredClone(createMock({ logs: 1 }).describe('cloud'))
  // No name of the usual kind, which would be kept as `*`.
  const { Key } = document.components.schemas
  Key.properties.sha256sum = { type: 'string' }
  Key.required.push('sha256sum')
  const mock = createMock({ logs: 1, recordReads: true, document })
  const body = (await (await listKeys(mock)).json()) as Loose
  expect(Object.keys(body.result[0])).toContain('sha256sum')
  expect(Object.values(mock.usage().operations)[0]!.ignored).toContain('$.result[].sha256sum')
})

describe('an answer whose reads are noted', () => {
  it('behaves as one whose reads are not', async () => {
    const options = { logs: 1, seed: 3, now: 0, freeze: true }
    const [plain, watched] = [createMock(options), createMock({ ...options, recordReads: true })]
    const [expected, body]: Loose[] = [await (await listKeys(plain)).json(), await (await listKeys(watched)).json()]
    expected.requestId = body.requestId
    expect(inspect(body, { depth: 9 })).toBe(inspect(expected, { depth: 9 }))
    expect(body).toStrictEqual(expected)
    expect(structuredClone(body)).toStrictEqual(expected)
    expect(JSON.stringify(body)).toBe(JSON.stringify(expected))
    expect(Object.keys(body)).toEqual(Object.keys(expected))
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    const { port1, port2 } = new MessageChannel()
    const received = new Promise(resolve => port2.addEventListener('message', ({ data }) => resolve(data)))
    port2.start()
    port1.postMessage(body)
    expect(await received).toStrictEqual(expected)
    port1.close()
    for (const one of [expected, body]) {
      one.status = 7
      delete one.requestId
      one.result.reverse()
      one.more = true
      Object.freeze(one)
      expect(() => {
        one.status = 8
      }).toThrow(TypeError)
    }
    expect(body).toStrictEqual(expected)
  })

  it.each(['json', 'text', 'arrayBuffer', 'blob', 'clone', 'body'] as const)(
    'has no second body for %s once json() has read it',
    async way => {
      const [plain, watched] = [createMock({ logs: 1 }), createMock({ logs: 1, recordReads: true })]
      const outcomes = [plain, watched].map(async mock => {
        const response = await listKeys(mock)
        const before = response.bodyUsed
        await response.json()
        const second = way === 'body' ? () => response.body!.locked : () => response[way]()
        return [
          before,
          response.bodyUsed,
          await Promise.resolve()
            .then(second)
            .catch((error: Error) => error.message),
        ]
      })
      expect(await outcomes[1]).toEqual(await outcomes[0])
    },
  )

  it('is read by json() beside a clone, and not while a reader has its body', async () => {
    const mock = createMock({ logs: 1, recordReads: true })
    const response = await listKeys(mock)
    const clone = response.clone()
    expect([await response.json(), response.bodyUsed]).toEqual([await clone.json(), true])
    const locked = await listKeys(mock)
    locked.body!.getReader()
    await expect(locked.json()).rejects.toThrow(TypeError)
  })

  it('keeps refusals, empty answers and broken JSON as they are', async () => {
    const mock = createMock({ logs: 1, recordReads: true })
    const { baseUrl } = mock.target().cloud
    const refused = await mock.fetch(`${baseUrl}/v1/organizations`)
    expect([refused.status, Object.keys((await refused.json()) as object)]).toEqual([401, expect.any(Array)])
    mock.stub({ when: { path: '/v1/organizations' }, answer: { status: 200, body: '{"a":' } })
    await expect(mock.fetch(`${baseUrl}/v1/organizations`).then(response => response.json())).rejects.toThrow(
      SyntaxError,
    )
  })
})
