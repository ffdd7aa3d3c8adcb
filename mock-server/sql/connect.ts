import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SqlEngine, SqlRefused } from '../words/sql.ts'

export interface ConnectSqlOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  /** With `chdb`: how many services have a process at once. Default 4. */
  readonly services?: number
  /** A folder for what outlives this start: data, names, certificate. Default: nothing does. */
  readonly folder?: string
  /** With `chdb`: the path of the package, where it does not stand beside. */
  readonly library?: string
}

/**
 * Gives the services of a mock an engine for their SQL: `chdb`, the npm package where it stands beside, or the HTTP address
 * of a ClickHouse, in which `$NAME` is read from `env`. Throws an `SqlRefused` when it cannot be used.
 */
export async function connectSql(engine: string, options: ConnectSqlOptions = {}): Promise<SqlEngine> {
  const { env = {}, services: maxProcesses = 4, folder, library: libraryPath } = options
  if (engine === 'chdb') {
    const { startChdb } = await import('./chdb/engine.ts')
    return startChdb({ maxProcesses, libraryPath, folder: folder && join(folder, 'data') })
  }
  const { serverAt, startServer } = await import('./server/engine.ts')
  return startServer(serverAt(engine, env), { token: tokenIn(folder), isKept: folder !== undefined })
}

/** The token that databases are named by: that of the folder, else a new one. */
function tokenIn(folder: string | undefined): string {
  const made = crypto.randomUUID().slice(0, 8)
  if (folder === undefined) return made
  const file = join(folder, 'token')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(file, made, { flag: 'wx', mode: 0o600 })
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new SqlRefused(`--sql: ${file}: ${(error as Error).message}`)
    const token = readFileSync(file, 'utf8').trim()
    if (/^[0-9a-f]{8}$/.test(token)) return token
    throw new SqlRefused(`--sql: ${file} holds no token of 8 hexadecimal digits: delete it.`)
  }
}

/** Lists what killed mocks left on a server, and deletes it when `isDropping`; returns lines to print. */
export async function cleanSql(
  engine: string,
  isDropping: boolean,
  env: ConnectSqlOptions['env'] = {},
): Promise<readonly string[]> {
  if (engine === 'chdb')
    throw new SqlRefused('--sql-clean is for a ClickHouse: what chdb leaves lies in the temporary folder.')
  const { listLeftovers, serverAt } = await import('./server/engine.ts')
  const { removeAccount } = await import('./server/account.ts')
  const server = serverAt(engine, env)
  const left = await listLeftovers(server)
  for (const { database } of isDropping ? left : [])
    await removeAccount(server, database.slice(3, 11), database.slice(12))
  server.close()
  if (left.length === 0) return [`${server.address} has no database of a mock.`]
  const lines = left.map(({ database, started }) => `${isDropping ? 'dropped ' : ''}${database}  since ${started}`)
  return isDropping ? lines : [...lines, 'Databases of mocks that run are among them. --yes drops all of these.']
}
