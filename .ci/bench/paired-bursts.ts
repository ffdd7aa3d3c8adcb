import type { Loaded } from './load.ts'
import { cpuOf, type startLoader } from './running.ts'

/** A server under load, and what it is asked. */
export interface Side {
  readonly port: number
  readonly pid: number
  readonly requests: readonly string[]
  /** Called before each burst for requests that can be sent only once, such as deletions; they replace `requests`. */
  readonly prepare?: () => Promise<readonly string[]>
}

export interface Pace {
  readonly pairs: number
  readonly ms: number
  readonly connections: number
}

export interface Compared {
  /** Requests per second of the subject over those of its neighbours: the median of all pairs, the least, the most. */
  readonly ratio: number
  readonly least: number
  readonly most: number
  /** Medians of the subject. */
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Microseconds of processor time for a request, of the subject and of its neighbours. */
  readonly cpu?: number
  readonly plainCpu?: number
  readonly errors: number
}

interface Burst extends Loaded {
  readonly perSecond: number
  readonly cpu: number | undefined
}

type Loader = ReturnType<typeof startLoader>

/**
 * Bursts against one server and the other in turn. Whatever else the machine does, it does to neighbours alike, so a
 * burst is only ever compared with the two beside it.
 */
export async function compareInPairs(loader: Loader, plain: Side, subject: Side, pace: Pace): Promise<Compared> {
  const burst = (side: Side) => measure(loader, side, pace)
  // A program of some size is being compiled during its first ten thousand requests.
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
    least: Math.min(...ratios),
    most: Math.max(...ratios),
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
