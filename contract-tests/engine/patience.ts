const LOST_IN_A_ROW = 5
const LONGEST_IN_VAIN = 120_000
/** Real rate limits cost a run a few minutes. */
const LONGEST_WAITS = 15 * 60_000

/**
 * How long a run keeps asking an address that does not answer. Without a limit, a target that hangs would cost one
 * time-out for each request, and a target that always answers 429 would keep a run for hours.
 */
export interface Patience {
  /** Why nothing more is asked of an address; undefined while it is worth asking. */
  ended(baseUrl: string): string | undefined
  answered(baseUrl: string): void
  /** A request got no answer, after so many milliseconds. */
  lost(baseUrl: string, reason: string, milliseconds: number): void
  /** Whether it is worth waiting so many milliseconds, as the address asks; waits at the same time count once. */
  mayWait(baseUrl: string, milliseconds: number): boolean
  /** Gives every address another chance. */
  renew(): void
}

/**
 * It ends after five requests in a row, or two minutes in all, that were spent in vain, and after a quarter of an hour of
 * waiting for a rate limit to end.
 */
export function createPatience(clock: () => number = () => performance.now()): Patience {
  const troubles = new Map<string, { inARow: number; inVain: number; reason: string }>()
  const waits = new Map<string, { total: number; until: number; over?: true }>()
  return {
    ended(baseUrl) {
      if (waits.get(baseUrl)?.over)
        return `the target asked to wait for over ${LONGEST_WAITS / 60_000} minutes in all, so this was not asked of it any more`
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
    mayWait(baseUrl, milliseconds) {
      const wait = waits.get(baseUrl) ?? { total: 0, until: 0 }
      waits.set(baseUrl, wait)
      const until = Math.max(wait.until, clock() + milliseconds)
      const more = until - Math.max(wait.until, clock())
      if (wait.over || wait.total + more > LONGEST_WAITS) wait.over = true
      else Object.assign(wait, { total: wait.total + more, until })
      return !wait.over
    },
    renew() {
      troubles.clear()
      waits.clear()
    },
  }
}
