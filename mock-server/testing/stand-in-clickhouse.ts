import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Plays the HTTP interface of a ClickHouse for the handful of statements that the tests of `--sql` send. It parses no SQL
 * and proves nothing of a real server: what it shows is what the mock sends, streams and refuses. It keeps databases,
 * tables of one column, users and grants by database.
 */
export interface StandIn {
  readonly url: string
  /** What was asked, with the user, address and headers as they came. */
  readonly asked: readonly ReceivedQuery[]
  readonly databases: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>
  readonly users: ReadonlyMap<string, string>
  /** The next calls are answered so, once each; `pause` sends a row, and another one once it is told to go on. */
  misbehave(how: 'hang' | 'die' | 'break off' | 'pause'): void
  goOn(): void
  /** How many calls were given up before they had their answer. */
  abandoned(): number
  close(): Promise<void>
}

export interface ReceivedQuery {
  readonly user: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly sql: string
}

interface Options {
  /** Whether its first user may create users. */
  readonly mayCreateUsers?: boolean
}

class Exception {
  constructor(
    readonly code: number,
    readonly sentence: string,
    readonly status = 500,
  ) {}
}

export async function startStandIn({ mayCreateUsers = true }: Options = {}): Promise<StandIn> {
  const users = new Map([['root', 'secret']])
  const databases = new Map<string, Map<string, string[]>>()
  const asked: ReceivedQuery[] = []
  const tricks: string[] = []
  const paused: (() => void)[] = []
  let abandoned = 0

  /** A table by its name, in the database of the call or another that the user may see. */
  function tableOf(name: string, database: string, user: string): { tables: Map<string, string[]>; table: string } {
    const [first, second] = name.replaceAll('`', '').split('.') as [string, string?]
    const [where, table] = second === undefined ? [database, first] : [first, second]
    if (user !== 'root' && where !== user) throw new Exception(497, `${user}: Not enough privileges. (ACCESS_DENIED)`)
    const tables = databases.get(where)
    if (!tables) throw new Exception(81, `Database ${where} does not exist. (UNKNOWN_DATABASE)`, 404)
    return { tables, table }
  }
  const rowsOf = (name: string, database: string, user: string): string[] => {
    const { tables, table } = tableOf(name, database, user)
    const rows = tables.get(table)
    if (!rows) throw new Exception(60, `Unknown table expression identifier '${name}'. (UNKNOWN_TABLE)`, 404)
    return rows
  }

  type Handle = (found: readonly string[], from: { user: string; database: string; query: URLSearchParams }) => string
  const handlers: readonly [RegExp, Handle][] = [
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
    asked.push({ user, url: request.url!, headers: request.headers, sql })
    response.once('close', () => response.writableFinished || abandoned++)
    try {
      if (users.get(user) !== request.headers['x-clickhouse-key'])
        throw new Exception(516, `${user}: Authentication failed. (AUTHENTICATION_FAILED)`, 403)
      const trick = user === 'root' ? undefined : tricks.shift()
      if (trick === 'hang') return
      if (trick === 'pause') {
        response.writeHead(200).write('1\n')
        return void paused.push(() => response.end('2\n'))
      }
      if (trick === 'die') return void request.socket.destroy()
      if (trick === 'break off') return void response.writeHead(200).write('1\n2\n', () => request.socket.destroy())
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
        `Syntax error: failed at position 1: the stand-in does not play ${sql.slice(0, 60)} (SYNTAX_ERROR)`,
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
    asked,
    databases,
    users,
    misbehave: how => void tricks.push(how),
    goOn: () => paused.shift()?.(),
    abandoned: () => abandoned,
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
