import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openCloud, start } from '../../testing/open-cloud.ts'

const plan = { name: 'shop', provider: 'aws', region: 'eu-central-1', size: 'c6gd.large' }

function open() {
  const cloud = openCloud()
  const make = async (more: object = {}) => {
    const answer = await cloud.send('POST', '/postgres', { ...plan, ...more })
    const ownPath = `/postgres/${answer.result?.id}`
    return { ...answer, ownPath, get: async () => (await cloud.send('GET', ownPath)).result }
  }
  const [first] = cloud.mock.records.list('postgres') as readonly { readonly id: string }[]
  return { ...cloud, make, first: `/postgres/${first!.id}` }
}

describe('a Postgres service', () => {
  it('is created with a password that no read shows, and runs minutes later', async () => {
    const { make, send, wait } = open()
    const { get, result } = await make()
    expect(result).toMatchObject({ ...plan, state: 'creating', isPrimary: true, haType: 'none', storageSize: 118 })
    expect(result.connectionString).toContain(`postgres://postgres:${result.password}@${result.hostname}:5432`)
    wait(180)
    const { password: _password, connectionString: _connectionString, ...shown } = result
    expect(await get()).toEqual({ ...shown, state: 'running' })
    const listed = (await send('GET', '/postgres')).result.find(({ id }: { id: string }) => id === result.id)
    expect(listed).not.toHaveProperty('hostname')
  })

  it('changes name, size, standbys and tags, and clears omitted tags', async () => {
    const { make, send, wait } = open()
    const { ownPath, get } = await make({ tags: [{ key: 'team', value: 'shop' }] })
    wait(180)
    expect((await send('PATCH', ownPath, { region: 'other' })).error).toBe(
      "request body property can't be validated: region",
    )
    expect((await send('PATCH', ownPath, { name: 'other' })).result).toMatchObject({ name: 'other' })
    expect((await send('PATCH', ownPath, { haType: 'sync' })).result).toMatchObject({ haType: 'sync', tags: [] })
    expect((await send('PATCH', ownPath, { size: 'c6gd.4xlarge' })).result).toMatchObject({
      state: 'restarting',
      storageSize: 948,
    })
    wait(30)
    expect(await get()).toMatchObject({ state: 'running', size: 'c6gd.4xlarge' })
    expect((await send('PATCH', ownPath, { size: 'c6gd.huge' })).status).toBe(400)
  })

  it('can have read replicas once it has a backup, and is not deleted before them', async () => {
    const { make, send, wait } = open()
    const { ownPath } = await make()
    wait(180)
    expect((await send('POST', `${ownPath}/readReplica`, { name: 'reader' })).error).toBe(
      'BAD_REQUEST: Parent server is not ready for read replicas. There are no backups, yet.',
    )
    wait(600)
    const replica = (await send('POST', `${ownPath}/readReplica`, { name: 'reader' })).result
    expect(replica).toMatchObject({ state: 'replaying_wal', isPrimary: false, size: plan.size })
    wait(120)
    const path = `/postgres/${replica.id}`
    expect((await send('PATCH', path, { tags: [] })).status).toBe(400)
    expect((await send('DELETE', ownPath)).status).toBe(409)
    expect((await send('PATCH', `${path}/state`, { command: 'promote' })).result.isPrimary).toBe(true)
    expect((await send('DELETE', ownPath)).status).toBe(200)
    expect((await send('GET', ownPath)).result.state).toBe('deleting')
    wait(60)
    expect((await send('GET', ownPath)).status).toBe(404)
  })

  it('allows every address by default, and changes the entries of its IP access list by their ids', async () => {
    const { make, send } = open()
    expect((await make()).result.ipAccessList).toMatchObject([{ source: '0.0.0.0/0', portRange: '5432..6432' }])
    const office = { source: '203.0.113.0/24', portRange: '5432', description: 'Office' }
    const { ownPath, get, result } = await make({ ipAccessList: [office] })
    const [{ id }] = result.ipAccessList
    const next = { id, ...office, portRange: '6432' }
    expect((await send('PATCH', ownPath, { ipAccessList: { add: [next] } })).result.ipAccessList).toEqual([next])
    expect((await send('PATCH', ownPath, { tags: [] })).result).not.toHaveProperty('ipAccessList')
    await send('PATCH', ownPath, { ipAccessList: { remove: [{ id }] } })
    expect((await get()).ipAccessList).toEqual([])
    expect((await make({ ipAccessList: [{ ...office, portRange: 'http' }] })).status).toBe(400)
  })

  it('has one backup a day from its tenth minute on, and shows the earliest restore time', async () => {
    const { make, send, wait } = open()
    const { ownPath, get } = await make()
    const list = async (query = '') => (await send('GET', `${ownPath}/backups${query}`)).body
    expect(await list()).toMatchObject({ result: [], totalCount: 0, nextCursor: null })
    expect(await get()).not.toHaveProperty('earliestRestoreTime')
    wait(10 * 60)
    const [first] = (await list()).result
    expect(first).toMatchObject({ key: expect.stringMatching(/^basebackups_005\/[0-9A-F]{24}_/), status: 'ready' })
    expect((await get()).earliestRestoreTime).toBe(first.lastModified)
    wait(30 * 86_400)
    expect((await list('?limit=2')).totalCount).toBe(7)
    expect((await get()).earliestRestoreTime).toBe((await list()).result.at(-1).lastModified)
  })

  it('has server logs, filtered by time, severity and text, in pages', async () => {
    const { send, first } = open()
    const day = 'from_date=2026-05-31T00:00:00Z&to_date=2026-06-01T00:00:00Z'
    const read = async (more = '') => (await send('GET', `${first}/logs?${day}${more}`)).result
    const all = await read('&limit=2000')
    expect(all.length).toBeGreaterThan(288)
    expect(await read()).toEqual(all.slice(0, 50))
    expect(await read('&limit=3&offset=2')).toEqual(all.slice(2, 5))
    expect((await read('&sort_order=asc&limit=1'))[0].timestamp).toBe('2026-05-31T00:00:00.000Z')
    const errors = await read('&severity=ERROR&limit=2000')
    expect(errors).toEqual(all.filter(({ severity }: { severity: string }) => severity === 'ERROR'))
    expect((await read('&body_contains=unique&limit=2000')).length).toBe(errors.length)
    expect((await send('GET', `${first}/logs?${day.replace('06-01', '07-31')}`)).status).toBe(400)
  })

  it('is restored to a point in time as a new service', async () => {
    const { first, send, wait } = open()
    const restore = (at: number) =>
      send('POST', `${first}/restoredService`, { name: 'back', restoreTarget: new Date(at).toISOString() })
    const { result } = await restore(start - 3_600_000)
    expect(result.state).toBe('restoring_backup')
    wait(300)
    expect((await send('GET', `/postgres/${result.id}`)).result.state).toBe('running')
    expect((await restore(start + 86_400_000)).status).toBe(400)
    expect((await restore(start - 400 * 86_400_000)).status).toBe(400)
  })

  it('refuses a command before it runs, and a command that does not fit its role or standbys', async () => {
    const { first, make, send, wait } = open()
    const { ownPath } = await make()
    const command = (path: string, word: string) => send('PATCH', `${path}/state`, { command: word })
    expect((await command(ownPath, 'restart')).status).toBe(409)
    wait(180)
    expect((await command(ownPath, 'promote')).error).toContain('Only a read replica')
    expect((await command(ownPath, 'switchover')).error).toContain('no standby')
    expect((await command(first, 'switchover')).result.state).toBe('restarting')
    expect((await command(ownPath, 'explode')).status).toBe(400)
  })

  it('shows a password that it generated, but not one that was sent', async () => {
    const { first, send } = open()
    expect((await send('PATCH', `${first}/password`, {})).result.password).toMatch(/^\w{23}$/)
    expect((await send('PATCH', `${first}/password`, { password: 'Enough4Everybody' })).result).toEqual({})
    const refused = await send('PATCH', `${first}/password`, { password: 'all-small-letters' })
    expect([refused.status, refused.error.includes('all-small')]).toEqual([400, false])
  })

  it('answers a valid CA certificate', async () => {
    const { first, mock, organizationId } = open()
    const { keyId, keySecret } = mock.target({ cloud: 'http://cloud.test' }).cloud!
    const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
    const path = `/v1/organizations/${organizationId}${first}/caCertificates`
    const answer = await mock.answer({ method: 'GET', path, query: '', headers, body: '' }, 'cloud')
    expect(answer.headers['content-type']).toBe('application/x-pem-file')
    expect(new X509Certificate(answer.body).ca).toBe(true)
  })
})

describe('the settings of a Postgres service', () => {
  it('are strings, replaced by POST and merged by PATCH, and both maps are required', async () => {
    const { first, send } = open()
    const path = `${first}/config`
    const set = (method: string, pgConfig: object, pgBouncerConfig: object = {}) =>
      send(method, path, { pgConfig, pgBouncerConfig })
    expect((await set('POST', { work_mem: 128, max_connections: '200' })).result).toEqual({
      pgConfig: { work_mem: '128', max_connections: '200' },
      pgBouncerConfig: {},
      message: 'Restart the service for max_connections to take effect',
    })
    expect((await set('PATCH', { work_mem: 256 }, { pool_mode: 'session' })).result).toEqual({
      pgConfig: { work_mem: '256', max_connections: '200' },
      pgBouncerConfig: { pool_mode: 'session' },
    })
    expect((await set('POST', {})).result).toEqual({ pgConfig: {}, pgBouncerConfig: {} })
    expect((await set('PATCH', { valueOf: 1 })).status).toBe(400)
    expect((await send('PATCH', path, { pgConfig: {} })).status).toBe(400)
    for (const wrong of [
      { work_mem: 1 },
      { work_mem: 'much' },
      { max_connections: 1.5 },
      { fsync: 'off' },
      { wal_compression: 'gzip' },
    ])
      expect((await set('PATCH', wrong)).status, JSON.stringify(wrong)).toBe(400)
    expect((await send('POST', '/postgres', { ...plan, pgConfig: {} })).status).toBe(400)
  })
})

describe('the observability of a Postgres service', () => {
  const window = `from_date=${new Date(start - 86_400_000).toISOString()}&to_date=${new Date(start).toISOString()}`

  it('has metrics in buckets since the creation of the service', async () => {
    const { first, send, make } = open()
    const { metrics } = (await send('GET', `${first}/metrics?${window}&bucket_size_seconds=3600`)).result
    expect(metrics[0].series[0].dataPoints).toHaveLength(24)
    const fresh = (await send('GET', `${(await make()).ownPath}/metrics?${window}`)).result.metrics
    expect(fresh[0].series[0].dataPoints).toEqual([])
    for (const wrong of ['', 'from_date=x&to_date=y', `${window}&bucket_size_seconds=60`])
      expect((await send('GET', `${first}/metrics?${wrong}`)).status, wrong).toBe(400)
  })

  it('has slow query patterns, sorted, filtered and in pages, with recent executions', async () => {
    const { first, send } = open()
    const list = async (more = '') => (await send('GET', `${first}/slowQueryPatterns?${window}${more}`)).result
    const all = await list()
    const totals = all.map(({ totalDurationUs }: { totalDurationUs: number }) => totalDurationUs)
    expect(totals).toEqual([...totals].sort((a, b) => b - a))
    expect(await list('&limit=2&offset=1')).toEqual(all.slice(1, 3))
    const deletions = await list('&db_operation=DELETE')
    expect(deletions).toHaveLength(1)
    const { queryId } = deletions[0]
    const names = 'db_name=shop&db_user=app&db_operation=DELETE'
    const { aggregate, recentExecutions } = (await send('GET', `${first}/slowQueryPatterns/${queryId}?${names}`)).result
    expect([aggregate.queryId, recentExecutions.length]).toEqual([queryId, 10])
    expect((await send('GET', `${first}/slowQueryPatterns/none?${names}`)).status).toBe(404)
  })
})
