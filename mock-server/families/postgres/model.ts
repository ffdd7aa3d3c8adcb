import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { postgres } from '../../../fixtures/contract/postgres/postgres.ts'
import { day, minute } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, type Random, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import { type Request, recordAt } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { endOf, type Timed, timed } from '../timed.ts'
import type { Settings } from './index.ts'

const {
  password: _password,
  connectionString: _connectionString,
  earliestRestoreTime: _earliestRestoreTime,
  pgConfig: _pgConfig,
  pgBouncerConfig: _pgBouncerConfig,
  ...recordFields
} = postgres.fields

export { recordFields }

export type Postgres = ValuesOf<typeof recordFields, 'answer'> &
  Timed & {
    readonly password: string
    readonly pgConfig: Settings
    readonly pgBouncerConfig: Settings
    /** The primary of a replica. */
    readonly primaryId?: string
  }

/** Duration of the states that end by themselves, and the next state; none after `deleting`. */
const transitions: Readonly<
  Partial<Record<Postgres['state'], { readonly duration: number; readonly after?: Postgres['state'] }>>
> = {
  creating: { duration: 3 * minute, after: 'running' },
  restarting: { duration: minute / 2, after: 'running' },
  replaying_wal: { duration: 2 * minute, after: 'running' },
  restoring_backup: { duration: 3 * minute, after: 'finalizing_restore' },
  finalizing_restore: { duration: minute, after: 'running' },
  deleting: { duration: minute },
}

/** Time from the creation of a service to its first backup. */
export const firstBackupDelay = 10 * minute

export const enterState = (service: Postgres, state: Postgres['state'], at: number): Postgres => ({
  ...service,
  state,
  changesAt: endOf(at, transitions[state]?.duration),
})

const stringMap = z.record(z.string())

export const postgresServices: Model<Postgres, 'postgres'> = {
  name: 'postgres',
  within: organizations,
  record: recordSchema(recordFields, {
    password: z.string(),
    pgConfig: stringMap,
    pgBouncerConfig: stringMap,
    primaryId: z.string().optional(),
    ...timed,
  }),
  secrets: ['password', 'connectionString'],
  *seed(organizationId, { seed, start }) {
    const random = createRandom(seedOf(seed, 'postgres services', organizationId))
    const id = random.uuid()
    const plan = { name: 'orders', region: 'eu-central-1', size: 'r6gd.large', haType: 'async' } as const
    const createdAt = new Date(start - 90 * day).toISOString()
    const primary = { ...makePostgres(seed, { ...plan, id, createdAt }), state: 'running' } as const
    yield primary
    const replica = makePostgres(seed, { ...plan, name: 'orders-replica', id: random.uuid(), createdAt, primaryId: id })
    yield { ...replica, haType: 'none', state: 'running' }
  },
  nextChangeAt: ({ changesAt }) => changesAt,
  applyChange(service, at) {
    const next = transitions[service.state]?.after
    return next && enterState(service, next, at)
  },
}

type Plan = Pick<Postgres, 'id' | 'name' | 'region' | 'size' | 'createdAt'> & Partial<Postgres>

/** A Postgres service from its plan; password and host follow from the seed and its id. */
export function makePostgres(seed: number, plan: Plan): Postgres {
  const random = createRandom(seedOf(seed, 'postgres', plan.id))
  const host = `${plan.name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.${random.hex(10)}`
  return {
    provider: 'aws',
    postgresVersion: '18',
    haType: 'none',
    tags: [],
    ipAccessList: [{ id: random.uuid(), source: '0.0.0.0/0', portRange: '5432..6432' }],
    // In the vendor's document, these maps are never empty.
    pgConfig: { max_connections: '500' },
    pgBouncerConfig: { default_pool_size: '64' },
    ...plan,
    state: 'creating',
    isPrimary: plan.primaryId === undefined,
    storageSize: storageGibOf(plan.size),
    hostname: `${host}.pg.clickhouse.cloud`,
    username: 'postgres',
    password: newPassword(random),
  }
}

/** Appends the character classes that a password needs. */
export const newPassword = (random: Random): string => `${random.alphanumeric(20)}aZ7`

/** The storage of a machine in GiB: about twice as much for each next size. */
export function storageGibOf(size: string): number {
  const [, factor, sizeName] = /\.(\d*)(medium|large|xlarge)$/.exec(size) ?? []
  return sizeName === 'medium' ? 59 : sizeName === 'large' ? 118 : 237 * Number(factor || 1)
}

export const find = (request: Request) => recordAt(request, postgresServices)
