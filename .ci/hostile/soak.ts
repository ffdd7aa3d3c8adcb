import { readProgramOptions } from '../read-program-options.ts'
import { runTogether } from './model-runs.ts'
import { everyFailure, placeFailures } from './one-failure.ts'
import { listSampleRequests } from './sample-requests.ts'
import { megabytes, spawnMock } from './started-mock.ts'

/** Sends all kinds of requests for some minutes, with faults, resets and new worlds in between, and checks whether memory grows. */
const values = readProgramOptions('soak', {
  minutes: { description: 'the duration of the whole run', number: 0.33 },
  rounds: { description: 'the number of rounds; faults, rows and worlds change between them', number: 10 },
  seed: { description: 'repeats the run with this seed', number: 1 },
  failures: {
    description: 'the part of the requests of `verify` that fail once or always, 1 for all (an hour)',
    number: 0,
  },
})
const clients = 8
const { rounds } = values
/** Whether there are enough rounds to compare memory and times. */
const isLong = rounds >= 8
const roundMs = (values.minutes * 60_000) / rounds

const mock = await spawnMock('--seed=1', '--logs=20000')
const { target } = mock
const samples = listSampleRequests(target)
let failures = 0

async function send({ listener, method, path, authorization, body }: (typeof samples)[number]) {
  const headers = { ...(authorization && { authorization }), 'content-type': 'application/json' }
  const response = await fetch(target[listener]!.baseUrl + path, { method, headers, body: JSON.stringify(body) })
  await response.arrayBuffer()
  return response.status
}

async function control(method: string, path: string, body?: unknown) {
  const response = await fetch(`${target.control!.baseUrl}/control/${path}`, { method, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.text()
}

/** Repeats every operation of both forms, from several clients at a time. Returns the times in milliseconds. */
async function load(until: number): Promise<number[]> {
  const took: number[] = []
  const asked = samples
  const client = async (first: number) => {
    for (let at = first; performance.now() < until; at++) {
      const began = performance.now()
      const status = await send(asked[at % asked.length]!)
      took.push(performance.now() - began)
      if (status >= 500) failures++
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at * 3)))
  return took.sort((a, b) => a - b)
}

/** The changes between two rounds: faults, chaos, rows, the clock, further worlds with clients, and a reset of the world. */
async function disturb(round: number) {
  await control('PUT', 'faults', ['alert/list-answers', 'envelope/request-id-is-uuid-v4'])
  await control('PUT', 'chaos', { latencyMs: [0, 5], errorRate: 0.2, rateLimit: true })
  // Errors that chaos makes do not count.
  const before = failures
  await load(performance.now() + 500)
  failures = before
  await control('PUT', 'faults', [])
  await control('PUT', 'chaos', {})
  const row = { Timestamp: new Date().toISOString(), Body: 'soaked', LogAttributes: { round: String(round) } }
  const { sourceId } = target.selfHosted!.references
  await control('POST', 'rows', { sourceId, rows: Array.from({ length: 1000 }, () => row) })
  await control('PUT', 'clock', { advanceMs: 3_600_000 })
  for (let i = 0; i < 20; i++) {
    const { id } = JSON.parse(await control('POST', 'worlds', { seed: round * 100 + i }))
    await control('GET', `state?world=${id}`)
    await control('DELETE', `worlds/${id}`)
  }
  await control('PUT', 'state', JSON.parse(await control('GET', 'state')))
  await control('POST', 'reset', { seed: 1 })
  await runTogether(target, { steps: 600, seed: Number(values.seed) + round }, 32)
  await control('POST', 'reset', { seed: 1 })
  await control('PUT', 'clock', { now: new Date().toISOString() })
  await control('DELETE', 'calls')
}

const heaps: number[] = []
const handles: number[] = []
const slowest: number[] = []
for (let round = 0; round < rounds; round++) {
  const until = performance.now() + roundMs
  await disturb(round)
  const took = await load(Math.max(until, performance.now() + 1000))
  await control('POST', 'reset', { seed: 1 })
  await control('DELETE', 'calls')
  const memory = await mock.memory()
  const at = (share: number) => took[Math.floor(took.length * share)] ?? 0
  heaps.push(memory.heapUsed)
  handles.push(memory.handles)
  slowest.push(at(0.99))
  const times = [0.5, 0.99, 0.999].map(share => at(share).toFixed(1)).join(', ')
  console.log(
    `Round ${round + 1}: ${took.length} answers; p50, p99, p99.9: ${times} ms; ${megabytes(memory)}, ${memory.handles} handles`,
  )
}
const noise = mock.noise()
const status = await mock.stop()

// The first two rounds fill caches, so their heaps are not compared. Some caches may still grow later.
const [early, late] = [heaps.slice(2, 5), heaps.slice(-3)].map(some => Math.min(...some)) as [number, number]
/** Places single failures on the requests of runs of the suite, and prints what became of them. */
async function placeAll(): Promise<readonly string[]> {
  const complaints: string[] = []
  for (const form of ['cloud', 'managed', 'selfHosted'] as const)
    for (const writes of [false, true])
      for (const failure of everyFailure)
        for (const always of [false, true]) {
          // A run that writes takes long: several of its requests fail.
          const perRun = writes ? (form === 'cloud' ? 60 : 16) : 1
          const sweep = { form, writes, failure, always, perRun, share: values.failures, seed: Number(values.seed) }
          const { requests, runs, outcomes, complaints: found } = await placeFailures(sweep)
          const name = `${form}, ${writes ? 'writing' : 'reading'}, ${failure} ${always ? 'always' : 'once'}`
          console.log(`${name}: ${requests} requests, ${runs} runs: ${JSON.stringify(outcomes)}`)
          complaints.push(...found)
        }
  return complaints
}

const complaints = [
  ...(values.failures > 0 ? await placeAll() : []),
  ...(isLong && late > early + 32e6
    ? [`the heap grew from ${Math.round(early / 1e6)} to ${Math.round(late / 1e6)} MB`]
    : []),
  ...(Math.max(...handles.slice(-3)) > Math.max(...handles.slice(0, 3)) + 10 ? ['handles are left behind'] : []),
  ...(isLong && Math.max(...slowest.slice(-3)) > 5 * Math.max(...slowest.slice(0, 3)) ? ['answers become slower'] : []),
  ...(failures > 0 ? [`${failures} answers were 5xx`] : []),
  ...(noise.length > 0 ? [`it printed: ${noise.slice(0, 20).join('\n')}`] : []),
  ...(status === 0 ? [] : [`it ended with ${status}`]),
]
console.log(complaints.length === 0 ? 'Steady.' : complaints.join('\n'))
process.exitCode = complaints.length === 0 ? 0 : 1
