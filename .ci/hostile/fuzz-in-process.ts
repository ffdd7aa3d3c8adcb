import fc from 'fast-check'
import { createMock, type Mock } from '../../mock-server/mock/mock.ts'
import { oddRequest } from './odd-request.ts'
import { findBrokenPromise } from './promise.ts'
import { reportSeed, shorten } from './report-seed.ts'
import { sampleRequests } from './sample-requests.ts'

/** More work than any answer may be, whatever else the machine does. */
const maxMs = 2000

/** Little telemetry: what is asked is odd, not large. */
export const logs = 20_000

/** After so many requests the world is put back: what others refer to may be lost by then. */
const perWorld = 300

/** After this many milliseconds, what has not been asked is left out. */
export const longest = 540_000

export interface Fuzzing {
  readonly requests: number
  readonly seed: number
  /** Called for every answer. */
  readonly seen?: (status: number, ms?: number) => void
}

/** Asks a mock odd things by plain calls, one after the other. Throws with the seed and the smallest request that breaks a promise. */
export async function fuzzInProcess({ requests, seed, seen }: Fuzzing): Promise<Mock> {
  const mock = createMock({ seed: 1, logs })
  const target = mock.target({ cloud: 'http://cloud', selfHosted: 'http://self-hosted' })
  const samples = sampleRequests(target).filter(({ listener }) => listener !== 'control')
  let asked = 0
  await fc.assert(
    fc.asyncProperty(oddRequest(samples), async request => {
      if (asked++ % perWorld === 0) mock.reset()
      const before = process.cpuUsage()
      const host = request.listener as 'cloud' | 'selfHosted'
      const answer = await mock.answer(request, host)
      const { user, system } = process.cpuUsage(before)
      const ms = (user + system) / 1000
      seen?.(answer.status, ms)
      const broken = findBrokenPromise(answer, host) ?? (ms > maxMs ? `it took ${Math.round(ms)} ms` : undefined)
      if (broken !== undefined) throw new Error(`${broken}\nwhen this was asked: ${shorten(JSON.stringify(request))}`)
    }),
    { numRuns: requests, seed, reporter: reportSeed, interruptAfterTimeLimit: longest },
  )
  if (Reflect.has({}, 'polluted')) throw new Error(`seed ${seed}: a request reached Object.prototype`)
  return mock
}
