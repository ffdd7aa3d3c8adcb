import type { Contract, OperationId } from '../../fixtures/built-contract/index.ts'
import type { Answer, Call } from '../words/call.ts'
import { anyWholeNumber, check, checkOptions, isRecord, type OptionsOf, trueOrFalse } from '../words/check-options.ts'
import { adviseNearest } from '../words/nearest.ts'
import type { Random } from '../world/random.ts'

/** The longest delay. Most clients give up earlier. */
export const maxLatencyMs = 60_000

const isShare = (value: unknown) => typeof value === 'number' && value >= 0 && value <= 1
const share = check<number>(isShare, 'a number from 0 to 1')

const disturbances = {
  /** The shortest and the longest delay of an answer, in milliseconds. The listeners wait. */
  latencyMs: check<readonly [number, number]>(
    isRange,
    `two numbers of milliseconds, the smaller first, up to ${maxLatencyMs}`,
  ),
  /** The share of calls that fail with a 500 before anything is done, from 0 to 1. */
  errorRate: share,
  /** The share of calls whose connection is closed before anything is done, from 0 to 1. */
  dropRate: share,
  /** The share of answers that are cut off in the middle of their body, from 0 to 1. The request itself is done. */
  truncateRate: share,
}

/** All are off by default. */
export interface Disturbances extends OptionsOf<typeof disturbances> {}

/** The fields of `Chaos`, and how they are checked. */
export const chaosParts = {
  ...disturbances,
  /** Whether the rate limits of real deployments are in force. */
  rateLimit: trueOrFalse,
  /** Restricts the general disturbances to these operations; those of `byOperation` stay. */
  operations: check<readonly OperationId[]>(isListOfTexts, 'a list of operation ids, at least one'),
  /** Disturbances of single operations. Each field that is given replaces the general one. */
  byOperation: check<{ readonly [operation in OperationId]?: Disturbances }>(isRecord, 'disturbances by operation id'),
  /** The seed of the random numbers: the same seed and calls give the same chaos. Default: the seed of the world. */
  seed: anyWholeNumber,
}

/**
 * Disturbances that a mock adds to its answers. OPTIONS is exempt, and so is a request with the header
 * `x-stack-parity-chaos: off`.
 */
export interface Chaos extends OptionsOf<typeof chaosParts> {}

/** What chaos does to one call. */
export interface ChaosDecision {
  readonly isLimited: boolean
  readonly isFailed: boolean
  readonly isDropped: boolean
  readonly isTruncated: boolean
  readonly delayMs: number
}

export const dropped: Answer = { status: 0, headers: {}, body: '' }

/** Returns a function that decides for each call (undefined: exempt), or undefined when chaos is off. */
export function createChaos(chaos: Chaos, dice: Random) {
  const isLimited = chaos.rateLimit ?? false
  const { byOperation = {} } = chaos
  if (!isLimited && !isDisturbing(chaos) && !Object.values(byOperation).some(isDisturbing)) return undefined
  const isAffected = (operation: string | undefined) =>
    chaos.operations === undefined || chaos.operations.includes(operation as OperationId)
  return ({ method, headers }: Call, operation: string | undefined): ChaosDecision | undefined => {
    // A preflight cannot carry the header that exempts the request behind it.
    if (method === 'OPTIONS' || headers['x-stack-parity-chaos']?.trim().toLowerCase() === 'off') return undefined
    const own = byOperation[operation as OperationId]
    const general = isAffected(operation) ? chaos : undefined
    if (!general && !own) return undefined
    const { latencyMs: [min, max] = [0, 0], errorRate = 0, dropRate = 0, truncateRate = 0 } = { ...general, ...own }
    // Always draws all four numbers, so that changing one rate does not affect the others.
    const [latencyDraw, errorDraw, dropDraw, truncateDraw] = [dice.next(), dice.next(), dice.next(), dice.next()]
    return {
      isLimited,
      isFailed: errorDraw < errorRate,
      isDropped: dropDraw < dropRate,
      isTruncated: truncateDraw < truncateRate,
      delayMs: Math.round(min + latencyDraw * (max - min)),
    }
  }
}

const isDisturbing = ({ latencyMs = [0, 0], errorRate = 0, dropRate = 0, truncateRate = 0 }: Disturbances) =>
  latencyMs[1] + errorRate + dropRate + truncateRate > 0

/** Adds the disturbances that the listener applies. An empty body cannot be truncated. */
export function applyDecision(answer: Answer, { delayMs, isDropped, isTruncated }: ChaosDecision): Answer {
  const end = isDropped ? 'drop' : isTruncated && answer.body !== '' ? 'truncate' : undefined
  if (delayMs === 0 && !end) return answer
  return { ...answer, disturbance: { ...(delayMs > 0 && { delayMs }), ...(end && { break: end }) } }
}

/** Checks chaos settings that a user gave. Throws an Error about the first invalid one. */
export function readChaos(contract: Contract, chaos: unknown): Chaos {
  checkOptions('set chaos', chaosParts, chaos)
  const read = { ...(chaos as Chaos) }
  const { operations = [], byOperation = {} } = read
  checkOperations(contract, 'operations', operations)
  checkOperations(contract, 'byOperation', Object.keys(byOperation))
  for (const [id, own] of Object.entries(byOperation)) checkOptions(`set chaos: byOperation.${id}`, disturbances, own)
  return read
}

function checkOperations({ operations }: Contract, field: string, ids: readonly string[]): void {
  const unknown = ids.find(id => !Object.hasOwn(operations, id))
  if (unknown === undefined) return
  const advice = adviseNearest(unknown, Object.keys(operations))
  throw new Error(`set chaos: ${field}: there is no operation "${unknown}"; ${advice}`)
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'string')
}

function isRange(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== 2) return false
  const [min, max] = value
  return typeof min === 'number' && typeof max === 'number' && min >= 0 && min <= max && max <= maxLatencyMs
}
