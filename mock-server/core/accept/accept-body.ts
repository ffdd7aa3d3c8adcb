import type { Call } from '../../words/call.ts'
import { placeOfBreak } from '../../words/json-break.ts'
import { findExcess } from '../../words/json-size.ts'
import { formatBytes, type Limits } from '../../words/limits.ts'
import { malformed, Refusal, tooLarge, unsupported } from '../../words/refusal.ts'
import { type Context, choiceOf } from '../context.ts'

export interface AcceptedBody {
  /** An object or array; a string for a text body; `{}` without a body. */
  readonly value: unknown
  /** The media type of a body that is not labelled as JSON, or `nothing`. */
  readonly label?: string
}

const emptyBody: AcceptedBody = { value: {} }

/**
 * Reads the body of a call. A JSON body must be an object or an array. Other media types are read as deployments read
 * them, and `bodyFor` decides whether they are accepted. The cloud ignores the body of an operation that takes none.
 */
export function acceptBody(context: Context): void {
  const { call, form, limits, operation } = context
  if (form === 'cloud' && operation?.body === undefined) return
  try {
    context.body = read(call, limits)
  } catch (error) {
    throw error instanceof Refusal
      ? new Refusal(error.kind, error.sentence, { ...error.details, isBodyUnread: true })
      : error
  }
}

/**
 * The body as the handler gets it: `{}` for an operation that takes none. The specification requires the content type
 * application/json; how another one is treated is a choice.
 */
export function bodyFor(context: Context): unknown {
  const { call, operation, limits, body } = context
  if (operation?.body === undefined || !body) return {}
  const { value, label } = body
  if (label === undefined) return value
  const sentence = `header Content-Type: Expected application/json, received ${label}`
  const gap = 'error/content-type'
  switch (choiceOf(context, gap)) {
    case 'refused by body':
      return value
    case 'accepted':
      return parse(call.body, limits)
    case 'refused as 415':
      throw new Refusal('unsupported', sentence, { gap })
    default:
      throw new Refusal('malformed', sentence, { gap })
  }
}

function read(call: Call, limits: Limits): AcceptedBody {
  if (call.unread) throw refuseUnread(call.unread, limits)
  if (call.body === '') return emptyBody
  const contentType = call.headers['content-type']
  const label = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (label === 'application/json') return { value: parse(call.body, limits) }
  if (label === 'text/plain') return { value: call.body, label }
  if (label === 'application/x-www-form-urlencoded') {
    return { value: Object.fromEntries([...new URLSearchParams(call.body)].filter(isHarmless)), label }
  }
  return { value: {}, label: label || 'nothing' }
}

function refuseUnread(reason: NonNullable<Call['unread']>, { body }: Limits): Refusal {
  switch (reason) {
    case 'too-large':
      return tooLarge(`request body: Expected at most ${formatBytes(body)}`)
    case 'crowded':
      return tooLarge('request body: Expected less at the same time: the mock is reading 512 MiB of other bodies')
    case 'unsupported-charset':
      return unsupported('header Content-Type: Expected the charset utf-8')
    case 'unsupported-encoding':
      return unsupported('header Content-Encoding: Expected identity, gzip, deflate or br')
    case 'invalid-encoding':
      return malformed('request body: It cannot be decoded as its headers say')
  }
}

function parse(body: string, limits: Limits): unknown {
  const text = body.startsWith('\u{feff}') ? body.slice(1) : body
  const excess = findExcess(text, limits)
  if (excess !== undefined) throw refuseJson(`Expected ${excess}`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refuseJson(`Expected JSON, but it ends or breaks at ${placeOfBreak(text)}`)
  }
  if (typeof value !== 'object' || value === null) {
    throw refuseJson(`Expected an object, received ${JSON.stringify(value).slice(0, 80)}`)
  }
  // An escape such as \u005f may hide the name.
  return text.includes('__proto__') || text.includes('\\u') ? JSON.parse(text, dropPrototype) : value
}

const refuseJson = (sentence: string) =>
  new Refusal('malformed', `request body: ${sentence}`, { gap: 'error/malformed-json' })

const isHarmless = ([name]: [string, string]) => name !== '__proto__'
const dropPrototype = (name: string, value: unknown) => (name === '__proto__' ? undefined : value)
