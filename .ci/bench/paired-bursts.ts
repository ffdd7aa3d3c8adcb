import type { LoadResult } from './load.ts'
import { cpuOf, type startLoader } from './running.ts'

/** A server under load, and the requests to it. */
export interface Side {
  readonly port: number
  readonly pid: number
  readonly requests: readonly string[]
  /** Returns the requests of the next burst, instead of `requests`, if they can be sent only once, such as deletions. */
  readonly prepare?: () => Promise<readonly string[]>
}

export interface Pace {
  readonly pairs: number
  readonly ms: number
  readonly connections: number
}

export interface Comparison {
  /** Requests per second of the subject, divided by those of the plain bursts before and after: median, minimum, maximum. */
  readonly ratio: number
  readonly min: number
  readonly max: number
  /** Medians over the bursts of the subject. */
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor time per request, of the subject and of the plain server. */
  readonly cpu?: number
  readonly plainCpu?: number
  readonly errors: number
}

interface Burst extends LoadResult {
  readonly perSecond: number
  readonly cpu: number | undefined
}

type Loader = ReturnType<typeof startLoader>

/**
 * Sends bursts of requests to two servers in turn. Each burst of the subject is compared only with the plain bursts before and
 * after it, which the other load of the machine affects equally.
 */
export async function compareInPairs(loader: Loader, plain: Side, subject: Side, pace: Pace): Promise<Comparison> {
  const burst = (side: Side) => measure(loader, side, pace)
  // V8 still compiles code during the first ten thousand requests.
  for (const side of [plain, subject]) await measure(loader, side, { ...pace, ms: Math.max(2000, 4 * pace.ms) })
  const plains = [await burst(plain)]
  const subjects: Burst[] = []
  for (let pair = 0; pair < pace.pairs; pair++) {
    subjects.push(await burst(subject))
    plains.push(await burst(plain))
  }
  const ratios = subjects.map(({ perSecond }, i) => (2 * perSecond) / (plains[i]!.perSecond + plains[i + 1]!.perSecond))
  const cpus = (bursts: readonly Burst[]) => bursts.map(({ cpu }) => cpu).filter(cpu => cpu !== undefined)
  return {
    ratio: median(ratios),
    min: Math.min(...ratios),
    max: Math.max(...ratios),
    perSecond: median(subjects.map(({ perSecond }) => perSecond)),
    p50: median(subjects.map(({ p50 }) => p50)),
    p99: median(subjects.map(({ p99 }) => p99)),
    cpu: median(cpus(subjects)),
    plainCpu: median(cpus(plains)),
    errors: [...plains, ...subjects].reduce((sum, { errors }) => sum + errors, 0),
  }
}

async function measure(loader: Loader, side: Side, { ms, connections }: Pace): Promise<Burst> {
  const prepared = await side.prepare?.()
  const before = cpuOf(side.pid)
  const rounds = prepared && 1
  const loaded = await loader.run({ port: side.port, requests: prepared ?? side.requests, connections, ms, rounds })
  const used = before === undefined ? undefined : cpuOf(side.pid)! - before
  return {
    ...loaded,
    perSecond: (loaded.answers / loaded.ms) * 1000,
    cpu: used === undefined ? undefined : (used * 1000) / loaded.answers,
  }
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
