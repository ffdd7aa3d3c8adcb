import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Body, bodyLimit, decodeBody, noBody, unread } from './body.ts'

const inflaters: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Reads the body of a request from its socket, to the end even when it is of no use: a caller who is still sending does
 * not read the refusal. Undefined when the caller went away.
 */
export async function readBody(request: IncomingMessage, limit = bodyLimit): Promise<Body | undefined> {
  const { headers } = request
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return noBody
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  const inflater = inflaters[encoding]?.()
  const bytes = await collect(request, limit, inflater)
  if (bytes === undefined) return undefined
  if (!inflater && encoding !== 'identity') return unread('unsupported-encoding')
  return typeof bytes === 'string' ? unread(bytes) : decodeBody(bytes, headers['content-type'])
}

function collect(
  request: IncomingMessage,
  limit: number,
  inflater: Transform | undefined,
): Promise<Uint8Array | 'too-large' | 'invalid-encoding' | undefined> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let size = 0
    let useless: 'too-large' | 'invalid-encoding' | undefined
    const source = inflater ? request.pipe(inflater) : request

    const settle = () => resolve(useless ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    const giveUp = (reason: typeof useless) => {
      useless ??= reason
      chunks.length = 0
      if (!inflater) return
      // A small body could be inflating for minutes.
      request.unpipe()
      inflater.destroy()
      if (request.readableEnded) settle()
      else request.once('end', settle).resume()
    }
    source.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (useless) return
      if (size > limit) giveUp('too-large')
      else chunks.push(chunk)
    })
    source.once('end', settle)
    inflater?.once('error', () => giveUp('invalid-encoding'))
    request.once('close', () => request.readableEnded || resolve(undefined))
  })
}
