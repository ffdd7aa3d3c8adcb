import fc from 'fast-check'
import { createMock, type Mock } from '../../mock-server/mock/mock.ts'
import { findViolatedInvariant } from './invariant.ts'
import { oddRequest } from './odd-request.ts'
import { reportSeed, shorten } from './report-seed.ts'
import { listSampleRequests } from './sample-requests.ts'

/** The longest CPU time of one answer, in milliseconds. */
const maxCpuMs = 2000

/** Few log rows, because the requests are unusual, not large. */
export const logs = 20_000

/** The world is reset after this number of requests, because some delete records that others refer to. */
const requestsPerWorld = 300

/** Limit of the run in milliseconds; requests that are left then are not sent. */
export const maxRunMs = 540_000

export interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  /** Called for every answer. */
  readonly onAnswer?: (status: number, cpuMs?: number) => void
}

/** Sends unusual requests to a mock in process. Throws with the seed and the smallest request that violates an invariant. */
export async function fuzzInProcess({ requests, seed, onAnswer }: FuzzOptions): Promise<Mock> {
  const mock = createMock({ seed: 1, logs })
  const target = mock.target({ cloud: 'http://cloud', selfHosted: 'http://self-hosted' })
  const samples = listSampleRequests(target)
  let count = 0
  await fc.assert(
    fc.asyncProperty(oddRequest(samples), async request => {
      if (count++ % requestsPerWorld === 0) mock.reset()
      const before = process.cpuUsage()
      const listener = request.listener as 'cloud' | 'selfHosted'
      const answer = await mock.answer(request, listener)
      const { user, system } = process.cpuUsage(before)
      const cpuMs = (user + system) / 1000
      onAnswer?.(answer.status, cpuMs)
      const broken =
        findViolatedInvariant(answer, listener) ??
        (cpuMs > maxCpuMs ? `it took ${Math.round(cpuMs)} ms of CPU time` : undefined)
      if (broken !== undefined) throw new Error(`${broken}\nwhen this was asked: ${shorten(JSON.stringify(request))}`)
    }),
    { numRuns: requests, seed, reporter: reportSeed, interruptAfterTimeLimit: maxRunMs },
  )
  if (Reflect.has({}, 'polluted')) throw new Error(`seed ${seed}: a request polluted Object.prototype`)
  return mock
}
