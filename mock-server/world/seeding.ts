import type { Size } from './size.ts'
import type { World } from './world.ts'

/** The input from which the records of a place are generated. */
export interface Seeding {
  /** Random numbers for names, dashboards and rows. */
  readonly seed: number
  /** Random numbers for ids and credentials, which differ between the worlds of one mock. */
  readonly identity: number
  /** The time at which the world started, in epoch milliseconds. */
  readonly start: number
  readonly size: Size
  /** Other records, for values that follow from them. */
  readonly world: World
  /** True if a call created the record that contains the place. */
  readonly isNew: boolean
  /** True if the record is a sample for one that is arranged at `start`. */
  readonly isSample?: true
}
