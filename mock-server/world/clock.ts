import { parseDuration } from '../words/durations.ts'

/** A point in time: epoch milliseconds, an ISO 8601 string, or a Date. */
export type Moment = number | string | Date

/** The clock of a mock. It runs in real time, faster, or not at all, and can be set and advanced. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Whether it stands still until it is set, advanced or resumed. */
  isFrozen(): boolean
  /** Sets the time. Throws an Error for a value that is not a time from 1970 to 9999. */
  set(now: Moment): void
  /**
   * Advances the time by milliseconds, or by a duration such as `90s`, `30m`, `1h` or `2d`. Throws an Error if the
   * result is not a time from 1970 to 9999.
   */
  advance(by: number | string): void
}

/** The clock with the functions that only its world may call. */
export interface WorldClock extends Clock {
  /** By how many milliseconds it differs from a clock that nobody has set, advanced, frozen or resumed. */
  moved(): number
  /** Freezes the clock. It can still be set and advanced. */
  freeze(): void
  /** Lets a frozen clock run on from its present time. */
  resume(): void
  /** Lets the clock run, or stand still, as at its start. If it runs, then as if it had not been frozen since it last moved. */
  unfreeze(): void
  /** Resets the clock to its start: the given time, else the real time. */
  restart(): void
}

/** Epoch milliseconds. Later years have more than four digits, for which time formats have no room. */
const endOfTime = Date.UTC(9999, 11, 31)

/** Whether a value is epoch milliseconds that a clock can be set to. */
export const isMoment = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < endOfTime

/** Parses a point in time as epoch milliseconds; undefined if it is not a time from 1970 to 9999. */
export function parseMoment(moment: unknown): number | undefined {
  const time = moment instanceof Date ? moment.getTime() : typeof moment === 'string' ? parseTime(moment) : moment
  return isMoment(time) ? time : undefined
}

const parseTime = (text: string) => (/^-?\d+$/.test(text) ? Number(text) : Date.parse(text))

/** Limit of the speed, in seconds per second. */
export const maxSpeed = 100_000

/** The pace of a clock. */
export interface Pace {
  /** Whether time stands still unless it is set or advanced. */
  readonly freeze?: boolean
  /** Seconds of the world per real second. */
  readonly speed?: number
}

/** Creates a clock that starts at `now`, or at the real time. */
export function createClock(now?: number, pace: Pace = {}): WorldClock {
  const speed = readSpeed(pace)
  let realStart = Date.now()
  let worldStart = now ?? realStart
  let moved = 0
  /** False until a clock that was created frozen is resumed. */
  let runs = !pace.freeze
  let frozenAt: number | undefined
  const unmoved = () => (runs ? worldStart + (Date.now() - realStart) * speed : worldStart)
  const read = () => frozenAt ?? Math.min(unmoved() + moved, endOfTime - 1)
  const move = (to: number) => {
    moved = to - unmoved()
    if (frozenAt !== undefined) frozenAt = to
  }
  return {
    now: read,
    isFrozen: () => !runs || frozenAt !== undefined,
    set: moment => move(readMoment('set the clock', moment)),
    advance(by) {
      const now = read()
      const ms = readAdvance(by, now)
      if (frozenAt === undefined) moved += ms
      else move(now + ms)
    },
    moved: () => moved,
    freeze() {
      frozenAt = read()
    },
    resume() {
      const now = read()
      if (!runs) realStart = Date.now()
      runs = true
      frozenAt = undefined
      move(now)
    },
    unfreeze() {
      runs = !pace.freeze
      frozenAt = undefined
    },
    restart() {
      realStart = Date.now()
      worldStart = now ?? realStart
      moved = 0
      runs = !pace.freeze
      frozenAt = undefined
    },
  }
}

function readSpeed({ freeze, speed = 1 }: Pace): number {
  if (!Number.isSafeInteger(speed) || speed < 1 || speed > maxSpeed) {
    throw new Error(`create a mock: speed: Expected a whole number from 1 to ${maxSpeed}, ${received(speed)}`)
  }
  if (freeze && speed > 1) {
    throw new Error('create a mock: freeze, speed: Expected one of them: a clock that stands still has no speed')
  }
  return speed
}

/** @throws Error with a sentence that begins with what was tried. */
export function readMoment(task: string, moment: unknown): number {
  const read = parseMoment(moment)
  if (read !== undefined) return read
  const expected = 'epoch milliseconds, an ISO 8601 text or a Date, from 1970 to 9999'
  throw new Error(`${task}: Expected ${expected}, ${received(moment)}`)
}

/** Parses the duration by which a clock at `now` is advanced. Throws an Error if the result is not from 1970 to 9999. */
export function readAdvance(by: unknown, now: number): number {
  const ms = typeof by === 'string' ? parseDuration(by) : by
  if (typeof ms === 'number' && isMoment(now + ms)) return ms
  const expected = 'milliseconds, or a text such as 90s, 30m, 1h or 2d, that lead to a time from 1970 to 9999'
  throw new Error(`advance the clock: Expected ${expected}, ${received(by)}`)
}

const received = (value: unknown) => `received ${typeof value === 'string' ? JSON.stringify(value) : String(value)}`
