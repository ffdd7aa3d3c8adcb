/** The time of a mock: it runs like the real one and can be put forward or back. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Throws a sentence for what is no time from 1970 to 9999. */
  set(now: number): void
  /** Throws a sentence for what leads to no such time. */
  advance(ms: number): void
}

/** Later years have more than four digits, which no format of a time has room for. */
const endOfTime = Date.UTC(9999, 11, 31)

/** Whether a clock can stand there. */
export const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < endOfTime

/** Runs from `now`, or with the real time when none is given. */
export function createClock(now?: number): Clock {
  if (now !== undefined) checkMoment('create a mock: now', now)
  let ahead = now === undefined ? 0 : now - Date.now()
  return {
    now: () => Date.now() + ahead,
    set(moment) {
      checkMoment('set the clock', moment)
      ahead = moment - Date.now()
    },
    advance(ms) {
      if (typeof ms !== 'number' || !isMoment(Date.now() + ahead + ms)) {
        throw new Error(
          `advance the clock: Expected milliseconds that lead to a time from 1970 to 9999, ${received(ms)}`,
        )
      }
      ahead += ms
    },
  }
}

/** @throws Error with a sentence that begins with what was tried. */
export function checkMoment(task: string, moment: unknown): void {
  if (isMoment(moment)) return
  throw new Error(`${task}: Expected epoch milliseconds of a time from 1970 to 9999, ${received(moment)}`)
}

const received = (value: unknown) => `received ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`
