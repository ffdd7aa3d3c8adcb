import type { IncomingMessage } from 'node:http'
import { placeOfBreak } from '../../words/json-break.ts'
import { findExcess } from '../../words/json-size.ts'
import { defaultLimits } from '../../words/limits.ts'
import { readBody } from '../read-body.ts'
import { ControlRefusal } from './answer.ts'

const maxBodyBytes = 64 * 1024 * 1024

/** Parses the body of a request. Throws a `ControlRefusal` about an invalid one. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const read = await readBody(request, maxBodyBytes)
  if (!read) throw new ControlRefusal(400, 'The body did not arrive.')
  if (read.unread === 'too-large') throw new ControlRefusal(413, 'The body is larger than 64 MiB.')
  if (read.unread === 'crowded') throw new ControlRefusal(413, 'The mock is reading 512 MiB of other bodies.')
  if (read.unread) throw new ControlRefusal(415, 'The body must be UTF-8, plain or as gzip, deflate or br.')
  const excess = findExcess(read.body, { depth: defaultLimits.depth, values: Number.POSITIVE_INFINITY })
  if (excess !== undefined) throw new ControlRefusal(400, `The body must have ${excess}.`)
  try {
    return JSON.parse(read.body)
  } catch {
    throw new ControlRefusal(400, `The body is not JSON: it ends or breaks at ${placeOfBreak(read.body)}`)
  }
}

/** Like `readJson`, for an object; an absent body is an empty one. Refuses keys that are not among `known`, if given. */
export async function readObject(
  request: IncomingMessage,
  known?: readonly string[],
): Promise<Record<string, unknown>> {
  const isEmpty = request.headers['transfer-encoding'] === undefined && !Number(request.headers['content-length'] ?? 0)
  const value = isEmpty ? {} : await readJson(request)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ControlRefusal(400, 'The body must be a JSON object.')
  }
  const unknown = known && Object.keys(value).find(key => !known.includes(key))
  if (unknown === undefined) return value as Record<string, unknown>
  throw new ControlRefusal(400, `"${unknown}" is not known; the body takes ${known!.join(', ') || 'no fields'}.`)
}

interface Bounds {
  readonly defaultValue: number
  readonly min?: number
  /** Larger numbers are reduced to this one. */
  readonly max?: number
}

/** A query field that is given at most once. */
export function readText(query: Readonly<Record<string, string | string[] | undefined>>, name: string) {
  const text = query[name]
  if (!Array.isArray(text)) return text
  throw new ControlRefusal(400, `"${name}" must be given once.`)
}

export function readCount(
  query: Readonly<Record<string, string | string[] | undefined>>,
  name: string,
  { defaultValue, min = 0, max = Number.POSITIVE_INFINITY }: Bounds,
): number {
  const text = query[name]
  if (text === undefined) return defaultValue
  if (typeof text === 'string' && /^\d{1,10}$/.test(text) && Number(text) >= min) return Math.min(Number(text), max)
  throw new ControlRefusal(400, `"${name}" must be a whole number${min > 0 ? `, at least ${min}` : ''}.`)
}
