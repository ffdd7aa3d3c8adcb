import type { Form } from '../../fixtures/contract/index.ts'
import type { Answer, Call } from './call.ts'
import type { Cors } from './cors.ts'
import type { Refusal } from './refusal.ts'
import { gapOf, nameOfStatus, statusOfKind } from './refusal-table.ts'
import type { Reply } from './reply.ts'
import { newRequestId } from './request-id.ts'
import { sayForCloud, sayForSelfHosted } from './say.ts'
import { rememberedTag, weakTag } from './weak-tag.ts'

/** What the writer may know of a call beside what was found. */
export interface Circumstances {
  readonly call: Call
  readonly form: Form
  readonly operation: string | undefined
  /** True when a deletion found nothing to delete. */
  readonly isUnknown: boolean
  /** Headers beside those of the answer itself, such as those of a rate limit. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** How the pages of other origins are answered. */
  readonly cors: Cors
  choice(gap: string): string
}

const asJson = 'application/json; charset=utf-8'
const asText = 'text/plain; charset=utf-8'
const asHtml = 'text/html; charset=utf-8'

/** The only place that turns what was found into statuses, headers and bodies. */
export function writeReply(reply: Reply, about: Circumstances): Answer {
  return finish(about.form === 'selfHosted' ? replySelfHosted(reply, about) : replyCloud(reply, about), about)
}

export function writeRefusal(refusal: Refusal, about: Circumstances): Answer {
  const { call, form, operation } = about
  const gap = gapOf(refusal, operation, call.headers.authorization !== undefined)
  const [status, shape] = read(gap && about.choice(gap), statusOfKind[refusal.kind])
  const headers: Record<string, string> = {}
  const finished = (answer: Answer) => finish(answer, about, refusal.more.isUnread)
  if (status === 405 && refusal.more.allow !== undefined) headers.allow = refusal.more.allow
  if (status === 401 && about.choice('auth/challenge') === 'present') {
    headers['www-authenticate'] = form === 'selfHosted' ? 'Bearer' : 'Basic realm="cloud", charset="UTF-8"'
  }
  if (refusal.kind === 'rateLimited') return finished(tooMany(form, headers))
  if (shape === 'json') {
    const body = form === 'selfHosted' ? refuseSelfHosted(refusal, status, about) : refuseCloud(refusal, status, about)
    return finished(written(status, body, headers))
  }
  if (shape === 'text') return finished(plain(status, headers))
  if (shape === 'html') return finished(page(status, call, headers))
  return finished({ status, headers, body: '' })
}

/** Nobody needs credentials to ask what is allowed; unknown paths are answered alike. */
export function writeOptions(call: Call, form: Form, allow: string | undefined, cors: Cors): Answer {
  const headers: Record<string, string> = { ...cors.ofForm[form] }
  if (allow !== undefined && form !== 'selfHosted') headers.allow = allow
  if (form === 'selfHosted' && cors.isAsDeployed) {
    headers.vary = 'Origin, Access-Control-Request-Headers'
    headers['access-control-allow-methods'] = 'GET,HEAD,PUT,PATCH,POST,DELETE'
    const asked = call.headers['access-control-request-headers']
    if (asked !== undefined) headers['access-control-allow-headers'] = asked
  }
  return { status: 204, headers, body: '' }
}

function replyCloud(reply: Reply, about: Circumstances): Answer {
  if (reply.kind === 'deleted') return replyDeleted(reply.resource, about)
  if (reply.kind === 'bare') return written(200, reply.json, {})
  // keeps: envelope/result-is-array-or-object
  return wrapped(statusOf(about), reply.json)
}

function replySelfHosted(reply: Reply, about: Circumstances): Answer {
  if (reply.kind === 'deleted') return replyDeleted(reply.resource, about)
  if (reply.kind === 'bare') return written(statusOf(about), reply.json, {})
  const { json, meta } = reply
  // The tag of what is wrapped will do: it is the same text from call to call, as long as nothing changes.
  const tag: Record<string, string> =
    about.call.method === 'GET' || about.call.method === 'HEAD' ? { etag: rememberedTag(json) } : {}
  if (!meta) return written(statusOf(about), `{"data":${json}}`, tag)
  const headers = { 'x-total-count': String(meta.total) }
  return written(statusOf(about), `{"data":${json},"meta":${JSON.stringify(meta)}}`, headers)
}

function replyDeleted(resource: string, about: Circumstances): Answer {
  const gap = `${resource.toLowerCase()}/delete-${about.isUnknown ? 'unknown' : 'answer'}`
  const [status, shape] = read(about.choice(gap), 200)
  if (shape === 'text') return plain(status, {})
  if (shape !== 'json') return { status, headers: {}, body: '' }
  // keeps: envelope/delete-carries-a-result
  return about.form === 'selfHosted' ? written(status, '{}', {}) : wrapped(status, '{}')
}

/** A success has the status that its creation has where the specification is silent, else 200. */
function statusOf(about: Circumstances): number {
  if (about.operation === 'dashboard.create') return Number(about.choice('dashboard/create-status'))
  if (about.operation === 'alert.create') return Number(about.choice('alert/create-status'))
  return 200
}

// keeps: envelope/status-equals-http
const wrapped = (status: number, json: string): Answer =>
  written(status, `{"status":${status},"requestId":"${newRequestId()}","result":${json}}`, {})

// keeps: service/answers-are-json, service/json-is-labelled
function written(status: number, body: string, headers: Record<string, string>): Answer {
  // A creation may be answered so: these statuses have no body.
  if (status === 204 || status === 205) return { status, headers: {}, body: '' }
  headers['content-type'] = asJson
  return { status, headers, body }
}

// keeps: error/bad-request-has-status, error/bad-request-has-error-sentence
function refuseCloud(refusal: Refusal, status: number, about: Circumstances): string {
  const error = sayForCloud(refusal, status)
  return about.choice('envelope/request-id-on-refusals') === 'absent'
    ? JSON.stringify({ status, error })
    : JSON.stringify({ status, requestId: newRequestId(), error })
}

function refuseSelfHosted(refusal: Refusal, status: number, about: Circumstances): string {
  const says = sayForSelfHosted(refusal, status)
  const isRunTime = refusal.kind === 'unknownSource' || (refusal.kind === 'unreadableWhere' && status >= 500)
  const isFailedChart = refusal.kind === 'failed' && about.operation === 'chart.query'
  const field = isRunTime || isFailedChart ? 'error' : about.choice('error/self-hosted-body')
  return JSON.stringify({ [field]: says })
}

const tooMany = (form: Form, headers: Record<string, string>): Answer =>
  form === 'selfHosted'
    ? {
        status: 429,
        headers: { ...headers, 'content-type': asHtml },
        body: 'Too many requests, please try again later.',
      }
    : written(429, '{"error":"TOO_MANY_REQUESTS"}', headers)

const plain = (status: number, headers: Record<string, string>): Answer => ({
  status,
  headers: { ...headers, 'content-type': asText },
  body: nameOfStatus[status] ?? String(status),
})

/** The page of a web framework, which is what deployments answer outside their routes. */
function page(status: number, call: Call, headers: Record<string, string>): Answer {
  const says = status === 404 ? `Cannot ${call.method} ${call.path}` : (nameOfStatus[status] ?? String(status))
  const lines = [
    '<!DOCTYPE html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<title>Error</title>',
    '</head>',
    '<body>',
    `<pre>${escapeHtml(says)}</pre>`,
    '</body>',
    '</html>',
    '',
  ]
  headers['content-security-policy'] = "default-src 'none'"
  headers['x-content-type-options'] = 'nosniff'
  headers['content-type'] = asHtml
  return { status, headers, body: lines.join('\n') }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, sign => entities[sign]!)

/** What all answers of a form share: headers about origins, tags, and no body for HEAD. */
function finish(answer: Answer, about: Circumstances, isUnread = false): Answer {
  const { call, form, cors } = about
  const { status, headers, body } = answer
  if (about.headers) Object.assign(headers, about.headers)
  Object.assign(headers, isUnread ? cors.ofUnread[form] : cors.ofForm[form])
  const isHead = call.method === 'HEAD'
  if (form === 'selfHosted') {
    if (body !== '' && headers['content-security-policy'] === undefined) {
      headers.etag ??= weakTag(body)
      const isRead = status === 200 && (isHead || call.method === 'GET')
      if (isRead && !wantsAnew(call) && matches(call.headers['if-none-match'], headers.etag)) {
        delete headers['content-type']
        return { status: 304, headers, body: '' }
      }
    }
  }
  if (!isHead) return answer
  headers['content-length'] = String(new TextEncoder().encode(body).length)
  return { status, headers, body: '' }
}

/** Deployments send the whole answer to a caller who says that it will not use what it has. */
const wantsAnew = ({ headers }: Call) => /(^|,)\s*no-cache\s*(,|$)/.test(headers['cache-control'] ?? '')

const matches = (wanted: string | undefined, tag: string) =>
  wanted?.split(',').some(one => one.trim() === '*' || one.trim().replace(/^(W\/)?/, 'W/') === tag)

/** A choice such as `404 html`; `json` and the status of the kind where there is none. */
function read(choice: string | undefined, status: number): readonly [number, string] {
  if (!choice) return [status, 'json']
  return [Number(choice.slice(0, 3)), choice.slice(4)]
}
