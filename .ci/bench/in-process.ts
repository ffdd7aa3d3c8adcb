import { pathToFileURL } from 'node:url'
import { getResponse } from 'msw'
import type * as Library from '../../mock-server/index.ts'

/**
 * Measures the library without a port, in its own process for the sake of the memory. It prints rows of a table as JSON.
 * Its argument is the path of the built library, and Node needs --expose-gc.
 */
const { createMock, createMswHandlers } = (await import(pathToFileURL(process.argv[2]!).href)) as typeof Library

const rounds = 300
/** The time at the start of every world. */
const now = Date.parse('2026-01-01T00:00:00Z')
const kept: unknown[] = []

const rows = [
  // Every seed is new, so that no world comes from a cache.
  await cost('a fresh world', number => createMock({ seed: number, now })),
  await cost('a fresh world of a seed that was used before', () => createMock({ seed: 0, now })),
  ...(await costsOfOneMock()),
  await costOfMsw(),
  ...costsOfRecords(),
]
process.stdout.write(`${JSON.stringify(rows)}\n`)

async function costsOfOneMock() {
  const mock = createMock({ now })
  const listMembers = callOf(mock)
  await listMembers()
  return [
    await cost('a reset', () => mock.reset()),
    await cost('a reset and the first call after it', () => {
      mock.reset()
      return listMembers()
    }),
    await cost('a call in process: list 10 members', listMembers, 5000),
  ]
}

/** Returns a function that makes one call, as plain values. */
function callOf(mock: Library.Mock) {
  const { cloud } = mock.target({ cloud: 'http://cloud.test' })
  const authorization = `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}`
  const path = `/v1/organizations/${cloud!.organizationId}/members`
  return () => mock.answer({ method: 'GET', path, query: '', headers: { authorization }, body: '' }, 'cloud')
}

async function costOfMsw() {
  const mock = createMock({ now })
  const handlers = createMswHandlers(mock)
  const { cloud } = mock.target()
  const headers = { authorization: `Basic ${btoa(`${cloud!.keyId}:${cloud!.keySecret}`)}` }
  const url = `${cloud!.baseUrl}/v1/organizations/${cloud!.organizationId}/members`
  const once = async () => (await getResponse(handlers, new Request(url, { headers })))!.text()
  for (let i = 0; i < rounds; i++) await once()
  const used = startTimer()
  for (let i = 0; i < 1000; i++) await once()
  return { what: "MSW's getResponse: list 10 members", µs: used() / 1000 }
}

/** The costs of one record: those of a world of many records, divided by their number. */
function costsOfRecords() {
  const count = 100_000
  return (['organizations', 'members', 'backups', 'services'] as const).map(kind => {
    const before = heap()
    const used = startTimer()
    const mock = createMock({ now, seed: 7, [kind]: count })
    const { organizationId, serviceId } = mock.target({ cloud: 'http://cloud.test' }).cloud!
    const { world } = mock.deployment()
    const model = world.models.find(({ name }) => `${name}s` === kind)!
    const place = { organizations: '', members: organizationId, backups: serviceId, services: organizationId }[kind]
    const { size } = world.in(model, place)
    const µs = used() / size
    kept.push(mock)
    return { what: `a record of ${kind}`, µs, bytes: (heap() - before) / size }
  })
}

async function cost(what: string, act: (round: number) => unknown, times = rounds) {
  for (let i = 0; i < times; i++) await act(-i - 1)
  const made: unknown[] = []
  const before = heap()
  const used = startTimer()
  for (let i = 0; i < times; i++) made.push(await act(i))
  const µs = used() / times
  return { what, µs, bytes: Math.max(0, heap() - before) / times }
}

/** Returns a function that reads the processor time since the start, which does not depend on other processes. */
function startTimer(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
}

function heap(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}
