import type { Client } from './clients/client.ts'
import { isMock, pathInWorld } from './target/own-mock.ts'
import type { TargetFile } from './target/target.ts'

export type Wait = (milliseconds: number) => Promise<unknown>

/** Repeats an attempt until its result is accepted or the seconds have passed, and returns the last result. */
export type Poll = <T>(attempt: () => Promise<T>, isDone: (received: T) => boolean, seconds: number) => Promise<T>

interface WaitOptions {
  readonly wait: Wait
  /** The pause before the second attempt; each further pause is twice as long, up to a maximum. */
  readonly firstPauseMs: number
  /** After so much unsuccessful waiting in all, the run waits no more. */
  readonly maxUnansweredMs?: number
  /** True when the run is ending. */
  readonly isOver?: () => boolean
}

const MAX_PAUSE_MS = 20_000
const FIRST_PAUSE_MS = 1000

export function createPoll({
  wait,
  firstPauseMs,
  isOver = () => false,
  maxUnansweredMs = Number.POSITIVE_INFINITY,
}: WaitOptions): Poll {
  let unansweredMs = 0
  return async (attempt, isDone, seconds) => {
    const maxWaitMs = unansweredMs < maxUnansweredMs ? seconds * 1000 : 0
    let passedMs = 0
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, MAX_PAUSE_MS)) {
      const received = await attempt()
      if (isDone(received) || isOver()) return received
      if (passedMs >= maxWaitMs) {
        unansweredMs += passedMs
        return received
      }
      await wait(pause)
      passedMs += pause
    }
  }
}

/** Time is real, unless the target is a mock of ours, or the client has `wait`: then a clock is advanced. */
export function waitOptionsFor(target: TargetFile, client: Client, sleep: Wait): WaitOptions {
  const { control } = target
  if (client.wait) return { wait: client.wait, firstPauseMs: FIRST_PAUSE_MS }
  if (!control || !isMock(target)) return { wait: sleep, firstPauseMs: FIRST_PAUSE_MS, maxUnansweredMs: 1_800_000 }
  const advance: Wait = async advanceMs =>
    (await advanceClock(control.baseUrl, pathInWorld('/control/clock', target), advanceMs, client))
      ? undefined
      : sleep(advanceMs)
  return { wait: advance, firstPauseMs: FIRST_PAUSE_MS }
}

/** Returns false if the clock could not be advanced. */
async function advanceClock(baseUrl: string, path: string, advanceMs: number, client: Client): Promise<boolean> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ advanceMs })
  const answer = await client.send({ baseUrl, method: 'PUT', path, headers, body }).catch(() => undefined)
  return answer?.status === 200
}
