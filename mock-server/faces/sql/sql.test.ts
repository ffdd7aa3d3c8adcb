import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as sendHttp } from 'node:http'
import { request as sendHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answers, connect } from '../../examples/sql-client.ts'
import { createMock } from '../../mock/mock.ts'
import { cleanSql, connectSql } from '../../sql/connect.ts'
import { authorization, openCloud } from '../../testing/open-cloud.ts'
import { type StandInDatabase, startStandIn } from '../../testing/stand-in-clickhouse.ts'
import type { SqlEngine } from '../../words/sql.ts'
import type { RunningMock } from '../serve.ts'
import { startMock } from '../serve.ts'

let standIn: StandInDatabase
let engine: SqlEngine
let running: RunningMock

const folder = mkdtempSync(join(tmpdir(), 'sql-test-'))
const ca = join(folder, 'ca.pem')

beforeAll(async () => {
  standIn = await startStandIn()
  engine = await connectSql(standIn.url)
  running = await startMock({ sql: engine, logs: 1, speed: 1000, sqlCa: ca })
})
afterAll(async () => {
  await running.close()
  await engine.close()
  await standIn.close()
  rmSync(folder, { recursive: true })
})

interface Request {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly ca?: string
  readonly host?: string
}

/** Sends a request to the HTTP interface of services, over TLS if the certificate `ca` is given. */
function query({ path = '/', method = 'POST', headers = {}, body = '', ca, host = 'localhost' }: Request) {
  const { port } = running.target().sql!
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers: { host: `${host}:${port}`, ...headers } }
    const sending = ca ? sendHttps({ ...options, ca, servername: host }) : sendHttp(options)
    sending.once('error', reject)
    sending.once('response', response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, text: Buffer.concat(chunks).toString() }),
      )
    })
    sending.end(body)
  })
}

// biome-ignore lint/suspicious/noExplicitAny: the result of any operation.
type Json = any

/** Calls the cloud API, below the organization of the target. */
async function send(method: string, path: string, body?: unknown) {
  const { baseUrl, organizationId, ...key } = running.target().cloud!
  const answer = await fetch(`${baseUrl}/v1/organizations/${organizationId}${path}`, {
    method,
    headers: { authorization: authorization(key), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return (await answer.json()) as { status: number; result: Json }
}

async function createService() {
  const { result } = await send('POST', '/services', { name: 'shop', provider: 'aws', region: 'us-east-1' })
  await waitForState(result.service.id, 'running')
  const { host } = result.service.endpoints.find(({ protocol }: { protocol: string }) => protocol === 'https')
  return { id: result.service.id as string, password: result.password as string, host: host as string }
}

async function waitForState(id: string, state: string) {
  await expect.poll(async () => (await send('GET', `/services/${id}`)).result.state).toBe(state)
}

const basic = (password: string) => ({ authorization: authorization({ keyId: 'default', keySecret: password }) })
const findQueries = (statement: string) => standIn.queries.filter(({ sql }) => sql === statement)

async function bindKey(id: string, roles = ['sql_console_admin'], allowedOrigins = '') {
  const { result } = await send('GET', '/whoami')
  const openApiKeys = [result?.id ?? (await findOwnKeyId())]
  await send('POST', `/services/${id}/serviceQueryEndpoint`, { roles, openApiKeys, allowedOrigins })
}

async function findOwnKeyId(): Promise<string> {
  const { result } = await send('GET', '/keys')
  return result.find(({ keySuffix }: { keySuffix: string }) => running.target().cloud!.keyId.endsWith(keySuffix)).id
}

/** Sends a request to the query host, on the port of the cloud form. */
async function sendToQueryHost(path: string, body?: object, headers: Record<string, string> = {}, method = 'POST') {
  const { baseUrl, ...key } = running.target().cloud!
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { authorization: authorization(key), 'content-type': 'text/plain;charset=UTF-8', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const refused = { status: 403, headers: expect.objectContaining({ 'x-clickhouse-exception-code': '516' }) }

it('the serial number of the certificate is positive', () => {
  expect(new X509Certificate(readFileSync(ca)).serialNumber).toMatch(/^[0-9A-F]{8,18}$/)
})

describe('the HTTP interface of a service', () => {
  it('answers with and without TLS, for each kind of credentials', async () => {
    const { password, host } = await createService()
    expect(host).toMatch(/^\w+\.localhost$/)
    const credentials: Request[] = [
      { headers: basic(password) },
      { headers: { 'x-clickhouse-user': 'default', 'x-clickhouse-key': password } },
      { path: `/?user=default&password=${password}` },
    ]
    for (const credential of credentials) {
      expect(await query({ ...credential, host, ca: readFileSync(ca, 'utf8'), body: 'SELECT 1' })).toMatchObject({
        status: 200,
        text: '1\n',
      })
      expect(await query({ ...credential, body: 'SELECT 1' })).toMatchObject({ status: 200, text: '1\n' })
    }
    expect(findQueries('SELECT 1')).toHaveLength(6)
    for (const { url, headers } of findQueries('SELECT 1'))
      expect(url + JSON.stringify(headers)).not.toContain(password)
    expect(JSON.stringify(running.mock.state())).not.toContain(password)
    expect(running.target().sql).toEqual({ host: 'localhost', port: expect.any(Number), ca })
  })

  it('answers the official client', async () => {
    const { password } = await createService()
    const { host, port } = running.target().sql!
    const url = `https://${host}:${port}`
    const client = connect({ url, password, ca: readFileSync(ca) })
    expect(await answers(client)).toBe(true)
    await client.close()
  })

  it('refuses a wrong and a previous password with the error of ClickHouse', async () => {
    const { id, password, host } = await createService()
    const wrong = await query({ host, headers: basic(`${password}x`), body: 'SELECT 2' })
    expect(wrong).toMatchObject(refused)
    expect(wrong.text).toMatch(
      /^Code: 516\. DB::Exception: default: Authentication failed: .*\(AUTHENTICATION_FAILED\)\n$/s,
    )
    expect(await query({ host, body: 'SELECT 2' })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringContaining('Basic') },
    })
    const { result } = await send('PATCH', `/services/${id}/password`, {})
    expect(await query({ host, headers: basic(password), body: 'SELECT 2' })).toMatchObject(refused)
    expect(findQueries('SELECT 2')).toEqual([])
    expect((await query({ host, headers: basic(result.password), body: 'SELECT 2' })).text).toBe('2\n')
    const ownPassword = 'correct horse battery staple'
    await send('PATCH', `/services/${id}/password`, {
      newPasswordHash: createHash('sha256').update(ownPassword).digest('base64'),
    })
    expect(await query({ host, headers: basic(result.password), body: 'SELECT 2' })).toMatchObject(refused)
    expect((await query({ host, headers: basic(ownPassword), body: 'SELECT 2' })).text).toBe('2\n')
  })

  it('names the hosts if a password belongs to two services', async () => {
    const [one, other] = [await createService(), await createService()]
    const newPasswordHash = createHash('sha256').update('shared').digest('base64')
    for (const { id } of [one, other]) await send('PATCH', `/services/${id}/password`, { newPasswordHash })
    const { status, text } = await query({ headers: basic('shared'), body: 'SELECT 1' })
    expect(status).toBe(400)
    expect(text).toContain(`${one.host} or ${other.host}`)
    expect((await query({ host: other.host, headers: basic('shared'), body: 'SELECT 1' })).status).toBe(200)
  })

  it('separates the tables of services, and refuses CREATE DATABASE with a hint at --sql chdb', async () => {
    const [one, other] = [await createService(), await createService()]
    const sql = (who: typeof one, body: string) => query({ host: who.host, headers: basic(who.password), body })
    await sql(one, 'CREATE TABLE t (x UInt8) ENGINE = Memory')
    await sql(one, 'INSERT INTO t VALUES (1), (2)')
    expect((await sql(one, 'SELECT count() FROM t')).text).toBe('2\n')
    expect((await sql(other, 'SELECT count() FROM t')).status).toBe(404)
    const [name] = [...standIn.databases].find(([, tables]) => tables.has('t'))!
    const stolen = await sql(other, `SELECT count() FROM ${name}.t`)
    expect(stolen.headers).toMatchObject({ 'x-clickhouse-exception-code': '497' })
    const made = standIn.queries.findLast(({ sql }) => sql.startsWith('CREATE USER'))
    expect(made!.sql).toMatch(/max_memory_usage = \d+ MIN 1 MAX \d+, .*merge_tree_disk CONST$/)
    expect((await sql(one, 'CREATE DATABASE extra')).text).toMatch(/ACCESS_DENIED.*--sql chdb/s)
  })

  it('streams a large answer, and survives an engine that breaks off or dies', async () => {
    const { password, host } = await createService()
    const before = process.memoryUsage().rss
    const { text } = await query({ host, headers: basic(password), body: 'SELECT number FROM numbers(1000000)' })
    expect(text).toHaveLength(6_888_890)
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6)
    standIn.injectFailure('break off')
    await expect(query({ host, headers: basic(password), body: 'SELECT 1' })).rejects.toThrow(/aborted|hang up/)
    standIn.injectFailure('die')
    expect(await query({ host, headers: basic(password), body: 'SELECT 1' })).toMatchObject({ status: 503 })
    expect((await query({ host, headers: basic(password), body: 'SELECT 1' })).text).toBe('1\n')
  })

  it('passes on the rows of a slow engine at once', async () => {
    const { password, host } = await createService()
    standIn.injectFailure('pause')
    const { port } = running.target().sql!
    const headers = { ...basic(password), host }
    const slow = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: 'SELECT 1' })
    const reader = slow.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe('1\n')
    // Other queries are answered while the engine is still busy.
    expect(await query({ host, headers: basic(password), body: 'SELECT 2' })).toMatchObject({ text: '2\n' })
    standIn.resume()
    expect(await reader.read()).toEqual({ value: '2\n', done: false })
    expect((await reader.read()).done).toBe(true)
  })

  it('aborts a hanging query when its client leaves, and answers others meanwhile', async () => {
    const { password, host } = await createService()
    const { port } = running.target().sql!
    const before = standIn.countAborted()
    standIn.injectFailure('hang')
    const leaving = new AbortController()
    const headers = { ...basic(password), host }
    const waiting = fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      headers,
      body: 'SELECT 8',
      signal: leaving.signal,
    })
    await expect.poll(() => findQueries('SELECT 8')).toHaveLength(1)
    expect(await query({ host, headers: basic(password), body: 'SELECT 9' })).toMatchObject({ text: '9\n' })
    expect((await send('GET', '/members')).status).toBe(200)
    leaving.abort()
    await expect(waiting).rejects.toThrow('abort')
    await expect.poll(() => standIn.countAborted()).toBe(before + 1)
  })

  it('refuses addresses that are not in the access list, and requests of web pages', async () => {
    const { id, password, host } = await createService()
    const request = { host, headers: basic(password), body: 'SELECT 3' }
    const page = { ...request, headers: { ...request.headers, origin: 'http://evil.example' } }
    expect(await query(page)).toMatchObject({ status: 403, text: expect.stringContaining('--cors') })
    expect(await query({ ...request, headers: { ...request.headers, 'sec-fetch-site': 'cross-site' } })).toMatchObject({
      status: 403,
    })
    await send('PATCH', `/services/${id}`, {
      ipAccessList: { add: [{ source: '203.0.113.1' }], remove: [{ source: '0.0.0.0/0' }] },
    })
    expect((await query(request)).text).toContain('IP_ADDRESS_NOT_ALLOWED')
    expect(findQueries('SELECT 3')).toEqual([])
  })

  it('records calls in the journal without their SQL and credentials', async () => {
    const { password, host } = await createService()
    running.mock.forgetCalls()
    const path = `/?user=default&password=${password}&query=SELECT+1`
    await query({ host, path, headers: { 'x-clickhouse-key': 'another' }, method: 'GET' })
    await query({ host, headers: basic(password), body: 'SELEC secret' })
    await query({ host, headers: basic(`${password}x`), body: 'SELECT 1' })
    const calls = running.mock.calls(undefined, { form: 'sql' })
    expect(calls.map(({ request, response, because }) => [request.path, response.status, because.why])).toEqual([
      ['/', 403, expect.stringContaining('Authentication failed')],
      ['/', 400, expect.stringMatching(/refuses with code 62 for the service shop$/)],
      ['/', 403, expect.stringContaining('Authentication failed')],
    ])
    expect(JSON.stringify(calls)).not.toMatch(new RegExp(`${password}|SELEC|another`))
  })

  it('wakes an idle service, but not a stopped service', async () => {
    const { id, password, host } = await createService()
    const request = { host, headers: basic(password), body: 'SELECT 1' }
    await waitForState(id, 'idle')
    expect(await query(request)).toMatchObject({ status: 200, text: '1\n' })
    expect((await send('GET', `/services/${id}`)).result.state).toBe('running')
    const { result: activities } = await send('GET', '/activities')
    const own = activities.filter(({ serviceId }: { serviceId: string }) => serviceId === id)
    expect(own.map(({ type }: { type: string }) => type)).toContain('service_awaken')
    await send('PATCH', `/services/${id}/state`, { command: 'stop' })
    await waitForState(id, 'stopped')
    expect(await query(request)).toMatchObject({ status: 503, text: expect.stringContaining('stopped') })
    expect((await send('GET', `/services/${id}`)).result.state).toBe('stopped')
  })

  it('counts queries in the metrics and costs of the service', async () => {
    const { id, password, host } = await createService()
    await query({ host, headers: basic(password), body: 'SELECT number FROM numbers(100000)' })
    await expect
      .poll(() => running.mock.list('queryUse', { within: id }))
      .toMatchObject([{ queries: 1, failed: 0, sent: 588_890 }])
    // A saved state has the counts.
    const loaded = createMock({ logs: 1 })
    loaded.load(running.mock.state('opened'))
    expect(loaded.list('queryUse', { within: id })).toHaveLength(1)
    const day = new Date(running.mock.clock.now()).toISOString().slice(0, 10)
    const { result } = await send('GET', `/usageCost?from_date=${day}&to_date=${day}`)
    const row = result.costs.find(({ entityId }: { entityId: string }) => entityId === id)
    expect(row.metrics.publicDataTransferCHC).toBeGreaterThan(0)
  })

  it('drops the database of a deleted service', async () => {
    const { id, password, host } = await createService()
    await query({ host, headers: basic(password), body: 'CREATE TABLE doomed (x UInt8) ENGINE = Memory' })
    const [name] = [...standIn.databases].find(([, tables]) => tables.has('doomed'))!
    expect(standIn.users.has(name)).toBe(true)
    await send('PATCH', `/services/${id}/state`, { command: 'stop' })
    await waitForState(id, 'stopped')
    await send('DELETE', `/services/${id}`)
    await expect.poll(() => standIn.databases.has(name) || standIn.users.has(name)).toBe(false)
  })
})

describe('the query host', () => {
  it('runs SQL only for keys that are bound to the service', async () => {
    const { id } = await createService()
    const path = `/service/${id}/run?format=TabSeparated`
    const sql = { runId: crypto.randomUUID(), sql: 'SELECT 1' }
    expect(await sendToQueryHost(path, sql)).toMatchObject({ status: 401, text: '{"error":"Unauthorized"}' })
    await bindKey(id)
    expect(await sendToQueryHost(path, sql)).toMatchObject({ status: 200, text: '1\n' })
    expect(await sendToQueryHost(path, { sql: 'CREATE TABLE q (x UInt8) ENGINE = Memory' })).toMatchObject({
      status: 200,
      text: '',
    })
    const mistake = await sendToQueryHost(path, { sql: 'SELEC 1' })
    expect(mistake.status).toBe(400)
    expect(JSON.parse(mistake.text)).toEqual({
      error: { code: '62', details: expect.stringContaining('SYNTAX_ERROR') },
    })
    await bindKey(id, ['sql_console_read_only'])
    await sendToQueryHost(path, { sql: 'SELECT 4' })
    expect(findQueries('SELECT 4')[0]!.url).toContain('readonly=2')
  })

  it('requires a confirmation before it wakes a service, and refuses a stopped service', async () => {
    const { id } = await createService()
    await bindKey(id)
    const path = `/service/${id}/run`
    await waitForState(id, 'idle')
    expect(await sendToQueryHost(path, { sql: 'SELECT 1' })).toMatchObject({
      status: 206,
      text: '{"data":"Confirm wake service"}',
    })
    expect(await sendToQueryHost(path, { sql: 'SELECT 1' }, { 'wake-service': 'true' })).toMatchObject({
      status: 200,
      text: '1\n',
    })
    await send('PATCH', `/services/${id}/state`, { command: 'stop' })
    await waitForState(id, 'stopped')
    expect(await sendToQueryHost(path, { sql: 'SELECT 1' })).toMatchObject({
      status: 404,
      text: '{"error":"ClickHouse service is currently unavailable. Please try again later."}',
    })
  })

  it('runs query endpoints in both versions, and saved queries', async () => {
    const { id } = await createService()
    const keyId = await findOwnKeyId()
    const body = {
      name: 'one',
      sql: 'SELECT {n:UInt8}',
      database: 'default',
      apiKeyIds: [keyId],
      roles: ['sql_console_read_only'],
      parameters: { n: '7' },
    }
    const { result } = await send('POST', `/services/${id}/query-api-endpoints`, body)
    const path = new URL(result.url).pathname
    const second = { 'x-clickhouse-endpoint-version': '2' }
    expect(await sendToQueryHost(path, undefined, second, 'GET')).toMatchObject({ status: 200, text: '7\n' })
    expect((await sendToQueryHost(`${path}?param_n=8`, undefined, second, 'GET')).text).toBe('8\n')
    expect((await sendToQueryHost(path, { queryVariables: { n: 9 } }, second)).text).toBe('9\n')
    const { result: first } = await send('POST', `/services/${id}/query-api-endpoints`, { ...body, sql: 'SELECT 5' })
    expect(JSON.parse((await sendToQueryHost(new URL(first.url).pathname, {})).text)).toEqual({
      data: { columns: [{ name: '5', type: 'UInt8' }], rows: [[5]] },
    })
    standIn.injectFailure('hang')
    expect(await sendToQueryHost(`${path}?request_timeout=50`, {})).toMatchObject({
      status: 500,
      text: '{"error":"Timeout error."}',
    })
    const { result: saved } = await send('POST', `/services/${id}/saved-queries`, {
      name: 'six',
      sql: 'SELECT 6',
      database: 'default',
    })
    expect((await sendToQueryHost(`/run/${saved.id}`, {}, second)).status).toBe(401)
    await bindKey(id, ['sql_console_admin'], 'https://a.example, https://shop.example')
    const ofShop = { ...second, origin: 'https://shop.example' }
    expect((await sendToQueryHost(`/run/${saved.id}`, {}, ofShop)).text).toBe('{"6":6}\n')
    expect((await sendToQueryHost(`/run/${crypto.randomUUID()}`, {}, second)).status).toBe(404)
  })

  it('refuses Postgres, and pages whose origin the endpoint does not allow', async () => {
    const { id } = await createService()
    expect(await sendToQueryHost(`/service/${id}/runPostgres`, { sql: 'SELECT 1' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('POSTGRES_ERROR'),
    })
    await bindKey(id, ['sql_console_admin'], 'https://shop.example')
    const sql = { sql: 'SELECT 1' }
    expect((await sendToQueryHost(`/service/${id}/run`, sql, { origin: 'https://evil.example' })).status).toBe(403)
    const { status, headers } = await sendToQueryHost(`/service/${id}/run`, sql, { origin: 'https://shop.example' })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'https://shop.example'])
  })
})

describe('a ClickHouse server for --sql', () => {
  it('is refused with the missing GRANTs if its user may not create users', async () => {
    const closed = await startStandIn({ mayCreateUsers: false })
    await expect(connectSql(closed.url)).rejects.toThrow(
      /does not let root make a service: [\s\S]*GRANT CREATE USER, DROP USER/,
    )
    expect([...closed.databases.keys()]).toEqual([])
    await expect(connectSql('http://root:$NOWHERE@127.0.0.1:1')).rejects.toThrow('$NOWHERE is not in the environment')
    await closed.close()
  })

  it('keeps the databases of others, even when those of a killed mock are dropped', async () => {
    const other = await startStandIn()
    const killed = await connectSql(other.url, { folder })
    const call = { method: 'POST', query: new URLSearchParams(), headers: {}, body: 'CREATE TABLE t (x UInt8)' }
    await killed.run('one', call)
    await connectSql(other.url, { folder }).then(again =>
      again.run('one', { ...call, body: 'INSERT INTO t VALUES (1)' }),
    )
    const [name] = [...other.databases.keys()]
    // A database with a similar name that no mock created.
    ;(other.databases as Map<string, Map<string, string[]>>).set(`${name!.slice(0, 12)}two`, new Map())
    await expect(killed.run('two', call)).rejects.toMatchObject({ code: 82, status: 503 })
    expect(await cleanSql(other.url, false)).toEqual([expect.stringContaining(name!), expect.stringContaining('--yes')])
    expect(await cleanSql(other.url, true)).toEqual([expect.stringContaining(`dropped ${name}`)])
    expect([...other.databases.keys()]).toEqual([`${name!.slice(0, 12)}two`])
    expect(other.users.has(name!)).toBe(false)
    await other.close()
  })
})

it('the query host of a mock without --sql answers that the service is unavailable, and the journal names the option', async () => {
  const { mock, serviceId, send } = openCloud()
  const { result: keys } = await send('GET', '/keys')
  await send('POST', `/services/${serviceId}/serviceQueryEndpoint`, { openApiKeys: [keys[0].id], roles: [] })
  const { cloud } = mock.target({ cloud: 'http://cloud.test' })
  const headers = { authorization: authorization(cloud!) }
  const call = { method: 'POST', path: `/service/${serviceId}/run`, query: '', headers, body: '{"sql":"SELECT 1"}' }
  const answer = await mock.answer(call, 'cloud')
  expect([answer.status, answer.body]).toEqual([503, expect.stringContaining('No engine answers')])
  expect(mock.calls(1)[0]!.because.why).toContain('--sql chdb')
})
