import type { Client } from './clients/client.ts'
import { isLocal, type TargetFile } from './target/target.ts'

export type Wait = (milliseconds: number) => Promise<unknown>

/** Repeats an attempt until its result is accepted or the seconds have passed, and returns the last result. */
export type Poll = <T>(attempt: () => Promise<T>, isDone: (received: T) => boolean, seconds: number) => Promise<T>

interface WaitOptions {
  readonly wait: Wait
  /** True when waits take real time. */
  readonly isReal?: boolean
  /** Milliseconds until the second attempt; each pause is twice as long as the one before. */
  readonly first: number
  /** Milliseconds of unsuccessful waiting after which the run waits no more. */
  readonly maxUnanswered?: number
  /** True when the run is ending. */
  readonly isOver?: () => boolean
}

const MAX_PAUSE = 20_000
const FIRST_PAUSE = 1000

export function createPoll({
  wait,
  first,
  isOver = () => false,
  maxUnanswered = Number.POSITIVE_INFINITY,
}: WaitOptions): Poll {
  let unansweredMs = 0
  return async (attempt, isDone, seconds) => {
    const longest = unansweredMs < maxUnanswered ? seconds * 1000 : 0
    let passed = 0
    for (let pause = first; ; pause = Math.min(2 * pause, MAX_PAUSE)) {
      const received = await attempt()
      if (isDone(received) || isOver()) return received
      if (passed >= longest) {
        unansweredMs += passed
        return received
      }
      await wait(pause)
      passed += pause
    }
  }
}

/** Time is real, unless the target is our own mock, or the client has `wait`: then a clock is advanced. */
export function waitOptionsFor(target: TargetFile, client: Client, sleep: Wait): WaitOptions {
  const { control } = target
  if (client.wait) return { wait: client.wait, first: FIRST_PAUSE }
  if (control) {
    const advance: Wait = async advanceMs =>
      (await advanceClock(control.baseUrl, advanceMs)) ? undefined : sleep(advanceMs)
    return { wait: advance, first: FIRST_PAUSE }
  }
  // On loopback, early attempts cost little.
  return isLocal(target)
    ? { wait: sleep, isReal: true, first: 20, maxUnanswered: 30_000 }
    : { wait: sleep, isReal: true, first: FIRST_PAUSE, maxUnanswered: 1_800_000 }
}

/** False if the clock could not be advanced. */
async function advanceClock(baseUrl: string, advanceMs: number): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ advanceMs })
  const answer = await fetch(new URL('/control/clock', baseUrl), { method: 'PUT', headers, body }).catch(
    () => undefined,
  )
  return answer?.ok === true
}
