/** Runs the SQL of services. It knows a service by the id of the primary of its warehouse, which holds the data. */
export interface SqlEngine {
  /** Its name or address, without credentials. */
  readonly name: string
  /** Forwards a call to a service, and creates its process or database if there is none. Throws an `SqlException`. */
  run(service: string, call: SqlCall): Promise<SqlAnswer>
  /** The services whose data the engine has. */
  listServices(): readonly string[]
  /** Ends the process of an idle or stopped service; its data stays. */
  suspend(service: string): void
  /** Deletes a service with its data. */
  drop(service: string): Promise<void>
  /** Ends all processes and deletes all data that is not kept with a state. */
  close(): Promise<void>
}

/** A call of ClickHouse's HTTP interface, without the credentials, which were checked before. */
export interface SqlCall {
  readonly method: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Uint8Array> | string
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal
  /** Whether the caller may only read. */
  readonly isReadOnly?: boolean
}

/** A call of the HTTP interface of a service as received, with its credentials: `query` is as sent. */
export interface SqlRequest extends Omit<SqlCall, 'query' | 'isReadOnly'> {
  readonly path: string
  readonly query: string
  /** The address of the client, if the face knows it. */
  readonly address?: string | undefined
}

export interface SqlAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: AsyncIterable<Uint8Array>
}

/** The engine cannot be used. The message addresses the person who starts the mock. */
export class SqlRefused extends Error {}

/** An exception that is answered as ClickHouse answers one. */
export class SqlException extends Error {
  constructor(
    readonly code: number,
    readonly label: string,
    sentence: string,
    readonly status = 500,
  ) {
    super(`Code: ${code}. DB::Exception: ${sentence} (${label})`)
  }
}

export const answerException = ({ code, message, status }: SqlException, headers: Record<string, string> = {}) => ({
  status,
  headers: {
    'content-type': 'text/plain; charset=UTF-8',
    'x-clickhouse-exception-code': String(code),
    ...headers,
  } as Record<string, string>,
  body: `${message}\n`,
})

export async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text)
}

export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
