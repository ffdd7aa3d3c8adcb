import type { Answer, Call } from '../../../words/call.ts'
import type { Cause } from '../../../words/cause.ts'
import { isRecord } from '../../../words/check-options.ts'
import { SqlException, textOf } from '../../../words/sql.ts'
import type { ServicesSql } from '../../family.ts'
import { allows } from '../../key/addresses.ts'
import { findKey, isActive } from '../../key/authenticate.ts'
import type { Key } from '../../key/model.ts'
import { services } from '../model.ts'
import { queryApiEndpoints } from '../query-api-endpoint.ts'
import { queryEndpoints } from '../query-endpoint.ts'
import { savedQueries } from '../saved-query.ts'
import { askEngine, findService, type ServicePlace, type StreamedAnswer, waitUntilServing, wakeIfIdle } from './site.ts'

/** Runs queries for keys. The vendor does this on a separate host, which its document does not describe; here it is on the port of the cloud form. */

const paths = {
  run: /^\/service\/([^/]+)\/run\/?$/,
  postgres: /^\/service\/[^/]+\/runPostgres\/?$/,
  savedId: /^(?:\/run\/([^/]+)|\/\.api\/query-endpoints\/([^/]+)\/run)\/?$/,
}

export const queryHostPaths = [
  '/service/{id}/run',
  '/service/{id}/runPostgres',
  '/run/{id}',
  '/.api/query-endpoints/{id}/run',
]

interface QueryContext {
  readonly call: Call
  readonly sql: ServicesSql
}

const originsIn = (list = '') => list.split(',').map(origin => origin.trim())

/** Answers a call to a path of the query host; undefined for any other path. */
export function answerQueryHost(call: Call, sql: ServicesSql): Promise<Answer> | undefined {
  const context = { call, sql }
  const { method, path } = call
  const serviceId = paths.run.exec(path)?.[1]
  if (serviceId !== undefined && method === 'POST') return withKey(context, key => runSql(context, key, serviceId))
  if (paths.postgres.test(path) && method === 'POST') return withKey(context, () => refusePostgres())
  const [, runId, endpointId] = paths.savedId.exec(path) ?? []
  const savedId = runId ?? endpointId
  if (savedId !== undefined && (method === 'POST' || method === 'GET'))
    return withKey(context, key => runSaved(context, key, savedId))
  return undefined
}

/** Time-out for the start of an answer, in milliseconds. */
const answerTimeoutMs = 30_000

class QueryRefusal {
  constructor(
    readonly status: number,
    readonly body: object,
    readonly why: string,
    readonly basis: Cause['basis'] = 'observed',
  ) {}
}

const forbidden = (why: string) => new QueryRefusal(403, { error: 'Forbidden' }, why, 'invented')
const unauthorized = (why: string) => new QueryRefusal(401, { error: 'Unauthorized' }, why)
const unavailable = (why: string) =>
  new QueryRefusal(404, { error: 'ClickHouse service is currently unavailable. Please try again later.' }, why)
const noEngine =
  'No engine answers the SQL of services: start the mock with --sql chdb, or --sql and the address of a ClickHouse'

/** A status of its own: the vendor's command line reads 206 and 404 as a service that is stopped, and shows others. */
const withoutEngine = () => new QueryRefusal(503, { error: noEngine }, noEngine, 'invented')

async function withKey({ call, sql }: QueryContext, run: (key: Key) => Promise<Answer> | Answer): Promise<Answer> {
  try {
    const { headers, address } = call
    const key = findKey(sql.world(), headers.authorization)
    if (!key) throw unauthorized('No key has these credentials')
    if (!isActive(key, sql.now())) throw unauthorized('The key is disabled, or has expired')
    const isAllowed = allows(key.ipAccessList ?? [], address)
    if (!isAllowed) throw forbidden('The IP access list of the key does not have the address of the caller')
    return await run(key)
  } catch (error) {
    const refused = error instanceof SqlException ? refuseStatement(error.message) : error
    if (!(refused instanceof QueryRefusal)) throw error
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

/** Turns an exception of the engine into the refusal of the query host. */
function refuseStatement(text: string): QueryRefusal {
  const [, code = '1002', details = text] = /^Code: (\d+)\. (?:DB::Exception: )?([\s\S]*)$/.exec(text.trim()) ?? []
  return new QueryRefusal(400, { error: { code, details } }, `The engine refuses the statement: ${details}`, 'inferred')
}

function refusePostgres(): never {
  const error = { code: 'POSTGRES_ERROR', details: 'This mock does not run Postgres' }
  throw new QueryRefusal(400, { error }, 'This mock does not run Postgres', 'invented')
}

const textOfField = (body: unknown, name: string): string | undefined =>
  isRecord(body) && typeof body[name] === 'string' ? body[name] : undefined

function readJson(text: string): unknown {
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    throw new QueryRefusal(400, { error: 'Bad request' }, 'The body is not JSON', 'invented')
  }
}

/** Returns the CORS headers of an answer. Refuses an origin that the endpoint does not allow. */
function corsHeadersFor({ call }: QueryContext, allowed: readonly string[]): Record<string, string> {
  const { origin } = call.headers
  if (origin === undefined) return {}
  const isAllowed =
    allowed.includes('*') || allowed.some(one => one === origin || one === origin.replace(/^https?:\/\//, ''))
  if (!isAllowed) throw forbidden(`The endpoint does not allow ${origin}`)
  return { 'access-control-allow-origin': origin, vary: 'Origin' }
}

async function runSql(context: QueryContext, key: Key, id: string): Promise<Answer> {
  const world = context.sql.world()
  const { organizationId } = key
  const serviceId = id.toLowerCase()
  if (!world.in(services, organizationId).get(serviceId))
    throw unauthorized('The organization of the key has no such service')
  const endpoint = world.in(queryEndpoints, serviceId).get('serviceQueryEndpoint')
  if (!endpoint?.openApiKeys?.includes(key.id))
    throw unauthorized('The key is not bound to the query endpoint of the service')
  const headers = corsHeadersFor(context, originsIn(endpoint.allowedOrigins))
  const body = readJson(context.call.body)
  const sql = textOfField(body, 'sql')
  if (!sql?.trim()) throw new QueryRefusal(400, { error: 'Bad request' }, 'The body has no sql', 'invented')
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

/** Sends a statement to the engine of a service. Wakes an idle service if the caller has confirmed this. */
async function ask(
  context: QueryContext,
  place: ServicePlace,
  { sql, query, roles, timeoutMs = answerTimeoutMs }: Statement,
): Promise<StreamedAnswer> {
  const { sql: servicesSql, call } = context
  if (!servicesSql.engine) throw withoutEngine()
  const until = performance.now() + timeoutMs
  if (findService(servicesSql, place)?.state === 'idle') {
    if (call.headers['wake-service'] !== 'true')
      throw new QueryRefusal(206, { data: 'Confirm wake service' }, 'The service is idle')
    wakeIfIdle(servicesSql, place)
  }
  const sentence = `No answer came within ${timeoutMs} ms; the statement continues`
  const timedOut = new QueryRefusal(500, { error: 'Timeout error.' }, sentence)
  if (!(await waitUntilServing(servicesSql, place, until, call.signal))) {
    const state = findService(servicesSql, place)?.state
    throw state === 'awaking' ? timedOut : unavailable(`The state of the service is ${state}`)
  }
  const isReadOnly = !roles.includes('sql_console_admin')
  const { signal, headers } = call
  // Without Accept-Encoding, because the host compresses, not the engine.
  const sentHeaders = { 'user-agent': headers['user-agent'] }
  const pendingAnswer = askEngine(servicesSql, place, {
    method: 'POST',
    query,
    headers: sentHeaders,
    body: sql,
    isReadOnly,
    signal,
  })
  const timeout = new Promise<undefined>(resolve => {
    const timer = setTimeout(resolve, Math.max(0, until - performance.now()))
    const stopTimer = () => clearTimeout(timer)
    pendingAnswer.then(stopTimer, stopTimer)
  })
  const answer = await Promise.race([pendingAnswer, timeout])
  if (!answer) {
    // The late answer is read to its end, so that the statement completes and is counted.
    pendingAnswer.then(({ stream }) => textOf(stream)).catch(() => {})
    throw timedOut
  }
  if (answer.status !== 200) throw refuseStatement(await textOf(answer.stream))
  return answer
}

/** Finds a query API endpoint or a saved query by its id. */
function findSaved({ sql }: QueryContext, { id: keyId, organizationId }: Key, id: string) {
  const world = sql.world()
  for (const { id: serviceId } of world.list(services, organizationId)) {
    const place = { organizationId, serviceId }
    const endpoint = world.in(queryApiEndpoints, serviceId).get(id)
    if (endpoint) return { ...endpoint, place, isBound: endpoint.apiKeyIds.some(one => one.toLowerCase() === keyId) }
    // A saved query has no keys: those of the query endpoint of the service may run it.
    const saved = world.in(savedQueries, serviceId).get(id)
    const {
      openApiKeys = [],
      roles = [],
      allowedOrigins,
    } = world.in(queryEndpoints, serviceId).get('serviceQueryEndpoint') ?? {}
    if (saved)
      return { ...saved, place, roles, allowedOrigins: originsIn(allowedOrigins), isBound: openApiKeys.includes(keyId) }
  }
  return undefined
}

/** Query parameters that are not passed to the engine as settings. */
const reservedParameters = ['format', 'request_timeout', 'query', 'user', 'password', 'database', 'default_format']

async function runSaved(context: QueryContext, key: Key, id: string): Promise<Answer> {
  const runnable = findSaved(context, key, id.toLowerCase())
  if (!runnable)
    throw new QueryRefusal(404, { error: 'Not found' }, 'No query of the organization has this id', 'documented')
  if (!runnable.isBound) throw unauthorized('The key may not call this query')
  const headers = corsHeadersFor(context, runnable.allowedOrigins)
  const { call } = context
  const sentQuery = new URLSearchParams(call.query)
  const body = call.method === 'POST' ? readJson(call.body) : {}
  const query = new URLSearchParams([...sentQuery].filter(([name]) => !reservedParameters.includes(name)))
  for (const [name, value] of Object.entries(runnable.parameters ?? {}))
    if (!query.has(`param_${name}`)) query.set(`param_${name}`, value)
  const variables = isRecord(body) && isRecord(body.queryVariables) ? body.queryVariables : {}
  for (const [name, value] of Object.entries(variables)) query.set(`param_${name}`, encodeParameter(value))
  const isVersion1 = (call.headers['x-clickhouse-endpoint-version'] ?? '1') === '1'
  const format = sentQuery.get('format') ?? textOfField(body, 'format') ?? 'JSONEachRow'
  query.set('default_format', isVersion1 ? 'JSONCompact' : format)
  query.set('database', runnable.database)
  const timeoutMs = Math.min(answerTimeoutMs, Number(sentQuery.get('request_timeout')) || answerTimeoutMs)
  const streamed = await ask(context, runnable.place, {
    sql: runnable.sql,
    query,
    roles: runnable.roles ?? [],
    timeoutMs,
  })
  const answer = isVersion1 ? answerTable(await textOf(streamed.stream)) : streamed
  return { ...answer, headers: { ...answer.headers, ...headers } }
}

/** Turns an answer in the format JSONCompact into that of version 1. */
function answerTable(text: string): Answer {
  const { meta = [], data = [] } = text === '' ? {} : JSON.parse(text)
  return answerJson(200, { data: { columns: meta, rows: data } })
}

/** Encodes a JSON value as the value of a query parameter of ClickHouse. */
const encodeParameter = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '\\N' : JSON.stringify(value)
