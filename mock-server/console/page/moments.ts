/** Formats a time in UTC, given in epoch milliseconds or as an ISO 8601 string in UTC. */
const format = (moment: number | string, length: number) =>
  (typeof moment === 'number' ? new Date(moment).toISOString() : moment).slice(0, length).replace('T', ' ')

/** To the minute: `2026-03-01 12:30`. */
export const toMinute = (moment: number | string): string => format(moment, 16)

/** To the second: `2026-03-01 12:30:05`. */
export const toSecond = (moment: number | string): string => format(moment, 19)

/** Without the year: `03-01 12:30`. */
export const toMinuteWithoutYear = (moment: number | string): string => toMinute(moment).slice(5)

/** In the time zone of the browser, with its name. */
export const toLocal = (moment: number): string =>
  new Date(moment).toLocaleString('en-GB', {
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  })

/** A duration: `45 s`, `30 min`, `12 h`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 120) return `${seconds} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`
}
