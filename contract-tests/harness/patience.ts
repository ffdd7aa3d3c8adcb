const LOST_IN_A_ROW = 5
const LONGEST_IN_VAIN = 120_000

/**
 * How long a run goes on asking an address that does not answer. Without an end, a target that hangs would hold a run for
 * as many time-outs as it has requests, and one that always asks to come back later for hours.
 */
export interface Patience {
  /** Why nothing more is asked of an address; undefined while it is worth asking. */
  ended(baseUrl: string): string | undefined
  answered(baseUrl: string): void
  /** A request got no answer, after so many milliseconds. */
  lost(baseUrl: string, reason: string, milliseconds: number): void
  /** Gives every address another chance. */
  renew(): void
}

/** It ends after five requests in a row, or two minutes in all, that were spent in vain. */
export function createPatience(): Patience {
  const troubles = new Map<string, { inARow: number; inVain: number; reason: string }>()
  return {
    ended(baseUrl) {
      const { inARow = 0, inVain = 0, reason } = troubles.get(baseUrl) ?? {}
      return inARow >= LOST_IN_A_ROW || inVain >= LONGEST_IN_VAIN
        ? `the target does not answer, so this was not asked of it any more: ${reason}`
        : undefined
    },
    answered(baseUrl) {
      const trouble = troubles.get(baseUrl)
      if (trouble && !this.ended(baseUrl)) trouble.inARow = 0
    },
    lost(baseUrl, reason, milliseconds) {
      // What ended it stays the reason, whatever was still under way.
      if (this.ended(baseUrl)) return
      const { inARow, inVain } = troubles.get(baseUrl) ?? { inARow: 0, inVain: 0 }
      troubles.set(baseUrl, { inARow: inARow + 1, inVain: inVain + milliseconds, reason })
    },
    renew: () => troubles.clear(),
  }
}
