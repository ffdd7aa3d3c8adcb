import { z } from 'zod/v3'
import { clickPipe } from '../../../fixtures/contract/click-pipe/pipe.ts'
import { cdcScaling } from '../../../fixtures/contract/click-pipe/scaling.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { day } from '../../words/durations.ts'
import type { Model, Seeding } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import { serviceOf, services } from '../service/model.ts'
import { type Timed, timed } from '../timed.ts'
import { type Body, endState, isOfDatabase, makePipe, nextChange, type Pipe } from './pipe.ts'

type CdcScaling = ValuesOf<typeof cdcScaling.fields> &
  Timed & {
    /** The requested values, in force from `changesAt` on; never part of an answer. */
    readonly pending?: ValuesOf<typeof cdcScaling.fields>
  }

const defaultCdcScaling: CdcScaling = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }

/** The compute size that all database pipes of a service share. */
export const cdcScalings: Model<CdcScaling, 'clickPipeCdcScaling'> = {
  name: 'clickPipeCdcScaling',
  within: services,
  isSingleton: true,
  record: recordSchema(cdcScaling.fields, {
    pending: z.object({ replicaCpuMillicores: z.number(), replicaMemoryGb: z.number() }).optional(),
    ...timed,
  }),
  seed: () => [defaultCdcScaling],
  nextChangeAt: ({ changesAt }) => changesAt,
  applyChange: ({ pending, changesAt: _, ...before }) => ({ ...before, ...pending }),
}

export const isProvisioned = ({ state }: Pipe): boolean => state !== 'Provisioning' && state !== 'Unknown'

export const clickPipes: Model<Pipe, 'clickPipe'> = {
  name: 'clickPipe',
  within: services,
  record: recordSchema(
    clickPipe.fields,
    { ...timed, isLoaded: z.boolean().optional(), isBeingDeleted: z.boolean().optional() },
    undefined,
    'answer',
  ),
  /** The pipe `orders` of the shop, already running. */
  defaults: (serviceId, at, { newUuid, seed }) => ({
    ...makePipe(shop[0]!, newUuid(), serviceId, seed, at),
    state: 'Running',
  }),
  seed: seedPipes,
  nextChangeAt: nextChange,
  applyChange(pipe, at, world, serviceId) {
    const changed = endState(pipe, at)
    const all = world.list(clickPipes, serviceId)
    // The removal of the last database pipe resets the scaling that the database pipes shared.
    const isRemoved = changed === undefined
    if (isRemoved && isOfDatabase(pipe) && all.filter(isOfDatabase).length === 1)
      world.in(cdcScalings, serviceId).replace(defaultCdcScaling)
    return changed
  },
}

const orderColumns = [
  { name: 'order_id', type: 'String' },
  { name: 'amount', type: 'Float64' },
]
const fieldMappings = orderColumns.map(({ name }) => ({ sourceField: name, destinationField: name }))
const mapTable = (sourceTable: string) => ({
  sourceSchemaName: 'public',
  sourceTable,
  targetTable: `public_${sourceTable}`,
})

/** The pipes of the shop: a stream of orders, its database, and an archive. */
const shop: readonly (Body & Pick<Pipe, 'state' | 'isLoaded'>)[] = [
  {
    name: 'orders',
    state: 'Running',
    source: {
      kafka: {
        type: 'confluent',
        format: 'JSONEachRow',
        brokers: 'broker.shop.example:9092',
        topics: 'orders',
        authentication: 'PLAIN',
        offset: { strategy: 'from_beginning' },
      },
    },
    destination: { database: 'shop', table: 'orders', managedTable: true, columns: orderColumns },
    fieldMappings,
  },
  {
    name: 'shop database',
    state: 'Running',
    isLoaded: true,
    source: {
      postgres: {
        host: 'db.shop.example',
        port: 5432,
        database: 'shop',
        settings: { replicationMode: 'cdc' },
        tableMappings: [mapTable('customers'), mapTable('products')],
      },
    },
    destination: { database: 'shop' },
  },
  {
    name: 'order archive',
    state: 'Completed',
    source: {
      objectStorage: {
        type: 's3',
        format: 'Parquet',
        url: 'https://shop-archive.s3.amazonaws.com/orders/*.parquet',
        authentication: 'IAM_ROLE',
        iamRole: 'arn:aws:iam::957102927053:role/ArchiveReader',
      },
    },
    destination: { database: 'shop', table: 'order_archive', managedTable: true, columns: orderColumns },
    fieldMappings,
  },
]

const createdDaysBefore = [90, 80, 70]

/** The pipes of a service that is running at the start; services created later get none. */
function seedPipes(serviceId: string, { seed, start, world, isNew }: Seeding): readonly Pipe[] {
  if (isNew || serviceOf(world, serviceId)?.state !== 'running') return []
  const random = createRandom(seedOf(seed, 'pipes', serviceId))
  return shop.map(({ state, isLoaded, ...body }, index) => ({
    ...makePipe(body, random.uuid(), serviceId, seed, start - createdDaysBefore[index]! * day),
    state,
    ...(isLoaded && { isLoaded }),
  }))
}
