import { clickPipe, sources } from '../../../fixtures/contract/click-pipe/pipe.ts'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { second } from '../../words/durations.ts'
import { refused } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { keep } from '../../world/record.ts'
import { endOf, type Timed } from '../timed.ts'

export type Pipe = ValuesOf<typeof clickPipe.fields, 'answer'> &
  Timed & {
    /** Whether the initial load of a database is done; never part of an answer. */
    readonly isLoaded?: boolean
    /** Whether it is being deleted; never part of an answer. */
    readonly isBeingDeleted?: boolean
  }

export type Kind = keyof Pipe['source']

export const kinds = Object.keys(sources) as readonly Kind[]

/** The kinds that are databases, with the names that sentences call them by. */
export const databases: Readonly<Partial<Record<Kind, string>>> = {
  postgres: 'Postgres',
  mysql: 'MySQL',
  bigquery: 'BigQuery',
  mongodb: 'MongoDB',
}

/** The kinds that a source has: one, unless the source is invalid. */
export const kindsOf = (source: object): readonly Kind[] =>
  kinds.filter(kind => (source as Readonly<Record<string, unknown>>)[kind] != null)

export const kindOf = ({ source }: Pick<Pipe, 'source'>): Kind => kindsOf(source)[0]!

export const isOfDatabase = (pipe: Pick<Pipe, 'source'>): boolean => kindOf(pipe) in databases

/** The replication mode of a database pipe; default for BigQuery: snapshot. */
export const modeOf = ({ source }: Pick<Pipe, 'source'>) =>
  source.bigquery
    ? (source.bigquery.settings?.replicationMode ?? 'snapshot')
    : (source.postgres ?? source.mysql ?? source.mongodb)?.settings?.replicationMode

/** The state machine of pipes, driven by commands and time. Database pipes have states of their own. */

/** Durations of the states that end by themselves. */
const durations: Readonly<Partial<Record<Pipe['state'], number>>> = {
  Provisioning: 30 * second,
  Setup: 15 * second,
  Snapshot: 60 * second,
  Resync: 30 * second,
  Modifying: 15 * second,
  Stopping: 15 * second,
  Pausing: 15 * second,
}
/** Duration of `Running` for a pipe that reads its files once. */
const readTime = 60 * second

const isReadOnce = ({ source }: Pipe) => source.objectStorage !== undefined && !source.objectStorage?.isContinuous

/** Puts a pipe into a state, with the time at which this state ends by itself. */
export function enterState(pipe: Pipe, state: Pipe['state'], at: number): Pipe {
  return { ...pipe, state, changesAt: endOf(at, state === 'Running' && isReadOnce(pipe) ? readTime : durations[state]) }
}

/** When the state of a pipe ends by itself. A pipe arranged into a lasting state may still have the end of another state. */
export const nextChange = (pipe: Pipe): number | undefined =>
  durations[pipe.state] !== undefined || (pipe.state === 'Running' && isReadOnce(pipe)) || pipe.isBeingDeleted
    ? pipe.changesAt
    : undefined

/** The pipe after the end of its state; undefined if it is removed. */
export function endState(pipe: Pipe, at: number): Pipe | undefined {
  if (pipe.isBeingDeleted) return undefined
  const state = stateAfter(pipe)
  return enterState(pipe.state === 'Snapshot' ? { ...pipe, isLoaded: true } : pipe, state, at)
}

function stateAfter(pipe: Pipe): Pipe['state'] {
  const loaded = modeOf(pipe) === 'snapshot' ? 'Completed' : 'Running'
  switch (pipe.state) {
    case 'Provisioning':
      return isOfDatabase(pipe) ? 'Setup' : 'Running'
    case 'Setup':
      return pipe.isLoaded || modeOf(pipe) === 'cdc_only' ? loaded : 'Snapshot'
    case 'Resync':
      return 'Snapshot'
    case 'Running':
      return 'Completed'
    case 'Stopping':
      return 'Stopped'
    case 'Pausing':
      return 'Paused'
    default:
      return loaded
  }
}

const haltedStates: readonly Pipe['state'][] = ['Stopped', 'Paused']
const startableStates: readonly Pipe['state'][] = [...haltedStates, 'Failed', 'InternalError']
const endedStates: readonly Pipe['state'][] = ['Stopping', 'Pausing', 'Completed']

/** Returns the pipe after a command; the same object if the command has no effect. */
export function applyCommand(command: 'start' | 'stop' | 'resync', pipe: Pipe, now: number): Pipe {
  const { id, state } = pipe
  if (pipe.isBeingDeleted) throw refused(`${id} ClickPipe is being deleted`)
  const isDatabase = isOfDatabase(pipe)
  switch (command) {
    case 'stop': {
      if (haltedStates.includes(state) || state === 'Stopping' || state === 'Pausing') return pipe
      return enterState(pipe, isDatabase ? 'Pausing' : 'Stopping', now)
    }
    case 'start':
      if (startableStates.includes(state)) return enterState(pipe, isDatabase ? 'Setup' : 'Provisioning', now)
      if (endedStates.includes(state)) throw refused(`${id} ClickPipe cannot be started. Current state: ${state}`)
      throw refused(`${id} ClickPipe is already running`)
    case 'resync':
      if (isDatabase && kindOf(pipe) !== 'bigquery') return enterState({ ...pipe, isLoaded: false }, 'Resync', now)
      throw refused(`${id} ClickPipe cannot be resynced: Expected a source of Postgres, MySQL or MongoDB`)
  }
}

/**
 * After an edit of its source, a running pipe or a paused database pipe is in the state `Modifying`, then it runs. If the
 * edit adds tables, it copies them first.
 */
export function modifyAfterEdit(pipe: Pipe, addsTables: boolean, now: number): Pipe {
  if (addsTables && modeOf(pipe) === 'cdc') return enterState(pipe, 'Snapshot', now)
  const isModified = pipe.state === 'Running' || (pipe.state === 'Paused' && isOfDatabase(pipe))
  return isModified ? enterState(pipe, 'Modifying', now) : pipe
}

/** The tables of a database are changed only while the pipe is paused. */
export function refuseUnlessPaused(pipe: Pipe): void {
  if (pipe.state !== 'Paused') throw refused(`${databases[kindOf(pipe)]} ClickPipe must be paused to edit`)
}

/** New pipes: the body without its credentials, and the defaults. */

export type Body = ValuesOf<typeof clickPipe.fields>

const snapshotDefaults = { snapshotNumRowsPerPartition: 100_000, snapshotNumberOfParallelTables: 1 }
const syncDefaults = { syncIntervalSeconds: 60, pullBatchSize: 100_000 }
const replicationDefaults = { ...syncDefaults, ...snapshotDefaults, replicationMode: 'cdc', deleteOnMerge: false }
const loadDefaults = { allowNullableColumns: false, initialLoadParallelism: 4 }
const sortingDefaults = { excludedColumns: [], useCustomSortingKey: false, sortingKeys: [] }
const tableEngine = 'ReplacingMergeTree'

/** The defaults of the source of each kind. */
const defaults: Readonly<Record<Kind, { readonly [Part in 'source' | 'settings' | 'mapping']?: object }>> = {
  kafka: {},
  objectStorage: { source: { isContinuous: false } },
  kinesis: {},
  pubsub: {},
  postgres: {
    source: { type: 'postgres', authentication: 'basic' },
    settings: { ...replicationDefaults, ...loadDefaults, replicationSlotName: '', enableFailoverSlots: false },
    mapping: { ...sortingDefaults, tableEngine },
  },
  mysql: {
    source: { type: 'mysql', authentication: 'basic' },
    settings: { ...replicationDefaults, ...loadDefaults, replicationMechanism: 'GTID', useCompression: false },
    mapping: { ...sortingDefaults, tableEngine },
  },
  mongodb: { settings: { ...replicationDefaults, useJsonNativeFormat: false }, mapping: { tableEngine } },
  bigquery: {
    source: { authentication: 'SERVICE_ACCOUNT' },
    settings: { ...snapshotDefaults, ...loadDefaults, replicationMode: 'snapshot' },
    mapping: { ...sortingDefaults, tableEngine: 'MergeTree' },
  },
}

type Source = Readonly<Record<string, unknown>>

/** Adds the defaults of a source. */
function fillSource(kind: Kind, source: Source, id: string): Source {
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

/** Removes user and password from an address. */
export const withoutUser = (uri: string): string => uri.replace(/^(\w[\w+.-]*:\/\/)[^/?#]*@/, '$1')

const defaultScaling = { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 }

/** Makes a pipe from the body of its creation, reduced to the fields that the contract answers. */
export function makePipe(body: Body, id: string, serviceId: string, seed: number, at: number): Pipe {
  const [kind] = kindsOf(body.source) as [Kind]
  const sent = keep(body, clickPipe.fields) as Body
  const moment = momentOf(seed, id, at)
  return {
    id,
    serviceId,
    name: body.name,
    state: 'Provisioning',
    ...(!defaults[kind].settings && { scaling: { ...defaultScaling, ...sent.scaling } }),
    source: { [kind]: fillSource(kind, sent.source[kind] as Source, id) },
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
