import type { Call } from '../words/call.ts'

/** The body as the core takes it: its text, or why there is none. */
export type Body = Pick<Call, 'body' | 'unread'>

export const noBody: Body = { body: '' }

const readable = new Set(['utf-8', 'utf8', 'us-ascii'])
// A byte order mark is swallowed, as real deployments do.
const utf8 = new TextDecoder('utf-8', { fatal: true })
const anyText = new TextDecoder()

/** The text of a body that is no longer compressed. Only JSON is held to its charset: anything else is judged by its label. */
export function decodeBody(bytes: Uint8Array, contentType: string | null | undefined): Body {
  if (bytes.length === 0) return noBody
  if (!/^\s*application\/json\s*(;|$)/i.test(contentType ?? '')) return { body: anyText.decode(bytes) }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  if (!readable.has(charset.toLowerCase())) return unread('unsupported-charset')
  try {
    return { body: utf8.decode(bytes) }
  } catch {
    return unread('invalid-encoding')
  }
}

export function unread(reason: NonNullable<Call['unread']>): Body {
  return { body: '', unread: reason }
}
