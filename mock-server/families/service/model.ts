import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { service } from '../../../fixtures/contract/service/resources.ts'
import { day, second } from '../../words/durations.ts'
import { groupBy } from '../../words/group-by.ts'
import { hash } from '../../words/hash.ts'
import { conflict, Refusal } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import { logBySystem } from '../organization/activity/index.ts'
import { organizations } from '../organization/model.ts'
import { type Entry, idlesAt } from './schedule.ts'

/** The fields of records. All others follow from these, from the clock and from the organization. */
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
   * When its state, or the time-out until it idles, began, in epoch milliseconds; never part of an answer. A service without
   * `since` stays in its state until a command changes it.
   */
  readonly since?: number
  /** SHA-256 of the password in base64; absent until a password is set. */
  readonly passwordHash?: string
}

const regions = [
  ['aws', 'eu-central-1'],
  ['aws', 'us-east-1'],
  ['gcp', 'europe-west4'],
  ['azure', 'germanywestcentral'],
] as const
/** The kinds of seeded services, repeated in this order; a reader shares the warehouse of the production service before it. */
const plans: readonly { readonly name: string; readonly state: Service['state']; readonly isReader?: true }[] = [
  { name: 'production', state: 'running' },
  { name: 'staging', state: 'idle' },
  { name: 'reporting', state: 'running', isReader: true },
  { name: 'sandbox', state: 'stopped' },
]

export const services: Model<Service, 'service'> = {
  name: 'service',
  within: organizations,
  // A transient state continues from the start of the world; other states last.
  fromCaptured({ fields }, { start }) {
    const isTransient = fields.state !== 'running' && nextChange({ ...(fields as unknown as Service), since: start })
    return isTransient ? { since: start } : {}
  },
  hasStack: true,
  inEmptyWorld: () => true,
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
        ...(purpose === 'production' && { scalingSchedule: { entries: [weekend(seed, organizationId, number)] } }),
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

/** The entry of the schedule of a production service, which needs less memory at weekends. */
const weekend = (seed: number, organizationId: string, number: number): Entry => ({
  id: createRandom(seedOf(seed, 'scaling schedule', organizationId, number)).uuid(),
  name: 'weekend',
  autoscalingMode: 'vertical',
  weekdays: [0, 6],
  startHourUtc: 0,
  endHourUtc: 0,
  minReplicaMemoryGb: 16,
  maxReplicaMemoryGb: 32,
})

const readerOf = ({ dataWarehouseId, provider, region }: Service) =>
  ({ dataWarehouseId, provider, region, isPrimary: false, isReadonly: true, numReplicas: 1 }) as const

/** Finds a service by id in all organizations whose services were seeded. */
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

/**
 * Keeps the filters of a tag and, optionally, its value: `tag:Team`, `tag:Team=Data`. Deployments ignore filters without
 * the prefix; by choice, they are read as if they had it.
 */
export const tagFilters = ({ query, decide }: TagQuery): readonly string[] =>
  query
    .getAll('filter')
    .filter(filter => filter.startsWith('tag:') || decide('service/filter-without-prefix') === 'read')
    .map(filter => filter.replace(/^tag:/, ''))

interface TagQuery {
  readonly query: URLSearchParams
  decide(gap: 'service/filter-without-prefix'): string
}

/** Whether a service matches a filter of `tagFilters`. */
export function hasTag({ tags = [] }: Pick<Service, 'tags'>, filter: string): boolean {
  const [key, ...value] = filter.split('=')
  return tags.some(tag => tag.key === key && (value.length === 0 || tag.value === value.join('=')))
}

/** How busy a service is on a day, from 0 to 1: drawn by the seed, and less on weekends. */
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

const servingStates: readonly string[] = ['running', 'partially_running', 'degraded']

/** Whether a service in this state answers queries. If so, it also costs and has metrics. */
export const isServing = ({ state }: { readonly state: string }): boolean => servingStates.includes(state)

/** The required fields of a new service; the others have defaults. */
type ServicePlan = Pick<Service, 'id' | 'name' | 'provider' | 'region' | 'state' | 'createdAt'> &
  Partial<Service> & { readonly hasMysql?: boolean }

/** Makes a service from its plan and the defaults. Host and role follow from the seed and its id. */
export function makeService(seed: number, { hasMysql = false, ...plan }: ServicePlan): Service {
  const random = createRandom(seedOf(seed, 'service', plan.id))
  const cluster = random.alphanumeric(10).toLowerCase()
  const host = `${cluster}.${plan.region}.${plan.provider}.clickhouse.cloud`
  const role = `CH-S3-${cluster}-${plan.region.replaceAll('-', '')}-${random.int(10, 99)}-Role`
  const account = random.int(100_000_000_000, 999_999_999_999)
  const service: Service = {
    endpoints: [
      { protocol: 'nativesecure', host, port: 9440 },
      { protocol: 'https', host, port: 8443 },
    ],
    idleScaling: true,
    idleTimeoutMinutes: 15,
    minReplicaMemoryGb: 16,
    maxReplicaMemoryGb: 120,
    numReplicas: 3,
    autoscalingMode: 'vertical',
    ipAccessList: [{ source: '0.0.0.0/0', description: 'Anywhere' }],
    clickhouseVersion: '25.12',
    iamRole: plan.provider === 'aws' ? `arn:aws:iam::${account}:role/${role}` : role,
    privateEndpointIds: [],
    dataWarehouseId: random.uuid(),
    isPrimary: true,
    isReadonly: false,
    profile: 'v1-default',
    releaseChannel: 'default',
    hasTransparentDataEncryption: false,
    tags: [],
    enableCoreDumps: true,
    mcpEnabled: false,
    ...plan,
  }
  return hasMysql ? withMysql(service, true) : service
}

/** The first service of the first organization. */
export function firstService(world: World): Service | undefined {
  const [organization] = world.list(organizations)
  return organization && world.list(services, organization.id)[0]
}

/** The first label of the host name of a service. */
export const clusterOf = ({ endpoints }: Service): string => endpoints[0]?.host.split('.')[0] ?? ''

export function withMysql(service: Service, isEnabled: boolean): Service {
  const others = service.endpoints.filter(({ protocol }) => protocol !== 'mysql')
  const { host = '' } = others[0] ?? {}
  const mysql = { protocol: 'mysql', host, port: 3306, username: `mysql4${clusterOf(service)}` } as const
  return { ...service, endpoints: isEnabled ? [...others, mysql] : others }
}

/** The password of a service before one is set, by the seed. */
export const deriveFirstPassword = (seed: number, serviceId: string): string =>
  createRandom(seedOf(seed, 'service password', serviceId)).alphanumeric(16)

/** The services by the hash of each password that they accept: their primary's, and their own if one was set. */
export function servicesByHash(world: World, organizationId: string): ReadonlyMap<string, readonly Service[]> {
  return world.in(services, organizationId).derive('by password', all => {
    const hashOf = ({ id, passwordHash }: Service) => passwordHash ?? hash(deriveFirstPassword(world.seed, id))
    const pairs = all.flatMap(service => {
      const primary = service.isPrimary ? service : (primaryOf(all, service.dataWarehouseId) ?? service)
      return [...new Set([hashOf(primary), ...(service.passwordHash ? [service.passwordHash] : [])])].map(
        one => [one, service] as const,
      )
    })
    const grouped = groupBy(pairs, ([one]) => one)
    return new Map([...grouped].map(([one, list]) => [one, list.map(([, service]) => service)]))
  })
}

/** The state machine of services, driven by commands and time. */

/** Durations of the states that end by themselves, about as long as on real deployments. */
const durations: Readonly<Partial<Record<Service['state'], number>>> = {
  provisioning: 120 * second,
  starting: 60 * second,
  awaking: 20 * second,
  stopping: 30 * second,
  terminating: 180 * second,
}
/** Time after a stop in which a deletion is still refused, by choice. */
export const settlingTime = 10 * second

export const enterState = (service: Service, state: Service['state'], at: number): Service => ({
  ...service,
  state,
  since: at,
})

/** Restarts the time-out until a service idles, because a change of its scaling counts as use. */
export const restartTimeout = (service: Service, at: number): Service =>
  service.state === 'running' && service.since !== undefined ? { ...service, since: at } : service

/** When the state of a service ends by itself, in epoch milliseconds. */
export function nextChange(service: Service): number | undefined {
  const { state, since } = service
  if (since === undefined) return undefined
  if (state === 'running') return idlesAt(service, since)
  const length = durations[state]
  return length === undefined ? undefined : since + length
}

/** The state after each state that ends by itself; undefined: the service is removed. */
export const stateAfter: Readonly<Partial<Record<Service['state'], Service['state']>>> = {
  provisioning: 'running',
  starting: 'running',
  awaking: 'running',
  running: 'idle',
  stopping: 'stopped',
}

type Command = 'start' | 'stop' | 'awake'

/** The state after a command; the same if it has no effect. */
export function stateAfterCommand(command: Command, { state }: Service): Service['state'] {
  if (state === 'terminating') throw commandRefusal()
  if (command === 'stop') return state === 'stopping' || state === 'stopped' ? state : 'stopping'
  const isStopped = state === 'stopped' || state === 'stopping'
  // A stopped service is started, not woken: deployments refuse to wake it, without a sentence.
  if (command === 'awake' && isStopped) throw commandRefusal()
  if (command === 'awake') return state === 'idle' ? 'awaking' : state
  return isStopped ? 'starting' : state
}

const commandRefusal = () => new Refusal('malformed', '')

const deletableStates = ['provisioning', 'starting', 'awaking', 'idle', 'stopped', 'degraded', 'failed']

/** Refuses to delete a service that runs, or that stopped after the moment `settledBefore`. */
export function refuseWhileRunning({ state, since = Number.NEGATIVE_INFINITY }: Service, settledBefore: number): void {
  const shown = state === 'stopped' && settledBefore < since ? 'stopping' : state
  if (deletableStates.includes(shown)) return
  const named = deletableStates.map(one => `'${one}'`).join(',')
  throw conflict(`Only instance in one of the following states: ${named} can be terminated. Current state: '${shown}'`)
}

/** Whether the observability API of a service answers: not before it is provisioned, and not once it is being deleted. */
export const hasStack = ({ state }: Service): boolean => state !== 'provisioning' && state !== 'terminating'
