import { day, hour, minute, second } from '../../words/durations.ts'

const sizes = {
  '30s': 30 * second,
  '1m': minute,
  '5m': 5 * minute,
  '10m': 10 * minute,
  '15m': 15 * minute,
  '30m': 30 * minute,
  '1h': hour,
  '2h': 2 * hour,
  '6h': 6 * hour,
  '12h': 12 * hour,
  '1d': day,
  '2d': 2 * day,
  '7d': 7 * day,
  '30d': 30 * day,
} as const

export type Granularity = keyof typeof sizes | 'auto'

/** The granularities in the order in which the API names them. */
export const granularities: readonly Granularity[] = [...(Object.keys(sizes) as Granularity[]), 'auto']

/** `auto` knows quarters of a minute, but no ten minutes. */
const automatic = [15 * second, ...Object.values(sizes).filter(size => size !== sizes['10m'])]
const mostBuckets = 60

/** The size of a bucket in milliseconds. Left to itself, a range has about sixty buckets. */
export function bucketSize(granularity: Granularity | undefined, start: number, end: number): number {
  if (granularity && granularity !== 'auto') return sizes[granularity]
  const wanted = Math.ceil(Math.floor((end - start) / second) / mostBuckets) * second
  return automatic.find(size => wanted <= size) ?? sizes['30d']
}

/** Where the bucket of a moment begins: buckets of every size are counted from the first of January 1970, UTC. */
export const bucketOf = (time: number, size: number) => Math.floor(time / size) * size
