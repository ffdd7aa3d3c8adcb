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

/** The sizes of `auto`: also 15 seconds, but not 10 minutes. */
const autoSizes = [15 * second, ...Object.values(sizes).filter(size => size !== sizes['10m'])]
const maxBuckets = 60

/** The size of a bucket in milliseconds. `auto`, the default, is the smallest size that gives at most about 60 buckets. */
export function bucketSize(granularity: Granularity | undefined, start: number, end: number): number {
  if (granularity && granularity !== 'auto') return sizes[granularity]
  const min = Math.ceil(Math.floor((end - start) / second) / maxBuckets) * second
  return autoSizes.find(size => min <= size) ?? sizes['30d']
}

/** The start of the bucket that contains a time. Buckets of every size are counted from 1970-01-01 UTC. */
export const bucketOf = (time: number, size: number) => Math.floor(time / size) * size
