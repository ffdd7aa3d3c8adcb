import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { RouterContext } from '@koa/router'
import { WorldConflict } from '../../mock/callers.ts'
import { mapErrors } from '../../words/maybe-promise.ts'

/** Answers with the returned value as one line of JSON; without a body if it is undefined. */
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

/** A refusal of the control plane, with a sentence for the user of the mock. */
export class ControlRefusal extends Error {
  constructor(
    readonly status: number,
    sentence: string,
  ) {
    super(sentence)
  }
}

/** Runs a change of the mock, and turns its errors into refusals. */
export const refuseErrors = <T>(change: () => T): T => mapErrors(change, toControlRefusal) as T

export function toControlRefusal(error: unknown): ControlRefusal {
  const status = error instanceof WorldConflict ? 409 : 400
  return new ControlRefusal(status, error instanceof Error ? error.message : String(error))
}

/**
 * Protects the control plane from web pages. The Origin header shows a page of another site. The Host header shows a name
 * that was made to resolve to this machine (DNS rebinding); with a token, any host name may be used.
 */
export function refuseOtherOrigins({ host = '', origin }: IncomingHttpHeaders, hostname: string, hasToken = false) {
  const url = `http://${host}`
  const name = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : ''
  if (!hasToken && !isOurs(name, hostname)) {
    const shownHost = host || 'an empty host'
    throw new ControlRefusal(403, `The control plane cannot be reached as ${shownHost}: use ${hostname} or localhost.`)
  }
  if (origin !== undefined && origin.toLowerCase() !== url.toLowerCase()) {
    throw new ControlRefusal(403, `The control plane answers no page of another origin, such as ${origin}.`)
  }
}

function isOurs(name: string, hostname: string): boolean {
  if (['localhost', '127.0.0.1', '::1', hostname.toLowerCase()].includes(name)) return true
  // A listener on every address also accepts IP addresses, and names without a dot: DNS rebinding needs a dot.
  return (hostname === '0.0.0.0' || hostname === '::') && (isIP(name) !== 0 || /^[a-z0-9-]+$/.test(name))
}
