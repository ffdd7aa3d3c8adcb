import type { Check, Finding } from '../../engine/check.ts'
import type { Exchange } from '../../engine/exchange.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { answersAsDocumented } from '../../rules/documented.ts'
import { resultIn } from '../../rules/fields.ts'
import { eachAnswerTo } from '../../rules/operations.ts'
import { anySucceeds, neverSucceeds, unobservable } from '../../rules/steps.ts'
import { lifeOf } from '../../visits/life.ts'
import { changeAndRestore } from '../../visits/singleton.ts'
import { visit } from '../../visits/visit.ts'
import { neverShows } from '../calls.ts'
import { service } from '../service/service.ts'

/** Pipes on the run's own service. They read a public file once, so that nothing continues after the run. */
const publicFile =
  'https://clickhouse-public-datasets.s3.amazonaws.com/hits_compatible/athena_partitioned/hits_0.parquet'

const topic = { type: 'kafka', format: 'JSONEachRow', brokers: 'stack-parity.invalid:9092', topics: 'stack-parity' }

const seek = { seekType: 'latest', seekTimestamp: '2026-01-01T00:00:00Z' }
const subscription = { format: 'JSONEachRow', projectId: 'stack-parity', topic: 'stack-parity' }

export const { steps, lines } = visit('cloud', 'click pipe', run => {
  const pipes = lifeOf(run, 'clickPipe', {
    within: service,
    ready: ['Running', 'Completed'],
    body: (_, name) => ({
      name,
      source: { objectStorage: { type: 's3', format: 'Parquet', url: publicFile } },
      destination: {
        database: 'default',
        table: name.replace(/\W+/g, '_'),
        managedTable: true,
        tableDefinition: { engine: { type: 'MergeTree' }, sortingKey: ['WatchID'] },
        columns: [{ name: 'WatchID', type: 'Int64' }],
      },
      fieldMappings: [{ sourceField: 'WatchID', destinationField: 'WatchID' }],
      settings: { clickhouse_max_threads: 4, object_storage_concurrency: 3 },
    }),
    whole: {
      values: { 'objectStorage.url': publicFile, sortingKey: ['WatchID'] },
      omit: {
        versionColumnId: 'it names a column',
        columnIds: 'it names columns',
        scaling: 'more replicas cost more',
        'settings.kafka_read_committed': 'it is a setting of Kafka',
        isContinuous: 'it would go on after the run',
        ...Object.fromEntries(
          [
            ...['queueUrl', 'skipInitialLoad', 'startAfter', 'authentication', 'iamRole', 'path', 'azureContainerName'],
            ...['accessKey', 'serviceAccountKey', 'connectionString', 'delimiter', 'validateSamples'],
          ].map(name => [`objectStorage.${name}`, 'the public file needs none']),
        ),
        ...Object.fromEntries(
          ['kafka', 'kinesis', 'pubsub', 'postgres', 'mysql', 'bigquery', 'mongodb'].map(kind => [
            `source.${kind}`,
            'the deployment would call its address',
          ]),
        ),
      },
    },
  })
  run.call('clickPipe.schemaDiscovery', {
    within: service,
    mockOnly: 'no broker is at the address',
    body: { source: { kafka: { ...topic, authentication: 'PLAIN', credentials: { username: 'x', password: 'x' } } } },
  })
  // A service has this scaling once one of its pipes reads a database.
  const got = run.call('clickPipeCdcScaling.get')
  run.call('clickPipeCdcScaling.update', {
    why: 'sends the present scaling',
    mockOnly: "the service is not the run's own",
    ifSucceeds: got,
    body: context => {
      const { replicaCpuMillicores, replicaMemoryGb } = resultIn(context.exchange(got)) ?? {}
      return { replicaCpuMillicores, replicaMemoryGb }
    },
  })
  pipes.begin()
  const createRefused = (name: string, why: string, sourceOf: (body: object) => object) =>
    pipes.create(name, { why, notJudgedByOperation: true, alter: body => ({ ...body, source: sourceOf(body) }) })
  createRefused('unsupported', 'creates a pipe with an authentication that its broker does not support', () => ({
    kafka: { ...topic, authentication: 'IAM_USER', credentials: { accessKeyId: 'x', secretKey: 'x' } },
  }))
  createRefused('untimely', 'creates a pipe with a seek time that does not fit its seek type', () => ({
    pubsub: { ...subscription, authentication: 'SERVICE_ACCOUNT_WORKLOAD_IDENTITY', ...seek },
  }))
  createRefused('queued', 'creates a pipe with a queue, although it reads only the present files', () => ({
    objectStorage: { type: 's3', format: 'Parquet', url: publicFile, queueUrl: 'https://sqs.invalid/stack-parity' },
  }))
  pipes.read()
  pipes.update()
  const resync = pipes.act('clickPipe.state', 'resync', {
    body: { command: 'resync' },
    why: 'resyncs a pipe that reads no database',
    notJudgedByOperation: true,
  })!
  const beforeStop = pipes.get('get-before-stop', pipes.main, 'gets the pipe before it is stopped')!
  const { forbidden } = pipes.idleCommands(beforeStop, ['Running', 'Completed'])
  pipes.act('clickPipe.scaling', 'scaling', { body: { replicas: 1 }, why: 'scales the pipe' })
  pipes.act('clickPipe.scaling', 'scaling-beyond', {
    body: { replicas: 41 },
    why: 'scales the pipe beyond its bounds',
    notJudgedByOperation: true,
  })
  pipes.act('clickPipeSettings.update', 'setting-of-kafka', {
    body: { kafka_read_committed: true },
    why: 'changes a setting that only pipes of Kafka have',
    notJudgedByOperation: true,
  })
  const stop = pipes.act('clickPipe.state', 'state', { body: { command: 'stop' }, why: 'stops the pipe' })!
  const stopped = pipes.waitForState('stopped', ['Stopped', 'Paused', 'Completed', 'Failed'], 120, stop)!
  const { repeated } = pipes.idleCommands(stopped, ['Stopped', 'Paused'], stop)
  pipes.whole()
  pipes.end(stopped)
  // Last, since the rules of the life expect that the pipe `spare` does not change, and a read of it may lag.
  changeAndRestore(run, 'clickPipeSettings', pipes.spare, { object_storage_concurrency: 2 })
  return { resync, forbidden, repeated }
})

const shown = ['clickPipe.list', 'clickPipe.create', 'clickPipe.get', 'clickPipe.update'] as const

const eachPipe = (judge: (pipe: JsonObject, path: string) => readonly Finding[]): Check =>
  eachAnswerTo(shown, exchange => pipesIn(exchange).flatMap(([pipe, path]) => judge(pipe, path)))

function pipesIn({ json }: Exchange): readonly (readonly [JsonObject, string])[] {
  const result = isObject(json) ? json.result : undefined
  if (!Array.isArray(result)) return isObject(result) ? [[result, '$.result']] : []
  return result.flatMap((pipe, at) => (isObject(pipe) ? [[pipe, `$.result[${at}]`] as const] : []))
}

const kindsIn = ({ source }: JsonObject): readonly string[] =>
  isObject(source) ? Object.keys(source).filter(kind => source[kind] != null) : []

const databases = ['postgres', 'mysql', 'bigquery', 'mongodb']
const statesOfDatabasesOnly = ['Setup', 'Snapshot', 'Paused', 'Pausing', 'Resync']
const statesOfOthersOnly = ['Stopping', 'Stopped']

function judgeState(pipe: JsonObject, path: string): readonly Finding[] {
  const { state } = pipe
  const isDatabase = kindsIn(pipe).some(kind => databases.includes(kind))
  const wrongStates = isDatabase ? statesOfOthersOnly : statesOfDatabasesOnly
  return wrongStates.includes(String(state))
    ? [{ path: `${path}.state`, expected: `none of ${wrongStates.join(', ')}`, got: state }]
    : []
}

export const checks = {
  'clickPipe/schema-discovery-answers': answersAsDocumented('clickPipe.schemaDiscovery'),
  'clickPipe/scaling-keeps-its-bounds': neverSucceeds(() => ['cloud:clickPipe.scaling-beyond']),
  'clickPipeSettings/kafka-setting-is-of-kafka': neverSucceeds(() => ['cloud:clickPipe.setting-of-kafka']),
  'clickPipe/authentication-fits-its-broker': neverSucceeds(() => ['cloud:clickPipe.create-unsupported']),
  'clickPipe/seek-time-fits-its-type': neverSucceeds(() => ['cloud:clickPipe.create-untimely']),
  'clickPipe/queue-is-of-continuous-pipes': neverSucceeds(() => ['cloud:clickPipe.create-queued']),
  'clickPipe/start-fits-its-state': neverSucceeds(lines.forbidden),
  'clickPipe/stop-may-be-repeated': anySucceeds(lines.repeated),
  'clickPipe/resync-is-of-databases': neverSucceeds([lines.resync]),
  'clickPipe/credentials-are-never-shown': neverShows(...shown),
  'clickPipe/has-one-source': eachPipe((pipe, path) => {
    const got = kindsIn(pipe)
    return got.length === 1 ? [] : [{ path: `${path}.source`, expected: 'one kind of source', got }]
  }),
  'clickPipe/state-fits-its-kind': eachPipe(judgeState),
  'clickPipe/password': unobservable('the pipe of a run is no database'),
  'clickPipe/table-engine': unobservable('the pipe of a run is no database'),
  'clickPipe/unmapped-columns': unobservable('the pipe of a run maps every column'),
  'clickPipeSettings/update': unobservable('clickPipeSettings/unsent-stays judges it'),
} as const satisfies Record<string, Check>
