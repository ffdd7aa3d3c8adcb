import type { Form, OwnAnswer, Page as Paging } from '../../../fixtures/contract/index.ts'
import type { Answer, Call } from '../../words/call.ts'
import type { Cause } from '../../words/cause.ts'
import { invalidAt, type Refusal } from '../../words/refusal.ts'
import type { Page, Reply } from '../../words/reply.ts'
import { type Context, choiceOf } from '../context.ts'
import { causeOfOptions, causeOfRefusal, causeOfSuccess, gapOf } from './cause-of.ts'
import { completeAnswer } from './complete-answer.ts'
import { nameOfStatus, statusOfKind, writeCloudMessage, writeSelfHostedMessage } from './refusal-sentence.ts'

export type ReplyContext = Pick<
  Context,
  'core' | 'call' | 'form' | 'listener' | 'match' | 'id' | 'operation' | 'choiceOfGap' | 'headers' | 'cors'
>

const jsonType = 'application/json; charset=utf-8'
const textType = 'text/plain; charset=utf-8'
const htmlType = 'text/html; charset=utf-8'

export function writeReply(reply: Reply, context: ReplyContext): Answer {
  return withCause(finish(write(reply, context), context), causeOfSuccess(context))
}

export function writeRefusal(refusal: Refusal, context: ReplyContext): Answer {
  const gap = gapOf(refusal, context)
  const choice = gap && context.core.contract.gaps[gap].kind === 'refusal' ? choiceOf(context, gap) : undefined
  const [status, shape] = parseChoice(choice, statusOfKind[refusal.kind])
  const answer = writeRefusalAs(refusal, status, shape, context)
  return withCause(finish(answer, context, refusal.details.isBodyUnread), causeOfRefusal(refusal, status, context))
}

const withCause = ({ status, headers, body }: Answer, cause: Cause): Answer => ({ status, headers, body, cause })

function writeRefusalAs(refusal: Refusal, status: number, shape: string, context: ReplyContext): Answer {
  const { call, form } = context
  // Some deployments answer the deletion of an unknown record with success.
  if (status < 300) return writeDeletedAs(status, shape, context)
  const headers: Record<string, string> = {}
  if (status === 405 && refusal.details.allow !== undefined) headers.allow = refusal.details.allow
  if (status === 401 && choiceOf(context, 'auth/challenge') === 'present') {
    headers['www-authenticate'] = form === 'selfHosted' ? 'Bearer' : 'Basic realm="cloud", charset="UTF-8"'
  }
  if (refusal.kind === 'rateLimited') return writeRateLimited(form, headers)
  if (refusal.details.ownBody) return writeJson(status, JSON.stringify(refusal.details.ownBody.json), headers)
  if (shape === 'json') {
    const body =
      form === 'selfHosted' ? writeSelfHostedError(refusal, status, context) : writeCloudError(refusal, status, context)
    return writeJson(status, body, headers)
  }
  if (shape === 'text') return writeStatusText(status, headers)
  return shape === 'html' ? renderErrorPage(status, call, headers) : { status, headers, body: '' }
}

/** Answers OPTIONS, without authentication and on any path. */
export function writeOptions({ call, form, match, cors }: ReplyContext): Answer {
  const allow = match.refusal?.details.allow
  const headers: Record<string, string> = { ...cors.headersByForm[form] }
  if (allow !== undefined && form !== 'selfHosted') headers.allow = allow
  if (form === 'selfHosted' && cors.isAsDeployed) {
    headers.vary = 'Origin, Access-Control-Request-Headers'
    headers['access-control-allow-methods'] = 'GET,HEAD,PUT,PATCH,POST,DELETE'
    const requestedHeaders = call.headers['access-control-request-headers']
    if (requestedHeaders !== undefined) headers['access-control-allow-headers'] = requestedHeaders
  }
  return { status: 204, headers, body: '', cause: causeOfOptions }
}

function write(reply: Reply, context: ReplyContext): Answer {
  const status = statusOf(context)
  if (context.operation?.ownAnswer) return writeOwnAnswer(reply, context, context.operation.ownAnswer)
  if (reply.kind === 'deleted') return writeDeleted(context)
  if (reply.kind === 'bare') return writeJson(status, reply.json, {})
  if (reply.kind === 'text')
    return { status: 200, headers: { 'content-type': context.operation!.mediaType! }, body: reply.text }
  if (reply.kind === 'records') return writeRecords(reply, context)
  const { json, meta } = reply
  // Only a document of the user gives pages to a list whose family has none.
  if (reply.kind === 'list' && context.operation?.page && context.form !== 'selfHosted')
    return writeRecords({ kind: 'records', records: JSON.parse(json) }, context)
  if (context.form !== 'selfHosted') return writeEnvelope(status, json)
  if (!meta) return writeJson(status, `{"data":${json}}`, {})
  const headers = { 'x-total-count': String(meta.total) }
  return writeJson(status, `{"data":${json},"meta":${JSON.stringify(meta)}}`, headers)
}

function writeRecords({ records, resultOf }: Extract<Reply, { kind: 'records' }>, context: ReplyContext): Answer {
  const paging = context.operation!.page
  if (!paging) return write({ kind: 'list', json: JSON.stringify(records) }, context)
  const page = cutPage(records, context)
  if (context.form === 'selfHosted') return write({ kind: 'list', json: JSON.stringify(page.records) }, context)
  if (resultOf) return writeEnvelope(statusOf(context), JSON.stringify(resultOf(page)))
  return writeEnvelope(statusOf(context), JSON.stringify(page.records), pageFieldsOf(page, paging))
}

/** Writes what only a document of the user describes: an example of its schema, with the result in its place. */
function writeOwnAnswer(reply: Reply, context: ReplyContext, { field, path }: OwnAnswer): Answer {
  const status = statusOf(context)
  // Families have lists of known operations as text, some of which the document gives pages.
  if (reply.kind === 'list' && context.operation?.page)
    return writeOwnAnswer({ kind: 'records', records: JSON.parse(reply.json) }, context, { field, path })
  if (reply.kind !== 'records') {
    const result: unknown = 'json' in reply ? JSON.parse(reply.json) : undefined
    return writeJson(
      status,
      JSON.stringify(completeAnswer(field, path, { status, requestId: newRequestId(), result })),
      {},
    )
  }
  const { limit, records, ...page } = cutPage(reply.records, context)
  const values = { status, requestId: newRequestId(), result: records, page: { ...page, limit } }
  return writeJson(status, JSON.stringify(completeAnswer(field, path, values)), {})
}

function writeDeleted(context: ReplyContext): Answer {
  const defaultStatus = context.operation?.successStatus ?? 200
  const [status, shape] = parseChoice(choiceIfAny(context, `${resourceOf(context)}/delete-answer`), defaultStatus)
  return writeDeletedAs(status, shape, context)
}

function writeDeletedAs(status: number, shape: string, context: ReplyContext): Answer {
  if (shape === 'text') return writeStatusText(status, {})
  if (shape !== 'json') return { status, headers: {}, body: '' }
  if (context.form === 'selfHosted') return writeJson(status, '{}', {})
  return writeEnvelope(status, choiceOf(context, 'envelope/delete-result') === 'absent' ? undefined : '{}')
}

const resourceOf = ({ id }: ReplyContext) => id?.split('.')[0] ?? ''
/** The choice for a gap; undefined if there is no such gap. */
const choiceIfAny = ({ choiceOfGap }: ReplyContext, gap: string): string | undefined => choiceOfGap[gap]

/** The status of a success: fixed by the operation, chosen by the gap for creations, or 200. */
function statusOf(context: ReplyContext): number {
  if (context.operation?.successStatus) return context.operation.successStatus
  if (!context.id?.endsWith('.create')) return 200
  return Number(choiceIfAny(context, `${resourceOf(context)}/create-status`) ?? 200)
}

const writeEnvelope = (status: number, json: string | undefined, fields?: object): Answer => {
  const result = json === undefined ? '' : `,"result":${json}`
  const furtherFields = fields ? `,${JSON.stringify(fields).slice(1, -1)}` : ''
  return writeJson(status, `{"status":${status},"requestId":"${newRequestId()}"${result}${furtherFields}}`, {})
}

function writeJson(status: number, body: string, headers: Record<string, string>): Answer {
  // Statuses without a body, which a baseline may choose for creations.
  if (status === 204 || status === 205) return { status, headers: {}, body: '' }
  headers['content-type'] = jsonType
  return { status, headers, body }
}

function writeCloudError(refusal: Refusal, status: number, context: ReplyContext): string {
  const error = writeCloudMessage(refusal, status)
  return choiceOf(context, 'envelope/request-id-on-refusals') === 'absent'
    ? JSON.stringify({ status, error })
    : JSON.stringify({ status, requestId: newRequestId(), error, ...refusal.details.fields })
}

function writeSelfHostedError(refusal: Refusal, status: number, context: ReplyContext): string {
  const sentence = writeSelfHostedMessage(refusal, status)
  // Errors of a chart query while it runs are always under `error`; others are where the choice says.
  const isRunTimeError = refusal.kind === 'unknownSource' || (refusal.kind === 'unreadableWhere' && status >= 500)
  const isFailedChart = refusal.kind === 'failed' && context.id === 'chart.query'
  const field = isRunTimeError || isFailedChart ? 'error' : choiceOf(context, 'error/self-hosted-body')
  return JSON.stringify({ [field]: sentence })
}

function writeRateLimited(form: Form, headers: Record<string, string>): Answer {
  if (form !== 'selfHosted') return writeJson(429, '{"error":"TOO_MANY_REQUESTS"}', headers)
  headers['content-type'] = htmlType
  return { status: 429, headers, body: 'Too many requests, please try again later.' }
}

const writeStatusText = (status: number, headers: Record<string, string>): Answer => ({
  status,
  headers: { ...headers, 'content-type': textType },
  body: nameOfStatus[status] ?? String(status),
})

/** The error page of Express, with which deployments answer outside their routes. */
function renderErrorPage(status: number, call: Call, headers: Record<string, string>): Answer {
  const sentence = status === 404 ? `Cannot ${call.method} ${call.path}` : (nameOfStatus[status] ?? String(status))
  const body = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Error</title>
</head>
<body>
<pre>${escapeHtml(sentence)}</pre>
</body>
</html>
`
  headers['content-security-policy'] = "default-src 'none'"
  headers['x-content-type-options'] = 'nosniff'
  headers['content-type'] = htmlType
  return { status, headers, body }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, character => entities[character]!)

/** Completes an answer: CORS headers, the entity tag, 304 for a known one, and no body for HEAD. */
function finish(answer: Answer, context: ReplyContext, isBodyUnread = false): Answer {
  const { call, form, cors } = context
  const { status, headers, body } = answer
  Object.assign(headers, context.headers, isBodyUnread ? cors.headersIfUnread[form] : cors.headersByForm[form])
  const isHead = call.method === 'HEAD'
  // Express has no entity tag for its error page, which alone has this header.
  const isErrorPage = headers['content-security-policy'] !== undefined
  if (form === 'selfHosted' && body !== '' && !isErrorPage) {
    headers.etag ??= weakTag(body)
    const isRead = status === 200 && (isHead || call.method === 'GET')
    if (isRead && !bypassesCache(call) && matchesTag(call.headers['if-none-match'], headers.etag)) {
      delete headers['content-type']
      return { status: 304, headers, body: '' }
    }
  }
  if (!isHead) return answer
  headers['content-length'] = String(new TextEncoder().encode(body).length)
  return { status, headers, body: '' }
}

/** With Cache-Control: no-cache, a caller gets the body, never a 304. */
const bypassesCache = ({ headers }: Call) => /(^|,)\s*no-cache\s*(,|$)/.test(headers['cache-control'] ?? '')

const matchesTag = (tags: string | undefined, tag: string) =>
  tags?.split(',').some(candidate => candidate.trim() === '*' || candidate.trim().replace(/^(W\/)?/, 'W/') === tag)

/** Splits a choice such as `404 html` into status and shape. Default: `defaultStatus` and `json`. */
function parseChoice(choice: string | undefined, defaultStatus: number): readonly [number, string] {
  if (!choice) return [defaultStatus, 'json']
  return [Number(choice.slice(0, 3)), choice.slice(4)]
}

/** A weak entity tag: the length of a text and its 32-bit FNV-1a hash. */
export function weakTag(text: string): string {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return `W/"${text.length.toString(16)}-${(hash >>> 0).toString(36)}"`
}

/** A new UUIDv4 for every request: the only part of an answer that does not depend on the seed. */
function newRequestId(): string {
  return randomUUID ? randomUUID() : formatUuid(crypto.getRandomValues(new Uint8Array(16)))
}

// crypto.randomUUID exists in secure contexts only.
const randomUUID = typeof crypto.randomUUID === 'function' ? () => crypto.randomUUID() : undefined

function formatUuid(bytes: Uint8Array): string {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const wholePage: Paging = { by: 'offset', size: Number.MAX_SAFE_INTEGER, maxSize: Number.MAX_SAFE_INTEGER }

/** The requested page of a list. Of the query, only the cursor is still unchecked. */
function cutPage(all: readonly object[], context: Pick<Context, 'call' | 'operation' | 'choiceOfGap'>): Page {
  const { by, size, maxSize, names = { limit: 'limit', position: by } } = context.operation?.page ?? wholePage
  const query = new URLSearchParams(context.call.query)
  const limit = Math.min(Number(query.get(names.limit) ?? size), maxSize)
  const position = query.get(names.position)
  const skipped = names.isNumber ? (Number(position ?? 1) - 1) * limit : Number(position ?? 0)
  const from = by === 'offset' ? skipped : readCursor(position, context)
  const to = from + limit
  const nextCursor = to < all.length ? btoa(`after:${to}`) : null
  return { records: all.slice(from, to), limit, totalCount: all.length, nextCursor, offset: from }
}

/** The fields of an envelope in addition to the page itself; none for a page by offset. */
function pageFieldsOf({ limit, totalCount, nextCursor }: Page, { by, isUncounted }: Paging): object | undefined {
  if (by === 'offset') return undefined
  return isUncounted ? { limit, nextCursor } : { limit, totalCount, nextCursor }
}

/** A cursor is `after:20` in base64, where 20 records precede the page. */
function readCursor(text: string | null, context: Pick<Context, 'choiceOfGap'>): number {
  if (text === null) return 0
  const [, digits] = /^after:(\d+)$/.exec(decodeBase64(text)) ?? []
  if (digits !== undefined) return Number(digits)
  if (choiceOf(context, 'page/unknown-cursor') === 'first page') return 0
  throw invalidAt(['cursor'], 'Expected the nextCursor of an answer', text, 'Query')
}

function decodeBase64(text: string): string {
  try {
    return atob(text)
  } catch {
    return ''
  }
}
