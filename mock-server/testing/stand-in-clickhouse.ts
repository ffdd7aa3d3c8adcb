import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A stand-in for the HTTP interface of ClickHouse, with the few statements that the tests of `--sql` send. It has
 * databases, tables of text lines, and users, but parses no SQL: tests prove what the mock sends, streams and refuses, and
 * nothing about a real server.
 */
export interface StandInDatabase {
  readonly url: string
  /** The received queries. */
  readonly queries: readonly ReceivedQuery[]
  readonly databases: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  readonly users: ReadonlyMap<string, string>
  /** Makes the next call fail, except by `root`. Failures are queued; `pause` sends a row, another after `resume`. */
  injectFailure(how: 'hang' | 'die' | 'break off' | 'pause'): void
  resume(): void
  /** Counts the calls that the client aborted before the answer was complete. */
  countAborted(): number
  close(): Promise<void>
}

export interface ReceivedQuery {
  readonly user: string
  /** The path with the query string. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly sql: string
}

interface Options {
  /** Whether the user `root` may create users. */
  readonly mayCreateUsers?: boolean
}

class Exception {
  constructor(
    readonly code: number,
    readonly sentence: string,
    readonly status = 500,
  ) {}
}

export async function startStandIn({ mayCreateUsers = true }: Options = {}): Promise<StandInDatabase> {
  const users = new Map([['root', 'secret']])
  const databases = new Map<string, Map<string, string[]>>()
  const queries: ReceivedQuery[] = []
  const failures: string[] = []
  const paused: (() => void)[] = []
  let aborted = 0

  /** Resolves the name of a table, `table` or `database.table`. The default is the database of the call. */
  function tableOf(name: string, database: string, user: string): { tables: Map<string, string[]>; table: string } {
    const [first, second] = name.replaceAll('`', '').split('.') as [string, string?]
    const [owner, table] = second === undefined ? [database, first] : [first, second]
    if (user !== 'root' && owner !== user) throw new Exception(497, `${user}: Not enough privileges. (ACCESS_DENIED)`)
    const tables = databases.get(owner)
    if (!tables) throw new Exception(81, `Database ${owner} does not exist. (UNKNOWN_DATABASE)`, 404)
    return { tables, table }
  }
  const rowsOf = (name: string, database: string, user: string): string[] => {
    const { tables, table } = tableOf(name, database, user)
    const rows = tables.get(table)
    if (!rows) throw new Exception(60, `Unknown table expression identifier '${name}'. (UNKNOWN_TABLE)`, 404)
    return rows
  }

  type Handler = (groups: readonly string[], call: { user: string; database: string; query: URLSearchParams }) => string
  const handlers: readonly [statement: RegExp, handle: Handler][] = [
    [
      /^CREATE DATABASE (\w+)$/i,
      ([name], { user }) => {
        if (user !== 'root') throw new Exception(497, `${user}: Not enough privileges. (ACCESS_DENIED)`)
        databases.set(name!, new Map())
        return ''
      },
    ],
    [
      /^DROP DATABASE (\w+)$/i,
      ([name]) => {
        databases.delete(name!)
        return ''
      },
    ],
    [
      /^CREATE USER (?:OR REPLACE )?(\w+) IDENTIFIED WITH sha256_password BY '([^']+)'/i,
      ([name, password], { user }) => {
        if (user !== 'root' || !mayCreateUsers)
          throw new Exception(
            497,
            `${user}: Not enough privileges. To execute this query, it's necessary to have the grant CREATE USER ON *.*. (ACCESS_DENIED)`,
          )
        users.set(name!, password!)
        return ''
      },
    ],
    [
      /^DROP USER IF EXISTS (\w+)$/i,
      ([name]) => {
        users.delete(name!)
        return ''
      },
    ],
    [/^(?:GRANT|REVOKE) /i, () => ''],
    [/^SELECT concat\('merge_tree_', name\) FROM system/i, () => 'merge_tree_disk\n'],
    [/^SELECT count\(\) FROM system\.databases WHERE name = '(\w+)'/i, ([name]) => `${databases.has(name!) ? 1 : 0}\n`],
    [
      /^SELECT database FROM system\.tables WHERE name = '(\w+)'/i,
      ([table]) =>
        [...databases]
          .filter(([, tables]) => tables.has(table!))
          .map(([name]) => `${name}\n`)
          .join(''),
    ],
    [
      /^CREATE TABLE ([\w.`]+)/i,
      ([name], { user, database }) => {
        const { tables, table } = tableOf(name!, database, user)
        tables.set(table, [])
        return ''
      },
    ],
    [
      /^DROP TABLE ([\w.`]+)/i,
      ([name], { user, database }) => {
        const { tables, table } = tableOf(name!, database, user)
        tables.delete(table)
        return ''
      },
    ],
    [
      /^INSERT INTO ([\w.`]+)[^(]*VALUES (.*)$/is,
      ([name, values], { user, database }) => {
        rowsOf(name!, database, user).push(
          ...[...values!.matchAll(/\(([^)]*)\)/g)].map(([, row]) =>
            row!
              .split(',')
              .map(cell => cell.trim().replace(/^'|'$/g, ''))
              .join('\t'),
          ),
        )
        return ''
      },
    ],
    [
      /^INSERT INTO ([\w.`]+) FORMAT (?:CSV|TabSeparated)\s+(.*)$/is,
      ([name, rows], { user, database }) => {
        rowsOf(name!, database, user).push(...rows!.split('\n').filter(Boolean))
        return ''
      },
    ],
    [/^SELECT count\(\) FROM numbers\((\d+)\)/i, ([count]) => `${count}\n`],
    [
      /^SELECT (?:count\(\)|sum\(x\)) FROM ([\w.`]+)/i,
      ([name], { user, database }) => `${rowsOf(name!, database, user).length}\n`,
    ],
    [
      /^SELECT [\w, *]+ FROM ([\w.`]+)/i,
      ([name], { user, database }) =>
        rowsOf(name!, database, user)
          .map(row => `${row}\n`)
          .join(''),
    ],
    [/^SELECT \{(\w+):\w+\}/i, ([name], { query }) => `${query.get(`param_${name}`)}\n`],
    [
      /^SELECT (\d+)/i,
      ([number], { query }) => {
        const format = query.get('default_format')
        if (format === 'JSONCompact')
          return JSON.stringify({ meta: [{ name: number, type: 'UInt8' }], data: [[Number(number)]] })
        return format === 'JSONEachRow' ? `{"${number}":${number}}\n` : `${number}\n`
      },
    ],
  ]

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const query = new URL(request.url!, 'http://stand-in').searchParams
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const sql = [query.get('query') ?? '', Buffer.concat(chunks).toString()].filter(Boolean).join('\n').trim()
    const user = String(request.headers['x-clickhouse-user'])
    queries.push({ user, url: request.url!, headers: request.headers, sql })
    response.once('close', () => response.writableFinished || aborted++)
    try {
      if (users.get(user) !== request.headers['x-clickhouse-key'])
        throw new Exception(516, `${user}: Authentication failed. (AUTHENTICATION_FAILED)`, 403)
      const failure = user === 'root' ? undefined : failures.shift()
      if (failure === 'hang') return
      if (failure === 'pause') {
        response.writeHead(200).write('1\n')
        return void paused.push(() => response.end('2\n'))
      }
      if (failure === 'die') return void request.socket.destroy()
      if (failure === 'break off') return void response.writeHead(200).write('1\n2\n', () => request.socket.destroy())
      const streamed = /^SELECT number FROM numbers\((\d+)\)/i.exec(sql)
      if (streamed) return await stream(Number(streamed[1]), response)
      const database = query.get('database') ?? user
      for (const [pattern, handle] of handlers) {
        const found = pattern.exec(sql.replace(/[;\s]+$/, ''))
        if (!found) continue
        const text = handle(found.slice(1), { user, database, query })
        const written = /^INSERT/i.test(sql) ? '1' : '0'
        response.writeHead(200, {
          'content-type': 'text/tab-separated-values; charset=UTF-8',
          'x-clickhouse-summary': `{"read_rows":"0","written_rows":"${written}"}`,
          'access-control-allow-origin': '*',
        })
        return void response.end(text)
      }
      throw new Exception(
        62,
        `Syntax error: failed at position 1: the stand-in does not support ${sql.slice(0, 60)} (SYNTAX_ERROR)`,
        400,
      )
    } catch (error) {
      if (!(error instanceof Exception)) throw error
      response.writeHead(error.status, { 'x-clickhouse-exception-code': String(error.code) })
      response.end(`Code: ${error.code}. DB::Exception: ${error.sentence}\n`)
    }
  }

  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://root:secret@127.0.0.1:${(server.address() as AddressInfo).port}`,
    queries,
    databases,
    users,
    injectFailure: how => void failures.push(how),
    resume: () => paused.shift()?.(),
    countAborted: () => aborted,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

async function stream(count: number, response: ServerResponse) {
  response.writeHead(200)
  for (let from = 0; from < count && !response.destroyed; from += 10_000) {
    const rows = Array.from({ length: Math.min(10_000, count - from) }, (_, i) => `${from + i}\n`).join('')
    if (!response.write(rows)) await once(response, 'drain')
  }
  response.end()
}
