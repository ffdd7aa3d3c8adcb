import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { openCloud, start } from '../../testing/open-cloud.ts'

const columns = [{ name: 'id', type: 'String' }]
const kafka = {
  type: 'confluent',
  format: 'JSONEachRow',
  brokers: 'broker.example:9092',
  topics: 'clicks',
  authentication: 'PLAIN',
  credentials: { username: 'reader', password: 'very secret' },
}
const mapping = { sourceSchemaName: 'public', sourceTable: 'carts', targetTable: 'carts' }
const postgres = {
  host: 'db.example',
  port: 5432,
  database: 'shop',
  credentials: { username: 'reader', password: 'very secret' },
  tableMappings: [mapping],
}
const files = { type: 's3', format: 'CSV', url: 'https://files.s3.amazonaws.com/*.csv' }
const mongodb = {
  uri: 'mongodb+srv://reader:very%20secret@cluster.example/shop',
  readPreference: 'secondaryPreferred',
  credentials: { username: 'reader', password: 'very secret' },
  settings: { replicationMode: 'snapshot' },
  tableMappings: [{ sourceDatabaseName: 'shop', sourceCollection: 'visits', targetTable: 'visits' }],
}
const table = { database: 'shop', table: 'clicks', managedTable: true, columns }
const database = { database: 'shop' }

function open() {
  const cloud = openCloud()
  const service = `/services/${cloud.serviceId}`
  const pipes = `${service}/clickpipes`
  async function make(source: object, destination: object, more: object = {}) {
    const answer = await cloud.send('POST', pipes, { name: 'pipe', source, destination, ...more })
    const path = `${pipes}/${answer.result?.id}`
    const state = async () => (await cloud.send('GET', path)).result?.state
    const command = async (command: string) => cloud.send('PATCH', `${path}/state`, { command })
    return { ...answer, path, state, command }
  }
  return { ...cloud, service, pipes, make }
}

/** Returns the states that a pipe goes through in the given time. */
async function watch({ wait }: { wait(seconds: number): unknown }, state: () => Promise<string>, seconds: number) {
  const states = [await state()]
  for (let passed = 0; passed < seconds; passed += 5) {
    wait(5)
    const now = await state()
    if (now !== states.at(-1)) states.push(now)
  }
  return states
}

describe('a pipe', () => {
  it.each([
    ['of Kafka', { kafka }, table, ['Provisioning', 'Running']],
    ['of files that are read once', { objectStorage: files }, table, ['Provisioning', 'Running', 'Completed']],
    [
      'of files that are read continuously',
      { objectStorage: { ...files, isContinuous: true } },
      table,
      ['Provisioning', 'Running'],
    ],
    ['of Postgres', { postgres }, database, ['Provisioning', 'Setup', 'Snapshot', 'Running']],
    [
      'of Postgres in the mode cdc_only',
      { postgres: { ...postgres, settings: { replicationMode: 'cdc_only', replicationSlotName: 'mine' } } },
      database,
      ['Provisioning', 'Setup', 'Running'],
    ],
    ['of MongoDB in the mode snapshot', { mongodb }, database, ['Provisioning', 'Setup', 'Snapshot', 'Completed']],
  ])('%s starts by itself', async (_, source, destination, states) => {
    const cloud = open()
    const { state } = await cloud.make(source, destination)
    expect(await watch(cloud, state, 300)).toEqual(states)
  })

  it('is answered with its defaults and without its credentials', async () => {
    const { make, send, pipes } = open()
    const { result } = await make({ postgres, kafka: null }, { ...database, roles: ['writer'] })
    expect(result.source).toEqual({
      postgres: {
        type: 'postgres',
        host: 'db.example',
        port: 5432,
        database: 'shop',
        authentication: 'basic',
        settings: {
          syncIntervalSeconds: 60,
          pullBatchSize: 100_000,
          replicationMode: 'cdc',
          replicationSlotName: '',
          allowNullableColumns: false,
          initialLoadParallelism: 4,
          snapshotNumRowsPerPartition: 100_000,
          snapshotNumberOfParallelTables: 1,
          enableFailoverSlots: false,
          deleteOnMerge: false,
        },
        tableMappings: [
          {
            ...mapping,
            excludedColumns: [],
            useCustomSortingKey: false,
            sortingKeys: [],
            tableEngine: 'ReplacingMergeTree',
          },
        ],
      },
    })
    expect(result.destination).toEqual({ ...database, table: '', managedTable: false, columns: [] })
    expect(result).toMatchObject({ fieldMappings: [], settings: {} })
    expect(result).not.toHaveProperty('scaling')
    expect(result.createdAt).toMatch(/^2026-06-01T12:00:00\.000\d*[1-9]Z$/)
    const others = [await make({ kafka }, table), await make({ mongodb }, database)]
    expect(others[0]!.result.source.kafka.consumerGroup).toBe(`clickpipes-${others[0]!.result.id}`)
    expect(others[1]!.result.source.mongodb.uri).toBe('mongodb+srv://cluster.example/shop')
    const { result: listed } = await send('GET', pipes)
    for (const shown of [result, ...others, listed]) expect(JSON.stringify(shown)).not.toMatch(/secret|reader|roles/)
    expect(listed.find(({ id }: { id: string }) => id === result.id)).toEqual(result)
  })

  it('of Kafka is stopped and started', async () => {
    const { make, wait } = open()
    const { result, state, command } = await make({ kafka }, table)
    wait(30)
    expect(await command('start')).toMatchObject({
      status: 400,
      error: `BAD_REQUEST: ${result.id} ClickPipe is already running`,
    })
    expect((await command('stop')).result.state).toBe('Stopping')
    wait(15)
    expect(await state()).toBe('Stopped')
    expect((await command('stop')).result.state).toBe('Stopped')
    expect((await command('resync')).status).toBe(400)
    expect((await command('start')).result.state).toBe('Provisioning')
  })

  it('of Postgres is paused, started, resynced, and started after a failure', async () => {
    const cloud = open()
    const { result, state, command } = await cloud.make({ postgres }, database)
    cloud.wait(200)
    expect((await command('stop')).result.state).toBe('Pausing')
    cloud.wait(15)
    expect(await state()).toBe('Paused')
    await command('start')
    expect(await watch(cloud, state, 100)).toEqual(['Setup', 'Running'])
    await command('resync')
    expect(await watch(cloud, state, 200)).toEqual(['Resync', 'Snapshot', 'Running'])
    cloud.mock.records.update('clickPipe', result.id, { state: 'Failed' })
    cloud.wait(3600)
    expect(await state()).toBe('Failed')
    expect((await command('start')).result.state).toBe('Setup')
  })

  it('of Postgres needs a password, unless it keeps the one that it has', async () => {
    const { send, serviceId } = openCloud()
    const path = `/services/${serviceId}/clickpipes`
    const tableMappings = [{ sourceSchemaName: 'public', sourceTable: 'a', targetTable: 'a' }]
    const source = { host: 'db', port: 5432, database: 'x', settings: { replicationMode: 'cdc' }, tableMappings }
    const create = (more: object) =>
      send('POST', path, { name: 'x', source: { postgres: { ...source, ...more } }, destination: { database: 'd' } })
    const error = 'BAD_REQUEST: password is required for basic authentication'
    expect(await create({})).toMatchObject({ status: 400, error })
    expect((await create({ credentials: { username: 'u' } })).error).toBe(error)
    const { status, result } = await create({ credentials: { username: 'u', password: 'p' } })
    expect(status).toBe(200)
    const change = (postgres: object) => send('PATCH', `${path}/${result.id}`, { source: { postgres } })
    expect((await change({ host: 'other' })).status).toBe(200)
    expect((await change({ credentials: { username: 'v' } })).error).toBe(error)
  })

  it('cannot create its tables with a role that only reads', async () => {
    const { send, serviceId } = openCloud()
    const columns = [{ name: 'a', type: 'String' }]
    const destination = { database: 'd', table: 't', managedTable: true, columns, roles: ['sql_console_read_only'] }
    const source = { kafka: { type: 'kafka', format: 'JSONEachRow', brokers: 'b:9092', topics: 't' } }
    const { status, error } = await send('POST', `/services/${serviceId}/clickpipes`, {
      name: 'x',
      source,
      destination,
    })
    expect([status, error]).toEqual([
      400,
      expect.stringMatching(/^BAD_REQUEST: ClickHouse validation failed: .*497.*CREATE TABLE/),
    ])
  })

  it('of Postgres must be paused before its tables are changed, and then runs again by itself', async () => {
    const cloud = open()
    const { path, state, command } = await cloud.make({ postgres }, database)
    cloud.wait(200)
    const added = { sourceSchemaName: 'public', sourceTable: 'users', targetTable: 'users' }
    const change = { tableMappingsToAdd: [added], tableMappingsToRemove: [mapping] }
    const edit = () => cloud.send('PATCH', path, { source: { postgres: change } })
    expect(await edit()).toMatchObject({ status: 400, error: 'BAD_REQUEST: Postgres ClickPipe must be paused to edit' })
    await command('stop')
    cloud.wait(15)
    const { result } = await edit()
    expect(result.state).toBe('Snapshot')
    const tables = result.source.postgres.tableMappings.map((one: { targetTable: string }) => one.targetTable)
    expect(tables).toEqual(['users'])
    expect((await command('start')).status).toBe(400)
    expect(await watch(cloud, state, 90)).toEqual(['Snapshot', 'Running'])
  })

  it('changes only the fields of an update; omitted credentials, and fields for which null is sent, are kept', async () => {
    const { make, send, wait } = open()
    const { result, path, command } = await make({ kafka }, table)
    wait(30)
    await command('stop')
    wait(15)
    const { result: changed } = await send('PATCH', path, { name: 'renamed', source: { kafka: { iamRole: null } } })
    expect(changed).toEqual({ ...result, name: 'renamed', state: 'Stopped', updatedAt: changed.updatedAt })
    expect(changed.updatedAt).not.toBe(result.updatedAt)
    expect((await send('PATCH', path, { source: { postgres: {} } })).error).toBe(
      'BAD_REQUEST: request body.source: Expected kafka, which the pipe has <array:["postgres"]>',
    )
  })

  it('stops when it is deleted, and is unknown some seconds later', async () => {
    const { make, send, wait } = open()
    const { path, state, result } = await make({ kafka }, table)
    wait(30)
    expect((await send('DELETE', path)).status).toBe(200)
    expect((await send('DELETE', path)).status).toBe(200)
    expect(await state()).toBe('Stopping')
    wait(15)
    expect(await send('GET', path)).toMatchObject({ status: 404, error: `NOT_FOUND: ${result.id}` })
    expect((await send('DELETE', path)).status).toBe(404)
  })

  it('is neither created nor changed while its service does not run', async () => {
    const { make, send, mock, pipes, serviceId } = open()
    const { path } = await make({ kafka }, table)
    mock.records.update('service', serviceId!, { state: 'idle' })
    const sentence = (act: string) =>
      `FAILED_DEPENDENCY: ClickPipe ${act} is allowed only when the ClickHouse service is running. Current state: idle`
    expect(await make({ kafka }, table)).toMatchObject({ status: 424, error: sentence('creation') })
    expect(await send('PATCH', path, { name: 'x' })).toMatchObject({ status: 424, error: sentence('update') })
    expect(await send('PATCH', `${path}/state`, { command: 'stop' })).toMatchObject({ status: 424 })
    for (const read of [pipes, path, `${path}/settings`]) expect((await send('GET', read)).status).toBe(200)
  })

  it.each([
    [{}, table, 'source: Expected exactly one of kafka, objectStorage, kinesis'],
    [{ kafka, postgres }, table, 'source: Expected exactly one of'],
    [{ kafka: { ...kafka, type: 'redpanda', authentication: 'MUTUAL_TLS' } }, table, 'source.kafka.authentication: '],
    [{ kafka }, database, 'destination.table: Required; request body.destination.managedTable: Required'],
    [{ postgres }, { ...database, table: 'x' }, 'destination.table: Not allowed for Postgres'],
    [
      { postgres: { ...postgres, settings: { replicationMode: 'cdc', replicationSlotName: 'x' } } },
      database,
      'source.postgres.settings.replicationSlotName: Allowed with the replication mode cdc_only only <string:"x">',
    ],
    [
      { postgres: { ...postgres, settings: { syncIntervalSeconds: 0 } } },
      database,
      'source.postgres.settings.syncIntervalSeconds: Value must be >= 1 <number:0>',
    ],
    [
      { postgres: { ...postgres, tableMappings: [{ ...mapping, useCustomSortingKey: true }] } },
      database,
      'source.postgres.tableMappings.0.sortingKeys: Required with useCustomSortingKey',
    ],
    [{ objectStorage: { ...files, startAfter: 'a', skipInitialLoad: true } }, table, 'source.objectStorage.skipInit'],
  ])('is not created from %j into %j', async (source, destination, error) => {
    const answer = await open().make(source, destination)
    expect(answer).toMatchObject({ status: 400, error: expect.stringContaining(`BAD_REQUEST: request body.${error}`) })
  })

  it('is not created with a managed table that another pipe has filled', async () => {
    const { make, wait } = open()
    await make({ kafka }, table)
    wait(30)
    expect((await make({ kafka }, table)).error).toBe(
      'BAD_REQUEST: Target table shop.clicks already exists and is not empty',
    )
    expect((await make({ kafka }, { ...table, managedTable: false })).status).toBe(200)
  })

  it('is kept in a saved world, with the time at which it changes to its next state', async () => {
    const { mock, make } = open()
    const { result } = await make({ kafka }, table)
    const other = createMock({ now: start, freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.state()).toEqual(mock.state())
    other.moveClock(start + 30_000)
    expect(other.records.get('clickPipe', result.id)).toMatchObject({ state: 'Running' })
  })
})

describe('the pipes of a service', () => {
  it('are seeded in several kinds, but not for a service that is created later; a record created there has default values', async () => {
    const { send, pipes, organizationId, mock } = open()
    const { result } = await send('GET', pipes)
    const kinds = result.map(({ source }: { source: object }) => Object.keys(source).join())
    expect(kinds).toEqual(['kafka', 'postgres', 'objectStorage'])
    const { id } = mock.records.create('service', { state: 'running' }, { within: organizationId })
    expect((await send('GET', `/services/${id}/clickpipes`)).result).toEqual([])
    mock.records.create('clickPipe', { state: 'Degraded' }, { within: id })
    mock.records.create('reversePrivateEndpoint', { status: 'Expired' }, { within: id })
    expect((await send('GET', `/services/${id}/clickpipes`)).result).toMatchObject([
      { name: 'orders', state: 'Degraded' },
    ])
  })
})

describe('the settings of a pipe', () => {
  it('are merged with an update, keep 0 and false, and drop what is null', async () => {
    const { make, send } = open()
    const { path } = await make({ objectStorage: files }, table, { settings: { object_storage_concurrency: 3 } })
    const put = (body: object) => send('PUT', `${path}/settings`, body)
    await put({ clickhouse_max_threads: 0, object_storage_use_cluster_function: false })
    const settings = {
      object_storage_concurrency: 3,
      clickhouse_max_threads: 0,
      object_storage_use_cluster_function: false,
    }
    expect((await send('GET', `${path}/settings`)).result).toEqual(settings)
    expect((await send('GET', path)).result.settings).toEqual(settings)
    expect((await put({ clickhouse_max_threads: null })).result).not.toHaveProperty('clickhouse_max_threads')
    expect((await put({})).status).toBe(400)
    expect((await put({ object_storage_concurrency: 36 })).status).toBe(400)
  })

  it('do not exist for a database pipe', async () => {
    const { make, send } = open()
    const { path, result } = await make({ postgres }, database)
    const error = `NOT_FOUND: ingestion for pipe "${result.id}" not found`
    expect(await send('GET', `${path}/settings`)).toMatchObject({ status: 404, error })
    expect(await send('PUT', `${path}/settings`, { clickhouse_max_threads: 1 })).toMatchObject({ status: 404, error })
  })
})

describe('the scaling of pipes', () => {
  it('is changed for each pipe alone, within limits', async () => {
    const { make, send } = open()
    const { path } = await make({ kafka }, table)
    const scale = (body: object) => send('PATCH', `${path}/scaling`, body)
    expect((await scale({ replicas: 4, replicaMemoryGb: null })).result.scaling).toEqual({
      replicas: 4,
      replicaCpuMillicores: 125,
      replicaMemoryGb: 0.5,
    })
    for (const wrong of [{ replicas: 41 }, { replicas: 0 }, { concurrency: 35 }, { replicaMemoryGb: 9 }])
      expect((await scale(wrong)).status).toBe(400)
    expect(await scale({})).toMatchObject({ status: 400, error: 'BAD_REQUEST: Internal error' })
  })

  it('is shared by the database pipes of a service: it exists once one of them is provisioned, until the last is deleted', async () => {
    const { send, wait, pipes, service, make } = open()
    const path = `${service}/clickpipesCdcScaling`
    const get = () => send('GET', path)
    expect((await get()).result).toEqual({ replicaCpuMillicores: 2000, replicaMemoryGb: 8 })
    expect((await send('PATCH', path, { replicaCpuMillicores: 4000, replicaMemoryGb: 8 })).error).toBe(
      'BAD_REQUEST: request body.replicaMemoryGb: Expected 16, which is four for each core <number:8>',
    )
    const larger = { replicaCpuMillicores: 4000, replicaMemoryGb: 16 }
    expect((await send('PATCH', path, larger)).result).toEqual(larger)
    expect((await get()).result).not.toEqual(larger)
    wait(60)
    expect((await get()).result).toEqual(larger)
    for (const { id } of (await send('GET', pipes)).result) await send('DELETE', `${pipes}/${id}`)
    wait(15)
    expect((await get()).status).toBe(404)
    const { path: own } = await make({ postgres }, database)
    expect((await get()).status).toBe(404)
    expect((await send('PATCH', `${own}/scaling`, { replicas: 2 })).status).toBe(400)
    wait(30)
    expect((await get()).result).toEqual({ replicaCpuMillicores: 2000, replicaMemoryGb: 8 })
  })
})

describe('the schema of a source', () => {
  it('is inferred without a pipe, for streams and for files', async () => {
    const { send, pipes } = open()
    const { result } = await send('POST', `${pipes}/schemaDiscovery`, { source: { kafka } })
    expect(result.fields[0]).toEqual({ name: 'id', type: 'String', optional: false })
    const objectStorage = { type: 's3', format: 'CSV', url: 'https://shop.s3.amazonaws.com/*.csv' }
    expect((await send('POST', `${pipes}/schemaDiscovery`, { source: { objectStorage } })).result).toEqual(result)
    expect((await send('POST', `${pipes}/schemaDiscovery`, { source: {} })).status).toBe(400)
  })
})

describe("a pipe with fields of the vendor's document of October 2026", () => {
  it('is created stopped with startPaused, and runs when it is started', async () => {
    const { make, wait } = open()
    const { status, result, state, command } = await make({ kafka }, table, { startPaused: true })
    expect([status, result.state]).toEqual([200, 'Stopped'])
    wait(300)
    expect(await state()).toBe('Stopped')
    await command('start')
    wait(300)
    expect(await state()).toBe('Running')
    expect((await make({ postgres }, database, { startPaused: true })).status).toBe(400)
  })

  it.each([
    [
      'accepts a Glue registry',
      { schemaRegistry: { type: 'glue', glueRegion: 'us-east-1', glueRegistryName: 'shop' } },
      200,
    ],
    ['refuses a Glue registry without a name', { schemaRegistry: { type: 'glue', glueRegion: 'us-east-1' } }, 400],
    ['refuses a Confluent registry without a URL', { schemaRegistry: { authentication: 'PLAIN' } }, 400],
    ['refuses deletions by tombstones without exactlyOnce', { tombstoneMode: 'delete' }, 400],
    ['accepts deletions by tombstones with exactlyOnce', { tombstoneMode: 'delete', exactlyOnce: true }, 200],
    ['accepts a Protobuf schema', { format: 'Protobuf', protobufSchema: 'c3ludGF4' }, 200],
    ['refuses a Protobuf schema with another format', { protobufSchema: 'c3ludGF4' }, 400],
  ])('of Kafka %s', async (_, more, status) => {
    const { make } = open()
    const answer = await make({ kafka: { ...kafka, ...more } }, table)
    expect(answer.status).toBe(status)
    expect(JSON.stringify(answer.result ?? {})).not.toContain('c3ludGF4')
  })

  it('of BigQuery replicates by query with a watermark column, and refuses contradictory settings', async () => {
    const { make } = open()
    const mapping = { sourceDatasetName: 'shop', sourceTable: 'orders', targetTable: 'orders_copy' }
    const follow = async (settings: object, more: object = {}) =>
      (
        await make(
          {
            bigquery: {
              authentication: 'SERVICE_ACCOUNT_WORKLOAD_IDENTITY',
              projectId: 'shop',
              snapshotStagingPath: 'gs://shop',
              settings,
              tableMappings: [{ ...mapping, ...more }],
            },
          },
          database,
        )
      ).status
    const byQuery = { replicationMode: 'cdc', replicationMethod: 'query_based', syncIntervalSeconds: 60 }
    expect(await follow(byQuery, { queryCdcWatermarkColumn: 'changed_at' })).toBe(200)
    expect(await follow(byQuery)).toBe(400)
    expect(await follow({ ...byQuery, syncCron: '0 * * * *' }, { queryCdcWatermarkColumn: 'changed_at' })).toBe(400)
    expect(await follow({ replicationMode: 'snapshot', syncIntervalSeconds: 60 })).toBe(400)
    expect(await follow({ replicationMode: 'often' })).toBe(400)
  })
})
