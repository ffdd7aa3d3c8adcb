import { z } from 'zod/v3'
import { day } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import type { World } from '../../world/world.ts'
import { services } from './model.ts'

const count = z.number().int().nonnegative()
const record = z.object({
  day: z.string(),
  queries: count,
  inserts: count,
  failed: count,
  /** Bytes of statements with their data. */
  received: count,
  /** Bytes of answers. */
  sent: count,
})

/** Counts of the SQL that an engine answered for a service on a day of UTC. */
type QueryUse = Readonly<z.infer<typeof record>>

const queryUses: Model<QueryUse, 'queryUse'> = {
  name: 'queryUse',
  within: services,
  isNumerous: true,
  record,
  keyFields: ['day'],
  defaults(serviceId, at, world) {
    const { size } = world.in(queryUses, serviceId)
    return { ...nothing, day: dayOf(at - size * day) }
  },
}

export const models = [queryUses]

const nothing = { queries: 0, inserts: 0, failed: 0, received: 0, sent: 0 }
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

const sum = (a: Omit<QueryUse, 'day'>, b: Omit<QueryUse, 'day'>) => ({
  queries: a.queries + b.queries,
  inserts: a.inserts + b.inserts,
  failed: a.failed + b.failed,
  received: a.received + b.received,
  sent: a.sent + b.sent,
})

/** Adds to the use of a day. An addition to a known day does not count as a write. */
export function addUse(world: World, serviceId: string, at: number, use: Omit<QueryUse, 'day'>): void {
  const uses = world.in(queryUses, serviceId)
  const today = dayOf(at)
  const before = uses.get(today)
  if (before) uses.touch({ day: today, ...sum(before, use) })
  else uses.create({ day: today, ...use })
}

/** The use of a service since its creation. */
export const useOf = (world: World, serviceId: string): Omit<QueryUse, 'day'> =>
  world.list(queryUses, serviceId).reduce(sum, nothing)

export const bytesSentOn = (world: World, serviceId: string, date: string): number =>
  world.in(queryUses, serviceId).get(date)?.sent ?? 0
