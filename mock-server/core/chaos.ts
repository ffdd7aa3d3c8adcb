/** Trouble on purpose. */
export interface Chaos {
  /** Every answer waits for a time between these two, in milliseconds; the listeners do the waiting. */
  readonly latencyMs?: readonly [number, number]
  /** The share of calls that fail with a 500, from 0 to 1. */
  readonly errorRate?: number
  /** Whether the rate limits of real deployments are in force. */
  readonly rateLimit?: boolean
}

const known = ['latencyMs', 'errorRate', 'rateLimit']

/** Reads what somebody asks for, or throws a sentence about what is wrong with it. */
export function readChaos(chaos: unknown): Chaos {
  const refuse = (field: string, wanted: string, came: unknown) =>
    new Error(`set chaos: ${field}: Expected ${wanted}, received ${JSON.stringify(came)}`)
  if (typeof chaos !== 'object' || chaos === null || Array.isArray(chaos)) {
    throw refuse('the body', `an object with ${known.join(', ')}`, chaos)
  }
  const unknown = Object.keys(chaos).find(key => !known.includes(key))
  if (unknown !== undefined) throw new Error(`set chaos: "${unknown}" is not known; there are ${known.join(', ')}`)
  const { latencyMs, errorRate, rateLimit } = chaos as Record<string, unknown>
  if (latencyMs !== undefined && !isRange(latencyMs)) {
    throw refuse('latencyMs', 'two numbers of milliseconds, the smaller first, up to 60000', latencyMs)
  }
  if (errorRate !== undefined && !(typeof errorRate === 'number' && errorRate >= 0 && errorRate <= 1)) {
    throw refuse('errorRate', 'a number from 0 to 1', errorRate)
  }
  if (rateLimit !== undefined && typeof rateLimit !== 'boolean') throw refuse('rateLimit', 'true or false', rateLimit)
  return { ...(chaos as Chaos) }
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [least, most] = value
  return typeof least === 'number' && typeof most === 'number' && least >= 0 && least <= most && most <= 60_000
}
