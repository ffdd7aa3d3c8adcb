import { day } from '../../words/durations.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import type { Seeding } from '../../world/seeding.ts'
import { serviceOf } from '../service/model.ts'
import type { Pipe } from './kind.ts'
import { type Body, makePipe } from './make-pipe.ts'

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

/** The pipes of the shop: orders as they come, its database, and what was there before it had either. */
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
export function seedPipes(serviceId: string, { seed, start, world, isNew }: Seeding): readonly Pipe[] {
  if (isNew || serviceOf(world, serviceId)?.state !== 'running') return []
  const random = createRandom(seedOf(seed, 'pipes', serviceId))
  return shop.map(({ state, isLoaded, ...body }, number) => ({
    ...makePipe(body, random.uuid(), serviceId, seed, start - (90 - 10 * number) * day),
    state,
    ...(isLoaded && { isLoaded }),
  }))
}

/** A pipe that somebody arranges: that of the orders. */
export const usualPipe = (id: string, serviceId: string, seed: number, at: number): Pipe => ({
  ...makePipe(shop[0]!, id, serviceId, seed, at),
  state: 'Running',
})
