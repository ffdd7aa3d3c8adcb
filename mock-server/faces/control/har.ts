import { STATUS_CODES } from 'node:http'
import type { JournalEntry, TargetFile } from '../../mock/mock.ts'

const listHeaders = (headers: Readonly<Record<string, string | undefined>>) =>
  Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]))

/** Fields that HAR requires and the journal does not have. */
const unknownFields = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }

/** Calls of the journal as HAR 1.2, the oldest first; without SQL and webhooks, which are no calls to the API. */
export function writeHar(calls: readonly JournalEntry[], { cloud, selfHosted }: TargetFile, version = ''): object {
  const bases = { cloud: cloud?.baseUrl, selfHosted: selfHosted?.baseUrl }
  const entries = calls.toReversed().flatMap(entry => {
    const base = entry.host === 'webhook' || entry.host === 'sql' ? undefined : bases[entry.host]
    return base === undefined ? [] : [writeEntry(entry, base)]
  })
  return { log: { version: '1.2', creator: { name: 'stack-parity', version }, entries } }
}

function writeEntry({ at, ms, request, response, because, client, isCut }: JournalEntry, base: string): object {
  const { method, path, headers, body } = request
  const url = `${base}${path}`
  const query = path.includes('?') ? [...new URLSearchParams(path.slice(path.indexOf('?') + 1))] : []
  const mimeType = response.headers['content-type'] ?? 'x-unknown'
  return {
    startedDateTime: new Date(Date.parse(at) - ms).toISOString(),
    time: ms,
    request: {
      ...unknownFields,
      method,
      url,
      headers: listHeaders(headers),
      queryString: query.map(([name, value]) => ({ name, value })),
      ...(body !== '' && { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
      bodySize: isCut ? -1 : Buffer.byteLength(body),
    },
    response: {
      ...unknownFields,
      status: response.status,
      statusText: STATUS_CODES[response.status] ?? '',
      headers: listHeaders(response.headers),
      content: {
        size: isCut ? -1 : Buffer.byteLength(response.body),
        mimeType,
        text: response.body,
        ...(isCut && { comment: 'truncated' }),
      },
      redirectURL: response.headers.location ?? '',
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    _client: client,
    ...(because.instead && { _instead: because.instead }),
    comment: because.why,
  }
}
