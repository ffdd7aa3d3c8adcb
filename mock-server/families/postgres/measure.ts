import { hour } from '../../words/durations.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import type { Postgres } from './model.ts'

/** What is measured of a service, with its usual value, and how far the hour of the day moves it. */
const table = [
  ['cpu_usage', 'CPU usage', '%', 'Used', 24, 14, 'Share of the processors that works.'],
  ['memory_usage', 'Memory usage', '%', 'Used', 61, 4, 'Share of the memory in use.'],
  ['disk_usage', 'Disk usage', '%', 'Used', 38, 1, 'Share of the storage in use.'],
  ['disk_iops', 'Disk operations', 'IOPS', 'Reads', 420, 260, 'Operations of the storage in a second.'],
  ['network_receive', 'Network in', 'bytes/s', 'Received', 1_400_000, 900_000, 'Bytes received in a second.'],
  ['connection_count', 'Connections', 'count', 'Open', 46, 21, 'Connections of clients.'],
  ['cache_hit_ratio', 'Cache hits', '%', 'Hits', 98.6, 0.7, 'Share of the blocks that were in memory.'],
  ['transactions', 'Transactions', 'count/s', 'Committed', 310, 190, 'Transactions committed in a second.'],
] as const

export const measures = table.map(([key, name, unit, label, usual, swing, about]) => ({
  key,
  name,
  unit,
  label,
  usual,
  swing,
  about,
}))

/** A measure at a moment: it follows the hour of the day, and the same moment is the same value. */
export function measureAt({ id }: Postgres, { key, usual, swing }: (typeof measures)[number], at: number): number {
  const dayTime = Math.sin(((at / hour - 9) / 24) * 2 * Math.PI)
  const noise = createRandom(seedOf(0, 'postgres measure', id, key, at)).next() - 0.5
  return Math.round((usual + swing * (0.7 * dayTime + 0.3 * noise)) * 100) / 100
}
