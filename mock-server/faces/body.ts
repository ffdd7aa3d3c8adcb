import type { Call } from '../words/call.ts'

export type Body = Pick<Call, 'body' | 'unread'>

export const noBody: Body = { body: '' }

const readableCharsets = new Set(['utf-8', 'utf8', 'us-ascii'])
// Both remove a byte order mark, as real deployments do.
const strictDecoder = new TextDecoder('utf-8', { fatal: true })
const lenientDecoder = new TextDecoder()

/** Decodes a body after inflation. Only JSON must be valid in its charset: other bodies are refused by their content type. */
export function decodeBody(bytes: Uint8Array, contentType: string | null | undefined): Body {
  if (bytes.length === 0) return noBody
  if (!/^\s*application\/json\s*(;|$)/i.test(contentType ?? '')) return { body: lenientDecoder.decode(bytes) }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8'
  if (!readableCharsets.has(charset.toLowerCase())) return unreadBody('unsupported-charset')
  try {
    return { body: strictDecoder.decode(bytes) }
  } catch {
    return unreadBody('invalid-encoding')
  }
}

export function unreadBody(reason: NonNullable<Call['unread']>): Body {
  return { body: '', unread: reason }
}
