/** Answers the SQL of services. A service is named by the id of the primary of its warehouse, which holds the data. */
export interface SqlEngine {
  /** What it is, without credentials. */
  readonly name: string
  /** Passes a call on to a service, whose process or database is made when there is none yet. Throws an `SqlException`. */
  run(service: string, call: SqlCall): Promise<SqlAnswer>
  /** The services that something is held for. */
  held(): readonly string[]
  /** Ends the process of an idle or stopped service; its data stays. */
  suspend(service: string): void
  /** Deletes a service with its data. */
  drop(service: string): Promise<void>
  /** Ends all that was started. What is kept with a state stays, all other data is deleted. */
  close(): Promise<void>
}

/** A call of ClickHouse's HTTP interface, without credentials: whether they are good is decided before. */
export interface SqlCall {
  readonly method: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: AsyncIterable<Uint8Array> | string
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
  /** Whether the caller may only read. */
  readonly isReadOnly?: boolean
}

/** A call of the HTTP interface of a service as it came, with whatever credentials: `query` is as sent. */
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

/** Why there is no engine, in a sentence for the person who starts the mock. */
export class SqlRefused extends Error {}

/** An answer in ClickHouse's own form of an exception. */
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
