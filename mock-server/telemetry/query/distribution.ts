/** A bin: the number of observed values between two bounds. */
export interface Bin {
  readonly low: number
  readonly high: number
  readonly count: number
}

/** The values of many points, such as all of a group: bins with equal bounds are added up. */
export class Distribution {
  readonly #bins = new Map<string, Bin>()

  add({ low, high, count }: Bin): void {
    if (count === 0) return
    const key = `${low} ${high}`
    this.#bins.set(key, { low, high, count: count + (this.#bins.get(key)?.count ?? 0) })
  }

  /** The value at a level from 0 to 1, interpolated within a bin: geometrically on an exponential scale. Undefined if empty. */
  quantile(level: number, scale: 'linear' | 'exponential'): number | undefined {
    const bins = [...this.#bins.values()].sort((a, b) => a.high - b.high || a.low - b.low)
    const rank = level * bins.reduce((sum, { count }) => sum + count, 0)
    let below = 0
    for (const { low, high, count } of bins) {
      // A rank at the border of two linear bins belongs to the upper bin, as in deployments.
      if (scale === 'linear' ? below + count > rank : below + count >= rank) {
        const share = (rank - below) / count
        if (low === high) return high
        return scale === 'linear' ? low + (high - low) * share : low * (high / low) ** share
      }
      below += count
    }
    return bins.at(-1)?.high
  }
}

/** The bins of a histogram: the first starts at 0, or has no width if its bound is negative; the last has no width. */
export function binsOf(counts: readonly number[], bounds: readonly number[]): readonly Bin[] {
  const last = bounds.at(-1) ?? 0
  return counts.map((count, at) => {
    const high = bounds[at] ?? last
    const low = at > 0 ? (bounds[at - 1] ?? last) : Math.min(high, 0)
    return { low, high, count }
  })
}

/** A bin of an exponential histogram: its bounds are neighbouring powers of 2 ** (2 ** -scale). */
export function exponentialBin(sign: 1 | -1, index: number, scale: number, count: number): Bin {
  const bound = (exponent: number) => 2 ** (exponent * 2 ** -scale)
  const [inner, outer] = [bound(index), bound(index + 1)]
  return sign === 1 ? { low: inner, high: outer, count } : { low: -outer, high: -inner, count }
}
