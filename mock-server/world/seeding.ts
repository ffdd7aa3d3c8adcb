import type { Size } from './size.ts'
import type { World } from './world.ts'

/** What the records of a place are laid out from. */
export interface Seeding {
  /** The seed of the story: names, dashboards, rows. */
  readonly seed: number
  /** The seed of ids and credentials, by which the worlds of one mock are told apart. */
  readonly identity: number
  /** The moment at which the world stands at the start, in epoch milliseconds. */
  readonly start: number
  readonly size: Size
  /** For what follows from other records. */
  readonly world: World
  /** True when the record that the place belongs to was created by a call, not laid out. */
  readonly isNew: boolean
  /** True when a record is sampled as the model of one that somebody arranges, at `start`. */
  readonly isSample?: true
}
