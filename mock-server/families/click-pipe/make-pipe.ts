import { clickPipe } from '../../../fixtures/contract/click-pipe/pipe.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { keep } from '../../world/record.ts'
import { type Kind, kindsOf, type Pipe } from './kind.ts'

/** New pipes: the body without its credentials, and the defaults. */

export type Body = ValuesOf<typeof clickPipe.fields>

const copying = { snapshotNumRowsPerPartition: 100_000, snapshotNumberOfParallelTables: 1 }
const following = { syncIntervalSeconds: 60, pullBatchSize: 100_000 }
const replicating = { ...following, ...copying, replicationMode: 'cdc', deleteOnMerge: false }
const loading = { allowNullableColumns: false, initialLoadParallelism: 4 }
const sorting = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: [] }
const tableEngine = 'ReplacingMergeTree'

interface Defaults {
  readonly source?: object
  readonly settings?: object
  readonly mapping?: object
}

/** The defaults of the source of each kind. */
const defaults: Readonly<Record<Kind, Defaults>> = {
  kafka: {},
  objectStorage: { source: { isContinuous: false } },
  kinesis: {},
  pubsub: {},
  postgres: {
    source: { type: 'postgres', authentication: 'basic' },
    settings: { ...replicating, ...loading, replicationSlotName: '', enableFailoverSlots: false },
    mapping: { ...sorting, tableEngine },
  },
  mysql: {
    source: { type: 'mysql', authentication: 'basic' },
    settings: { ...replicating, ...loading, replicationMechanism: 'GTID', useCompression: false },
    mapping: { ...sorting, tableEngine },
  },
  mongodb: { settings: { ...replicating, useJsonNativeFormat: false }, mapping: { tableEngine } },
  bigquery: {
    source: { authentication: 'SERVICE_ACCOUNT' },
    settings: { ...copying, ...loading, replicationMode: 'snapshot' },
    mapping: { ...sorting, tableEngine: 'MergeTree' },
  },
}

type Source = Readonly<Record<string, unknown>>

/** A source with its defaults. */
function fill(kind: Kind, source: Source, id: string): Source {
  const { settings, mapping, source: more } = defaults[kind]
  return {
    ...more,
    ...(kind === 'kafka' && { consumerGroup: `clickpipes-${id}` }),
    ...source,
    ...(typeof source.uri === 'string' && { uri: withoutUser(source.uri) }),
    ...(settings && { settings: { ...settings, ...(source.settings as object) } }),
    ...(mapping && { tableMappings: fillMappings(kind, source.tableMappings as readonly object[]) }),
  }
}

export const fillMappings = (kind: Kind, mappings: readonly object[]): readonly object[] =>
  mappings.map(one => ({ ...defaults[kind].mapping, ...one }))

/** An address may carry a user and a password. */
export const withoutUser = (uri: string): string => uri.replace(/^(\w[\w+.-]*:\/\/)[^/?#]*@/, '$1')

const scaling = { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 }

/** A pipe from the body of its creation, reduced to what the contract answers. */
export function makePipe(body: Body, id: string, serviceId: string, seed: number, at: number): Pipe {
  const [kind] = kindsOf(body.source) as [Kind]
  const sent = keep(body, clickPipe.fields) as Body
  const moment = momentOf(seed, id, at)
  return {
    id,
    serviceId,
    name: body.name,
    state: 'Provisioning',
    ...(!defaults[kind].settings && { scaling: { ...scaling, ...sent.scaling } }),
    source: { [kind]: fill(kind, sent.source[kind] as Source, id) },
    destination: { table: '', managedTable: false, columns: [], ...sent.destination },
    fieldMappings: sent.fieldMappings ?? [],
    settings: sent.settings ?? {},
    createdAt: moment,
    updatedAt: moment,
  }
}

/** Times of pipes have nanoseconds without trailing zeros. */
export function momentOf(seed: number, id: string, at: number): string {
  const below = String(createRandom(seedOf(seed, 'nanoseconds', id, at)).int(1, 999_999)).padStart(6, '0')
  return `${new Date(at).toISOString().slice(0, -1)}${below.replace(/0+$/, '')}Z`
}
