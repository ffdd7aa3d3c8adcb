/**
 * The program of one service's process: ClickHouse as a library, behind its HTTP interface on a local socket. Its arguments
 * are the path of the library, the folder of the data and the path of the socket. It ends with its parent.
 */
import { once } from 'node:events'
import { createReadStream, createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { Readable, type Transform } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import {
  createBrotliCompress,
  createBrotliDecompress,
  createDeflate,
  createGunzip,
  createGzip,
  createInflate,
} from 'node:zlib'
import {
  dataOffset,
  formatOf,
  insertFrom,
  isStreamable,
  preparingStatements,
  quote,
  revertingStatements,
} from './statement.ts'

interface Session {
  queryAsync(
    sql: string,
    options: { format: string },
  ): Promise<{ bytes(): Uint8Array; rowsRead: number; bytesRead: number }>
  queryStream(sql: string, options: { format: string }): AsyncIterable<{ raw(): Uint8Array }>
  close(): void
}

// Lower priority, so that the mock stays responsive.
setPriority(10)
const [library = '', data = '', socket = ''] = process.argv.slice(2)
const { Session } = createRequire(library)(library) as { readonly Session: new (path: string) => Session }
/** Keeps the folder open. Concurrent calls have sessions of their own, with their own settings and temporary tables. */
const base = new Session(data)
const spool = join(data, '..', 'spool')
mkdirSync(spool, { recursive: true })

interface NamedSession {
  readonly session: Session
  expires?: NodeJS.Timeout
  isBusy: boolean
}

/** Limit of concurrent calls; further calls wait. */
const maxConcurrentCalls = 8
/** The state of the process in memory. Sessions are reused, because opening one takes 60 ms. */
const pool = {
  running: 0,
  files: 0,
  waiting: [] as (() => void)[],
  named: new Map<string, NamedSession>(),
  free: { writing: [] as Session[], reading: [] as Session[] },
  retired: [] as Session[],
  version: '',
  timezone: '',
}

async function acquireSlot(): Promise<void> {
  if (pool.running >= maxConcurrentCalls) await new Promise<void>(resolve => pool.waiting.push(resolve))
  pool.running++
}

function releaseSlot(): void {
  pool.running--
  // The library may crash when a session is closed while another one runs a statement.
  if (pool.running === 0) for (const session of pool.retired.splice(0)) session.close()
  pool.waiting.shift()?.()
}

const createException = (code: number, label: string, sentence: string) =>
  new Error(`Code: ${code}. DB::Exception: ${sentence} (${label})`)
const notImplementedError = (sentence: string) => createException(48, 'NOT_IMPLEMENTED', sentence)

interface SessionLease {
  readonly session: Session
  /** Returns the session to the pool after the statement `sql`. */
  release(query: URLSearchParams, sql: string): Promise<void>
}

/** The session of a `session_id`, which keeps settings and temporary tables between calls; else any free session. */
async function openSession(query: URLSearchParams, isRead: boolean): Promise<SessionLease> {
  const id = query.get('session_id')
  if (id !== null) return openNamed(`${isRead ? 'reading' : 'writing'} ${id}`, query, isRead)
  const free = pool.free[isRead ? 'reading' : 'writing']
  const session = free.pop() ?? (await newSession(isRead))
  return {
    session,
    async release(query, sql) {
      const isReverted = await revert(session, query).catch(() => false)
      const isChanged = !isReverted || /^\s*(?:SET|USE|CREATE\s+TEMPORARY)\b/i.test(sql) || query.has('readonly')
      void (isChanged ? pool.retired : free).push(session)
    },
  }
}

async function newSession(isRead: boolean): Promise<Session> {
  const session = new Session(data)
  if (isRead) await session.queryAsync('SET readonly = 2', { format: 'Null' })
  return session
}

async function revert(session: Session, query: URLSearchParams): Promise<true> {
  for (const statement of revertingStatements(query)) await session.queryAsync(statement, { format: 'Null' })
  return true
}

async function openNamed(id: string, query: URLSearchParams, isRead: boolean): Promise<SessionLease> {
  const seconds = Math.min(3600, Number(query.get('session_timeout') ?? 60) || 60)
  const known = pool.named.get(id)
  if (known?.isBusy) throw createException(373, 'SESSION_IS_LOCKED', 'The session is locked by a concurrent client')
  if (!known && query.get('session_check') === '1') throw createException(372, 'SESSION_NOT_FOUND', 'Session not found')
  const named: NamedSession = known ?? { session: await newSession(isRead), isBusy: true }
  clearTimeout(named.expires)
  named.isBusy = true
  pool.named.set(id, named)
  const forget = () => {
    pool.retired.push(named.session)
    pool.named.delete(id)
  }
  return {
    session: named.session,
    async release() {
      named.isBusy = false
      named.expires = setTimeout(forget, seconds * 1000)
    },
  }
}

const deflaters: Readonly<Record<string, () => Transform>> = {
  gzip: createGzip,
  deflate: createDeflate,
  br: createBrotliCompress,
}
const inflaters: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}
/** The compressions that the library reads. HTTP has the same names for them. */
const compressions = ['br', 'deflate', 'gzip', 'lz4', 'xz', 'zstd', 'bz2', 'snappy']

/** The media type of a format: that of the first pattern that matches its name. */
const mediaTypes: readonly (readonly [RegExp, string])[] = [
  [/^csvwithnames$/i, 'text/csv; charset=UTF-8; header=present'],
  [/^csv$/i, 'text/csv; charset=UTF-8; header=absent'],
  [/^json(?:compact)?$/i, 'application/json; charset=UTF-8'],
  [/^jsoneachrow$/i, 'application/x-ndjson; charset=UTF-8'],
  [/^(?:native|parquet|rowbinary)$/i, 'application/octet-stream'],
  [/^(?:tabseparated|tsv)$/i, 'text/tab-separated-values; charset=UTF-8'],
]

const inflate = (request: IncomingMessage): Readable => {
  const encoding = request.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return request
  const inflater = inflaters[encoding]?.()
  if (!inflater)
    throw notImplementedError(`Content-Encoding ${encoding} is not read here: send identity, gzip, deflate or br`)
  request.on('error', error => inflater.destroy(error))
  return request.pipe(inflater)
}

/** Reads the statement of a call. The data of an INSERT are written to a file, from which the statement reads them. */
async function readStatement(
  request: IncomingMessage,
  query: URLSearchParams,
  session: Session,
  temporaryFile: (file: string) => string,
) {
  const statement = query.get('query') ?? ''
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
  if (!hasBody) return statement
  if (query.get('decompress') === '1')
    throw notImplementedError("decompress=1, ClickHouse's own compression, is not read here: use Content-Encoding")
  const encoding = request.headers['content-encoding'] ?? 'identity'
  const compression = encoding === 'identity' ? 'none' : encoding
  if (encoding !== 'identity' && !compressions.includes(encoding))
    throw createException(89, 'UNKNOWN_COMPRESSION_METHOD', `Unknown compression method ${encoding}`)
  const file = temporaryFile('data')
  if (insertFrom(statement, file, compression)) {
    await pipeline(request, createWriteStream(file))
    return insertFrom(statement, file, compression)!
  }
  if (statement !== '') return `${statement}\n${await text(inflate(request))}`
  if (encoding in inflaters || encoding === 'identity') await pipeline(inflate(request), createWriteStream(file))
  else {
    // Only the library can inflate the other encodings: it writes the result into another file.
    const packed = temporaryFile('packed')
    await pipeline(request, createWriteStream(packed))
    await session.queryAsync(
      `SELECT * FROM file(${quote(packed)}, 'RawBLOB', 'b String', ${quote(compression)}) INTO OUTFILE ${quote(file)} FORMAT RawBLOB`,
      { format: 'RawBLOB' },
    )
  }
  const head = await buffer(createReadStream(file, { end: 65_535 }))
  const offset = dataOffset(head.toString('latin1'))
  if (offset === undefined) return text(createReadStream(file))
  const rows = temporaryFile('rows')
  await pipeline(createReadStream(file, { start: offset }), createWriteStream(rows))
  return insertFrom(head.subarray(0, offset).toString(), rows, 'none')!
}

interface Result {
  readonly pieces: AsyncIterable<Uint8Array>
  readonly summary?: Readonly<Record<string, string>>
}

/** Runs a statement, as a stream where possible: the library rejects other statements before it runs anything. */
async function run(session: Session, sql: string, format: string, mayStream: boolean): Promise<Result> {
  if (mayStream && isStreamable(sql, format)) {
    try {
      const stream = session.queryStream(sql, { format })[Symbol.asyncIterator]()
      const first = await stream.next()
      return { pieces: piecesOf(first, stream) }
    } catch (error) {
      if (!/Streaming query is not supported/.test((error as Error).message)) throw error
    }
  }
  const result = await session.queryAsync(sql, { format })
  const isInsert = /^\s*INSERT\b/i.test(sql)
  const rows = String(result.rowsRead)
  const bytes = String(result.bytesRead)
  const counts = isInsert ? { written_rows: rows, written_bytes: bytes } : { read_rows: rows, read_bytes: bytes }
  return {
    pieces: Readable.from([result.bytes()]),
    summary: { read_rows: '0', read_bytes: '0', written_rows: '0', written_bytes: '0', ...counts },
  }
}

type Pieces = AsyncIterator<{ raw(): Uint8Array }>
async function* piecesOf(first: IteratorResult<{ raw(): Uint8Array }>, stream: Pieces): AsyncGenerator<Uint8Array> {
  try {
    for (let next = first; !next.done; next = await stream.next()) yield next.value.raw()
  } finally {
    await stream.return?.()
  }
}

/** The HTTP status with which ClickHouse answers an exception: 404 for unknown names, else by code. */
const statuses: Readonly<Record<number, number>> = { 62: 400, 48: 501, 159: 408 }
const statusOf = (code: number) => ([46, 47, 60, 73, 81, 115].includes(code) ? 404 : (statuses[code] ?? 500))

function refuse(response: ServerResponse, error: unknown): void {
  const sentence = (error as Error).message.replace(/^Query failed: /, '').trim()
  const labelled = /^Code: \d+/.test(sentence) ? sentence : `Code: 1001. DB::Exception: ${sentence} (STD_EXCEPTION)`
  const code = Number(/^Code: (\d+)/.exec(labelled)![1])
  const message = `${labelled}${/\(version /.test(labelled) ? '' : ` (version ${pool.version} (chdb))`}\n`
  if (response.headersSent) {
    // The headers are sent: as in ClickHouse, the exception ends the body, and the connection is closed.
    response.write(message, () => response.destroy())
    return
  }
  response
    .writeHead(statusOf(code), { 'content-type': 'text/plain; charset=UTF-8', 'x-clickhouse-exception-code': code })
    .end(message)
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const query = new URL(request.url ?? '/', 'http://service').searchParams
  const temporaryFiles: string[] = []
  const temporaryFile = (name: string) => {
    temporaryFiles.push(join(spool, `${++pool.files}-${name}`))
    return temporaryFiles.at(-1)!
  }
  const closed = new AbortController()
  response.once('close', () => closed.abort())
  await acquireSlot()
  let lease: SessionLease | undefined
  let sql = ''
  try {
    if (query.get('compress') === '1')
      throw notImplementedError("compress=1, ClickHouse's own compression, is not written here: use Accept-Encoding")
    // Checked first, because the parameters of external tables would be read as settings.
    if (/^multipart\//.test(request.headers['content-type'] ?? ''))
      throw notImplementedError('External tables are not taken here')
    // A GET only reads, as with ClickHouse.
    const isRead = request.method === 'GET' || request.headers['x-stack-parity-read-only'] !== undefined
    lease = await openSession(query, isRead)
    const { session } = lease
    for (const statement of preparingStatements(query, isRead)) await session.queryAsync(statement, { format: 'Null' })
    sql = await readStatement(request, query, session, temporaryFile)
    const defaultFormat = String(
      request.headers['x-clickhouse-format'] ?? query.get('default_format') ?? 'TabSeparated',
    )
    const { pieces, summary } = await run(session, sql, defaultFormat, query.get('wait_end_of_query') !== '1')
    const format = formatOf(sql, defaultFormat)
    const encoding = query.get('enable_http_compression') === '1' ? acceptedEncodingOf(request) : undefined
    response.writeHead(200, {
      'content-type': mediaTypes.find(([pattern]) => pattern.test(format))?.[1] ?? 'text/plain; charset=UTF-8',
      'x-clickhouse-format': format,
      'x-clickhouse-query-id': query.get('query_id') ?? crypto.randomUUID(),
      'x-clickhouse-timezone': pool.timezone,
      'x-clickhouse-server-display-name': 'service',
      ...(summary && { 'x-clickhouse-summary': JSON.stringify(summary) }),
      ...(encoding && { 'content-encoding': encoding }),
    })
    const body = Readable.from(pieces)
    // A later failure is appended as text. A compressed body cannot contain text, and is only cut off.
    if (encoding) await pipeline(body, deflaters[encoding]!(), response)
    else {
      for await (const piece of body) {
        if (response.destroyed) break
        // Waits until the response accepts more data, or is closed.
        if (!response.write(piece)) await once(response, 'drain', { signal: closed.signal }).catch(() => {})
      }
      response.end()
    }
  } catch (error) {
    request.resume()
    if (!response.destroyed) refuse(response, error)
  } finally {
    await lease?.release(query, sql)
    for (const file of temporaryFiles) rmSync(file, { force: true })
    releaseSlot()
  }
}

const acceptedEncodingOf = ({ headers }: IncomingMessage) =>
  String(headers['accept-encoding'] ?? '')
    .split(',')
    .map(one => one.split(';')[0]!.trim())
    .find(one => one in deflaters)

async function main(): Promise<void> {
  const result = await base.queryAsync('SELECT version(), timezone()', { format: 'TSV' })
  const [version = '', timezone = ''] = Buffer.from(result.bytes()).toString().trim().split('\t')
  Object.assign(pool, { version, timezone })
  process.on('disconnect', () => process.exit(0))
  // Connections stay open: if one is closed right after an answer, the end of its request can fail.
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    answer(request, response).catch(() => response.destroy())
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 0 }, handle)
  server.listen(socket, () => process.send?.('ready'))
}

main().catch(() => process.exit(1))
