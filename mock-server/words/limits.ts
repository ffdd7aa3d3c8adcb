import { checkOptions, readNumbers } from './check-options.ts'
import { day } from './durations.ts'

/** The limits that keep requests from exhausting the memory of a mock, or blocking it. */
export interface Limits {
  /** Bytes of a body, after inflation. */
  readonly body: number
  /** Total bytes of the headers of a request. */
  readonly headers: number
  /** Nesting depth of a JSON body. */
  readonly depth: number
  /** Values in a JSON body. */
  readonly values: number
  /** Series of a chart query. */
  readonly series: number
  /** Points of a series, over all of its groups. */
  readonly points: number
  /** Rows of a source. */
  readonly rows: number
  /** Worlds that may be open in addition to the first. Each stays in memory until it is closed. */
  readonly worlds: number
  /**
   * Connections to a listener. Requests on further connections are answered with 503; connections beyond twice the limit
   * are not accepted. The listener for SQL accepts none beyond the limit.
   */
  readonly connections: number
  /** Milliseconds for the headers of a request to arrive. */
  readonly headersMs: number
  /** Milliseconds for the whole request to arrive. */
  readonly requestMs: number
  /** Milliseconds of silence after which a connection is closed. */
  readonly idleMs: number
}

const mebibyte = 1024 * 1024
const million = 1_000_000

/** Defaults and bounds. The specification states no limits; real deployments limit bodies to 32 MiB. */
export const limitBounds: Readonly<Record<keyof Limits, { defaultValue: number; min: number; max: number }>> = {
  body: { defaultValue: 32 * mebibyte, min: 1, max: 256 * mebibyte },
  headers: { defaultValue: 64 * 1024, min: 1024, max: mebibyte },
  // JSON.parse reads any depth, but JSON.stringify and recursion only some thousands of levels.
  depth: { defaultValue: 500, min: 1, max: 1000 },
  values: { defaultValue: 50_000, min: 1, max: 10 * million },
  series: { defaultValue: 5, min: 1, max: 100 },
  points: { defaultValue: 100_000, min: 1, max: 10 * million },
  rows: { defaultValue: 5 * million, min: 1, max: 100 * million },
  worlds: { defaultValue: 1000, min: 1, max: 100_000 },
  connections: { defaultValue: 5000, min: 1, max: 100_000 },
  headersMs: { defaultValue: 60_000, min: 1, max: day },
  requestMs: { defaultValue: 300_000, min: 1, max: day },
  idleMs: { defaultValue: 600_000, min: 1, max: day },
}

/** checkOptions only looks for unknown names; readNumbers checks the values. */
const checkedLater = Object.fromEntries(Object.keys(limitBounds).map(name => [name, true as const]))

export const defaultLimits = readLimits()

/** Checks limits and fills in the defaults. Throws an Error about the first invalid one. */
export function readLimits(limits: Partial<Limits> = {}): Limits {
  const task = 'create a mock: limits'
  checkOptions(task, checkedLater, limits)
  return readNumbers(task, limitBounds, limits)
}

/** A number of bytes with its unit. */
export function formatBytes(bytes: number): string {
  if (bytes % mebibyte === 0) return `${bytes / mebibyte} MiB`
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`
}
