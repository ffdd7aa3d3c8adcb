import { Agent } from 'node:http'
import { Agent as SecureAgent } from 'node:https'
import {
  bytesOf,
  type SqlAnswer,
  type SqlCall,
  type SqlEngine,
  SqlException,
  SqlRefused,
  textOf,
} from '../../words/sql.ts'
import { type Destination, forward } from '../forward.ts'

/** A ClickHouse in another process, and the user that its address names. */
type Server = ReturnType<typeof serverAt>

interface ServerOptions {
  /** The part of the names of databases that identifies this mock, or its saved state: 8 hexadecimal digits. */
  readonly token: string
  /** Whether the databases stay when the engine is closed, for the next start from the same state. */
  readonly isKept: boolean
}

/** Runs services as databases of a ClickHouse, each with a user of its own. Refuses a server user who may not create these. */
export async function startServer(server: Server, { token, isKept }: ServerOptions): Promise<SqlEngine> {
  const marker: Marker = { token, started: new Date().toISOString().slice(0, 19) }
  const accounts = new Map<string, ReturnType<typeof createAccount>>()
  const account = (service: string) => {
    const known = accounts.get(service)
    if (known) return known
    const created = createAccount(server, marker, service)
    accounts.set(service, created)
    created.catch(() => accounts.delete(service))
    return created
  }
  const drop = async (service: string) => {
    accounts.delete(service)
    await removeAccount(server, token, service)
  }
  // Creates a service and drops it, because only that shows that all grants are there.
  const probe = 'probe'
  try {
    await account(probe)
    await drop(probe)
  } catch (error) {
    const { message } = error as Error
    await removeAccount(server, token, probe).catch(() => {})
    const advice = /ACCESS_DENIED|grant/i.test(message)
      ? `\nThe user ${server.user} needs more rights:\n${grantsFor(server.user)}`
      : ''
    throw new SqlRefused(
      `--sql: ${server.address} does not let ${server.user} make a service: ${message.trim().slice(0, 600)}${advice}`,
    )
  }
  return {
    name: server.address,
    async run(service, call) {
      const { name, password } = await account(service)
      const query = new URLSearchParams(call.query)
      // The database of the service stands for `default`, in which clients start.
      if ((query.get('database') ?? 'default') === 'default') query.set('database', name)
      if (call.isReadOnly) query.set('readonly', '2')
      return addHint(await forward(server.destination(name, password), { ...call, query }), name)
    },
    listServices: () => [...accounts.keys()],
    suspend() {},
    drop,
    async close() {
      if (!isKept) for (const service of [...accounts.keys()]) await drop(service).catch(() => {})
      server.close()
    },
  }
}

/** The exceptions that a client meets if it expects a server of its own: ACCESS_DENIED and UNKNOWN_DATABASE. */
const hintedCodes = new Set(['497', '81'])

/** Adds a hint to these exceptions: a service is only one database of a shared server. */
function addHint(answer: SqlAnswer, database: string): SqlAnswer {
  if (!hintedCodes.has(answer.headers['x-clickhouse-exception-code'] ?? '')) return answer
  const hint = `stack-parity: a service of this mock is the database ${database} of a shared server, and has no other; with --sql chdb it has a server, default and CREATE DATABASE of its own.`
  const { 'content-length': _, ...headers } = answer.headers
  const isPlain = headers['content-encoding'] === undefined
  async function* body() {
    yield* answer.body
    yield* bytesOf(`${hint}\n`)
  }
  return { ...answer, headers: { ...headers, 'x-stack-parity-hint': hint }, body: isPlain ? body() : answer.body }
}

const grantsFor = (user: string) =>
  [
    `GRANT CREATE USER, DROP USER, ALTER USER ON *.* TO ${user};`,
    `GRANT CREATE DATABASE, DROP DATABASE, ${rights} ON *.* TO ${user} WITH GRANT OPTION;`,
    `GRANT CREATE TEMPORARY TABLE ON *.* TO ${user} WITH GRANT OPTION;`,
    `GRANT TABLE ENGINE ON * TO ${user} WITH GRANT OPTION;`,
  ].join('\n')

/** Connects to a server by its address: `http://user:password@host:8123`, where `$NAME` is read from the environment. */
export function serverAt(text: string, env: Readonly<Record<string, string | undefined>>) {
  const filled = text.replace(/\$([A-Za-z_]\w*)/g, (_, name: string) => {
    if (env[name] === undefined) throw new SqlRefused(`--sql: $${name} is not in the environment.`)
    return encodeURIComponent(env[name])
  })
  const url = URL.canParse(filled) ? new URL(filled) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash) {
    throw new SqlRefused('--sql takes chdb, or the HTTP address of a ClickHouse: http://user:$PASSWORD@host:8123')
  }
  const user = decodeURIComponent(url.username) || 'default'
  const agent = new (url.protocol === 'https:' ? SecureAgent : Agent)({ keepAlive: true })
  const destination = (user: string, password: string): Destination => {
    return { url: url.origin, headers: { 'x-clickhouse-user': user, 'x-clickhouse-key': password }, agent }
  }
  const own = destination(user, decodeURIComponent(url.password))
  return {
    /** Without credentials. */
    address: url.origin,
    user,
    destination,
    close: () => agent.destroy(),
    /** Runs a statement as the user of the address, and returns what it prints. */
    async ask(sql: string): Promise<string> {
      const call: SqlCall = {
        method: 'POST',
        query: new URLSearchParams(),
        headers: {},
        body: sql,
        signal: AbortSignal.timeout(60_000),
      }
      const { status, body } = await forward(own, call).catch(() => {
        throw new SqlRefused(`--sql: ${url.origin} does not answer: check the address, and that it runs.`)
      })
      const text = await textOf(body)
      if (status !== 200)
        throw new SqlException(Number(/Code: (\d+)/.exec(text)?.[1] ?? 0), 'REFUSED', text.trim().slice(0, 1000))
      return text
    },
  }
}

/** Lists the databases that mocks left on a server: those that have a marker. */
export async function listLeftovers(
  server: Server,
): Promise<readonly { readonly database: string; readonly started: string }[]> {
  const names = await server.ask(
    `SELECT database FROM system.tables WHERE name = '${markerTable}' AND match(database, '^sp_[0-9a-f]{8}_') FORMAT TabSeparated`,
  )
  const leftovers = []
  for (const database of names.split('\n').filter(Boolean)) {
    const marker = await readMarker(server, database)
    if (marker && database === databaseOf(marker.token, database.slice(12)))
      leftovers.push({ database, started: marker.started })
  }
  return leftovers
}

/** The database of a service on a shared server, and its user, who has the same name and may use nothing else. */
interface Account {
  readonly name: string
  readonly password: string
}

/** The row that shows that a mock made a database, because the name alone does not. */
interface Marker {
  readonly token: string
  readonly started: string
}

const markerTable = '_stack_parity'
const databaseOf = (token: string, service: string): string => `sp_${token}_${service.replaceAll('-', '')}`

/** Table engines that do not read files, other servers or addresses. */
const engines =
  'MergeTree ReplacingMergeTree SummingMergeTree AggregatingMergeTree CollapsingMergeTree VersionedCollapsingMergeTree CoalescingMergeTree Memory Log TinyLog StripeLog Null Set Join Buffer Merge MaterializedView View'.split(
    ' ',
  )
/** No dictionaries: their sources reach other databases of the server, and addresses. */
const rights =
  'SHOW, SELECT, INSERT, ALTER TABLE, ALTER VIEW, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, TRUNCATE, OPTIMIZE, dictGet'
const gibibyte = 1024 ** 3
/** Settings that would bypass the grants: user-defined disks, and the places from which these read their values. */
const closedSettings = `
  SELECT concat('merge_tree_', name) FROM system.merge_tree_settings WHERE name = 'disk'
  UNION ALL SELECT name FROM system.settings
  WHERE name IN ('dynamic_disk_allow_from_env', 'dynamic_disk_allow_from_zk', 'dynamic_disk_allow_include')
  FORMAT TabSeparated`
/** Resource limits of one service on a shared server. */
const limits = [
  `max_memory_usage = ${2 * gibibyte} MIN 1 MAX ${2 * gibibyte}`,
  `max_memory_usage_for_user = ${4 * gibibyte} MIN 1 MAX ${4 * gibibyte}`,
  'max_execution_time = 300 MIN 1 MAX 300',
]

/** Creates the database and the user of a service. Keeps a database that this mock created at an earlier start. */
async function createAccount(server: Server, marker: Marker, service: string): Promise<Account> {
  const name = databaseOf(marker.token, service)
  const count = await server.ask(`SELECT count() FROM system.databases WHERE name = '${name}' FORMAT TabSeparated`)
  const isNew = count.trim() === '0'
  if (isNew) {
    await server.ask(`CREATE DATABASE ${name}`)
    await server.ask(
      `CREATE TABLE ${name}.${markerTable} (token String, started String) ENGINE = MergeTree ORDER BY token`,
    )
    await server.ask(`INSERT INTO ${name}.${markerTable} VALUES ('${marker.token}', '${marker.started}')`)
  } else if ((await readMarker(server, name))?.token !== marker.token) {
    const sentence = `Database ${name} is there already, and was not made by this mock: it is left alone`
    throw new SqlException(82, 'DATABASE_ALREADY_EXISTS', sentence, 503)
  }
  const password = crypto.randomUUID()
  // Names only the settings that this server has.
  const closed = (await server.ask(closedSettings)).split('\n').filter(Boolean)
  const settings = [...limits, ...closed.map(name => `${name} CONST`)].join(', ')
  // If the database is new, an existing user of its name is not ours, and must not be replaced.
  const create = isNew ? 'CREATE USER' : 'CREATE USER OR REPLACE'
  await server.ask(
    `${create} ${name} IDENTIFIED WITH sha256_password BY '${password}' DEFAULT DATABASE ${name} SETTINGS ${settings}`,
  )
  await server.ask(`GRANT ${rights} ON ${name}.* TO ${name}`)
  await server.ask(`REVOKE ALL ON ${name}.${markerTable} FROM ${name}`)
  await server.ask(`GRANT CREATE TEMPORARY TABLE ON *.* TO ${name}`)
  for (const engine of engines) await server.ask(`GRANT TABLE ENGINE ON ${engine} TO ${name}`).catch(ignoreUnknown)
  return { name, password }
}

/** Ignores that an older server does not have the grant or the engine. */
function ignoreUnknown(error: unknown): void {
  if (!(error instanceof SqlException) || error.code === 497) throw error
}

/** Reads the marker of a database; undefined if it has none. */
async function readMarker(server: Server, database: string): Promise<Marker | undefined> {
  const answer = await server
    .ask(`SELECT token, started FROM ${database}.${markerTable} FORMAT TabSeparated`)
    .catch(() => '')
  const [token = '', started = ''] = answer.trim().split('\t')
  return token === '' ? undefined : { token, started }
}

/** Deletes the database and the user of a service, where the database has our marker. */
export async function removeAccount(server: Server, token: string, service: string): Promise<void> {
  const name = databaseOf(token, service)
  if ((await readMarker(server, name))?.token !== token) return
  await server.ask(`DROP USER IF EXISTS ${name}`)
  await server.ask(`DROP DATABASE ${name}`)
}
