import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { service } from '../../../fixtures/contract/service.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordWith } from '../../world/record.ts'
import { logBySystem } from '../activity/model.ts'
import { organizations } from '../organization/model.ts'
import { after, become } from './life.ts'
import { makeService } from './make-service.ts'

export type Service = ValuesOf<typeof service.fields> & {
  /** When its state ends by itself, in epoch milliseconds; it is not answered. */
  readonly changesAt?: number
  /** When it was last stopped, in epoch milliseconds; it is not answered. */
  readonly stoppedAt?: number
}

const day = 86_400_000
const regions = [
  ['aws', 'eu-central-1'],
  ['aws', 'us-east-1'],
  ['gcp', 'europe-west4'],
  ['azure', 'germanywestcentral'],
] as const
const purposes = ['production', 'staging', 'analytics', 'sandbox']

export const services: Model<Service, 'service'> = {
  name: 'service',
  within: organizations,
  record: recordWith(service.fields, {
    changesAt: z.number().optional(),
    stoppedAt: z.number().optional(),
  }) as unknown as Model<Service>['record'],
  key: ({ id }) => id,
  /** They are in use, so that they do not idle before somebody stops or starts them. */
  seed(organizationId, { seed, size, start }) {
    const random = createRandom(seedOf(seed, 'services', organizationId))
    return Array.from({ length: size.services }, (_, number) => {
      const [provider, region] = regions[number % regions.length]!
      const purpose = purposes[number % purposes.length]!
      const name = number < purposes.length ? purpose : `${purpose}-${number + 1}`
      const state = number % 4 === 3 ? 'idle' : 'running'
      const createdAt = secondsOf(start - (600 - (number % 500)) * day)
      return makeService(seed, { id: random.uuid(), name, provider, region, state, createdAt })
    })
  },
  next: ({ changesAt }) => changesAt,
  elapse(record, at, world, organizationId) {
    const state = after[record.state]
    if (state === undefined) return undefined
    // A primary does not idle while it has secondaries.
    const isKept = state === 'idle' && secondariesOf(world.in(services, organizationId).list(), record).length > 0
    const { changesAt: _, ...kept } = record
    if (isKept) return kept
    if (state === 'running' || state === 'idle') {
      logBySystem(world, organizationId, at, { type: `service_${state}`, serviceId: record.id })
    }
    return become(record, state, at)
  },
}

/** Services have full seconds. */
export const secondsOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** The services that share the data of a primary. */
export const secondariesOf = (all: readonly Service[], { id, isPrimary, dataWarehouseId }: Service) =>
  isPrimary ? all.filter(one => one.id !== id && one.dataWarehouseId === dataWarehouseId) : []
