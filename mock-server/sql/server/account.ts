import { SqlException } from '../../words/sql.ts'
import type { Server } from './engine.ts'

/** The database of a service on a shared server, and the user who may use it and nothing else. */
export interface Account {
  readonly database: string
  readonly user: string
  readonly password: string
}

/** The row that distinguishes a database of a mock from another one with such a name. */
export interface Marker {
  readonly token: string
  readonly started: string
}

export const markerTable = '_stack_parity'
export const databaseOf = (token: string, service: string): string => `sp_${token}_${service.replaceAll('-', '')}`

/** Engines that keep their rows in the database: none that reads files, other servers or addresses. */
const engines =
  'MergeTree ReplacingMergeTree SummingMergeTree AggregatingMergeTree CollapsingMergeTree VersionedCollapsingMergeTree CoalescingMergeTree Memory Log TinyLog StripeLog Null Set Join Buffer Merge MaterializedView View'.split(
    ' ',
  )
/** No dictionaries: their sources reach other databases of the server, and addresses. */
const rights =
  'SHOW, SELECT, INSERT, ALTER TABLE, ALTER VIEW, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, TRUNCATE, OPTIMIZE, dictGet'
const gibibyte = 1024 ** 3
/** Settings that would bypass the grants: user-defined disks, and the sources of their addresses. */
const closedSettings = {
  'system.merge_tree_settings': ['disk'],
  'system.settings': ['dynamic_disk_allow_from_env', 'dynamic_disk_allow_from_zk', 'dynamic_disk_allow_include'],
}
/** Resource limits of one service on a shared server. */
const limits = [
  `max_memory_usage = ${2 * gibibyte} MIN 1 MAX ${2 * gibibyte}`,
  `max_memory_usage_for_user = ${4 * gibibyte} MIN 1 MAX ${4 * gibibyte}`,
  'max_execution_time = 300 MIN 1 MAX 300',
]

/** Makes the database and the user of a service, or takes those that this mock made at an earlier start. */
export async function createAccount(server: Server, marker: Marker, service: string): Promise<Account> {
  const name = databaseOf(marker.token, service)
  const isThere = (
    await server.ask(`SELECT count() FROM system.databases WHERE name = '${name}' FORMAT TabSeparated`)
  ).trim()
  if (isThere === '0') {
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
  // A user of that name was not created by this mock if the database is new.
  const constraints = await listConstraints(server)
  const create = isThere === '0' ? 'CREATE USER' : 'CREATE USER OR REPLACE'
  await server.ask(
    `${create} ${name} IDENTIFIED WITH sha256_password BY '${password}' DEFAULT DATABASE ${name} SETTINGS ${[...limits, ...constraints].join(', ')}`,
  )
  await server.ask(`GRANT ${rights} ON ${name}.* TO ${name}`)
  await server.ask(`REVOKE ALL ON ${name}.${markerTable} FROM ${name}`)
  await server.ask(`GRANT CREATE TEMPORARY TABLE ON *.* TO ${name}`)
  for (const engine of engines) await server.ask(`GRANT TABLE ENGINE ON ${engine} TO ${name}`).catch(ignoreUnknown)
  return { database: name, user: name, password }
}

/** The closed settings that this server has, as constraints. */
async function listConstraints(server: Server): Promise<readonly string[]> {
  const prefix = (table: string) => (table.endsWith('merge_tree_settings') ? 'merge_tree_' : '')
  const selects = Object.entries(closedSettings).map(
    ([table, names]) =>
      `SELECT concat('${prefix(table)}', name) FROM ${table} WHERE name IN (${names.map(name => `'${name}'`).join(', ')})`,
  )
  const found = await server.ask(`${selects.join(' UNION ALL ')} FORMAT TabSeparated`)
  return found
    .split('\n')
    .filter(Boolean)
    .map(name => `${name} CONST`)
}

/** Older servers have no such grant, or not such an engine. */
function ignoreUnknown(error: unknown): void {
  if (!(error instanceof SqlException) || error.code === 497) throw error
}

/** Undefined where there is no marker of ours. */
export async function readMarker(server: Server, database: string): Promise<Marker | undefined> {
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
