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
import { type Body, elapse, isOfDatabase, makePipe, nextChange, type Pipe } from './pipe.ts'

type CdcScaling = ValuesOf<typeof cdcScaling.fields> &
  Timed & {
    /** The requested values, in force from `changesAt` on; not answered. */
    readonly pending?: ValuesOf<typeof cdcScaling.fields>
  }

const usual: CdcScaling = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 }

/** What the database pipes of a service run on. */
export const cdcScalings: Model<CdcScaling, 'clickPipeCdcScaling'> = {
  name: 'clickPipeCdcScaling',
  within: services,
  isSingleton: true,
  record: recordSchema(cdcScaling.fields, {
    pending: z.object({ replicaCpuMillicores: z.number(), replicaMemoryGb: z.number() }).optional(),
    ...timed,
  }),
  seed: () => [usual],
  nextChangeAt: ({ changesAt }) => changesAt,
  applyChange: ({ pending, changesAt: _, ...before }) => ({ ...before, ...pending }),
}

export const isProvisioned = ({ state }: Pipe): boolean => state !== 'Provisioning' && state !== 'Unknown'

export const clickPipes: Model<Pipe, 'clickPipe'> = {
  name: 'clickPipe',
  within: services,
  record: recordSchema(
    clickPipe.fields,
    { ...timed, isLoaded: z.boolean().optional(), isGoing: z.boolean().optional() },
    undefined,
    'answer',
  ),
  /** The stream of orders. */
  defaults: (serviceId, at, { newUuid, seed }) => ({
    ...makePipe(shop[0]!, newUuid(), serviceId, seed, at),
    state: 'Running',
  }),
  seed: seedPipes,
  nextChangeAt: nextChange,
  applyChange(pipe, at, world, serviceId) {
    const changed = elapse(pipe, at)
    const all = world.list(clickPipes, serviceId)
    // The common scaling is reset with the last database pipe.
    if (!changed && isOfDatabase(pipe) && all.filter(isOfDatabase).length === 1)
      world.in(cdcScalings, serviceId).replace(usual)
    return changed
  },
}

const columns = [
  { name: 'order_id', type: 'String' },
  { name: 'amount', type: 'Float64' },
]
const fieldMappings = columns.map(({ name }) => ({ sourceField: name, destinationField: name }))
const mapping = (sourceTable: string) => ({
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
    destination: { database: 'shop', table: 'orders', managedTable: true, columns },
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
        tableMappings: [mapping('customers'), mapping('products')],
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
    destination: { database: 'shop', table: 'order_archive', managedTable: true, columns },
    fieldMappings,
  },
]

/** The pipes of a service that runs at the start; one that was created later has none. */
function seedPipes(serviceId: string, { seed, start, world, isNew }: Seeding): readonly Pipe[] {
  if (isNew || serviceOf(world, serviceId)?.state !== 'running') return []
  const random = createRandom(seedOf(seed, 'pipes', serviceId))
  return shop.map(({ state, isLoaded, ...body }, number) => ({
    ...makePipe(body, random.uuid(), serviceId, seed, start - (90 - 10 * number) * day),
    state,
    ...(isLoaded && { isLoaded }),
  }))
}
