import type { Call } from '../words/call.ts'

export type Body = Pick<Call, 'body' | 'unread'>

export const noBody: Body = { body: '' }

const readable = new Set(['utf-8', 'utf8', 'us-ascii'])
// Removes a byte order mark, as real deployments do.
const utf8 = new TextDecoder('utf-8', { fatal: true })
const anyText = new TextDecoder()

/** Decodes a body after inflation. Only JSON must be valid in its charset: others are refused by their content type. */
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
