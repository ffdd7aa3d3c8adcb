import { z } from 'zod/v3'

/** What a record keeps of a state that ends by itself. */
export interface Timed {
  /** When it ends, in epoch milliseconds; it is not answered. */
  readonly changesAt?: number
}

/** The same for the schema of the record. */
export const timed = { changesAt: z.number().optional() }

/** When a state ends that begins at a moment; never, where it does not pass by itself. */
export const endOf = (at: number, lasts: number | undefined): number | undefined =>
  lasts === undefined ? undefined : at + lasts
