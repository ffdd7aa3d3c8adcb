const LOST_IN_A_ROW = 5
const LONGEST_IN_VAIN = 120_000
const LONGEST_WAITS = 15 * 60_000

/**
 * Stops sending to an address that does not answer: after five lost requests in a row, two minutes lost in all, or a
 * quarter of an hour of rate limits. Otherwise a target that hangs would cost one time-out per request, and one that
 * always answers 429 would keep a run for hours.
 */
export function createPatience(clock: () => number = () => performance.now()) {
  const disruptions = new Map<string, { inARow: number; inVain: number; reason: string }>()
  const waits = new Map<string, { total: number; until: number; over?: true }>()
  /** Why nothing more is sent to an address; undefined while it is worth trying. */
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
    lost(baseUrl: string, reason: string, milliseconds: number): void {
      // The first reason stays, whatever was still under way.
      if (ended(baseUrl)) return
      const { inARow, inVain } = disruptions.get(baseUrl) ?? { inARow: 0, inVain: 0 }
      disruptions.set(baseUrl, { inARow: inARow + 1, inVain: inVain + milliseconds, reason })
    },
    /** Waits that overlap count once. */
    mayWait(baseUrl: string, milliseconds: number): boolean {
      const wait = waits.get(baseUrl) ?? { total: 0, until: 0 }
      waits.set(baseUrl, wait)
      const until = Math.max(wait.until, clock() + milliseconds)
      const more = until - Math.max(wait.until, clock())
      if (wait.over || wait.total + more > LONGEST_WAITS) wait.over = true
      else Object.assign(wait, { total: wait.total + more, until })
      return !wait.over
    },
    renew(): void {
      disruptions.clear()
      waits.clear()
    },
  }
}
