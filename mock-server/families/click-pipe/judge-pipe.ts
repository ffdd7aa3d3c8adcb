import { type Issue, invalid, invalidAt, Refusal, refused } from '../../words/refusal.ts'
import { type Body, databases, isOfDatabase, type Kind, kinds, kindsOf, modeOf, type Pipe } from './pipe.ts'

/** The rules over several fields of a pipe. */

/** The authentications that each kind of broker supports. */
const authentications: Readonly<Record<string, readonly string[]>> = {
  kafka: ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512', 'MUTUAL_TLS'],
  msk: ['SCRAM-SHA-512', 'IAM_ROLE', 'IAM_USER', 'MUTUAL_TLS'],
  gcmk: ['PLAIN', 'MUTUAL_TLS', 'SERVICE_ACCOUNT_WORKLOAD_IDENTITY'],
  confluent: ['PLAIN', 'MUTUAL_TLS'],
  warpstream: ['PLAIN'],
  azureeventhub: ['PLAIN'],
  // The vendor's document adds MUTUAL_TLS, which its deployment refuses.
  redpanda: ['SCRAM-SHA-256', 'SCRAM-SHA-512'],
  dokafka: ['SCRAM-SHA-256', 'MUTUAL_TLS'],
}

type Finding = readonly [isWrong: boolean, path: string, sentence: string, received?: unknown]
type Sources = Body['source']

/** A Protobuf schema is in the pipe or in a registry, not in both. */
const checkSchema = (source: {
  readonly format: string
  readonly protobufSchema?: string
  readonly schemaRegistry?: object | null
}): Finding => [
  source.protobufSchema !== undefined && (source.format !== 'Protobuf' || !!source.schemaRegistry),
  'protobufSchema',
  'Expected the format Protobuf, and no registry, with a schema',
]

const judges: Readonly<Partial<Record<Kind, (sources: Sources) => readonly Finding[]>>> = {
  kafka: ({ kafka }) => {
    const { type, authentication, iamRole, offset, schemaRegistry, tombstoneMode, exactlyOnce } = kafka!
    const needed =
      schemaRegistry?.type === 'glue'
        ? (['glueRegion', 'glueRegistryName'] as const)
        : (['url', 'authentication'] as const)
    const missing = schemaRegistry && needed.find(field => schemaRegistry[field] === undefined)
    const known = authentications[type]!
    const expected = `A broker of the type ${type} does not support it, but ${known.join(', ')}`
    return [
      [authentication !== undefined && !known.includes(authentication), 'authentication', expected, authentication],
      [authentication === 'IAM_ROLE' && !iamRole, 'iamRole', 'Required with IAM_ROLE'],
      [missing !== undefined, `schemaRegistry.${missing}`, 'Required'],
      [tombstoneMode === 'delete' && !exactlyOnce, 'tombstoneMode', 'Expected exactlyOnce with delete', tombstoneMode],
      checkSchema(kafka!),
      [
        offset?.strategy === 'from_timestamp' && !offset.timestamp,
        'offset.timestamp',
        'Required with the strategy from_timestamp',
      ],
    ]
  },
  kinesis: ({ kinesis }) => {
    const { authentication, iamRole, iteratorType, timestamp } = kinesis!
    return [
      checkSchema(kinesis!),
      [authentication === 'IAM_ROLE' && !iamRole, 'iamRole', 'Required with IAM_ROLE'],
      [iteratorType === 'AT_TIMESTAMP' && timestamp == null, 'timestamp', 'Required with AT_TIMESTAMP'],
    ]
  },
  pubsub: ({ pubsub }) => {
    const { seekType, seekTimestamp, authentication, serviceAccountKey } = pubsub!
    const isTimed = seekType === 'timestamp'
    return [
      [
        authentication === 'SERVICE_ACCOUNT' && !serviceAccountKey,
        'serviceAccountKey',
        'Required with SERVICE_ACCOUNT',
      ],
      [isTimed && seekTimestamp == null, 'seekTimestamp', 'Required with the seek type timestamp'],
      [!isTimed && seekTimestamp != null, 'seekTimestamp', `Not allowed with the seek type ${seekType}`, seekTimestamp],
    ]
  },
  objectStorage: ({ objectStorage }) => {
    const { type, url, azureContainerName, authentication } = objectStorage!
    const { isContinuous, queueUrl, skipInitialLoad, startAfter } = objectStorage!
    const isAzure = type === 'azureblobstorage'
    return [
      [!isAzure && !url, 'url', 'Required'],
      [isAzure && !azureContainerName, 'azureContainerName', 'Required for azureblobstorage'],
      [authentication === 'SERVICE_ACCOUNT' && type !== 'gcs', 'authentication', 'Expected gcs with SERVICE_ACCOUNT'],
      [!!queueUrl && !(isContinuous && authentication), 'queueUrl', 'Expected isContinuous and an authentication'],
      [!!skipInitialLoad && !queueUrl, 'skipInitialLoad', 'Expected a queueUrl'],
      [!!skipInitialLoad && !!startAfter, 'startAfter', 'Not allowed with skipInitialLoad'],
    ]
  },
  bigquery: ({ bigquery }) => {
    const { authentication, projectId, credentials, settings = {}, tableMappings } = bigquery!
    const { replicationMode = 'snapshot', replicationMethod, syncCron, syncIntervalSeconds } = settings
    const isContinuous = replicationMode !== 'snapshot'
    const isTimed = syncCron !== undefined || syncIntervalSeconds !== undefined
    const methods = ['query_based', 'events_based']
    const column = replicationMethod === 'query_based' ? 'queryCdcWatermarkColumn' : 'eventsFunction'
    const incomplete = isContinuous ? tableMappings.findIndex(one => one[column] === undefined) : -1
    const isAccount = authentication !== 'SERVICE_ACCOUNT_WORKLOAD_IDENTITY'
    return [
      [isAccount && !credentials, 'credentials', 'Required with SERVICE_ACCOUNT'],
      [!isAccount && !projectId, 'projectId', 'Required without credentials'],
      [
        !['snapshot', 'cdc', 'cdc_only'].includes(replicationMode),
        'settings.replicationMode',
        'Expected one of snapshot, cdc, cdc_only',
        replicationMode,
      ],
      [
        isContinuous && !methods.includes(replicationMethod!),
        'settings.replicationMethod',
        `Expected one of ${methods.join(', ')}`,
        replicationMethod,
      ],
      [isTimed && !isContinuous, 'settings', 'Expected no syncIntervalSeconds and no syncCron with snapshot'],
      [!!syncCron && syncIntervalSeconds !== undefined, 'settings.syncCron', 'Expected it or syncIntervalSeconds'],
      [incomplete >= 0, `tableMappings.${incomplete}.${column}`, `Required with ${replicationMethod}`],
    ]
  },
  postgres: ({ postgres }) => {
    const slot = postgres!.settings?.replicationSlotName
    const isSlotUnexpected = !!slot && modeOf({ source: { postgres } } as Pick<Pipe, 'source'>) !== 'cdc_only'
    return [[isSlotUnexpected, 'settings.replicationSlotName', 'Allowed with the replication mode cdc_only only', slot]]
  },
}

interface Mapping {
  readonly targetTable: string
  readonly useCustomSortingKey?: boolean
  readonly sortingKeys?: readonly string[]
}

/** The table mappings of a database pipe; other pipes have none. */
const mappingsOf = (source: object): readonly Mapping[] => {
  const [kind] = kindsOf(source)
  const { tableMappings = [] } = (source as Record<string, { tableMappings?: readonly Mapping[] }>)[kind!] ?? {}
  return tableMappings
}

/** Refuses a source that has no kind or several kinds, or whose fields contradict each other. */
export function judgeSource(source: Sources): Kind {
  const found = kindsOf(source)
  const [kind] = found
  if (!kind || found.length > 1) throw invalidAt(['source'], `Expected exactly one of ${kinds.join(', ')}`, found)
  const unsorted = mappingsOf(source).findIndex(one => one.useCustomSortingKey && !one.sortingKeys?.length)
  refuseAny(`source.${kind}`, [
    ...(judges[kind]?.(source) ?? []),
    [unsorted >= 0, `tableMappings.${unsorted}.sortingKeys`, 'Required with useCustomSortingKey'],
  ])
  return kind
}

/** Judges the destination: that of a database pipe names no table, because its mappings do; any other names one. */
export function judgeDestination(
  kind: Kind,
  { destination, fieldMappings = [], startPaused }: Body,
  needsMappings: boolean,
): void {
  const { table, managedTable, columns, tableDefinition, roles = [] } = destination
  const reserved = roles.find(role => ['clickpipes', 'clickpipes_system'].includes(role))
  if (reserved !== undefined) throw refused(`destination.roles: ${reserved} is reserved`)
  // This role can only read.
  if (roles.length > 0 && roles.every(role => role === 'sql_console_read_only')) {
    const grant = `CREATE TABLE ON ${destination.database}.*`
    const reason = `Not enough privileges. To execute this query, it's necessary to have the grant ${grant}`
    const sentence = `ClickHouse validation failed: code: 497, message: ${reason}`
    throw new Refusal('malformed', sentence, { observed: 'Reported of the live API in 2026.' })
  }
  if (startPaused && kind in databases) throw refused(`startPaused is not supported for ${databases[kind]}`)
  const comma = tableDefinition?.sortingKey?.find(key => key.includes(','))
  if (comma !== undefined) throw refused(`destination.tableDefinition.sortingKey: Expected no comma in ${comma}`)
  const sentence = `Not allowed for ${databases[kind]}, whose mappings name the tables`
  const mapped = new Set(fieldMappings.map(({ destinationField }) => destinationField))
  const unmapped = columns?.find(({ name }) => needsMappings && mapped.size > 0 && !mapped.has(name))
  refuseAny(
    'destination',
    kind in databases
      ? [
          [!!table, 'table', sentence, table],
          [!!managedTable, 'managedTable', sentence, managedTable],
          [!!columns?.length, 'columns', sentence],
          [tableDefinition !== undefined, 'tableDefinition', sentence],
        ]
      : [
          [!table, 'table', 'Required'],
          [managedTable === undefined, 'managedTable', 'Required'],
          [columns === undefined, 'columns', 'Required'],
          [unmapped !== undefined, 'columns', 'Expected each column in the field mappings', unmapped?.name],
        ],
  )
}

export function judgeSettings(kind: Kind, settings: object | null | undefined): void {
  if (kind !== 'kafka' && settings && 'kafka_read_committed' in settings)
    throw refused("Setting 'kafka_read_committed' is only supported for Kafka ClickPipes")
}

function refuseAny(at: string, findings: readonly Finding[]): void {
  const issues = findings.flatMap(([isWrong, path, sentence, received]): Issue[] =>
    isWrong ? [{ part: 'Body', path: [...at.split('.'), ...path.split('.')], sentence, received }] : [],
  )
  if (issues.length > 0) throw invalid(issues)
}

/** The tables that a pipe creates and expects to be empty. */
function tablesOf(pipe: Pipe): readonly string[] {
  const { database, table, managedTable } = pipe.destination
  if (isOfDatabase(pipe)) return mappingsOf(pipe.source).map(({ targetTable }) => `${database}.${targetTable}`)
  return managedTable ? [`${database}.${table}`] : []
}

/** Refuses a pipe into a table that another pipe has filled, unless the other pipe is being deleted. */
export function refuseFilledTables(pipe: Pipe, all: readonly Pipe[]): void {
  const others = all.filter(
    ({ id, state, isBeingDeleted }) =>
      id !== pipe.id && !isBeingDeleted && state !== 'Provisioning' && state !== 'Setup',
  )
  const filled = new Set(others.flatMap(tablesOf))
  const table = tablesOf(pipe).find(one => filled.has(one))
  if (table !== undefined) throw refused(`Target table ${table} already exists and is not empty`)
}
