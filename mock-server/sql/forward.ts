import { type Agent, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type SqlAnswer, type SqlCall, SqlException } from '../words/sql.ts'

/** Where an engine listens: at an address, which needs the headers of a user, or at a local socket. */
export interface Destination {
  readonly agent: Agent
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly socketPath?: string
}

/** The headers of a call that are forwarded: neither credentials nor cookies. */
const forwardedHeaders = [
  'accept',
  'accept-encoding',
  'content-encoding',
  'content-length',
  'content-type',
  'transfer-encoding',
  'user-agent',
  'x-clickhouse-format',
]
/** The headers of an answer that are removed: those of the connection, and those that would admit pages of other origins. */
const removedHeaders = /^(?:connection|keep-alive|transfer-encoding|set-cookie|access-control-.*)$/

/** Passes a call on and streams its answer. The bodies are unchanged. */
export function forward(to: Destination, call: SqlCall): Promise<SqlAnswer & { readonly body: Readable }> {
  const { method, body, signal } = call
  const headers: Record<string, string> = { ...to.headers }
  for (const name of forwardedHeaders) if (call.headers[name] !== undefined) headers[name] = call.headers[name]
  // The library has no users: a header says that the caller may only read.
  if (call.isReadOnly && to.socketPath) headers['x-stack-parity-read-only'] = '1'
  if (typeof body === 'string') headers['content-length'] = String(Buffer.byteLength(body))
  const path = `/?${call.query}`
  return new Promise((resolve, reject) => {
    const fail = (error: Error) =>
      reject(signal?.aborted ? error : new SqlException(210, 'NETWORK_ERROR', unreachable, 503))
    const { agent, socketPath, url = 'http://localhost' } = to
    const send = url.startsWith('https:') ? requestHttps : requestHttp
    const request = send(url, { method, headers, path, signal, agent, socketPath })
    request.once('error', fail)
    request.once('response', response => {
      const { statusCode = 502, headers } = response
      const kept = Object.entries(headers).filter(([name]) => !removedHeaders.test(name))
      resolve({
        status: statusCode,
        headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
        body: response,
      })
    })
    if (typeof body === 'string') request.end(body)
    // An engine may answer and close before it has read the whole body: the answer is valid.
    else pipeline(Readable.from(body), request).catch(() => {})
  })
}

const unreachable = 'The connection to the service was lost. Please try again'
