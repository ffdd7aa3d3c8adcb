import { z } from 'zod/v3'

/** The fields of a record whose state ends by itself. */
export interface Timed {
  /** The end of the state, in epoch milliseconds; never part of an answer. */
  readonly changesAt?: number
}

export const timed = { changesAt: z.number().optional() }

/** The end of a state that begins at a moment; undefined for a state that lasts. */
export const endOf = (at: number, duration: number | undefined): number | undefined =>
  duration === undefined ? undefined : at + duration
