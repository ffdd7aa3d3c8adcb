import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { parseJson } from '../../engine/exchange.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'

/** Writes the bodies of a recording as plain text, where recorders keep them otherwise. */

/** Reads a body that the recorder wrote to a file of its own, such as Playwright; undefined if there is none. */
export type ReadAttachment = (name: string) => Uint8Array | undefined

/** The largest body that is decompressed. */
const MAX_BYTES = 64 * 1024 * 1024

/** Why a body cannot be read. */
export const causes = {
  elsewhere: 'it is in another file, which is not beside the recording',
  binary: 'it is neither text nor text that was compressed with gzip, deflate or br',
} as const

/** The recording with plain texts. A body that cannot be read is left out, and its `comment` is the cause. */
export function decodeBodies(har: unknown, readAttachment: ReadAttachment = () => undefined): unknown {
  if (!isObject(har) || !isObject(har.log) || !Array.isArray(har.log.entries)) return har
  const decodeEntry = (entry: unknown): unknown => {
    if (!isObject(entry)) return entry
    const { request, response } = entry
    return {
      ...entry,
      ...(isObject(request) &&
        isObject(request.postData) && { request: { ...request, postData: decode(request.postData) } }),
      ...(isObject(response) &&
        isObject(response.content) && { response: { ...response, content: decode(response.content) } }),
    }
  }
  const decode = (content: JsonObject): JsonObject => {
    const { encoding, _file: file, ...rest } = content
    const leaveOut = (cause: keyof typeof causes): JsonObject => ({ ...rest, text: '', comment: causes[cause] })
    if (typeof file === 'string' && !content.text) {
      const bytes = readAttachment(file)
      return bytes ? (toText(bytes, rest) ?? leaveOut('binary')) : leaveOut('elsewhere')
    }
    if (encoding !== 'base64' || typeof content.text !== 'string' || content.text === '') return content
    const bytes = fromBase64(content.text)
    // Firefox says base64 of some texts that are plain.
    const isPlain = !bytes || (toText(bytes, rest) === undefined && parseJson(content.text) !== undefined)
    if (isPlain) return { ...rest, text: content.text }
    return toText(bytes, rest) ?? leaveOut('binary')
  }
  return { ...har, log: { ...har.log, entries: har.log.entries.map(decodeEntry) } }
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** The ways to read bytes, in turn. */
const decoders: readonly ((bytes: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array)[] = [
  bytes => bytes,
  gunzipSync,
  inflateSync,
  brotliDecompressSync,
]

/** The content with its bytes as text, decompressed if that makes it text. */
function toText(bytes: Uint8Array, content: JsonObject): JsonObject | undefined {
  for (const decode of decoders) {
    try {
      const plain = decode(bytes, { maxOutputLength: MAX_BYTES })
      return { ...content, text: new TextDecoder('utf-8', { fatal: true }).decode(plain), size: plain.length }
    } catch {
      // The next way may read it.
    }
  }
  return undefined
}
