import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'

/** A refusal of the control plane: a sentence for whoever drives the mock. */
export class Declined extends Error {
  constructor(
    readonly status: number,
    sentence: string,
  ) {
    super(sentence)
  }
}

/**
 * Keeps web pages away from the control plane. A page of another site gives itself away by its Origin; one whose name was
 * made to point here (DNS rebinding) by its Host. Such a page has no token: whoever shows it may use any name.
 */
export function declineStrangers({ host = '', origin }: IncomingHttpHeaders, hostname: string, showsToken = false) {
  const name = nameOf(`http://${host}`)
  if (!showsToken && !isOurs(name, hostname)) {
    throw new Declined(
      403,
      `The control plane is not reached as ${host || 'an empty host'}: use ${hostname} or localhost.`,
    )
  }
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase()) {
    throw new Declined(403, `The control plane answers no page of another origin, and ${origin} is one.`)
  }
}

function nameOf(address: string): string {
  try {
    return new URL(address).hostname.replace(/^\[|\]$/g, '')
  } catch {
    return ''
  }
}

function isOurs(name: string, hostname: string): boolean {
  if (name === 'localhost' || name === '127.0.0.1' || name === '::1' || name === hostname.toLowerCase()) return true
  // On every address: no page can have its name point to another one by being an address, or a name without a dot.
  return (hostname === '0.0.0.0' || hostname === '::') && (isIP(name) !== 0 || /^[a-z0-9-]+$/.test(name))
}
