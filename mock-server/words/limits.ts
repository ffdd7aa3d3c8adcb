import { checkOptions } from './check-options.ts'
import { readNumbers } from './read-numbers.ts'

/** What a mock takes at most: whatever a caller sends, there is memory and time left for the next one. */
export interface Limits {
  /** Bytes of a body, after inflation. */
  readonly body: number
  /** Bytes of the headers of a request, all together. */
  readonly headers: number
  /** How deep the arrays and objects of a body lie inside each other. */
  readonly depth: number
  /** Values in a body: every one that is wrong is found and named. */
  readonly values: number
  /** Series of a chart query. */
  readonly series: number
  /** Points of a series: half-minutes over years, by a column that differs in every row, would fill the memory. */
  readonly points: number
  /** Rows of a source. */
  readonly rows: number
  /** Worlds that are open beside the first: each stays in memory until it is closed. */
  readonly worlds: number
  /** Connections to a listener: whoever comes then is refused; of twice as many, none is taken at all. */
  readonly connections: number
  /** Milliseconds until the headers of a request are there. */
  readonly headersMs: number
  /** Milliseconds until the whole request is there. */
  readonly requestMs: number
  /** Milliseconds of silence after which a connection is closed. */
  readonly idleMs: number
}

const mebibyte = 1024 * 1024
const day = 86_400_000
const million = 1_000_000

/** What holds when nothing is said, and what may be said. The specification states no limits; real bodies end at 32 MiB. */
export const limitBounds: Readonly<Record<keyof Limits, { usual: number; least: number; most: number }>> = {
  body: { usual: 32 * mebibyte, least: 1, most: 256 * mebibyte },
  headers: { usual: 64 * 1024, least: 1024, most: mebibyte },
  // Engines read any depth, but write and walk only some thousands of levels.
  depth: { usual: 500, least: 1, most: 1000 },
  values: { usual: 50_000, least: 1, most: 10 * million },
  series: { usual: 5, least: 1, most: 100 },
  points: { usual: 100_000, least: 1, most: 10 * million },
  rows: { usual: 5 * million, least: 1, most: 100 * million },
  worlds: { usual: 1000, least: 1, most: 100_000 },
  connections: { usual: 5000, least: 1, most: 100_000 },
  headersMs: { usual: 60_000, least: 1, most: day },
  requestMs: { usual: 300_000, least: 1, most: day },
  idleMs: { usual: 600_000, least: 1, most: day },
}

const leftToRead = Object.fromEntries(Object.keys(limitBounds).map(name => [name, true as const]))

export const usualLimits = readLimits()

/** The limits, or a sentence about what is wrong with them. */
export function readLimits(limits: Partial<Limits> = {}): Limits {
  const task = 'create a mock: limits'
  checkOptions(task, leftToRead, limits)
  return readNumbers(task, limitBounds, limits)
}

/** Bytes as people write them. */
export function sayBytes(bytes: number): string {
  for (const [unit, size] of [
    ['MiB', mebibyte],
    ['KiB', 1024],
  ] as const) {
    if (bytes >= size && bytes % size === 0) return `${bytes / size} ${unit}`
  }
  return `${bytes} bytes`
}
