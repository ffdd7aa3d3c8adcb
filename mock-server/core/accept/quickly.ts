import type { z } from 'zod/v3'

/** What judges a value: a schema, or two that agree. */
export type Judge<T> = Pick<z.ZodType<T, z.ZodTypeDef, unknown>, 'safeParse'>

/**
 * The schema `told`, which has the words of a deployment, with a shorter way to the same result: `direct` takes exactly the
 * values that `told` takes. Trying shapes that cannot fit, and saying why, is most of what an alert costs (30 µs, or 13).
 */
export function quickly<T>(direct: Judge<T>, told: Judge<T>) {
  return {
    direct,
    told,
    safeParse(value: unknown) {
      const taken = direct.safeParse(value)
      return taken.success ? taken : told.safeParse(value)
    },
  }
}
