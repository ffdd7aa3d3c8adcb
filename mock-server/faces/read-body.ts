import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type Body, decodeBody, noBody, unreadBody } from './body.ts'

/** The memory for all bodies that are being read, after inflation. */
export interface Budget {
  readonly bytes: number
  held: number
}

/** Shared by all mocks of the process. */
const sharedBudget: Budget = { bytes: 512 * 1024 * 1024, held: 0 }

const inflaters: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** Reads a body to its end, even if it is refused: clients send all of it before they read. Undefined if the client left. */
export async function readBody(
  request: IncomingMessage,
  limit: number,
  budget = sharedBudget,
): Promise<Body | undefined> {
  const { headers } = request
  if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return noBody
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity'
  const inflater = inflaters[encoding]?.()
  const bytes = await collect(request, limit, budget, inflater)
  if (bytes === undefined) return undefined
  if (!inflater && encoding !== 'identity') return unreadBody('unsupported-encoding')
  return typeof bytes === 'string' ? unreadBody(bytes) : decodeBody(bytes, headers['content-type'])
}

type Failure = 'too-large' | 'crowded' | 'invalid-encoding'

function collect(
  request: IncomingMessage,
  limit: number,
  budget: Budget,
  inflater: Transform | undefined,
): Promise<Uint8Array | Failure | undefined> {
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let size = 0
    let failure: Failure | undefined
    let bytesHeld = 0
    const source = inflater ? request.pipe(inflater) : request

    const release = () => {
      budget.held -= bytesHeld
      bytesHeld = 0
    }
    const settle = () => {
      release()
      resolve(failure ?? (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    }
    const giveUp = (reason: Failure) => {
      failure ??= reason
      chunks.length = 0
      release()
      if (!inflater) return
      // A small body could inflate for minutes.
      request.unpipe()
      inflater.destroy()
      if (request.readableEnded) settle()
      else request.once('end', settle).resume()
    }
    source.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (failure) return
      if (size > limit) return giveUp('too-large')
      if (budget.held + chunk.length > budget.bytes) return giveUp('crowded')
      chunks.push(chunk)
      bytesHeld += chunk.length
      budget.held += chunk.length
    })
    source.once('end', settle)
    inflater?.once('error', () => giveUp('invalid-encoding'))
    request.once('close', () => {
      if (request.readableEnded) return
      release()
      inflater?.destroy()
      resolve(undefined)
    })
  })
}
