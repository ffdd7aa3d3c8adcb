import { type Bounds, checkOptions, type NumbersOf, namesOf, readNumbers } from './check-options.ts'
import { day } from './durations.ts'

const mebibyte = 1024 * 1024
const million = 1_000_000

/** Defaults and bounds. The specification states no limits; real deployments limit bodies to 32 MiB. */
export const limitBounds = {
  /** Bytes of a body, after inflation. */
  body: { defaultValue: 32 * mebibyte, min: 1, max: 256 * mebibyte },
  /** Total bytes of the headers of a request. */
  headers: { defaultValue: 64 * 1024, min: 1024, max: mebibyte },
  // JSON.parse reads any depth, but JSON.stringify and recursion only some thousands of levels.
  /** Nesting depth of a JSON body. */
  depth: { defaultValue: 500, min: 1, max: 1000 },
  /** Values in a JSON body. */
  values: { defaultValue: 50_000, min: 1, max: 10 * million },
  /** Series of a chart query. */
  series: { defaultValue: 5, min: 1, max: 100 },
  /** Points of a series, over all of its groups. */
  points: { defaultValue: 100_000, min: 1, max: 10 * million },
  /** Rows of a source. */
  rows: { defaultValue: 5 * million, min: 1, max: 100 * million },
  /** Worlds that may be open in addition to the first. Each stays in memory until it is closed. */
  worlds: { defaultValue: 1000, min: 1, max: 100_000 },
  /**
   * Connections to a listener. Requests on further connections are answered with 503; connections beyond twice the limit
   * are not accepted. The listener for SQL accepts none beyond the limit.
   */
  connections: { defaultValue: 5000, min: 1, max: 100_000 },
  /** Milliseconds for the headers of a request to arrive. */
  headersMs: { defaultValue: 60_000, min: 1, max: day },
  /** Milliseconds for the whole request to arrive. */
  requestMs: { defaultValue: 300_000, min: 1, max: day },
  /** Milliseconds of silence after which a connection is closed. */
  idleMs: { defaultValue: 600_000, min: 1, max: day },
} satisfies Readonly<Record<string, Bounds>>

/** The limits that keep requests from exhausting the memory of a mock, or blocking it. */
export type Limits = NumbersOf<typeof limitBounds>

export const defaultLimits = readLimits()

/** Checks limits and fills in the defaults. Throws an Error about the first invalid one. */
export function readLimits(limits: Partial<Limits> = {}): Limits {
  const task = 'create a mock: limits'
  checkOptions(task, namesOf(limitBounds), limits)
  return readNumbers(task, limitBounds, limits)
}

/** A number of bytes with its unit. */
export function formatBytes(bytes: number): string {
  if (bytes % mebibyte === 0) return `${bytes / mebibyte} MiB`
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`
}
