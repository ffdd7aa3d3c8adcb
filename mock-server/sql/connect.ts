import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SqlEngine, SqlRefused } from '../words/sql.ts'

export interface ConnectSqlOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** With `chdb`: the limit of processes, one per service in use. Default 4. */
  readonly services?: number
  /** A folder that keeps data, names and certificate for the next start. Default: nothing is kept. */
  readonly folder?: string
  /** With `chdb`: the path of the package, if it is not installed beside this one. */
  readonly library?: string
}

/**
 * Starts the SQL engine of the services of a mock: `chdb`, an npm package that is installed beside this one, or the
 * HTTP address of a ClickHouse, in which `$NAME` is read from `env`. Throws an `SqlRefused` if the engine cannot be
 * used.
 */
export async function connectSql(engine: string, options: ConnectSqlOptions = {}): Promise<SqlEngine> {
  const { env = {}, services: maxProcesses = 4, folder, library: libraryPath } = options
  if (engine === 'chdb') {
    const { startChdb } = await import('./chdb/engine.ts')
    return startChdb({ maxProcesses, libraryPath, folder: folder && join(folder, 'data') })
  }
  const { serverAt, startServer } = await import('./server/engine.ts')
  return startServer(serverAt(engine, env), { token: readToken(folder), isKept: folder !== undefined })
}

/** The token in the names of databases: the one in the folder if there is one, else a new one. */
function readToken(folder: string | undefined): string {
  const newToken = crypto.randomUUID().slice(0, 8)
  if (folder === undefined) return newToken
  const file = join(folder, 'token')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, newToken, { flag: 'wx', mode: 0o600 })
    return newToken
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new SqlRefused(`--sql: ${file}: ${(error as Error).message}`)
    const token = readFileSync(file, 'utf8').trim()
    if (/^[0-9a-f]{8}$/.test(token)) return token
    throw new SqlRefused(`--sql: ${file} holds no token of 8 hexadecimal digits: delete it.`)
  }
}

/** Lists the databases that killed mocks left on a server, and drops them if `isDropping`; returns lines to print. */
export async function cleanSql(
  engine: string,
  isDropping: boolean,
  env: ConnectSqlOptions['env'] = {},
): Promise<readonly string[]> {
  if (engine === 'chdb')
    throw new SqlRefused('--sql-clean is for a ClickHouse: what chdb leaves lies in the temporary folder.')
  const { listLeftovers, removeAccount, serverAt } = await import('./server/engine.ts')
  const server = serverAt(engine, env)
  const leftovers = await listLeftovers(server)
  for (const { database } of isDropping ? leftovers : [])
    await removeAccount(server, database.slice(3, 11), database.slice(12))
  server.close()
  if (leftovers.length === 0) return [`${server.address} has no database of a mock.`]
  const lines = leftovers.map(({ database, started }) => `${isDropping ? 'dropped ' : ''}${database}  since ${started}`)
  return isDropping ? lines : [...lines, 'The list includes the databases of running mocks. --yes drops all of them.']
}
