import { because } from './reasons.ts'

const MAX_FAILURES_IN_A_ROW = 5
const MAX_FAILED_MS = 120_000
const MAX_WAIT_MS = 15 * 60_000

/**
 * Stops sending to an address that does not answer: after five failures in a row, two minutes spent on failed requests, or a
 * quarter of an hour of waiting for rate limits. Otherwise a target that hangs would cost one time-out per request, and one
 * that always answers 429 would keep a run for hours.
 */
export function createCircuitBreaker(clock: () => number = () => performance.now()) {
  const failures = new Map<string, { inARow: number; milliseconds: number; reason: string }>()
  const waits = new Map<string, { total: number; until: number }>()
  /** Why nothing more is sent to an address; undefined while requests may be sent. */
  const whyOpen = (baseUrl: string): string | undefined => {
    if ((waits.get(baseUrl)?.total ?? 0) > MAX_WAIT_MS)
      return because('the target asked to wait for over {minutes} minutes in all, so this request was not sent', {
        minutes: MAX_WAIT_MS / 60_000,
      }).sentence
    const { inARow = 0, milliseconds = 0, reason } = failures.get(baseUrl) ?? {}
    return inARow >= MAX_FAILURES_IN_A_ROW || milliseconds >= MAX_FAILED_MS
      ? because('the target does not answer, so this request was not sent: {failure}', { failure: reason! }).sentence
      : undefined
  }
  return {
    whyOpen,
    noteAnswer(baseUrl: string): void {
      const failure = failures.get(baseUrl)
      if (failure && !whyOpen(baseUrl)) failure.inARow = 0
    },
    noteFailure(baseUrl: string, reason: string, milliseconds: number): void {
      // Requests that were still under way do not replace the reason.
      if (whyOpen(baseUrl)) return
      const { inARow, milliseconds: before } = failures.get(baseUrl) ?? { inARow: 0, milliseconds: 0 }
      failures.set(baseUrl, { inARow: inARow + 1, milliseconds: before + milliseconds, reason })
    },
    /** Adds a wait for a rate limit, and returns false if all waits together are too long. Waits that overlap count once. */
    mayWait(baseUrl: string, milliseconds: number): boolean {
      const { total, until } = waits.get(baseUrl) ?? { total: 0, until: 0 }
      const end = Math.max(until, clock() + milliseconds)
      const newTotal = total + end - Math.max(until, clock())
      waits.set(baseUrl, { total: newTotal, until: end })
      return newTotal <= MAX_WAIT_MS
    },
    reset(): void {
      failures.clear()
      waits.clear()
    },
  }
}
