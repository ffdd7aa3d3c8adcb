import type { z } from 'zod/v3'

/** What judges a value: a schema, or one with a shorter way. */
export interface Judge<T> {
  safeParse(value: unknown): { readonly success: true; readonly data: T } | z.SafeParseError<unknown>
}

/**
 * The schema `told`, which has the words of a deployment, with a shorter way for what `usual` takes. Trying shapes that cannot
 * fit, and saying why, is most of what an alert costs otherwise (20 µs, or 2).
 */
export function quickly<T>(usual: Judge<T>, told: Judge<T>) {
  const safeParse: typeof told.safeParse = value => {
    const short = usual.safeParse(value)
    return short.success ? short : told.safeParse(value)
  }
  return { usual, told, safeParse }
}
