import { operations as contract, type OperationId } from '../../fixtures/contract/index.ts'
import type { Answer, Call } from '../words/call.ts'
import { nearest } from '../words/nearest.ts'
import type { Random } from '../world/random.ts'

/** Trouble on purpose. A request with the header `x-stack-parity-chaos: off` is spared all of it, and so is OPTIONS. */
export interface Chaos {
  /** Every answer waits for a time between these two, in milliseconds; the listeners do the waiting. */
  readonly latencyMs?: readonly [number, number]
  /** The share of calls that fail with a 500, from 0 to 1. Nothing was done then. */
  readonly errorRate?: number
  /** The share of calls whose connection is closed without an answer, from 0 to 1. Nothing was done then. */
  readonly dropRate?: number
  /** The share of answers that break off in the middle, from 0 to 1. What was asked for is done all the same. */
  readonly truncateRate?: number
  /** Whether the rate limits of real deployments are in force. */
  readonly rateLimit?: boolean
  /** Only calls of these operations are troubled. */
  readonly operations?: readonly OperationId[]
  /** Where the dice start: from the same seed, the same calls meet the same trouble. Default: the seed of the world. */
  readonly seed?: number
}

/** What becomes of one call: decided once, whatever else is then asked on its behalf. */
export interface ChaosDecision {
  readonly isLimited: boolean
  readonly isFailed: boolean
  readonly isDropped: boolean
  readonly isTruncated: boolean
  readonly delayMs: number
}

export const dropped: Answer = { status: 0, headers: {}, body: '' }

/** Returns what decides on each call, or nothing when there is no trouble: undefined for a call that is spared. */
export function createChaos(chaos: Chaos, dice: Random) {
  const { latencyMs: [least, most] = [0, 0], errorRate = 0, dropRate = 0, truncateRate = 0 } = chaos
  const isLimited = chaos.rateLimit ?? false
  if (!isLimited && most + errorRate + dropRate + truncateRate === 0) return undefined
  const troubled = chaos.operations && new Set<string | undefined>(chaos.operations)
  return ({ method, headers }: Call, operation: string | undefined): ChaosDecision | undefined => {
    // A preflight cannot carry the header, and the request behind it is to get through.
    if (method === 'OPTIONS' || headers['x-stack-parity-chaos']?.trim().toLowerCase() === 'off') return undefined
    if (troubled && !troubled.has(operation)) return undefined
    // All dice for every call: another rate of one trouble leaves the others where they were.
    const [late, fails, drops, breaks] = [dice.next(), dice.next(), dice.next(), dice.next()]
    return {
      isLimited,
      isFailed: fails < errorRate,
      isDropped: drops < dropRate,
      isTruncated: breaks < truncateRate,
      delayMs: Math.round(least + late * (most - least)),
    }
  }
}

/** Writes on an answer what its listener has to do to it. An empty one has no middle to break off in. */
export function addTrouble(answer: Answer, { delayMs, isDropped, isTruncated }: ChaosDecision): Answer {
  const end = isDropped ? 'drop' : isTruncated && answer.body !== '' ? 'truncate' : undefined
  if (delayMs === 0 && !end) return answer
  return { ...answer, trouble: { ...(delayMs > 0 && { delayMs }), ...(end && { break: end }) } }
}

const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1
/** Longer, and a client has given up. */
export const mostLatencyMs = 60_000

const share = [isShare, 'a number from 0 to 1'] as const

const known: Readonly<Record<keyof Chaos, readonly [isGood: (value: unknown) => boolean, wanted: string]>> = {
  latencyMs: [isRange, `two numbers of milliseconds, the smaller first, up to ${mostLatencyMs}`],
  errorRate: share,
  dropRate: share,
  truncateRate: share,
  rateLimit: [value => typeof value === 'boolean', 'true or false'],
  operations: [isListOfTexts, 'a list of operation ids, at least one'],
  seed: [Number.isSafeInteger, 'a whole number'],
}

/** Reads what somebody asks for, or throws a sentence about what is wrong with it. */
export function readChaos(chaos: unknown): Chaos {
  const refuse = (field: string, wanted: string, came: unknown) =>
    new Error(`set chaos: ${field}: Expected ${wanted}, received ${JSON.stringify(came)}`)
  const names = Object.keys(known)
  if (typeof chaos !== 'object' || chaos === null || Array.isArray(chaos)) {
    throw refuse('the body', `an object with ${names.join(', ')}`, chaos)
  }
  const unknown = Object.keys(chaos).find(key => !Object.hasOwn(known, key))
  if (unknown !== undefined) {
    const meant = nearest(unknown, names)
    const advice = meant ? `the nearest is ${meant}` : `there are ${names.join(', ')}`
    throw new Error(`set chaos: "${unknown}" is not known; ${advice}`)
  }
  for (const [name, [isGood, wanted]] of Object.entries(known)) {
    const value = (chaos as Record<string, unknown>)[name]
    if (value !== undefined && !isGood(value)) throw refuse(name, wanted, value)
  }
  const read = { ...(chaos as Chaos) }
  const stray = read.operations?.find(id => !Object.hasOwn(contract, id))
  if (stray !== undefined) {
    const known = Object.keys(contract)
    const meant = nearest(stray, known)
    const advice = meant ? `the nearest is ${meant}` : `there are ${known.join(', ')}`
    throw new Error(`set chaos: operations: there is no operation "${stray}"; ${advice}`)
  }
  return read
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [least, most] = value
  return typeof least === 'number' && typeof most === 'number' && least >= 0 && least <= most && most <= mostLatencyMs
}
