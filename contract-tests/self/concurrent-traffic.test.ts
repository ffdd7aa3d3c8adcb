import { describe, expect, it } from 'vitest'
import { type RuleId, rules } from '../../fixtures/built-contract/index.ts'
import { createMock } from '../../mock-server/index.ts'
import { judgeHar } from '../run/har/judge-har.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/**
 * Traffic of several clients that write the same objects at once. Each call takes effect at one moment between its start and
 * its end; the recorder notes only start and end, some recorders in whole seconds. Nothing that a correct deployment answers
 * may be blamed, and the faults of lives must be found.
 */

const families = ['key/', 'dashboard/', 'savedQuery/', 'answer/effects-are-shown', 'answer/lists-agree-with-gets']

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

interface Planned {
  readonly start: number
  readonly end: number
  /** The moment at which the call takes effect. */
  readonly at: number
}

/** The calls of clients that wait for each answer before their next call, in the order in which they take effect. */
function planCalls(random: () => number, clients: number, callsOfEach: number): readonly Planned[] {
  const calls = Array.from({ length: clients }, () => {
    let now = random() * 50
    return Array.from({ length: callsOfEach }, () => {
      const start = now + random() * 20
      const end = start + random() * 40
      now = end
      return { start, end, at: start + random() * (end - start) }
    })
  })
  return calls.flat().sort((a, b) => a.at - b.at)
}

const targetOf = (mock: ReturnType<typeof createMock>) => {
  const target = directTarget(mock)
  const { cloud, selfHosted } = target as Required<typeof target>
  const organization = `/v1/organizations/${cloud.organizationId}`
  const basic = `Basic ${btoa(`${cloud.keyId}:${cloud.keySecret}`)}`
  const atCloud = { baseUrl: cloud.baseUrl, authorization: basic }
  return [
    { ...atCloud, path: `${organization}/keys`, method: 'PATCH', body: { roles: ['developer'], state: 'enabled' } },
    {
      ...atCloud,
      path: `${organization}/services/${cloud.serviceId}/saved-queries`,
      method: 'PUT',
      body: { sql: 'SELECT 1', database: 'default', parameters: {} },
    },
    {
      baseUrl: selfHosted.baseUrl,
      authorization: `Bearer ${selfHosted.apiKey}`,
      path: '/api/v2/dashboards',
      method: 'PUT',
      body: { tiles: [], tags: ['a'] },
    },
  ]
}

/** Sends one history of concurrent calls, and returns its recording. */
async function recordHistory(mock: ReturnType<typeof createMock>, seed: number) {
  const random = createRandom(seed)
  const client = createDirectClient(mock)
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]!
  const collection = pick(targetOf(mock))
  const { baseUrl, authorization, path, method, body } = collection
  const isCoarse = seed % 5 === 0
  const noted = (time: number) => Date.UTC(2026, 0, 1) + (isCoarse ? Math.floor(time / 1000) * 1000 : Math.floor(time))
  const known: { readonly id: string; readonly since: number }[] = []
  const entries: { readonly startedDateTime: string; readonly [name: string]: unknown }[] = []
  for (const [index, { start, end }] of planCalls(random, 1 + (seed % 3), 14).entries()) {
    const ids = known.filter(({ since }) => since <= start).map(({ id }) => id)
    const own = `${path}/${ids.length > 0 ? pick(ids.slice(-3)) : ''}`
    const kind =
      ids.length === 0 ? 'create' : pick(['create', 'list', 'list', 'get', 'get', 'get', 'update', 'update', 'delete'])
    const isWrite = kind === 'create' || kind === 'update'
    const name = `${kind} ${seed} ${index}`
    const request = {
      baseUrl,
      method: { create: 'POST', update: method, delete: 'DELETE' }[kind] ?? 'GET',
      path: kind === 'create' || kind === 'list' ? path : own,
      headers: { authorization, ...(isWrite && { 'content-type': 'application/json' }) },
      ...(isWrite && { body: JSON.stringify(kind === 'update' && method === 'PATCH' ? { name } : { ...body, name }) }),
    }
    const { status, headers, text } = await client.send(request)
    if (kind === 'create' && status < 300) {
      const { result, data } = JSON.parse(text)
      known.push({ id: (result?.key ?? result ?? data).id, since: end })
    }
    const list = (all: object) => Object.entries(all).map(([name, value]) => ({ name, value }))
    entries.push({
      startedDateTime: new Date(noted(start)).toISOString(),
      time: isCoarse ? 0 : end - start,
      request: {
        method: request.method,
        url: baseUrl + request.path,
        headers: list(request.headers),
        ...(request.body && { postData: { mimeType: 'application/json', text: request.body } }),
      },
      // A client that gives up does not know whether its write took effect.
      response:
        (kind === 'update' || kind === 'delete') && random() < 0.1
          ? { status: 0, headers: [], content: { size: 0 } }
          : { status, headers: list(headers), content: { size: text.length, text } },
    })
  }
  // Recorders sort by start, which is not the order in which the calls took effect.
  entries.sort((a, b) => a.startedDateTime.localeCompare(b.startedDateTime))
  return { log: { version: '1.2', entries } }
}

const brokenIn = async (mock: ReturnType<typeof createMock>, seed: number) =>
  judgeHar(await recordHistory(mock, seed), { rules: families })
    .rules.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
    .map(({ id, detail }) => ({ id, detail, seed }))

/** As many as a second allows; 1,000 were judged when the checks were written. */
const HISTORIES = Number(process.env.HISTORIES ?? 100)

describe('concurrent traffic', () => {
  it('of a correct deployment breaks no rule', async () => {
    const wrong = []
    let mock = createMock({ logs: 1 })
    for (let seed = 1; seed <= HISTORIES; seed++) {
      // A new mock now and then, so that lists stay short.
      if (seed % 20 === 0) mock = createMock({ logs: 1 })
      wrong.push(...(await brokenIn(mock, seed)))
    }
    expect(wrong).toEqual([])
  }, 300_000)

  // A replacement of a dashboard sends all its fields, and a fault of siblings costs as much for one family as for three.
  const faults = (Object.keys(rules) as RuleId[]).filter(id =>
    /^(?:key|dashboard(?!\/(?:unsent|siblings))|savedQuery)\/(?:created-is-|updated-is-got|unsent-stays|deleted-is-gone|id-never|siblings|list-agrees)/.test(
      id,
    ),
  )
  it.each(faults)('shows the fault of %s', async fault => {
    const found = new Set<string>()
    for (let seed = 1; seed <= 200 && !found.has(fault); seed++)
      for (const { id } of await brokenIn(createMock({ logs: 1, faults: [fault] }), seed)) found.add(id)
    expect(found).toContain(fault)
  })
})
