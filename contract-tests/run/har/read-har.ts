import { countValues, parseJson } from '../../engine/exchange.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { REDACTED } from '../../engine/redact.ts'
import { isRead } from '../../engine/step.ts'
import { UsageError } from '../../engine/target/target.ts'
import { causes } from './decode-bodies.ts'
import { isSecretHeader } from './secrets.ts'

/** One entry of a recording. */
export interface RecordedEntry {
  /** The position of the entry in the recording, from 1. */
  readonly number: number
  readonly method: string
  readonly origin: string
  readonly path: string
  /** With its `?`, or empty. */
  readonly query: string
  /** Values of headers that carry credentials are redacted. */
  readonly headers: Headers
  /** The scheme of the Authorization header in lower case, `''` for any other than Basic and Bearer. */
  readonly scheme?: string
  /** True when something else in the request may have been its credentials. */
  readonly otherCredentials: boolean
  readonly body: string | null
  /** False when there was a body that the recording cut or left out. */
  readonly bodyIsWhole: boolean
  readonly status: number
  readonly answerHeaders: Headers
  readonly text: string
  /** Why the text could not be read. */
  readonly unread?: string
  readonly json: unknown
  readonly startedAt: number
  readonly endedAt: number
  readonly ms: number
}

type Headers = Readonly<Record<string, string>>

/**
 * Reads a recording (HAR 1.2). For each entry that is no exchange with a server (aborted, from a cache, a preflight, a
 * duplicate) `leftOut` has the reason. `unanswered` has the writes among them that may have had an effect all the same.
 * @throws UsageError with a sentence if the value is no such recording.
 */
export function readHar(har: unknown): {
  readonly recorded: readonly RecordedEntry[]
  readonly leftOut: readonly string[]
  readonly unanswered: readonly RecordedEntry[]
} {
  const log = isObject(har) ? har.log : undefined
  if (!isObject(log) || !Array.isArray(log.entries))
    throw new UsageError('it is no recording: `log.entries` of HAR 1.2 was expected.')
  const seen = new Set<string>()
  const leftOut: string[] = []
  const unanswered: RecordedEntry[] = []
  const leaveOut = (why: string) => {
    leftOut.push(why)
    return []
  }
  const recorded = log.entries.flatMap((entry, index) => {
    if (!isObject(entry) || !isObject(entry.request) || !isObject(entry.response))
      return leaveOut('it has no request or no response')
    if (isFromCache(entry)) return leaveOut('its answer came out of a cache')
    const one = readEntry(entry, entry.request, entry.response)
    if (!one) return leaveOut('its request has no method or no whole address')
    const { method, origin, path, query, startedAt, status, text } = one
    if (status < 200) {
      if (!isRead(method)) unanswered.push({ number: index + 1, ...one })
      return leaveOut('no answer came: it was aborted or blocked, or became a web socket')
    }
    if (method === 'OPTIONS' || method === 'CONNECT') return leaveOut('it is a preflight, or opens a tunnel')
    const key = JSON.stringify([method, origin, path, query, entry.startedDateTime ?? startedAt, status, text])
    if (seen.has(key)) return leaveOut('it is a duplicate')
    seen.add(key)
    return [{ number: index + 1, ...one }]
  })
  return { recorded, leftOut, unanswered }
}

function readEntry(
  entry: JsonObject,
  request: JsonObject,
  response: JsonObject,
): Omit<RecordedEntry, 'number'> | undefined {
  if (typeof request.url !== 'string' || typeof request.method !== 'string' || !URL.canParse(request.url))
    return undefined
  const { origin, pathname, search, username } = new URL(request.url)
  const headers = readHeaders(request.headers)
  const answerHeaders = readHeaders(response.headers)
  const { authorization } = headers
  const body = readBody(request, headers)
  const answer = readAnswer(response, answerHeaders)
  const startedAt = Date.parse(String(entry.startedDateTime))
  const ms = typeof entry.time === 'number' && entry.time >= 0 ? entry.time : Number.NaN
  return {
    method: request.method.toUpperCase(),
    origin,
    path: pathname,
    query: search,
    headers: clean(headers),
    scheme: authorization && (/^\s*(basic|bearer)\b/i.exec(authorization)?.[1]?.toLowerCase() ?? ''),
    otherCredentials:
      username !== '' ||
      Object.keys(headers).some(name => name !== 'authorization' && isSecretHeader(name)) ||
      (Array.isArray(request.cookies) && request.cookies.length > 0) ||
      /[?&][^=&]*(?:key|token|secret|auth)[^=&]*=/i.test(search),
    ...body,
    status: Number(response.status) || 0,
    answerHeaders: clean(answerHeaders),
    ...answer,
    startedAt,
    endedAt: startedAt + ms,
    ms: Number.isNaN(ms) ? 0 : Math.round(ms * 100) / 100,
  }
}

function readHeaders(list: unknown): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const header of Array.isArray(list) ? list : []) {
    if (!isObject(header) || typeof header.name !== 'string' || header.name.startsWith(':')) continue
    const name = header.name.toLowerCase()
    const value = String(header.value ?? '')
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value
  }
  return headers
}

const clean = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isSecretHeader(name) ? REDACTED : value]))

function readBody(request: JsonObject, headers: Headers): { body: string | null; bodyIsWhole: boolean } {
  const data = isObject(request.postData) ? request.postData : undefined
  const announced = Number(headers['content-length'] ?? request.bodySize ?? 0)
  if (typeof data?.text !== 'string' || data.text === '') return { body: null, bodyIsWhole: !(announced > 0) && !data }
  return { body: data.text, bodyIsWhole: parseJson(data.text) !== undefined || !(announced > bytesOf(data.text)) }
}

/** The body of an answer as text. A recorder may leave it out or cut it. */
function readAnswer(response: JsonObject, headers: Headers): Pick<RecordedEntry, 'text' | 'unread' | 'json'> {
  const content = isObject(response.content) ? response.content : {}
  if (!headers['content-type'] && typeof content.mimeType === 'string' && content.mimeType.includes('/'))
    Object.assign(headers, { 'content-type': content.mimeType })
  const size = Math.max(
    Number(content.size) || 0,
    headers['content-encoding'] ? 0 : Number(headers['content-length']) || 0,
  )
  const isEmpty = response.status === 204 || headers['content-length'] === '0' || content.size === 0
  if (typeof content.text !== 'string' || content.text === '') {
    const isWhole = isEmpty && !(size > 0) && !content.comment
    const cause = Object.values(causes).find(one => one === content.comment) ?? 'the recorder left it out'
    return { text: '', json: undefined, ...(!isWhole && { unread: cause }) }
  }
  const { text } = content
  const parsed = parseJson(text)
  // Some checks could not follow more than 100 levels.
  const json = countValues(parsed, 100) === Number.POSITIVE_INFINITY ? undefined : parsed
  // Text that is no JSON counts as cut if it begins like JSON and ends too soon.
  const isCut =
    json === undefined &&
    /^\s*[[{"]/.test(text) &&
    (bytesOf(text) < size || /truncat/i.test(String(content.comment ?? '')))
  return isCut ? { text: '', json: undefined, unread: 'the recorder cut it' } : { text, json }
}

const bytesOf = (text: string) => new TextEncoder().encode(text).length

/** A cached answer has an old requestId. */
function isFromCache(entry: JsonObject): boolean {
  const headers = readHeaders((entry.response as JsonObject).headers)
  return (
    (entry._fromCache !== undefined && entry._fromCache !== null && entry._fromCache !== false) ||
    Number(headers.age) > 0 ||
    /\bhit\b/i.test(`${headers['x-cache'] ?? ''} ${headers['cf-cache-status'] ?? ''}`)
  )
}
