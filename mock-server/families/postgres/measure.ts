import { createRandom, seedOf } from '../../world/random.ts'
import type { Postgres } from './model.ts'

/** What is measured of a service, each with its usual value and how far the hour of the day moves it. */
export const measures = [
  {
    key: 'cpu_usage',
    name: 'CPU usage',
    unit: '%',
    label: 'Used',
    usual: 24,
    swing: 14,
    about: 'Share of the processors that works.',
  },
  {
    key: 'memory_usage',
    name: 'Memory usage',
    unit: '%',
    label: 'Used',
    usual: 61,
    swing: 4,
    about: 'Share of the memory in use.',
  },
  {
    key: 'disk_usage',
    name: 'Disk usage',
    unit: '%',
    label: 'Used',
    usual: 38,
    swing: 1,
    about: 'Share of the storage in use.',
  },
  {
    key: 'disk_iops',
    name: 'Disk operations',
    unit: 'IOPS',
    label: 'Reads',
    usual: 420,
    swing: 260,
    about: 'Operations of the storage in a second.',
  },
  {
    key: 'network_receive',
    name: 'Network in',
    unit: 'bytes/s',
    label: 'Received',
    usual: 1_400_000,
    swing: 900_000,
    about: 'Bytes received in a second.',
  },
  {
    key: 'connection_count',
    name: 'Connections',
    unit: 'count',
    label: 'Open',
    usual: 46,
    swing: 21,
    about: 'Connections of clients.',
  },
  {
    key: 'cache_hit_ratio',
    name: 'Cache hits',
    unit: '%',
    label: 'Hits',
    usual: 98.6,
    swing: 0.7,
    about: 'Share of the blocks that were in memory.',
  },
  {
    key: 'transactions',
    name: 'Transactions',
    unit: 'count/s',
    label: 'Committed',
    usual: 310,
    swing: 190,
    about: 'Transactions committed in a second.',
  },
] as const

const hour = 3_600_000

/** A measure at a moment: it follows the hour of the day, and the same moment is the same value. */
export function measureAt({ id }: Postgres, { key, usual, swing }: (typeof measures)[number], at: number): number {
  const dayTime = Math.sin(((at / hour - 9) / 24) * 2 * Math.PI)
  const noise = createRandom(seedOf(0, 'postgres measure', id, key, at)).next() - 0.5
  return Math.round((usual + swing * (0.7 * dayTime + 0.3 * noise)) * 100) / 100
}
