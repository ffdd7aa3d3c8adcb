import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createMock, type Mock, type MockWorld, type WorldOptions } from './mock.ts'

const now = Date.UTC(2026, 5, 1, 12)
const bases = { cloud: 'http://cloud', selfHosted: 'http://self-hosted' }

/** Sends calls with the credentials of a world to the mock. */
function createCaller(mock: Mock, world: MockWorld) {
  const { cloud, selfHosted } = world.target(bases)
  const send =
    (host: 'cloud' | 'selfHosted', authorization: string) => (method: string, path: string, body?: object) => {
      const headers = { authorization, 'content-type': 'application/json' }
      return mock.answer({ method, path, query: '', headers, body: body ? JSON.stringify(body) : '' }, host)
    }
  return {
    target: world.target(bases),
    inCloud: send('cloud', `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`),
    inSelfHosted: send('selfHosted', `Bearer ${selfHosted!.apiKey}`),
    names: async () => {
      const { body } = await send('selfHosted', `Bearer ${selfHosted!.apiKey}`)('GET', '/api/v2/dashboards')
      return (JSON.parse(body).data as { name: string }[]).map(({ name }) => name)
    },
  }
}

interface Saved {
  readonly records: { readonly key: Readonly<Record<string, readonly { readonly keySecret: string }[]>> }
}

const listIds = (value: unknown) =>
  JSON.stringify(value).match(/[0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g)!
const board = { name: 'Only here', tiles: [] }

afterEach(() => {
  vi.useRealTimers()
})

describe('worlds of the same mock', () => {
  it('do not share records', async () => {
    const mock = createMock({ now })
    const [one, other] = [mock.worlds.open().world, mock.worlds.open().world].map(world => createCaller(mock, world))
    expect((await one!.inSelfHosted('POST', '/api/v2/dashboards', board)).status).toBe(200)
    expect(await one!.names()).toContain('Only here')
    expect(await other!.names()).not.toContain('Only here')
    expect(await createCaller(mock, mock).names()).not.toContain('Only here')
    const members = (caller: typeof one) =>
      caller!.inCloud('GET', `/v1/organizations/${one!.target.cloud!.organizationId}/members`)
    expect([(await members(one)).status, (await members(other)).status]).toEqual([200, 404])
  })

  it('have the same members and dashboards for the same seed, but different ids and keys', async () => {
    const mock = createMock({ now })
    const states = [mock, mock.worlds.open().world, mock.worlds.open({ seed: 1 }).world].map(world => world.state())
    const ids = states.map(state => new Set(listIds(state)))
    const shared = [...ids[0]!].filter(id => ids[1]!.has(id) || ids[2]!.has(id))
    expect(shared).toEqual([])
    expect([...ids[1]!].filter(id => ids[2]!.has(id))).toEqual([])
    const secrets = states.map(state => (state as Saved).records.key['']!.map(key => key.keySecret))
    expect(new Set(secrets.flat()).size).toBe(secrets.flat().length)
    const [first, second] = [mock, mock.worlds.open().world].map(world => createCaller(mock, world))
    expect(await second!.names()).toEqual(await first!.names())
    const names = async (caller: typeof first) =>
      JSON.parse(
        (await caller!.inCloud('GET', `/v1/organizations/${caller!.target.cloud!.organizationId}/members`)).body,
      ).result.map(({ name, email }: { name: string; email: string }) => `${name} ${email}`)
    expect(await names(second)).toEqual(await names(first))
  })

  it('do not affect the first world', () => {
    const mock = createMock({ now })
    mock.worlds.open({ seed: 9 })
    expect(JSON.stringify(mock.state())).toBe(JSON.stringify(createMock({ now }).state()))
    expect(mock.target(bases)).toEqual(createMock({ now }).target(bases))
  })

  it('leave calls with unknown or missing credentials to the first world, which refuses them', async () => {
    const mock = createMock({ now })
    mock.worlds.open()
    for (const authorization of [undefined, 'Bearer unknown', 'Basic ***', `Basic ${btoa('a:b')}`, '']) {
      const call = { method: 'GET', path: '/api/v2/alerts', query: '', headers: { authorization }, body: '' }
      expect((await mock.answer(call, 'selfHosted')).status).toBe(401)
    }
    expect(mock.calls()).toHaveLength(5)
  })

  it('refuse and record calls with their own ingestion key or a wrong secret', async () => {
    const mock = createMock({ now })
    const { world } = mock.worlds.open()
    const { cloud, selfHosted } = world.target(bases)
    const send = async (authorization: string, host: 'cloud' | 'selfHosted', path: string) =>
      (await mock.answer({ method: 'GET', path, query: '', headers: { authorization }, body: '' }, host)).status
    expect(await send(`Bearer ${selfHosted!.ingestionKey}`, 'selfHosted', '/api/v2/alerts')).toBe(401)
    expect(
      await send(`Basic ${btoa(`${cloud!.keyId}:no`)}`, 'cloud', `/v1/organizations/${cloud!.organizationId}/members`),
    ).toBe(401)
    expect(world.calls()).toHaveLength(2)
    expect(mock.calls()).toEqual([])
  })

  it('have separate clocks, faults, chaos, rows and calls', async () => {
    const mock = createMock({ now })
    const { world } = mock.worlds.open()
    world.clock.advance(86_400_000)
    world.setFaults(['dashboard/list-answers'])
    world.setChaos({ rateLimit: true })
    expect(mock.clock.now() - now).toBeLessThan(10_000)
    expect([mock.faults(), mock.chaos().rateLimit]).toEqual([[], false])
    const caller = createCaller(mock, world)
    expect((await caller.inSelfHosted('GET', '/api/v2/dashboards')).status).toBeGreaterThanOrEqual(400)
    expect((await caller.inSelfHosted('GET', '/api/v2/alerts')).headers).toHaveProperty('ratelimit-limit')
    expect(await createCaller(mock, mock).names()).toHaveLength(4)
    const { log } = caller.target.selfHosted!.references.sources
    expect(world.loadRows(log!, [{ Timestamp: now, Body: 'x' }])).toBe(1)
    expect(() => mock.loadRows(log!, [])).toThrow('There is no source')
  })

  it('accept the keys that were created in them, also from hashes, until they are closed', async () => {
    const mock = createMock({ now })
    const [, owner] = [mock.worlds.open(), mock.worlds.open()]
    const caller = createCaller(mock, owner.world)
    const path = `/v1/organizations/${caller.target.cloud!.organizationId}/keys`
    const hash = (text: string) => createHash('sha256').update(text).digest('base64')
    const hashData = { keyIdHash: hash('of-hashes'), keyIdSuffix: 'shes', keySecretHash: hash('secret') }
    const access = { ipAccessList: [{ source: '0.0.0.0/0', description: 'all' }] }
    const create = async (body: object) => {
      const answer = await caller.inCloud('POST', path, { name: 'new', roles: ['admin'], ...access, ...body })
      expect(answer.status).toBe(200)
      return JSON.parse(answer.body).result
    }
    const { keyId, keySecret } = await create({})
    await create({ hashData })
    const list = async (id: string, secret: string) => {
      const headers = { authorization: `Basic ${btoa(`${id}:${secret}`)}` }
      return (await mock.answer({ method: 'GET', path, query: '', headers, body: '' }, 'cloud')).status
    }
    const statuses = async () => [await list(keyId, keySecret), await list('of-hashes', 'secret')]
    expect(await statuses()).toEqual([200, 200])
    expect(await list('of-hashes', 'wrong')).toBe(401)
    mock.worlds.close(owner.id)
    expect(await statuses()).toEqual([401, 401])
  })

  it('keep their credentials after a reset, and change them with the seed', async () => {
    const mock = createMock({ now })
    const { world } = mock.worlds.open()
    const before = createCaller(mock, world)
    await before.inSelfHosted('POST', '/api/v2/dashboards', board)
    world.reset()
    expect(await before.names()).toHaveLength(4)
    world.reset({ seed: 7 })
    expect((await before.inSelfHosted('GET', '/api/v2/dashboards')).status).toBe(401)
    expect(await createCaller(mock, world).names()).toHaveLength(4)
  })

  it('can be saved and loaded, but not while another world has the same credentials', async () => {
    const mock = createMock({ now })
    const [one, other] = [mock.worlds.open(), mock.worlds.open()]
    await createCaller(mock, one.world).inSelfHosted('POST', '/api/v2/dashboards', board)
    const saved = JSON.parse(JSON.stringify(one.world.state()))
    expect(() => other.world.load(saved)).toThrow(`are those of ${one.id}`)
    expect(() => mock.load(saved)).toThrow(`are those of ${one.id}`)
    expect(() => other.world.load(JSON.parse(JSON.stringify(mock.state())))).toThrow('those of the first world')
    mock.worlds.close(one.id)
    other.world.load(saved)
    expect(await createCaller(mock, other.world).names()).toContain('Only here')
    expect(JSON.parse(JSON.stringify(other.world.state()))).toEqual(saved)
  })

  it('refuse their credentials after they were closed or have expired', async () => {
    vi.useFakeTimers()
    const mock = createMock({ now })
    const [kept, brief] = [mock.worlds.open(), mock.worlds.open({ expiresInMs: 1000 })]
    const callers = [kept, brief].map(({ world }) => createCaller(mock, world))
    const statuses = () =>
      Promise.all(callers.map(async caller => (await caller.inSelfHosted('GET', '/api/v2/alerts')).status))
    expect(await statuses()).toEqual([200, 200])
    vi.advanceTimersByTime(1001)
    expect(await statuses()).toEqual([200, 401])
    expect([mock.worlds.get(brief.id), mock.worlds.close(brief.id), mock.worlds.size]).toEqual([undefined, false, 1])
    expect(mock.worlds.close(kept.id)).toBe(true)
    expect(await statuses()).toEqual([401, 401])
    expect(() => mock.worlds.open({ expiresInMs: 0 })).toThrow('expiresInMs')
  })

  it('are refused beyond their limit, with advice, until others are closed or have expired', async () => {
    vi.useFakeTimers()
    const mock = createMock({ now, limits: { worlds: 3 } })
    const [first] = [mock.worlds.open(), mock.worlds.open()]
    mock.worlds.open({ expiresInMs: 1000 })
    const refusal = 'open a world: 3 are open, and more would fill the memory: close some'
    expect(() => mock.worlds.open()).toThrow(refusal)
    expect(mock.worlds.size).toBe(3)
    mock.worlds.close(first!.id)
    expect(await createCaller(mock, mock.worlds.open().world).names()).toHaveLength(4)
    expect(() => mock.worlds.open()).toThrow(refusal)
    vi.advanceTimersByTime(1001)
    expect(mock.worlds.open().id).toBe('world-5')
  })
})

describe('the rows of many worlds', () => {
  it('are freed in the world that was called least recently, and are the same when they are read again', async () => {
    const mock = createMock({ now, freeze: true })
    const worlds = ['a', 'b', 'c'].map(name => mock.worlds.open({ name, seed: 4 }).world)
    const chart = async (world: MockWorld) => {
      const { sources } = world.target(bases).selfHosted!.references
      const series = [{ sourceId: sources.log, aggFn: 'count', where: '', groupBy: ['ServiceName'] }]
      const range = { startTime: now - 3_600_000, endTime: now, granularity: '1h' }
      return (await createCaller(mock, world).inSelfHosted('POST', '/api/v2/charts/series', { ...range, series })).body
    }
    const { log } = worlds[0]!.target(bases).selfHosted!.references.sources
    worlds[0]!.loadRows(log!, [{ Timestamp: now - 1, ServiceName: 'loaded', Body: 'x' }])
    const first = await chart(worlds[0]!)
    const countRows = () => worlds.map(world => world.deployment().rowsInMemory())
    const [before] = countRows()
    expect(before).toBeGreaterThan(100)

    // Simulates rows that fill the budget.
    const spy = vi.spyOn(worlds[2]!.deployment(), 'rowsInMemory').mockReturnValue(1_000_000)
    await chart(worlds[1]!)
    expect(countRows()[0]).toBe(before)
    await createCaller(mock, worlds[2]!).names()
    spy.mockRestore()
    expect(countRows().slice(0, 2)).toEqual([1, 0])
    expect(first).toContain('loaded')
    expect(await chart(worlds[0]!)).toBe(first)
    expect(countRows()[0]).toBe(before)
  })
})

describe('worlds with a name', () => {
  it('are opened once, and then found by name', async () => {
    const mock = createMock({ now })
    const { id, world, isNew } = mock.worlds.open({ name: 'job-4711', seed: 7, size: { members: 3 } })
    expect([id, isNew, mock.worlds.get('job-4711')]).toEqual(['job-4711', true, world])
    await createCaller(mock, world).inSelfHosted('POST', '/api/v2/dashboards', board)
    for (const options of [{}, { seed: 7 }, { size: { members: 3 } }]) {
      expect(mock.worlds.open({ name: 'job-4711', ...options })).toEqual({ id, world, isNew: false })
    }
    expect(await createCaller(mock, world).names()).toContain('Only here')
    expect([world.deployment().world.seed, world.deployment().world.size.members, mock.worlds.size]).toEqual([7, 3, 1])
  })

  it('have the same credentials in every mock, and different credentials for another name or seed', () => {
    const targetOf = (options: WorldOptions, before = 0) => {
      const mock = createMock({ now })
      for (let i = 0; i < before; i++) mock.worlds.open()
      return mock.worlds.open(options).world.target(bases)
    }
    const job = targetOf({ name: 'job-1' })
    expect(targetOf({ name: 'job-1' }, 3)).toEqual(job)
    for (const other of [{ name: 'job-2' }, { name: 'Job-1' }, { name: 'job-1', seed: 2 }, {}]) {
      expect(listIds(targetOf(other)).filter(one => listIds(job).includes(one))).toEqual([])
    }
  })

  it.each<[WorldOptions, string]>([
    [{ name: 'job', seed: 2 }, 'job is open with seed 1, not 2: leave it out, or close the world first'],
    [{ name: 'job', size: { members: 4 } }, 'job is open with members 10, not 4'],
    [{ name: '' }, 'name: Expected 1 to 100 letters, digits'],
    [{ name: '../job' }, 'name: Expected 1 to 100 letters'],
    [{ name: 'a'.repeat(101) }, 'name: Expected 1 to 100 letters'],
    [{ name: 'world-3' }, 'name: worlds without a name are called world-3 and so on'],
    [{ size: { members: -1 } }, 'size: members: Expected a whole number from 0'],
    [{ size: { member: 1 } as object }, 'size: there is no option "member"; the nearest is members'],
  ])('are refused with the options %j', (options, sentence) => {
    const mock = createMock({ now })
    mock.worlds.open({ name: 'job' })
    expect(() => mock.worlds.open(options)).toThrow(`open a world: ${sentence}`)
    expect(mock.worlds.size).toBe(1)
  })

  it('expire later if they are opened again before', () => {
    vi.useFakeTimers()
    const { worlds } = createMock({ now })
    const open = () => worlds.open({ name: 'leased', expiresInMs: 1000 })
    const { world } = open()
    vi.advanceTimersByTime(900)
    expect(open().world).toBe(world)
    vi.advanceTimersByTime(900)
    expect(worlds.get('leased')).toBe(world)
    vi.advanceTimersByTime(101)
    expect(worlds.get('leased')).toBeUndefined()
    expect(open().isNew).toBe(true)
  })

  it('are closed after worldIdleMs without a call or get(); list() does not count', async () => {
    vi.useFakeTimers()
    const mock = createMock({ now, worldIdleMs: 1000 })
    const open = (name: string) => mock.worlds.open({ name }).world
    const [called] = [open('called'), open('looked-at'), open('silent')]
    for (let turn = 0; turn < 3; turn++) {
      vi.advanceTimersByTime(600)
      expect((await createCaller(mock, called).inSelfHosted('GET', '/api/v2/alerts')).status).toBe(200)
      mock.worlds.get('looked-at')
      mock.worlds.list()
    }
    expect(mock.worlds.list().map(({ id }) => id)).toEqual(['called', 'looked-at'])
    vi.advanceTimersByTime(1000)
    expect(mock.worlds.size).toBe(0)
    expect((await createCaller(mock, called).inSelfHosted('GET', '/api/v2/alerts')).status).toBe(401)
  })

  it('are listed with the time and number of their calls', async () => {
    vi.useFakeTimers({ now: 5000 })
    const mock = createMock({ now })
    const { world } = mock.worlds.open({ name: 'job', seed: 3 })
    vi.advanceTimersByTime(10)
    await createCaller(mock, world).inCloud('GET', '/v1/organizations')
    await createCaller(mock, mock).inCloud('GET', '/v1/organizations')
    mock.worlds.open()
    expect(mock.worlds.list()).toEqual([
      { id: 'job', name: 'job', world, openedAt: 5000, lastCallAt: 5010, calls: 1 },
      { id: 'world-1', world: expect.anything(), openedAt: 5010, calls: 0 },
    ])
  })
})
