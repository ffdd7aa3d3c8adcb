/** The time of a mock: it runs like the real one and can be put forward or back. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  set(now: number): void
  advance(ms: number): void
}

/** Runs from `now`, or with the real time when none is given. */
export function createClock(now?: number): Clock {
  let ahead = now === undefined ? 0 : now - Date.now()
  return {
    now: () => Date.now() + ahead,
    set(moment) {
      ahead = moment - Date.now()
    },
    advance(ms) {
      ahead += ms
    },
  }
}
