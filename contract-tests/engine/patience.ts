const LOST_IN_A_ROW = 5
const LONGEST_IN_VAIN = 120_000
/** Real rate limits cost a run a few minutes. */
const LONGEST_WAITS = 15 * 60_000

/**
 * How long a run keeps asking an address that does not answer: until five requests in a row, or two minutes in all, were
 * spent in vain, or a rate limit did not end within a quarter of an hour of waiting. Without a limit, a target that hangs
 * would cost one time-out for each request, and a target that always answers 429 would keep a run for hours.
 */
export function createPatience(clock: () => number = () => performance.now()) {
  const disruptions = new Map<string, { inARow: number; inVain: number; reason: string }>()
  const waits = new Map<string, { total: number; until: number; over?: true }>()
  /** Why nothing more is asked of an address; undefined while it is worth asking. */
  const ended = (baseUrl: string): string | undefined => {
    if (waits.get(baseUrl)?.over)
      return `the target asked to wait for over ${LONGEST_WAITS / 60_000} minutes in all, so this was not asked of it any more`
    const { inARow = 0, inVain = 0, reason } = disruptions.get(baseUrl) ?? {}
    return inARow >= LOST_IN_A_ROW || inVain >= LONGEST_IN_VAIN
      ? `the target does not answer, so this was not asked of it any more: ${reason}`
      : undefined
  }
  return {
    ended,
    answered(baseUrl: string): void {
      const failure = disruptions.get(baseUrl)
      if (failure && !ended(baseUrl)) failure.inARow = 0
    },
    /** A request got no answer, after so many milliseconds. */
    lost(baseUrl: string, reason: string, milliseconds: number): void {
      // What ended it stays the reason, whatever was still under way.
      if (ended(baseUrl)) return
      const { inARow, inVain } = disruptions.get(baseUrl) ?? { inARow: 0, inVain: 0 }
      disruptions.set(baseUrl, { inARow: inARow + 1, inVain: inVain + milliseconds, reason })
    },
    /** Whether it is worth waiting so many milliseconds, as the address asks; waits at the same time count once. */
    mayWait(baseUrl: string, milliseconds: number): boolean {
      const wait = waits.get(baseUrl) ?? { total: 0, until: 0 }
      waits.set(baseUrl, wait)
      const until = Math.max(wait.until, clock() + milliseconds)
      const more = until - Math.max(wait.until, clock())
      if (wait.over || wait.total + more > LONGEST_WAITS) wait.over = true
      else Object.assign(wait, { total: wait.total + more, until })
      return !wait.over
    },
    /** Gives every address another chance. */
    renew(): void {
      disruptions.clear()
      waits.clear()
    },
  }
}
