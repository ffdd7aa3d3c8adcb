import { createRandom, seedOf } from '../../../world/random.ts'
import { servingSince } from '../../organization/usage-cost/index.ts'
import type { Service } from '../model.ts'
import { isServing, loadOf } from '../model.ts'
import { useOf } from '../query-use.ts'
import type { Contribute, MetricFamily } from './exposition.ts'

/** The counters, with their rate per second on a busy replica. `filtered_metrics` selects the important metrics. */
const counters = {
  important: {
    Query: 4.3,
    SelectQuery: 3.1,
    InsertQuery: 1.1,
    FailedQuery: 0.01,
    FailedSelectQuery: 0.008,
    FailedInsertQuery: 0.002,
    QueryTimeMicroseconds: 210_000,
    InsertedRows: 5200,
    InsertedBytes: 640_000,
    SelectedRows: 910_000,
    SelectedBytes: 71_000_000,
    OSCPUVirtualTimeMicroseconds: 420_000,
    NetworkReceiveBytes: 820_000,
    NetworkSendBytes: 1_300_000,
  },
  other: {
    AsyncInsertQuery: 0.4,
    AsyncInsertBytes: 51_000,
    BackgroundLoadingMarksTasks: 0.02,
    CachedReadBufferReadFromCacheBytes: 32_000_000,
    CachedReadBufferReadFromSourceBytes: 4_100_000,
    CompressedReadBufferBlocks: 510,
    CompressedReadBufferBytes: 33_000_000,
    ContextLock: 260,
    CreatedReadBufferOrdinary: 9,
    DiskReadElapsedMicroseconds: 7200,
    DiskWriteElapsedMicroseconds: 2100,
    FileOpen: 21,
    FunctionExecute: 340,
    HTTPServerConnectionsCreated: 0.9,
    IOBufferAllocs: 95,
    LogDebug: 31,
    LogError: 0.02,
    LogInfo: 3,
    LogWarning: 0.1,
    MarkCacheHits: 41,
    MarkCacheMisses: 1.3,
    MergeTreeDataWriterRows: 5200,
    MergedRows: 12_000,
    MergedUncompressedBytes: 1_900_000,
    NetworkReceiveElapsedMicroseconds: 91_000,
    NetworkSendElapsedMicroseconds: 12_000,
    OSIOWaitMicroseconds: 1900,
    OSReadChars: 5_100_000,
    OSWriteChars: 1_900_000,
    OpenedFileCacheHits: 0.3,
    ReadBufferFromFileDescriptorRead: 120,
    RealTimeMicroseconds: 1_100_000,
    RWLockAcquiredReadLocks: 52,
    S3GetObject: 1.9,
    S3PutObject: 0.8,
    S3ReadRequestsCount: 2.4,
    S3WriteRequestsCount: 1.1,
    SelectedMarks: 190,
    SelectedParts: 23,
    SelectedRanges: 31,
    SystemTimeMicroseconds: 61_000,
    UserTimeMicroseconds: 380_000,
    WriteBufferFromFileDescriptorWrite: 14,
    ZooKeeperTransactions: 11,
  },
} as const

/** The gauges, with their usual value on a busy replica; that of `Uptime` is computed. */
const gauges = {
  important: {
    Metrics: { Query: 3, Merge: 2, TCPConnection: 12, HTTPConnection: 9, MemoryTracking: 3_100_000_000 },
    AsyncMetrics: { LoadAverage1: 2.1, MaxPartCountForPartition: 34, TotalPartsOfMergeTreeTables: 910, Uptime: 0 },
  },
  other: {
    Metrics: {
      BackgroundMergesAndMutationsPoolTask: 2,
      BackgroundSchedulePoolTask: 6,
      DelayedInserts: 1,
      FilesystemCacheSize: 21_000_000_000,
      GlobalThread: 640,
      GlobalThreadActive: 510,
      KafkaConsumers: 1,
      OpenFileForRead: 31,
      PartMutation: 1,
      PartsActive: 890,
      ReadonlyReplica: 0,
      ReplicatedChecks: 1,
      ZooKeeperSession: 1,
      ZooKeeperWatch: 42,
    },
    AsyncMetrics: {
      CGroupMaxCPU: 4,
      CompiledExpressionCacheCount: 21,
      FilesystemCacheBytes: 21_000_000_000,
      LoadAverage15: 1.7,
      LoadAverage5: 1.9,
      MarkCacheBytes: 210_000_000,
      MemoryResident: 3_900_000_000,
      NumberOfDatabases: 6,
      NumberOfTables: 84,
      OSUserTimeNormalized: 0.21,
      ReplicasMaxAbsoluteDelay: 0,
      TotalBytesOfMergeTreeTables: 84_000_000_000,
      TotalRowsOfMergeTreeTables: 910_000_000,
    },
  },
} as const

const tables = {
  ProfileEvents: 'system.events',
  Metrics: 'system.metrics',
  AsyncMetrics: 'system.asynchronous_metrics',
}

const statuses: Readonly<Partial<Record<Service['state'], string>>> = {
  running: 'running',
  partially_running: 'degraded',
  degraded: 'degraded',
  idle: 'idle',
  awaking: 'awaking',
  starting: 'awaking',
  provisioning: 'awaking',
}

const info = ({ state, clickhouseVersion = '' }: Service): MetricFamily => ({
  name: 'ClickHouse_ServiceInfo',
  type: 'untyped',
  help: 'The service and its state.',
  isImportant: true,
  samples: [
    {
      labels: {
        clickhouse_cluster_status: statuses[state] ?? 'stopped',
        clickhouse_version: clickhouseVersion,
        scrape: 'full',
      },
      value: 1,
    },
  ],
})

/** The metrics of a service and of each of its replicas; if the service does not answer queries, its state alone. */
export const measureService: Contribute = (service, { world, organizationId, now }) => {
  if (!isServing(service)) return [info(service)]
  const { id, endpoints, numReplicas = 1 } = service
  const cluster = endpoints[0]?.host.split('.')[0] ?? ''
  const seconds = Math.max(0, now - servingSince(world, organizationId, service)) / 1000
  const load = loadOf(world.seed, id, now)
  const pod = createRandom(seedOf(world.seed, 'pod', id))
    .alphanumeric(7)
    .toLowerCase()
  const replicas = Array.from({ length: numReplicas }, (_, number) => `c-${cluster}-server-${pod}-${number}`)

  const measure = (
    kind: keyof typeof tables,
    name: string,
    isImportant: boolean,
    valueOn: (chance: number) => number,
  ): MetricFamily => ({
    name: `ClickHouse${kind}_${name}`,
    type: kind === 'ProfileEvents' ? 'counter' : 'gauge',
    help: `${name.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')}, from ${tables[kind]}.`,
    isImportant,
    samples: replicas.map(hostname => ({
      labels: { hostname, instance: hostname, table: tables[kind] },
      value: valueOn(createRandom(seedOf(world.seed, hostname, name)).next()),
    })),
  })
  // Real queries to an engine are added to the generated counts.
  const { queries, inserts, failed, received, sent } = useOf(world, id)
  const ownQueries: Readonly<Record<string, number>> = {
    Query: queries,
    SelectQuery: queries - inserts,
    InsertQuery: inserts,
    FailedQuery: failed,
    NetworkReceiveBytes: received,
    NetworkSendBytes: sent,
  }
  // Counters do not follow the load of the day, because they must never fall.
  const counterValue = (name: string, rate: number) => (chance: number) =>
    Math.floor(rate * (0.5 + chance) * seconds) + (ownQueries[name] ?? 0)
  const gaugeValue = (name: string, usual: number) => (chance: number) =>
    name === 'Uptime' ? seconds : round(usual, usual * load * (0.7 + 0.6 * chance))

  const eachOf = (importance: 'important' | 'other') => [
    ...Object.entries(counters[importance]).map(([name, rate]) =>
      measure('ProfileEvents', name, importance === 'important', counterValue(name, rate)),
    ),
    ...Object.entries(gauges[importance]).flatMap(([kind, values]) =>
      Object.entries<number>(values).map(([name, usual]) =>
        measure(kind as keyof typeof tables, name, importance === 'important', gaugeValue(name, usual)),
      ),
    ),
  ]
  return [info(service), ...eachOf('important'), ...eachOf('other')]
}

/** Rounds to a whole number if the usual value is one. */
const round = (usual: number, value: number) => (Number.isInteger(usual) ? Math.round(value) : Number(value.toFixed(2)))
