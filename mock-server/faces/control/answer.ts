import type { RouterContext } from '@koa/router'
import { WorldConflict } from '../../mock/callers.ts'
import { explaining } from '../../words/eventually.ts'
import { Declined } from './declined.ts'

/** Writes what the callback returns as JSON, a line of its own; nothing at all when it returns nothing. */
export function answer(read: (ctx: RouterContext) => unknown) {
  return async (ctx: RouterContext): Promise<void> => {
    const value = await read(ctx)
    if (value === undefined) {
      if (ctx.status !== 304) ctx.status = 204
    } else {
      ctx.type = 'json'
      ctx.body = `${JSON.stringify(value)}\n`
    }
  }
}

/** Runs a change of the core, which says what is wrong with a value by throwing an Error with a sentence. */
export const attempt = <T>(change: () => T): T => explaining(change, decline) as T

/** What the core says is wrong, as a refusal of the control plane. */
export function decline(error: unknown): Declined {
  const status = error instanceof WorldConflict ? 409 : 400
  return new Declined(status, error instanceof Error ? error.message : String(error))
}
