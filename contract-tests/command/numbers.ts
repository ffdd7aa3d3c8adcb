import { UsageError } from '../engine/target/target.ts'

/** The options that take a number. */
type Numeric = 'rate' | 'max-requests' | 'retries' | 'timeout' | 'cloud-port' | 'self-hosted-port' | 'console-port'

/** A timer that is set for longer ends at once. */
const longestTimer = 2 ** 31 - 1

const port = {
  fits: (value: number) => Number.isInteger(value) && value <= 65_535,
  wants: 'a port from 0 to 65535',
  least: 0,
}

const numbers: Readonly<Record<Numeric, { fits: (value: number) => boolean; wants: string; least?: number }>> = {
  rate: { fits: value => value >= 1e-6, wants: 'a number above 0, at least 0.000001' },
  'max-requests': { fits: Number.isSafeInteger, wants: 'a whole number above 0' },
  retries: { fits: Number.isSafeInteger, wants: 'a whole number', least: 0 },
  timeout: {
    fits: value => value <= longestTimer,
    wants: `a number of milliseconds above 0, up to ${longestTimer}`,
  },
  'cloud-port': port,
  'self-hosted-port': port,
  'console-port': port,
}

/** The number that an option is given; undefined without it. */
export function readNumber(
  given: Readonly<Partial<Record<Numeric, readonly string[]>>>,
  name: Numeric,
): number | undefined {
  const [text] = given[name] ?? []
  if (text === undefined) return undefined
  const { fits, wants, least = Number.MIN_VALUE } = numbers[name]
  const value = Number(text.trim() || Number.NaN)
  if (Number.isFinite(value) && value >= least && fits(value)) return value
  throw new UsageError(`--${name} takes ${wants}, not ${JSON.stringify(text)}.`)
}
