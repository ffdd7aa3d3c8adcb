import { STATUS_CODES } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A call that went through the proxy. */
export interface ProxiedCall {
  readonly form: ProxiedForm
  /** When the request came, in epoch milliseconds. */
  readonly startedAt: number
  /** From the request to the end of the answer, in milliseconds. */
  readonly ms: number
  readonly request: {
    readonly method: string
    /** The path below the target's address, with its query, as it was sent. */
    readonly path: string
    readonly headers: Headers
    readonly body: KeptBody
  }
  /** The answer of the target; the status is 0 if there is none. */
  readonly response: { readonly status: number; readonly headers: Headers; readonly body: KeptBody }
  /** What the client got, if not that answer. */
  readonly instead?: Substitute | undefined
}

/** An answer of the proxy itself: it declined the call, held the answer of the target back, or got none. */
export interface Substitute {
  readonly as: 'declined' | 'held' | 'failed'
  readonly status: number
  readonly why: string
}

/** In a few words, such as `held: 502`. */
export const describeSubstitute = ({ as, status }: Substitute): string => `${as}: ${status}`

/** The listeners of the proxy: the managed form is reached through that of the cloud. */
export type ProxiedForm = 'cloud' | 'selfHosted'

/** Pairs of names and values, as they stood on the wire. */
export type Headers = readonly (readonly [name: string, value: string])[]

export interface KeptBody {
  /** The bytes as they were sent, compressed if `content-encoding` says so; empty beyond the limit. */
  readonly bytes: Uint8Array
  /** The length of all that was sent, in bytes. */
  readonly size: number
}

/** The largest body that is kept. Of an answer with a larger one, only status and headers are judged. */
export const maxBodyBytes = 1024 * 1024
/** The largest text that a compressed body is decoded to, in bytes. */
const maxTextBytes = 8 * 1024 * 1024

const headerOf = (headers: Headers, name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1]

/** Collects the chunks of a body, and drops them all when it is larger than `maxBodyBytes`. */
export function createBodyKeeper(): { add(chunk: Uint8Array): void; end(): KeptBody } {
  let chunks: Uint8Array[] = []
  let size = 0
  return {
    add(chunk) {
      size += chunk.length
      if (size > maxBodyBytes) chunks = []
      else chunks.push(chunk)
    },
    end: () => ({ bytes: size > maxBodyBytes ? new Uint8Array() : Buffer.concat(chunks), size }),
  }
}

/** An entry of HAR 1.2, not redacted. */
export type HarEntry = ReturnType<typeof toHarEntry>

/** Writes a call as an entry of HAR 1.2, at the address of its target; a comment has what the client got instead. Bodies that are no text, or too large, are left out. */
export function toHarEntry({ startedAt, ms, request, response, instead }: ProxiedCall, baseUrl: string) {
  const sent = readText(request.body, request.headers)
  const received = readText(response.body, response.headers)
  const url = `${baseUrl.replace(/\/$/, '')}${request.path}`
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: ms,
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toList(request.headers),
      queryString: URL.canParse(url) ? toList([...new URL(url).searchParams]) : [],
      ...(request.body.size > 0 && {
        postData: { mimeType: headerOf(request.headers, 'content-type') ?? '', text: sent.text, comment: sent.comment },
      }),
      headersSize: -1,
      bodySize: request.body.size,
    },
    response: {
      status: response.status,
      statusText: STATUS_CODES[response.status] ?? '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toList(response.headers),
      content: {
        size: received.size,
        mimeType: headerOf(response.headers, 'content-type') ?? 'x-unknown',
        text: received.text,
        comment: received.comment,
      },
      redirectURL: headerOf(response.headers, 'location') ?? '',
      headersSize: -1,
      bodySize: response.body.size,
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
    ...(instead && { comment: `${describeSubstitute(instead)}, ${instead.why}`, _instead: instead }),
  }
}

const toList = (pairs: readonly (readonly [string, string])[]) => pairs.map(([name, value]) => ({ name, value }))

const decoders: Readonly<Record<string, (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/** Whether bodies of a content encoding are read. */
export const canDecode = (encoding: string): boolean =>
  /^identity$/i.test(encoding.trim()) || Object.hasOwn(decoders, encoding.trim().toLowerCase())

/** The text of a body and its size in bytes. If the text is left out: the size of what was sent, and the reason. */
function readText({ bytes, size }: KeptBody, headers: Headers): { text: string; size: number; comment?: string } {
  const leaveOut = (comment: string) => ({ text: '', size, comment })
  if (size === 0) return { text: '', size }
  if (bytes.length < size) return leaveOut('left out: larger than 1 MiB')
  const encoding = headerOf(headers, 'content-encoding')?.trim().toLowerCase() ?? 'identity'
  const decode = decoders[encoding]
  if (!decode && encoding !== 'identity') return leaveOut(`left out: the content encoding ${encoding} is not read`)
  try {
    const plain = decode ? decode(bytes, { maxOutputLength: maxTextBytes }) : bytes
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain), size: plain.length }
  } catch {
    return leaveOut('left out: it cannot be read as text of up to 8 MiB')
  }
}
