import { type BuiltMock, startBuiltMock } from './built-mock.ts'
import { type Bench, type Chapter, renderComparison } from './chapter.ts'
import { compareInPairs, type Side } from './paired-bursts.ts'
import { alertBody, ask, call, getBackup, listMembers, writeRequest } from './requests.ts'
import { memoryOf } from './running.ts'

/** Compares the cost of calls in a large world and in a small one, in alternating bursts. */
export async function measureGrowth(bench: Bench): Promise<Chapter> {
  const sizes = bench.isQuick ? [100_000] : [100_000, 1_000_000]
  const rows = []
  for (const size of sizes) {
    for (const kind of kinds) rows.push(...(await compareSizes(bench, kind, size)))
  }
  return {
    title: 'Growth',
    description:
      'The speed of a request in a world of this many records, divided by its speed in a world of 1,000: 1 is no difference.',
    rows,
  }
}

type RequestFactory = (mock: BuiltMock) => ReturnType<typeof call>

interface GrowingRecords {
  readonly records: string
  readonly options: (size: number) => readonly string[]
  /** Creates records that no command option creates, and returns the id of one in the middle. */
  readonly fill?: (bench: Bench, mock: BuiltMock, size: number) => Promise<string>
  readonly requestsFor: (id: string) => readonly RequestFactory[]
}

const kinds: readonly GrowingRecords[] = [
  {
    records: 'organizations',
    options: size => ['--organizations', String(size)],
    requestsFor: () => [listMembers, getBackup],
  },
  { records: 'services', options: size => ['--services', String(size)], requestsFor: () => [getBackup] },
  { records: 'backups', options: size => ['--backups', String(size)], requestsFor: () => [getBackup] },
  {
    records: 'alerts',
    options: () => [],
    fill: createAlerts,
    requestsFor: id => [
      mock => call(mock, 'get an alert', 'GET', `alerts/${id}`),
      mock => call(mock, 'update an alert', 'PUT', `alerts/${id}`, { ...alertBody(mock.target), threshold: 11 }),
      mock => call(mock, 'create an alert', 'POST', 'alerts', alertBody(mock.target)),
    ],
  },
]

async function compareSizes(bench: Bench, { records, options, fill, requestsFor }: GrowingRecords, size: number) {
  const small = await startBuiltMock(...options(1000))
  const large = await startBuiltMock(...options(size))
  try {
    const ids = [await fill?.(bench, small, 1000), await fill?.(bench, large, size)]
    const rows = []
    for (let i = 0; i < requestsFor('').length; i++) {
      const sideOf = (mock: BuiltMock, id = ''): Side => {
        const asked = requestsFor(id)[i]!(mock)
        return { port: asked.port, pid: mock.pid, requests: [writeRequest(asked)] }
      }
      const first = requestsFor(ids[1] ?? '')[i]!(large)
      // The first request is timed by itself: some records are generated at the first read.
      const began = performance.now()
      await ask(first)
      const firstMs = Math.round(performance.now() - began)
      const compared = await compareInPairs(bench.loader, sideOf(small, ids[0]), sideOf(large, ids[1]), bench.pace)
      const memory = memoryOf(large.pid)
      const row = {
        records: `${size.toLocaleString('en')} ${records}`,
        operation: first.name,
        ...renderComparison(compared),
      }
      rows.push({ ...row, 'first ms': firstMs, 'RSS MiB': memory && Math.round(memory) })
    }
    return rows
  } finally {
    await Promise.all([small.stop(), large.stop()])
  }
}

async function createAlerts({ loader, pace }: Bench, mock: BuiltMock, size: number): Promise<string> {
  const create = writeRequest(call(mock, 'create an alert', 'POST', 'alerts', alertBody(mock.target)))
  const { connections } = pace
  const load = { port: mock.selfHostedPort, requests: [create], connections, ms: 600_000, rounds: size, collect: true }
  const { ids, errors } = await loader.run(load)
  if (errors > 0) throw new Error(`create ${size} alerts: ${errors} were refused`)
  return ids[ids.length >> 1]!
}
