import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as askHttp } from 'node:http'
import { request as askHttps } from 'node:https'
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

interface Sent {
  readonly path?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly ca?: string
  readonly host?: string
}

/** Asks the HTTP interface of services, over TLS where a certificate is given to trust. */
function ask({ path = '/', method = 'POST', headers = {}, body = '', ca, host = 'localhost' }: Sent) {
  const { port } = running.target().sql!
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers: { host: `${host}:${port}`, ...headers } }
    const sending = ca ? askHttps({ ...options, ca, servername: host }) : askHttp(options)
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

// biome-ignore lint/suspicious/noExplicitAny: an answer of whatever operation.
type Json = any

/** The API of the mock, below the organization of its target. */
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
  await reach(result.service.id, 'running')
  const { host } = result.service.endpoints.find(({ protocol }: { protocol: string }) => protocol === 'https')
  return { id: result.service.id as string, password: result.password as string, host: host as string }
}

async function reach(id: string, state: string) {
  await expect.poll(async () => (await send('GET', `/services/${id}`)).result.state, { timeout: 5000 }).toBe(state)
}

const basic = (password: string) => ({ authorization: authorization({ keyId: 'default', keySecret: password }) })
const bodies = (statement: string) => standIn.queries.filter(({ sql }) => sql === statement)

async function bind(id: string, roles = ['sql_console_admin'], allowedOrigins = '') {
  const { result } = await send('GET', '/whoami')
  const openApiKeys = [result?.id ?? (await ownKeyId())]
  await send('POST', `/services/${id}/serviceQueryEndpoint`, { roles, openApiKeys, allowedOrigins })
}

async function ownKeyId(): Promise<string> {
  const { result } = await send('GET', '/keys')
  return result.find(({ keySuffix }: { keySuffix: string }) => running.target().cloud!.keyId.endsWith(keySuffix)).id
}

/** The query host, on the port of the cloud form. */
async function run(path: string, body?: object, headers: Record<string, string> = {}, method = 'POST') {
  const { baseUrl, ...key } = running.target().cloud!
  const answer = await fetch(baseUrl + path, {
    method,
    headers: { authorization: authorization(key), 'content-type': 'text/plain;charset=UTF-8', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

const refused = { status: 403, headers: expect.objectContaining({ 'x-clickhouse-exception-code': '516' }) }

describe('the HTTP interface of a service', () => {
  it('answers at its endpoint, with TLS and without, by each kind of credentials', async () => {
    const { password, host } = await createService()
    expect(host).toMatch(/^\w+\.localhost$/)
    const ways: Sent[] = [
      { headers: basic(password) },
      { headers: { 'x-clickhouse-user': 'default', 'x-clickhouse-key': password } },
      { path: `/?user=default&password=${password}` },
    ]
    for (const way of ways) {
      expect(await ask({ ...way, host, ca: readFileSync(ca, 'utf8'), body: 'SELECT 1' })).toMatchObject({
        status: 200,
        text: '1\n',
      })
      expect(await ask({ ...way, body: 'SELECT 1' })).toMatchObject({ status: 200, text: '1\n' })
    }
    expect(bodies('SELECT 1')).toHaveLength(6)
    for (const { url, headers } of bodies('SELECT 1')) expect(url + JSON.stringify(headers)).not.toContain(password)
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

  it('refuses a wrong password and one of before in the words of ClickHouse', async () => {
    const { id, password, host } = await createService()
    const wrong = await ask({ host, headers: basic(`${password}x`), body: 'SELECT 2' })
    expect(wrong).toMatchObject(refused)
    expect(wrong.text).toMatch(
      /^Code: 516\. DB::Exception: default: Authentication failed: .*\(AUTHENTICATION_FAILED\)\n$/s,
    )
    expect(await ask({ host, body: 'SELECT 2' })).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': expect.stringContaining('Basic') },
    })
    const { result } = await send('PATCH', `/services/${id}/password`, {})
    expect(await ask({ host, headers: basic(password), body: 'SELECT 2' })).toMatchObject(refused)
    expect(bodies('SELECT 2')).toEqual([])
    expect((await ask({ host, headers: basic(result.password), body: 'SELECT 2' })).text).toBe('2\n')
    const own = 'correct horse battery staple'
    await send('PATCH', `/services/${id}/password`, {
      newPasswordHash: createHash('sha256').update(own).digest('base64'),
    })
    expect(await ask({ host, headers: basic(result.password), body: 'SELECT 2' })).toMatchObject(refused)
    expect((await ask({ host, headers: basic(own), body: 'SELECT 2' })).text).toBe('2\n')
  })

  it('asks for the host where a password fits two services', async () => {
    const [one, other] = [await createService(), await createService()]
    const newPasswordHash = createHash('sha256').update('shared').digest('base64')
    for (const { id } of [one, other]) await send('PATCH', `/services/${id}/password`, { newPasswordHash })
    const { status, text } = await ask({ headers: basic('shared'), body: 'SELECT 1' })
    expect(status).toBe(400)
    expect(text).toContain(`${one.host} or ${other.host}`)
    expect((await ask({ host: other.host, headers: basic('shared'), body: 'SELECT 1' })).status).toBe(200)
  })

  it('keeps the tables of services apart, and names chdb where a database is looked for', async () => {
    const [one, other] = [await createService(), await createService()]
    const sql = (who: typeof one, body: string) => ask({ host: who.host, headers: basic(who.password), body })
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

  it('streams what is larger than it holds, and ends with its client', async () => {
    const { password, host } = await createService()
    const before = process.memoryUsage().rss
    const { text } = await ask({ host, headers: basic(password), body: 'SELECT number FROM numbers(1000000)' })
    expect(text).toHaveLength(6_888_890)
    expect(process.memoryUsage().rss - before).toBeLessThan(150e6)
    standIn.injectFailure('break off')
    await expect(ask({ host, headers: basic(password), body: 'SELECT 1' })).rejects.toThrow(/aborted|hang up/)
    standIn.injectFailure('die')
    expect(await ask({ host, headers: basic(password), body: 'SELECT 1' })).toMatchObject({ status: 503 })
    expect((await ask({ host, headers: basic(password), body: 'SELECT 1' })).text).toBe('1\n')
  })

  it('passes on the rows of a slow engine as they come', async () => {
    const { password, host } = await createService()
    standIn.injectFailure('pause')
    const { port } = running.target().sql!
    const headers = { ...basic(password), host }
    const slow = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: 'SELECT 1' })
    const reader = slow.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe('1\n')
    // The engine has not ended, and others are answered.
    expect(await ask({ host, headers: basic(password), body: 'SELECT 2' })).toMatchObject({ text: '2\n' })
    standIn.resume()
    expect(await reader.read()).toEqual({ value: '2\n', done: false })
    expect((await reader.read()).done).toBe(true)
  })

  it('gives up an engine that hangs with the client that waits for it, and answers others meanwhile', async () => {
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
    await expect.poll(() => bodies('SELECT 8')).toHaveLength(1)
    expect(await ask({ host, headers: basic(password), body: 'SELECT 9' })).toMatchObject({ text: '9\n' })
    expect((await send('GET', '/members')).status).toBe(200)
    leaving.abort()
    await expect(waiting).rejects.toThrow('abort')
    await expect.poll(() => standIn.countAborted()).toBe(before + 1)
  })

  it('lets in the addresses of the access list, and no page', async () => {
    const { id, password, host } = await createService()
    const asking = { host, headers: basic(password), body: 'SELECT 3' }
    const page = { ...asking, headers: { ...asking.headers, origin: 'http://evil.example' } }
    expect(await ask(page)).toMatchObject({ status: 403, text: expect.stringContaining('--cors') })
    expect(await ask({ ...asking, headers: { ...asking.headers, 'sec-fetch-site': 'cross-site' } })).toMatchObject({
      status: 403,
    })
    await send('PATCH', `/services/${id}`, {
      ipAccessList: { add: [{ source: '203.0.113.1' }], remove: [{ source: '0.0.0.0/0' }] },
    })
    expect((await ask(asking)).text).toContain('IP_ADDRESS_NOT_ALLOWED')
    expect(bodies('SELECT 3')).toEqual([])
  })

  it('keeps calls in the journal, without what they say and who they are', async () => {
    const { password, host } = await createService()
    running.mock.forgetCalls()
    const path = `/?user=default&password=${password}&query=SELECT+1`
    await ask({ host, path, headers: { 'x-clickhouse-key': 'another' }, method: 'GET' })
    await ask({ host, headers: basic(password), body: 'SELEC secret' })
    await ask({ host, headers: basic(`${password}x`), body: 'SELECT 1' })
    const calls = running.mock.calls(undefined, { form: 'sql' })
    expect(calls.map(({ request, response, because }) => [request.path, response.status, because.why])).toEqual([
      ['/', 403, expect.stringContaining('Authentication failed')],
      ['/', 400, expect.stringMatching(/refuses with code 62 for the service shop$/)],
      ['/', 403, expect.stringContaining('Authentication failed')],
    ])
    expect(JSON.stringify(calls)).not.toMatch(new RegExp(`${password}|SELEC|another`))
  })

  it('wakes a service that idles, and none that was stopped', async () => {
    const { id, password, host } = await createService()
    const asking = { host, headers: basic(password), body: 'SELECT 1' }
    await reach(id, 'idle')
    expect(await ask(asking)).toMatchObject({ status: 200, text: '1\n' })
    expect((await send('GET', `/services/${id}`)).result.state).toBe('running')
    const { result: activities } = await send('GET', '/activities')
    const own = activities.filter(({ serviceId }: { serviceId: string }) => serviceId === id)
    expect(own.map(({ type }: { type: string }) => type)).toContain('service_awaken')
    await send('PATCH', `/services/${id}/state`, { command: 'stop' })
    await reach(id, 'stopped')
    expect(await ask(asking)).toMatchObject({ status: 503, text: expect.stringContaining('stopped') })
    expect((await send('GET', `/services/${id}`)).result.state).toBe('stopped')
  })

  it('counts queries in the metrics and costs of the service', async () => {
    const { id, password, host } = await createService()
    const {
      result: { id: organizationId },
    } = { result: { id: running.target().cloud!.organizationId } }
    await ask({ host, headers: basic(password), body: 'SELECT number FROM numbers(100000)' })
    await expect
      .poll(() => running.mock.list('queryUse', { within: id }))
      .toMatchObject([{ queries: 1, failed: 0, sent: 588_890 }])
    // A saved state has it, and is loaded again.
    const loaded = createMock({ logs: 1 })
    loaded.load(running.mock.state('opened'))
    expect(loaded.list('queryUse', { within: id })).toHaveLength(1)
    const day = new Date(running.mock.clock.now()).toISOString().slice(0, 10)
    expect(organizationId).toBeTruthy()
    const { result } = await send('GET', `/usageCost?from_date=${day}&to_date=${day}`)
    const row = result.costs.find(({ entityId }: { entityId: string }) => entityId === id)
    expect(row.metrics.publicDataTransferCHC).toBeGreaterThan(0)
  })

  it('drops the database of a service that is gone', async () => {
    const { id, password, host } = await createService()
    await ask({ host, headers: basic(password), body: 'CREATE TABLE doomed (x UInt8) ENGINE = Memory' })
    const [name] = [...standIn.databases].find(([, tables]) => tables.has('doomed'))!
    expect(standIn.users.has(name)).toBe(true)
    await send('PATCH', `/services/${id}/state`, { command: 'stop' })
    await reach(id, 'stopped')
    await send('DELETE', `/services/${id}`)
    await expect.poll(() => standIn.databases.has(name) || standIn.users.has(name), { timeout: 5000 }).toBe(false)
  })
})

describe('the query host', () => {
  it('runs the SQL of keys that are bound, and of no other', async () => {
    const { id } = await createService()
    const path = `/service/${id}/run?format=TabSeparated`
    const sql = { runId: crypto.randomUUID(), sql: 'SELECT 1' }
    expect(await run(path, sql)).toMatchObject({ status: 401, text: '{"error":"Unauthorized"}' })
    await bind(id)
    expect(await run(path, sql)).toMatchObject({ status: 200, text: '1\n' })
    expect(await run(path, { sql: 'CREATE TABLE q (x UInt8) ENGINE = Memory' })).toMatchObject({
      status: 200,
      text: '',
    })
    const mistake = await run(path, { sql: 'SELEC 1' })
    expect(mistake.status).toBe(400)
    expect(JSON.parse(mistake.text)).toEqual({
      error: { code: '62', details: expect.stringContaining('SYNTAX_ERROR') },
    })
    await bind(id, ['sql_console_read_only'])
    await run(path, { sql: 'SELECT 4' })
    expect(bodies('SELECT 4')[0]!.url).toContain('readonly=2')
  })

  it('confirms before it wakes, and does not reach what was stopped', async () => {
    const { id } = await createService()
    await bind(id)
    const path = `/service/${id}/run`
    await reach(id, 'idle')
    expect(await run(path, { sql: 'SELECT 1' })).toMatchObject({ status: 206, text: '{"data":"Confirm wake service"}' })
    expect(await run(path, { sql: 'SELECT 1' }, { 'wake-service': 'true' })).toMatchObject({ status: 200, text: '1\n' })
    await send('PATCH', `/services/${id}/state`, { command: 'stop' })
    await reach(id, 'stopped')
    expect(await run(path, { sql: 'SELECT 1' })).toMatchObject({
      status: 404,
      text: '{"error":"ClickHouse service is currently unavailable. Please try again later."}',
    })
  })

  it('runs queries with an address of their own, in both versions, and saved ones', async () => {
    const { id } = await createService()
    const keyId = await ownKeyId()
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
    expect(await run(path, undefined, second, 'GET')).toMatchObject({ status: 200, text: '7\n' })
    expect((await run(`${path}?param_n=8`, undefined, second, 'GET')).text).toBe('8\n')
    expect((await run(path, { queryVariables: { n: 9 } }, second)).text).toBe('9\n')
    const { result: first } = await send('POST', `/services/${id}/query-api-endpoints`, { ...body, sql: 'SELECT 5' })
    expect(JSON.parse((await run(new URL(first.url).pathname, {})).text)).toEqual({
      data: { columns: [{ name: '5', type: 'UInt8' }], rows: [[5]] },
    })
    standIn.injectFailure('hang')
    expect(await run(`${path}?request_timeout=50`, {})).toMatchObject({
      status: 500,
      text: '{"error":"Timeout error."}',
    })
    const { result: saved } = await send('POST', `/services/${id}/saved-queries`, {
      name: 'six',
      sql: 'SELECT 6',
      database: 'default',
    })
    expect((await run(`/run/${saved.id}`, {}, second)).status).toBe(401)
    await bind(id)
    expect((await run(`/run/${saved.id}`, {}, second)).text).toBe('{"6":6}\n')
    expect((await run(`/run/${crypto.randomUUID()}`, {}, second)).status).toBe(404)
  })

  it('refuses Postgres plainly, and pages that the endpoint does not name', async () => {
    const { id } = await createService()
    expect(await run(`/service/${id}/runPostgres`, { sql: 'SELECT 1' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('POSTGRES_ERROR'),
    })
    await bind(id, ['sql_console_admin'], 'https://shop.example')
    const sql = { sql: 'SELECT 1' }
    expect((await run(`/service/${id}/run`, sql, { origin: 'https://evil.example' })).status).toBe(403)
    const { status, headers } = await run(`/service/${id}/run`, sql, { origin: 'https://shop.example' })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'https://shop.example'])
  })
})

describe('a server', () => {
  it('is refused when its user may not make users, with the GRANTs to copy', async () => {
    const closed = await startStandIn({ mayCreateUsers: false })
    await expect(connectSql(closed.url)).rejects.toThrow(
      /does not let root make a service: [\s\S]*GRANT CREATE USER, DROP USER/,
    )
    expect([...closed.databases.keys()]).toEqual([])
    await expect(connectSql('http://root:$NOWHERE@127.0.0.1:1')).rejects.toThrow('$NOWHERE is not in the environment')
    await closed.close()
  })

  it('keeps what is not ours, and gives back what a killed mock left', async () => {
    const other = await startStandIn()
    const killed = await connectSql(other.url, { folder })
    const call = { method: 'POST', query: new URLSearchParams(), headers: {}, body: 'CREATE TABLE t (x UInt8)' }
    await killed.run('one', call)
    await connectSql(other.url, { folder }).then(again =>
      again.run('one', { ...call, body: 'INSERT INTO t VALUES (1)' }),
    )
    const [name] = [...other.databases.keys()]
    // Databases that are only called so.
    ;(other.databases as Map<string, Map<string, string[]>>).set(`${name!.slice(0, 12)}two`, new Map())
    await expect(killed.run('two', call)).rejects.toMatchObject({ code: 82, status: 503 })
    expect(await cleanSql(other.url, false)).toEqual([expect.stringContaining(name!), expect.stringContaining('--yes')])
    expect(await cleanSql(other.url, true)).toEqual([expect.stringContaining(`dropped ${name}`)])
    expect([...other.databases.keys()]).toEqual([`${name!.slice(0, 12)}two`])
    expect(other.users.has(name!)).toBe(false)
    await other.close()
  })
})

it('without an engine is a service that cannot be reached, and the journal names the option', async () => {
  const { mock, serviceId, send } = openCloud()
  const { result: keys } = await send('GET', '/keys')
  await send('POST', `/services/${serviceId}/serviceQueryEndpoint`, { openApiKeys: [keys[0].id], roles: [] })
  const { cloud } = mock.target({ cloud: 'http://cloud.test' })
  const headers = { authorization: authorization(cloud!) }
  const call = { method: 'POST', path: `/service/${serviceId}/run`, query: '', headers, body: '{"sql":"SELECT 1"}' }
  const answer = await mock.answer(call, 'cloud')
  expect([answer.status, answer.body]).toEqual([404, expect.stringContaining('currently unavailable')])
  expect(mock.calls(1)[0]!.because.why).toContain('--sql chdb')
})
