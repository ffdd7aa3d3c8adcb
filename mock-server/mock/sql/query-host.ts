import type { Context } from '../../core/context.ts'
import { allows } from '../../families/key/addresses.ts'
import { findKey, isActive } from '../../families/key/authenticate.ts'
import type { Key } from '../../families/key/model.ts'
import { queryApiEndpoints } from '../../families/query-api-endpoint/index.ts'
import { queryEndpoints } from '../../families/query-endpoint/index.ts'
import { savedQueries } from '../../families/saved-query/index.ts'
import { services } from '../../families/service/model.ts'
import type { Answer } from '../../words/call.ts'
import type { Cause } from '../../words/cause.ts'
import { isRecord } from '../../words/check-options.ts'
import { SqlException, textOf } from '../../words/sql.ts'
import {
  askEngine,
  findService,
  type ServicePlace,
  type ServicesSql,
  type StreamedAnswer,
  waitUntilServing,
  wake,
} from './site.ts'

/** The host that runs queries for keys, on the port of the cloud form. The API description does not contain it. */

const paths = {
  run: /^\/service\/([^/]+)\/run\/?$/,
  postgres: /^\/service\/[^/]+\/runPostgres\/?$/,
  saved: /^(?:\/run\/([^/]+)|\/\.api\/query-endpoints\/([^/]+)\/run)\/?$/,
}

interface QueryContext extends Context {
  readonly sql: ServicesSql
}

/** Answers a path of the query host; undefined for any other. */
export function answerQueryHost(of: Context, sql: ServicesSql): Promise<Answer> | undefined {
  if (of.listener !== 'cloud') return undefined
  const context = { ...of, sql }
  const { method, path } = context.call
  const ofService = paths.run.exec(path)?.[1]
  if (ofService !== undefined && method === 'POST') return guarded(context, key => runSql(context, key, ofService))
  if (paths.postgres.test(path) && method === 'POST') return guarded(context, () => refusePostgres())
  const [, one, other] = paths.saved.exec(path) ?? []
  const saved = one ?? other
  if (saved !== undefined && (method === 'POST' || method === 'GET'))
    return guarded(context, key => runSaved(context, key, saved))
  return undefined
}

/** How long the gateway waits for an answer to begin, in milliseconds. */
const answerTimeoutMs = 30_000

class Refused {
  constructor(
    readonly status: number,
    readonly body: object,
    readonly why: string,
    readonly basis: Cause['basis'] = 'observed',
  ) {}
}

const forbidden = (why: string) => new Refused(403, { error: 'Forbidden' }, why, 'invented')
const unauthorized = (why: string) => new Refused(401, { error: 'Unauthorized' }, why)
const unavailable = (why: string) =>
  new Refused(404, { error: 'ClickHouse service is currently unavailable. Please try again later.' }, why)
const wantsEngine =
  'No engine answers the SQL of services: start the mock with --sql chdb, or --sql and the address of a ClickHouse'

async function guarded(context: Context, run: (key: Key) => Promise<Answer> | Answer): Promise<Answer> {
  try {
    const { world } = context.deployment
    const { headers, address } = context.call
    const key = findKey(world, headers.authorization)
    if (!key) throw unauthorized('The credentials are those of no key')
    if (!isActive(key, context.now)) throw unauthorized('The key is disabled, or has expired')
    const isAllowed = allows(key.ipAccessList ?? [], address)
    if (!isAllowed) throw forbidden('The IP access list of the key does not have the address of the caller')
    return await run(key)
  } catch (error) {
    const refused = error instanceof SqlException ? refuseStatement(error.message) : error
    if (!(refused instanceof Refused)) throw error
    const { status, body, basis, why } = refused
    return answerJson(status, body, { basis, why })
  }
}

const answerJson = (status: number, body: object, cause?: Cause): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(body),
  ...(cause && { cause }),
})

/** The refusal of a statement by the engine, from the text of its exception. */
function refuseStatement(text: string): Refused {
  const [, code = '1002', details = text] = /^Code: (\d+)\. (?:DB::Exception: )?([\s\S]*)$/.exec(text.trim()) ?? []
  return new Refused(400, { error: { code, details } }, `The engine refuses the statement: ${details}`, 'inferred')
}

function refusePostgres(): never {
  const error = { code: 'POSTGRES_ERROR', details: 'This mock runs no Postgres' }
  throw new Refused(400, { error }, 'This mock runs no Postgres, and the host takes no keys for it', 'invented')
}

const textOfField = (body: unknown, name: string): string | undefined =>
  isRecord(body) && typeof body[name] === 'string' ? body[name] : undefined

function readJson(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    throw new Refused(400, { error: 'Bad request' }, 'The body is not JSON', 'invented')
  }
}

/** Refuses a page of an origin that the endpoint does not allow; returns the CORS headers. */
function refuseOrigin({ call }: Context, allowed: readonly string[]): Record<string, string> {
  const { origin } = call.headers
  if (origin === undefined) return {}
  const isAllowed =
    allowed.includes('*') || allowed.some(one => one === origin || one === origin.replace(/^https?:\/\//, ''))
  if (!isAllowed) throw forbidden(`The endpoint does not allow ${origin}`)
  return { 'access-control-allow-origin': origin, vary: 'Origin' }
}

async function runSql(context: QueryContext, key: Key, id: string): Promise<Answer> {
  const { world } = context.deployment
  const { organizationId } = key
  const serviceId = id.toLowerCase()
  if (!world.in(services, organizationId).get(serviceId))
    throw unauthorized('The organization of the key has no such service')
  const endpoint = world.in(queryEndpoints, serviceId).get('serviceQueryEndpoint')
  if (!endpoint?.openApiKeys?.includes(key.id))
    throw unauthorized('The key is not bound to the query endpoint of the service')
  const headers = refuseOrigin(
    context,
    (endpoint.allowedOrigins ?? '').split(',').map(one => one.trim()),
  )
  const body = readJson(context.call.body)
  const sql = textOfField(body, 'sql')
  if (!sql?.trim()) throw new Refused(400, { error: 'Bad request' }, 'The body has no sql', 'invented')
  const query = new URLSearchParams(context.call.query)
  query.set('default_format', query.get('format') ?? 'TabSeparated')
  query.delete('format')
  const database = textOfField(body, 'database')
  if (database) query.set('database', database)
  const answer = await ask(context, { organizationId, serviceId }, { sql, query, roles: endpoint.roles ?? [] })
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

interface Statement {
  readonly sql: string
  readonly query: URLSearchParams
  readonly roles: readonly string[]
  readonly timeoutMs?: number
}

/** Sends a statement to the engine of a service, and wakes it if the caller confirms that. */
async function ask(
  context: QueryContext,
  place: ServicePlace,
  { sql, query, roles, timeoutMs = answerTimeoutMs }: Statement,
): Promise<StreamedAnswer> {
  const { sql: site, call } = context
  const until = performance.now() + timeoutMs
  if (findService(site, place)?.state === 'idle') {
    if (call.headers['wake-service'] !== 'true')
      throw new Refused(206, { data: 'Confirm wake service' }, 'The service idles')
    wake(site, place)
  }
  const sentence = `No answer came within ${timeoutMs} ms; the statement goes on`
  const timedOut = new Refused(500, { error: 'Timeout error.' }, sentence)
  if (!(await waitUntilServing(site, place, until, call.signal))) {
    const state = findService(site, place)?.state
    throw state === 'awaking' ? timedOut : unavailable(`The state of the service is ${state}`)
  }
  if (!site.engine) throw unavailable(wantsEngine)
  const isReadOnly = !roles.includes('sql_console_admin')
  const { signal, headers } = call
  // Without Accept-Encoding, because the host compresses, not the engine.
  const sent = { 'user-agent': headers['user-agent'] }
  const asked = askEngine(site, place, { method: 'POST', query, headers: sent, body: sql, isReadOnly, signal })
  const timeout = new Promise<undefined>(resolve => {
    const late = setTimeout(resolve, Math.max(0, until - performance.now()))
    const settle = () => clearTimeout(late)
    asked.then(settle, settle)
  })
  const answer = await Promise.race([asked, timeout])
  if (!answer) {
    asked.then(({ stream }) => textOf(stream)).catch(() => {})
    throw timedOut
  }
  if (answer.status !== 200) throw refuseStatement(await textOf(answer.stream))
  return answer
}

/** Finds a query API endpoint or a saved query by its id. */
function findSaved({ deployment: { world } }: Context, { id: keyId, organizationId }: Key, id: string) {
  for (const { id: serviceId } of world.list(services, organizationId)) {
    const place = { organizationId, serviceId }
    const endpoint = world.in(queryApiEndpoints, serviceId).get(id)
    if (endpoint) return { ...endpoint, place, isBound: endpoint.apiKeyIds.some(one => one.toLowerCase() === keyId) }
    // A saved query has no keys: those of the query endpoint of the service may run it.
    const saved = world.in(savedQueries, serviceId).get(id)
    const {
      openApiKeys = [],
      roles = [],
      allowedOrigins = '',
    } = world.in(queryEndpoints, serviceId).get('serviceQueryEndpoint') ?? {}
    if (saved)
      return { ...saved, place, roles, allowedOrigins: allowedOrigins.split(','), isBound: openApiKeys.includes(keyId) }
  }
  return undefined
}

/** Query parameters that are not passed to the engine as settings. */
const own = ['format', 'request_timeout', 'query', 'user', 'password', 'database', 'default_format']

async function runSaved(context: QueryContext, key: Key, id: string): Promise<Answer> {
  const found = findSaved(context, key, id.toLowerCase())
  if (!found) throw new Refused(404, { error: 'Not found' }, 'No query of the organization has this id', 'documented')
  if (!found.isBound) throw unauthorized('The key is not one of those that may call it')
  const headers = refuseOrigin(context, found.allowedOrigins)
  const { call } = context
  const sent = new URLSearchParams(call.query)
  const body = call.method === 'POST' ? readJson(call.body) : {}
  const query = new URLSearchParams([...sent].filter(([name]) => !own.includes(name)))
  for (const [name, value] of Object.entries(found.parameters ?? {}))
    if (!query.has(`param_${name}`)) query.set(`param_${name}`, value)
  const variables = isRecord(body) && isRecord(body.queryVariables) ? body.queryVariables : {}
  for (const [name, value] of Object.entries(variables)) query.set(`param_${name}`, written(value))
  const isFirst = (call.headers['x-clickhouse-endpoint-version'] ?? '1') === '1'
  const format = sent.get('format') ?? textOfField(body, 'format') ?? 'JSONEachRow'
  query.set('default_format', isFirst ? 'JSONCompact' : format)
  query.set('database', found.database)
  const timeoutMs = Math.min(answerTimeoutMs, Number(sent.get('request_timeout') ?? answerTimeoutMs) || answerTimeoutMs)
  const answer = await ask(context, found.place, { sql: found.sql, query, roles: found.roles ?? [], timeoutMs })
  if (!isFirst) return { ...answer, headers: { ...answer.headers, ...headers } }
  const text = await textOf(answer.stream)
  const { meta = [], data = [] } = text === '' ? {} : JSON.parse(text)
  return {
    ...answerJson(200, { data: { columns: meta, rows: data } }),
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  }
}

/** A value of JSON as the engine reads the value of a parameter. */
const written = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '\\N' : JSON.stringify(value)
