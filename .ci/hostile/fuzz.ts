import { readProgramOptions } from '../read-program-options.ts'
import { fuzzInProcess, logs } from './fuzz-in-process.ts'
import { fuzzSockets, rememberChoices, tryNearWords } from './fuzz-sockets.ts'
import { megabytes, spawnMock } from './started-mock.ts'

const values = readProgramOptions('fuzz', {
  requests: { description: 'the number of requests', number: 20_000 },
  seed: { description: 'repeats the run with this seed', number: undefined },
  over: {
    description: 'in process, over sockets, or half of the requests each',
    words: ['both', 'process', 'sockets'],
  },
})
const [over = 'both'] = values.over
const requests = values.requests / (over === 'both' ? 2 : 1)
const seed = values.seed ?? Date.now() % 2 ** 31
console.log(`Replay this with --seed ${seed}.`)

/** Counts answers, and prints the counts. */
function tally() {
  const counts: Record<number, number> = {}
  let slowest = 0
  const began = performance.now()
  return {
    onAnswer(status: number, ms = 0) {
      counts[status] = (counts[status] ?? 0) + 1
      slowest = Math.max(slowest, ms)
    },
    print(where: string) {
      const statuses = Object.entries(counts).map(([status, count]) => `${status}: ${count}`)
      const seconds = Math.round((performance.now() - began) / 1000)
      const max = slowest > 0 ? `, the slowest ${Math.round(slowest)} ms` : ''
      console.log(`${where}: ${seconds} s${max}; ${statuses.join(', ')}`)
    },
  }
}

if (over !== 'sockets') {
  const { onAnswer, print } = tally()
  await fuzzInProcess({ requests, seed, onAnswer })
  print('In process')
}

if (over !== 'process') {
  const { onAnswer, print } = tally()
  const mock = await spawnMock('--seed=1', `--logs=${logs}`)
  const putBack = await rememberChoices(mock.target)
  // Warms up, so that memory is measured after code and caches are loaded.
  await fuzzSockets(mock.target, { requests: 1000, seed: seed - 1 })
  const settle = async () => {
    await putBack()
    await fetch(`${mock.target.control!.baseUrl}/control/calls`, { method: 'DELETE' })
    return mock.memory()
  }
  const before = await settle()
  await tryNearWords(mock.target, onAnswer)
  await putBack()
  await fuzzSockets(mock.target, { requests, seed, onAnswer })
  print('Over sockets')
  const after = await settle()
  console.log(
    `Before: ${megabytes(before)}, ${before.handles} handles. After: ${megabytes(after)}, ${after.handles} handles.`,
  )
  const noise = mock.noise()
  const status = await mock.stop()
  if (noise.length > 0) console.log(`It printed ${noise.length} lines:\n${noise.slice(0, 40).join('\n')}`)
  // Caches may still grow after the warm-up.
  const hasGrown = after.heapUsed > before.heapUsed + 40e6 || after.handles > before.handles + 5
  if (status !== 0 || noise.length > 0 || hasGrown) process.exitCode = 1
}
