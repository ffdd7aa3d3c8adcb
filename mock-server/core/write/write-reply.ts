import { type Form, gaps } from '../../../fixtures/contract/index.ts'
import type { Answer, Call } from '../../words/call.ts'
import type { Cause } from '../../words/cause.ts'
import type { Refusal } from '../../words/refusal.ts'
import type { Reply } from '../../words/reply.ts'
import { type Context, choiceOf } from '../context.ts'
import { causeOfOptions, causeOfRefusal, causeOfSuccess, gapOf } from './cause-of.ts'
import { besideOf, cutPage } from './page.ts'
import { nameOfStatus, statusOfKind, writeCloudMessage, writeSelfHostedMessage } from './refusal-sentence.ts'

export type ReplyContext = Pick<
  Context,
  'call' | 'form' | 'listener' | 'match' | 'id' | 'operation' | 'taken' | 'headers' | 'cors'
>

const asJson = 'application/json; charset=utf-8'
const asText = 'text/plain; charset=utf-8'
const asHtml = 'text/html; charset=utf-8'

export function writeReply(reply: Reply, about: ReplyContext): Answer {
  return withCause(finish(write(reply, about), about), causeOfSuccess(about))
}

export function writeRefusal(refusal: Refusal, about: ReplyContext): Answer {
  const gap = gapOf(refusal, about)
  const choice = gap && gaps[gap].kind === 'refusal' ? choiceOf(about, gap) : undefined
  const [status, shape] = read(choice, statusOfKind[refusal.kind])
  const answer = writeRefusalAs(refusal, status, shape, about)
  return withCause(finish(answer, about, refusal.more.isUnread), causeOfRefusal(refusal, status, about))
}

const withCause = ({ status, headers, body }: Answer, cause: Cause): Answer => ({ status, headers, body, cause })

function writeRefusalAs(refusal: Refusal, status: number, shape: string, about: ReplyContext): Answer {
  const { call, form } = about
  // Some deployments answer the deletion of an unknown record with success.
  if (status < 300) return deleted(status, shape, about)
  const headers: Record<string, string> = {}
  if (status === 405 && refusal.more.allow !== undefined) headers.allow = refusal.more.allow
  if (status === 401 && choiceOf(about, 'auth/challenge') === 'present') {
    headers['www-authenticate'] = form === 'selfHosted' ? 'Bearer' : 'Basic realm="cloud", charset="UTF-8"'
  }
  if (refusal.kind === 'rateLimited') return tooMany(form, headers)
  if (refusal.more.own) return written(status, JSON.stringify(refusal.more.own.json), headers)
  if (shape === 'json') {
    const body = form === 'selfHosted' ? refuseSelfHosted(refusal, status, about) : refuseCloud(refusal, status, about)
    return written(status, body, headers)
  }
  if (shape === 'text') return plain(status, headers)
  return shape === 'html' ? page(status, call, headers) : { status, headers, body: '' }
}

/** Answers OPTIONS, without authentication and on any path. */
export function writeOptions({ call, form, match, cors }: ReplyContext): Answer {
  const allow = match.refusal?.more.allow
  const headers: Record<string, string> = { ...cors.ofForm[form] }
  if (allow !== undefined && form !== 'selfHosted') headers.allow = allow
  if (form === 'selfHosted' && cors.isAsDeployed) {
    headers.vary = 'Origin, Access-Control-Request-Headers'
    headers['access-control-allow-methods'] = 'GET,HEAD,PUT,PATCH,POST,DELETE'
    const asked = call.headers['access-control-request-headers']
    if (asked !== undefined) headers['access-control-allow-headers'] = asked
  }
  return { status: 204, headers, body: '', cause: causeOfOptions }
}

function write(reply: Reply, about: ReplyContext): Answer {
  const status = statusOf(about)
  if (reply.kind === 'deleted') return replyDeleted(about)
  if (reply.kind === 'bare') return written(status, reply.json, {})
  if (reply.kind === 'text')
    return { status: 200, headers: { 'content-type': about.operation!.media! }, body: reply.text }
  if (reply.kind === 'records') return writeRecords(reply, about)
  const { json, meta } = reply
  if (about.form !== 'selfHosted') return wrapped(status, json)
  if (!meta) return written(status, `{"data":${json}}`, {})
  const headers = { 'x-total-count': String(meta.total) }
  return written(status, `{"data":${json},"meta":${JSON.stringify(meta)}}`, headers)
}

function writeRecords({ records, within }: Extract<Reply, { kind: 'records' }>, about: ReplyContext): Answer {
  const paging = about.operation!.page
  if (!paging) return write({ kind: 'list', json: JSON.stringify(records) }, about)
  const page = cutPage(records, about)
  if (within) return wrapped(statusOf(about), JSON.stringify(within(page)))
  return wrapped(statusOf(about), JSON.stringify(page.records), besideOf(page, paging))
}

function replyDeleted(about: ReplyContext): Answer {
  const [status, shape] = read(choiceIn(about, `${resourceOf(about)}/delete-answer`), 200)
  return deleted(status, shape, about)
}

function deleted(status: number, shape: string, { form, taken }: ReplyContext): Answer {
  if (shape === 'text') return plain(status, {})
  if (shape !== 'json') return { status, headers: {}, body: '' }
  if (form === 'selfHosted') return written(status, '{}', {})
  return wrapped(status, taken['envelope/delete-result'] === 'absent' ? undefined : '{}')
}

const resourceOf = ({ id }: ReplyContext) => id?.split('.')[0] ?? ''
/** The choice for a gap that not every resource has. */
const choiceIn = ({ taken }: ReplyContext, gap: string): string | undefined => taken[gap]

/** The status of a success: that of the gap for creations, else 200. */
const statusOf = (about: ReplyContext): number =>
  about.operation?.success ??
  (about.id?.endsWith('.create') ? Number(choiceIn(about, `${resourceOf(about)}/create-status`) ?? 200) : 200)

const wrapped = (status: number, json: string | undefined, beside?: object): Answer => {
  const result = json === undefined ? '' : `,"result":${json}`
  const more = beside ? `,${JSON.stringify(beside).slice(1, -1)}` : ''
  return written(status, `{"status":${status},"requestId":"${newRequestId()}"${result}${more}}`, {})
}

function written(status: number, body: string, headers: Record<string, string>): Answer {
  // Statuses without a body, which a baseline may choose for creations.
  if (status === 204 || status === 205) return { status, headers: {}, body: '' }
  headers['content-type'] = asJson
  return { status, headers, body }
}

function refuseCloud(refusal: Refusal, status: number, about: ReplyContext): string {
  const error = writeCloudMessage(refusal, status)
  return choiceOf(about, 'envelope/request-id-on-refusals') === 'absent'
    ? JSON.stringify({ status, error })
    : JSON.stringify({ status, requestId: newRequestId(), error, ...refusal.more.fields })
}

function refuseSelfHosted(refusal: Refusal, status: number, about: ReplyContext): string {
  const sentence = writeSelfHostedMessage(refusal, status)
  const isRunTime = refusal.kind === 'unknownSource' || (refusal.kind === 'unreadableWhere' && status >= 500)
  const isFailedChart = refusal.kind === 'failed' && about.id === 'chart.query'
  const field = isRunTime || isFailedChart ? 'error' : choiceOf(about, 'error/self-hosted-body')
  return JSON.stringify({ [field]: sentence })
}

function tooMany(form: Form, headers: Record<string, string>): Answer {
  if (form !== 'selfHosted') return written(429, '{"error":"TOO_MANY_REQUESTS"}', headers)
  headers['content-type'] = asHtml
  return { status: 429, headers, body: 'Too many requests, please try again later.' }
}

const plain = (status: number, headers: Record<string, string>): Answer => ({
  status,
  headers: { ...headers, 'content-type': asText },
  body: nameOfStatus[status] ?? String(status),
})

/** The error page of Express, which deployments answer outside their routes. */
function page(status: number, call: Call, headers: Record<string, string>): Answer {
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
  headers['content-type'] = asHtml
  return { status, headers, body }
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, sign => entities[sign]!)

/** What all answers of a form share: CORS headers, entity tags, and no body for HEAD. */
function finish(answer: Answer, about: ReplyContext, isUnread = false): Answer {
  const { call, form, cors } = about
  const { status, headers, body } = answer
  Object.assign(headers, about.headers, isUnread ? cors.ofUnread[form] : cors.ofForm[form])
  const isHead = call.method === 'HEAD'
  // Express has no entity tag for its error page.
  if (form === 'selfHosted' && body !== '' && headers['content-security-policy'] === undefined) {
    headers.etag ??= weakTag(body)
    const isRead = status === 200 && (isHead || call.method === 'GET')
    if (isRead && !wantsAnew(call) && matches(call.headers['if-none-match'], headers.etag)) {
      delete headers['content-type']
      return { status: 304, headers, body: '' }
    }
  }
  if (!isHead) return answer
  headers['content-length'] = String(new TextEncoder().encode(body).length)
  return { status, headers, body: '' }
}

/** Cache-Control: no-cache asks for the whole answer. */
const wantsAnew = ({ headers }: Call) => /(^|,)\s*no-cache\s*(,|$)/.test(headers['cache-control'] ?? '')

const matches = (tags: string | undefined, tag: string) =>
  tags?.split(',').some(one => one.trim() === '*' || one.trim().replace(/^(W\/)?/, 'W/') === tag)

/** A choice such as `404 html`; `json` and the status of the kind where there is none. */
function read(choice: string | undefined, status: number): readonly [number, string] {
  if (!choice) return [status, 'json']
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
  return randomUUID ? randomUUID() : assemble(crypto.getRandomValues(new Uint8Array(16)))
}

// crypto.randomUUID exists in secure contexts only.
const randomUUID = typeof crypto.randomUUID === 'function' ? () => crypto.randomUUID() : undefined

function assemble(bytes: Uint8Array): string {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
