import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { service } from '../../../fixtures/contract/service/resources.ts'
import { day } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import { logBySystem } from '../organization/activity/index.ts'
import { organizations } from '../organization/model.ts'
import { enterState, nextChange, stateAfter } from './life.ts'
import { makeService } from './make-service.ts'
import type { Entry } from './schedule.ts'

/** The fields of records; the others follow from them, the clock and the organization. */
const {
  currentScaling: _currentScaling,
  availablePrivateEndpointIds: _availablePrivateEndpointIds,
  minTotalMemoryGb: _minTotalMemoryGb,
  maxTotalMemoryGb: _maxTotalMemoryGb,
  replicaMemoryGb: _replicaMemoryGb,
  scalingSchedule: _scalingSchedule,
  ...recordFields
} = service.fields

export { recordFields }

export type Service = ValuesOf<typeof recordFields> & {
  readonly scalingSchedule?: { readonly entries: readonly Entry[] }
  /**
   * When its state began, or the time-out until it idles, in epoch milliseconds; it is not answered. A service without it
   * stays in its state until a command changes it.
   */
  readonly since?: number
  /** SHA-256 of the password in base64, once one was set. */
  readonly passwordHash?: string
}

const regions = [
  ['aws', 'eu-central-1'],
  ['aws', 'us-east-1'],
  ['gcp', 'europe-west4'],
  ['azure', 'germanywestcentral'],
] as const
/** The seeded services in turn; a reader shares the warehouse of the production service before it. */
const plans: readonly { readonly name: string; readonly state: Service['state']; readonly isReader?: true }[] = [
  { name: 'production', state: 'running' },
  { name: 'staging', state: 'idle' },
  { name: 'reporting', state: 'running', isReader: true },
  { name: 'sandbox', state: 'stopped' },
]

export const services: Model<Service, 'service'> = {
  name: 'service',
  within: organizations,
  record: recordSchema(recordFields, {
    scalingSchedule: z.object({ entries: z.array(z.object({ id: z.string().uuid() }).passthrough()) }).optional(),
    since: z.number().optional(),
    passwordHash: z.string().optional(),
  }),
  secrets: ['passwordHash'],
  /** Seeded services are in use: they do not idle before a command changes their state. */
  *seed(organizationId, { seed, size, start }) {
    const random = createRandom(seedOf(seed, 'services', organizationId))
    let primary: Service | undefined
    for (let number = 0; number < size.services; number++) {
      const { name: purpose, state, isReader } = plans[number % plans.length]!
      const [provider, region] = regions[number % regions.length]!
      const made = makeService(seed, {
        id: random.uuid(),
        name: number < plans.length ? purpose : `${purpose}-${Math.floor(number / plans.length) + 1}`,
        provider,
        region,
        state,
        createdAt: secondsOf(start - (600 - (number % 500)) * day),
        ...(isReader && primary && readerOf(primary)),
      })
      if (number % plans.length === 0) primary = made
      yield made
    }
  },
  nextChangeAt: nextChange,
  applyChange(record, at, world, organizationId) {
    const state = stateAfter[record.state]
    if (state === undefined) return undefined
    // A primary does not idle while it has secondaries.
    if (state === 'idle' && secondariesOf(world.list(services, organizationId), record).length > 0)
      return { ...record, since: at }
    if (state === 'running' || state === 'idle') {
      logBySystem(world, organizationId, at, { type: `service_${state}`, serviceId: record.id })
    }
    return enterState(record, state, at)
  },
}

const readerOf = ({ dataWarehouseId, provider, region }: Service) =>
  ({ dataWarehouseId, provider, region, isPrimary: false, isReadonly: true, numReplicas: 1 }) as const

/** Finds a service by id in all organizations whose services were opened. */
export function serviceOf(world: World, id: string): Service | undefined {
  for (const organizationId of world.seededPlaces(services)) {
    const service = world.in(services, organizationId).get(id)
    if (service) return service
  }
  return undefined
}

export const secondsOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

export const secondariesOf = (all: readonly Service[], { id, isPrimary, dataWarehouseId }: Service) =>
  isPrimary ? all.filter(one => one.id !== id && one.dataWarehouseId === dataWarehouseId) : []

export const primaryOf = (all: readonly Service[], dataWarehouseId: string | undefined): Service | undefined =>
  all.find(one => one.isPrimary && one.dataWarehouseId === dataWarehouseId)

/** Whether a service matches a filter of a tag and, optionally, its value: `tag:Team`, `tag:Team=Data`. */
export function hasTag({ tags = [] }: Pick<Service, 'tags'>, filter: string): boolean {
  const [key, ...value] = filter.replace(/^tag:/, '').split('=')
  return tags.some(tag => tag.key === key && (value.length === 0 || tag.value === value.join('=')))
}

/** How busy a service is on a day, from 0 to 1: less at weekends, and otherwise as the seed has it. */
export function loadOf(seed: number, serviceId: string, at: number): number {
  const number = Math.floor(at / day)
  const weekday = new Date(at).getUTCDay()
  const share = weekday === 0 || weekday === 6 ? 0.4 : 1
  return share * (0.5 + 0.5 * createRandom(seedOf(seed, 'load', serviceId, number)).next())
}

/** The gigabytes that the tables of a service hold: they grow by about a thousandth a day. */
export function storedGb(seed: number, serviceId: string, createdAt: number, at: number): number {
  const first = 20 + 800 * createRandom(seedOf(seed, 'stored', serviceId)).next()
  return first * (1 + Math.max(0, at - createdAt) / day / 1000)
}

const serving: readonly string[] = ['running', 'partially_running', 'degraded']

/** Whether a service in a state answers queries: then it costs, and has metrics. */
export const isServing = ({ state }: { readonly state: string }): boolean => serving.includes(state)
