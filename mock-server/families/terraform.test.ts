import { describe, expect, it } from 'vitest'
import type { MockOptions } from '../mock/mock.ts'
import { openCloud } from '../testing/open-cloud.ts'

/**
 * The vendor's Terraform provider creates, reads once and plans; it updates, reads once and plans. A plan is empty if the
 * read shows what was sent, and omits fields that were not sent and that the provider holds as optional.
 */

const as = 'clickhouse-cloud'
const columns = [
  { name: 'id', type: 'String' },
  { name: 'amount', type: 'UInt64' },
]
const kafka = { type: 'confluent', format: 'JSONEachRow', brokers: 'broker.example:9092', topics: 'clicks' }
const credentials = { username: 'reader', password: 'very secret' }
const table = (table: string) => ({
  database: 'default',
  table,
  managedTable: true,
  columns,
  tableDefinition: { engine: { type: 'MergeTree' } },
})
/** Maps one of the two columns: the provider's examples leave columns unmapped, too. */
const fieldMappings = [{ sourceField: 'id', destinationField: 'id' }]

function open(options: MockOptions = {}) {
  const cloud = openCloud({ as, ...options })
  const pipes = `/services/${cloud.serviceId}/clickpipes`
  /** Creates a pipe as the provider does, by a path that ends in a slash, and reads it once. */
  async function apply(source: object, more: object = {}) {
    const body = { name: 'pipe', source, destination: table('clicks'), fieldMappings, ...more }
    const { status, error, result } = await cloud.send('POST', `${pipes}/`, body)
    const path = `${pipes}/${result?.id}`
    return { status, error, path, read: async () => (await cloud.send('GET', path)).result }
  }
  return { ...cloud, pipes, apply }
}

describe('a pipe of Terraform', () => {
  it('is created by a path that ends in a slash, and read as it was sent, without further fields', async () => {
    const { apply } = open()
    const { status, read } = await apply({ kafka: { ...kafka, authentication: 'PLAIN', credentials } })
    expect(status).toBe(200)
    const { source, destination, settings, ...rest } = await read()
    const { consumerGroup, ...own } = source.kafka
    expect(own).toEqual({ ...kafka, authentication: 'PLAIN' })
    expect(consumerGroup).toMatch(/^clickpipes-/)
    expect([destination, rest.fieldMappings, settings]).toEqual([table('clicks'), fieldMappings, {}])
  })

  it('keeps optional fields that were sent', async () => {
    const { apply } = open()
    const optional = {
      exactlyOnce: true,
      offset: { strategy: 'from_latest' },
      schemaRegistry: { url: 'https://registry.example', authentication: 'PLAIN' },
      reversePrivateEndpointIds: [],
    }
    const { read } = await apply({ kafka: { ...kafka, authentication: 'PLAIN', ...optional } })
    expect((await read()).source.kafka).toMatchObject(optional)
  })

  it('of a broker without authentication is accepted', async () => {
    const { apply } = open()
    const { status, read } = await apply({ kafka: { ...kafka, type: 'kafka' } })
    expect(status).toBe(200)
    expect((await read()).source.kafka).not.toHaveProperty('authentication')
  })

  it('is refused with the authentication of another broker, in a message that clients match', async () => {
    const { apply } = open()
    const source = { kafka: { ...kafka, type: 'kafka', authentication: 'IAM_ROLE', iamRole: 'arn:aws:iam::1:role/r' } }
    expect(await apply(source)).toMatchObject({ status: 400, error: expect.stringContaining('does not support') })
  })

  it.each([1_700_000_000, '1700000000'])('of Kinesis has the timestamp %j as it was sent', async timestamp => {
    const { apply } = open()
    const stream = { format: 'JSONEachRow', streamName: 'clicks', region: 'us-east-1', iteratorType: 'AT_TIMESTAMP' }
    const { read } = await apply({
      kinesis: { ...stream, timestamp, authentication: 'IAM_USER', accessKey: { accessKeyId: 'a', secretKey: 'b' } },
    })
    expect((await read()).source.kinesis.timestamp).toBe(timestamp)
  })

  it('of Pub/Sub needs its key in an update only to change to authentication by key', async () => {
    const { apply, send } = open()
    const topic = { format: 'JSONEachRow', projectId: 'my-project', topic: 'events', seekType: 'latest' }
    const key = { authentication: 'SERVICE_ACCOUNT', serviceAccountKey: { serviceAccountFile: 'e30=' } }
    const { path, read } = await apply({ pubsub: { ...topic, ...key, ackDeadline: 120 } })
    const change = (pubsub: object) => send('PATCH', path, { source: { pubsub } })
    expect((await change({ authentication: 'SERVICE_ACCOUNT', ackDeadline: 60 })).status).toBe(200)
    expect((await change({ ...key, ackDeadline: 90 })).status).toBe(200)
    expect((await read()).source.pubsub).toEqual({ ...topic, authentication: 'SERVICE_ACCOUNT', ackDeadline: 90 })
    expect((await change({ authentication: 'SERVICE_ACCOUNT_WORKLOAD_IDENTITY' })).status).toBe(200)
    expect((await change({ authentication: 'SERVICE_ACCOUNT' })).error).toContain('serviceAccountKey: Required')
    expect((await change(key)).status).toBe(200)
  })

  it('of BigQuery accepts zeros in its settings', async () => {
    const { apply } = open()
    const zeros = { initialLoadParallelism: 0, snapshotNumRowsPerPartition: 0, snapshotNumberOfParallelTables: 0 }
    const bigquery = {
      snapshotStagingPath: 'gs://staging/',
      settings: { replicationMode: 'snapshot', allowNullableColumns: false, ...zeros },
      tableMappings: [{ sourceDatasetName: 'shop', sourceTable: 'carts', targetTable: 'carts' }],
      credentials: { serviceAccountFile: 'e30=' },
    }
    const answer = await apply({ bigquery }, { destination: { database: 'default' }, fieldMappings: undefined })
    expect(answer).toMatchObject({ status: 200 })
    expect((await answer.read()).source.bigquery.settings).toMatchObject(zeros)
  })

  it('can be replaced by a pipe with the same table as soon as it is deleted', async () => {
    const { apply, send, wait } = open()
    const source = { kafka: { ...kafka, authentication: 'PLAIN', credentials } }
    const { path } = await apply(source)
    wait(60)
    expect(await apply(source)).toMatchObject({ status: 400, error: expect.stringContaining('is not empty') })
    expect((await send('DELETE', path)).status).toBe(200)
    expect((await send('GET', path)).result.state).toBe('Stopping')
    expect((await apply(source)).status).toBe(200)
  })

  it('is refused by choice if its mappings leave columns out', async () => {
    const { apply } = open({ choices: { cloud: { 'clickPipe/unmapped-columns': 'refused' } } })
    const source = { kafka: { ...kafka, authentication: 'PLAIN', credentials } }
    expect(await apply(source)).toMatchObject({ status: 400, error: expect.stringContaining('columns') })
  })
})

describe('the settings of a pipe of Terraform', () => {
  const source = { kafka: { ...kafka, authentication: 'PLAIN', credentials } }

  it('are those that were sent, in the pipe and in the settings resource', async () => {
    const { apply, send } = open()
    const { read, path } = await apply(source, { settings: { kafka_read_committed: true } })
    expect((await read()).settings).toEqual({ kafka_read_committed: true })
    expect((await send('GET', `${path}/settings`)).result).toEqual({ kafka_read_committed: true })
    const changed = await send('PUT', `${path}/settings`, { streaming_max_insert_wait_ms: 6000 })
    expect(changed.result).toEqual({ kafka_read_committed: true, streaming_max_insert_wait_ms: 6000 })
    expect((await read()).settings).toEqual(changed.result)
    expect((await send('PUT', `${path}/settings`, {})).status).toBe(400)
  })

  it('are absent unless sent, except kafka_read_committed in the settings resource for the CLI', async () => {
    const { apply, send } = open()
    const { read, path } = await apply(source)
    expect((await read()).settings).toEqual({})
    expect((await send('GET', `${path}/settings`)).result).toEqual({ kafka_read_committed: false })
  })

  it('are replaced instead of merged, by choice', async () => {
    const { apply, send } = open({ choices: { cloud: { 'clickPipeSettings/update': 'replaces' } } })
    const { read, path } = await apply(source, { settings: { kafka_read_committed: true } })
    expect((await send('PUT', `${path}/settings`, {})).result).toEqual({ kafka_read_committed: false })
    expect((await read()).settings).toEqual({})
  })

  it('of Kafka are refused for other pipes', async () => {
    const { apply, send } = open()
    const objectStorage = { type: 's3', format: 'CSV', url: 'https://files.s3.amazonaws.com/*.csv' }
    const error = "BAD_REQUEST: Setting 'kafka_read_committed' is only supported for Kafka ClickPipes"
    const settings = { kafka_read_committed: false }
    expect(await apply({ objectStorage }, { settings })).toMatchObject({ status: 400, error })
    const { path } = await apply({ objectStorage })
    expect(await send('PUT', `${path}/settings`, settings)).toMatchObject({ status: 400, error })
    expect(await send('PATCH', path, { settings })).toMatchObject({ status: 400, error })
  })
})

describe('a role of Terraform', () => {
  it('of the system accepts other actors, keeps its policies, and refuses another name', async () => {
    const { send } = open()
    const { result: all } = await send('GET', '/roles')
    const { result: members } = await send('GET', '/members')
    const member = all.find(({ name }: { name: string }) => name === 'Member')
    const actors = [`user/${members[1].userId}`]
    const path = `/roles/${member.id}`
    const changed = await send('PATCH', path, { actors })
    expect(changed).toMatchObject({ status: 200, result: { name: 'Member', policies: member.policies, actors } })
    expect((await send('GET', path)).result).toEqual(changed.result)
    expect(await send('PATCH', path, { actors, name: 'Mine' })).toMatchObject({
      status: 403,
      error: expect.stringContaining('System roles'),
    })
    expect((await send('PATCH', path, { actors: [] })).result.actors).toEqual([])
  })

  it('is a system role or a custom role in the first organization', async () => {
    const { send } = open()
    const types = (await send('GET', '/roles')).result.map(({ type }: { type: string }) => type)
    expect(new Set(types)).toEqual(new Set(['system', 'custom']))
  })
})

describe('a service of Terraform', () => {
  const plan = { name: 'tf', provider: 'aws', region: 'us-east-1', idleScaling: true, idleTimeoutMinutes: 5 }

  it('is updated, and the next read shows the update', async () => {
    const { send, wait } = open()
    const ipAccessList = [{ source: '0.0.0.0/0', description: 'Anywhere' }]
    const { id } = (await send('POST', '/services', { ...plan, ipAccessList })).result.service
    wait(120)
    const path = `/services/${id}`
    const add = [{ source: '10.0.0.0/8', description: 'vpn' }]
    const tags = [{ key: 'team', value: 'shop' }]
    await send('PATCH', path, { name: 'tf2', releaseChannel: 'fast', ipAccessList: { add }, tags: { add: tags } })
    await send('PATCH', `${path}/replicaScaling`, { minReplicaMemoryGb: 24, numReplicas: 4, idleTimeoutMinutes: 10 })
    expect((await send('GET', path)).result).toMatchObject({
      name: 'tf2',
      releaseChannel: 'fast',
      ipAccessList: [...ipAccessList, ...add],
      tags,
      minReplicaMemoryGb: 24,
      numReplicas: 4,
      idleTimeoutMinutes: 10,
    })
  })

  it('is refused with an invalid IP address in a creation and in an update, and nothing changes', async () => {
    const { send, mock } = open()
    const ipAccessList = [{ source: '10.0.0.1' }, { source: 'nowhere' }]
    const before = mock.records.list('service')
    expect(await send('POST', '/services', { ...plan, ipAccessList })).toMatchObject({
      status: 400,
      error: expect.stringMatching(/^BAD_REQUEST: request body\.ipAccessList\.1\.source: .*nowhere/),
    })
    const path = `/services/${before[0]!.id}`
    const { status, error } = await send('PATCH', path, { name: 'renamed', ipAccessList: { add: ipAccessList } })
    expect([status, error]).toEqual([400, expect.stringMatching(/^BAD_REQUEST: .*ipAccessList\.add\.1\.source/)])
    expect(mock.records.list('service')).toEqual(before)
  })

  it('has a backup retention that the provider accepts', async () => {
    const { send, mock } = open()
    for (const { id, isPrimary } of mock.records.list('service')) {
      if (!isPrimary) continue
      const { backupRetentionPeriodInHours } = (await send('GET', `/services/${id}/backupConfiguration`)).result
      expect(backupRetentionPeriodInHours).toBeLessThanOrEqual(720)
    }
  })

  it('that shares a warehouse is stopped and deleted before its primary', async () => {
    const { send, wait } = open()
    const make = async (more: object) => (await send('POST', '/services', { ...plan, ...more })).result.service
    const stateOf = async (id: string) => (await send('GET', `/services/${id}`)).result?.state
    const primary = await make({ numReplicas: 2 })
    const second = await make({ name: 'second', dataWarehouseId: primary.dataWarehouseId, isReadonly: true })
    wait(120)
    const stop = (id: string) => send('PATCH', `/services/${id}/state`, { command: 'stop' })
    expect((await stop(primary.id)).status).toBe(400)
    for (const { id } of [second, primary]) {
      expect((await stop(id)).result.state).toBe('stopping')
      wait(30)
      expect(await stateOf(id)).toBe('stopped')
      expect((await send('DELETE', `/services/${id}`)).status).toBe(200)
      wait(180)
      expect(await stateOf(id)).toBeUndefined()
    }
  })
})
