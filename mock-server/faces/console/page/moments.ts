/** Moments as people read them, in UTC. What is read is epoch milliseconds, or a text of ISO 8601 in UTC. */
const written = (moment: number | string, length: number) =>
  (typeof moment === 'number' ? new Date(moment).toISOString() : moment).slice(0, length).replace('T', ' ')

/** To the minute: `2026-03-01 12:30`. */
export const toMinute = (moment: number | string): string => written(moment, 16)

/** To the second: `2026-03-01 12:30:05`. */
export const toSecond = (moment: number | string): string => written(moment, 19)

/** Without the year: `03-01 12:30`. */
export const toMinuteOfYear = (moment: number | string): string => toMinute(moment).slice(5)
