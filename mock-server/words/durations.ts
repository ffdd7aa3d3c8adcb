/** Durations in milliseconds. */
export const second = 1000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour

/** Converts a duration such as `90s`, `30m`, `12h` or `2d` to milliseconds; undefined for zero and for any other text. */
export function parseDuration(text: string): number | undefined {
  const [, count = '', unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  return Number(count) * ({ s: second, m: minute, h: hour, d: day }[unit] ?? 0) || undefined
}
