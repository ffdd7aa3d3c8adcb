import type { Budget } from './budget.ts'
import type { Compiled, Scalar } from './compiled.ts'
import { isComposite } from './types.ts'

interface Group<Total> {
  /** The start of the bucket. */
  readonly time: number
  /** The values of the expressions that rows are grouped by. */
  readonly key: readonly Scalar[]
  readonly total: Total
}

/** Puts rows into groups by the start of a bucket and by keys. Groups are in the order of their first rows. */
export function createGroups<Total>(keys: readonly Compiled[], create: () => Total, budget: Budget) {
  const keyOf = compileGroupKey(keys, budget)
  const buckets = new Map<number, Map<Scalar, Total>>()
  const all: Group<Total>[] = []
  /** Caches the last bucket: rows are mostly sorted by time, so that a count takes a third less time. */
  let lastTime = Number.NaN
  let lastBucket = new Map<Scalar, Total>()
  /** The total of the group of a row. */
  const find = (time: number, row: number): Total => {
    if (time !== lastTime) {
      lastBucket = buckets.get(time) ?? new Map()
      buckets.set(time, lastBucket)
      lastTime = time
    }
    const key = keyOf(row)
    let total = lastBucket.get(key)
    if (total === undefined) {
      budget.chargeMemory(key)
      total = create()
      lastBucket.set(key, total)
      all.push({ time, key: keys.map(({ at }) => at(row)), total })
    }
    return total
  }
  return { find, all: all as readonly Group<Total>[] }
}

export function compileGroupKey(groups: readonly Compiled[], budget: Budget): (row: number) => Scalar {
  const [first] = groups
  if (!first) return () => 0
  if (groups.length === 1 && !isComposite(first.type)) return first.at
  // As text, so that maps and lists with equal members have the same key.
  return row => {
    let key = ''
    for (const { at } of groups) {
      const value = at(row)
      key += `${typeof value === 'object' ? JSON.stringify(value) : value}\0`
    }
    budget.chargeCharacters(key.length)
    return key
  }
}
