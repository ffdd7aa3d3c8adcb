/** The time of a mock: it runs like the real one, faster, or not at all, and can be put forward or back. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Throws a sentence for what is no time from 1970 to 9999. */
  set(now: number): void
  /** Throws a sentence for what leads to no such time. */
  advance(ms: number): void
}

/** A clock as its world has it. */
export interface WorldClock extends Clock {
  /** By how many milliseconds it was put forward, all in all. */
  moved(): number
  /** Begins again where it began: at the moment that it was given, else at the real time. */
  restart(): void
}

/** Later years have more than four digits, which no format of a time has room for. */
const endOfTime = Date.UTC(9999, 11, 31)

/** Whether a clock can stand there. */
export const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < endOfTime

/** How many seconds may pass in one. */
export const mostSpeed = 100_000

/** How a clock goes. */
export interface Pace {
  /** Whether it stands still until it is set or put forward. */
  readonly freeze?: boolean
  /** How many seconds pass in one. */
  readonly speed?: number
}

/** Runs from `now`, or with the real time when none is given. */
export function createClock(now?: number, pace: Pace = {}): WorldClock {
  if (now !== undefined) checkMoment('create a mock: now', now)
  const speed = readSpeed(pace)
  let began = Date.now()
  let from = now ?? began
  let moved = 0
  const unmoved = () => from + (Date.now() - began) * speed
  const read = () => Math.min(unmoved() + moved, endOfTime - 1)
  return {
    now: read,
    set(moment) {
      checkMoment('set the clock', moment)
      moved = moment - unmoved()
    },
    advance(ms) {
      if (typeof ms !== 'number' || !isMoment(read() + ms)) {
        throw new Error(
          `advance the clock: Expected milliseconds that lead to a time from 1970 to 9999, ${received(ms)}`,
        )
      }
      moved += ms
    },
    moved: () => moved,
    restart() {
      began = Date.now()
      from = now ?? began
      moved = 0
    },
  }
}

function readSpeed({ freeze = false, speed = 1 }: Pace): number {
  if (!Number.isSafeInteger(speed) || speed < 1 || speed > mostSpeed) {
    throw new Error(`create a mock: speed: Expected a whole number from 1 to ${mostSpeed}, ${received(speed)}`)
  }
  if (freeze && speed > 1) {
    throw new Error('create a mock: freeze, speed: Expected one of them: a clock that stands still has no speed')
  }
  return freeze ? 0 : speed
}

/** @throws Error with a sentence that begins with what was tried. */
export function checkMoment(task: string, moment: unknown): void {
  if (isMoment(moment)) return
  throw new Error(`${task}: Expected epoch milliseconds of a time from 1970 to 9999, ${received(moment)}`)
}

const received = (value: unknown) => `received ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`
