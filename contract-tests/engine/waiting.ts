import type { Client } from './clients/client.ts'
import { isLocal, type TargetFile } from './target/target.ts'

export type Wait = (milliseconds: number) => Promise<unknown>

/** Repeats an attempt until its result is accepted or the seconds have passed, and returns the last result. */
export type Until = <T>(attempt: () => Promise<T>, isDone: (received: T) => boolean, seconds: number) => Promise<T>

interface Waiting {
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

const LONGEST_PAUSE = 20_000
/** Milliseconds: on loopback, early attempts cost little. */
const EARLY = 20
const USUAL = 1000
const MAX_UNANSWERED = { near: 30_000, far: 1_800_000 }

export function createUntil({
  wait,
  first,
  isOver = () => false,
  maxUnanswered = Number.POSITIVE_INFINITY,
}: Waiting): Until {
  let inVain = 0
  return async (attempt, isDone, seconds) => {
    const longest = inVain < maxUnanswered ? seconds * 1000 : 0
    let passed = 0
    for (let pause = first; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      const received = await attempt()
      if (isDone(received) || isOver()) return received
      if (passed >= longest) {
        inVain += passed
        return received
      }
      await wait(pause)
      passed += pause
    }
  }
}

/** Time is real, unless the target is our own mock, or the client has `wait`: then a clock is advanced. */
export function waitingFor(target: TargetFile, client: Client, sleep: Wait): Waiting {
  const { control } = target
  if (client.wait) return { wait: client.wait, first: USUAL }
  if (control) {
    const advance: Wait = async advanceMs =>
      (await putForward(control.baseUrl, advanceMs)) ? undefined : sleep(advanceMs)
    return { wait: advance, first: USUAL }
  }
  const [first, maxUnanswered] = isLocal(target) ? [EARLY, MAX_UNANSWERED.near] : [USUAL, MAX_UNANSWERED.far]
  return { wait: sleep, first, maxUnanswered: maxUnanswered, isReal: true }
}

async function putForward(baseUrl: string, advanceMs: number): Promise<boolean> {
  try {
    const { ok } = await fetch(new URL('/control/clock', baseUrl), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceMs }),
    })
    return ok
  } catch {
    return false
  }
}
