import type { IncomingMessage } from 'node:http'
import { loopbackHost } from '../../../fixtures/targets/loopback.ts'

/** Why the proxy does not pass a request on, and the status that it answers instead. */
export interface Declined {
  readonly status: number
  readonly why: string
}

/**
 * Decides whether a request is passed on. Web pages are kept out: one of another site shows its origin, and one whose name
 * was made to resolve to this machine (DNS rebinding) its `Host`.
 */
export function decline(
  { method = '', url = '', headers }: IncomingMessage,
  allowsWrites: boolean,
): Declined | undefined {
  const { host = '', origin } = headers
  const site = headers['sec-fetch-site']
  if (!loopbackHost.test(hostnameOf(host)))
    return { status: 403, why: `it is reached as ${host || 'an empty host'}: use 127.0.0.1 or localhost` }
  if (origin !== undefined || (site !== undefined && site !== 'none'))
    return {
      status: 403,
      why: `it answers no web page, and this request is one's (${origin ?? `Sec-Fetch-Site: ${site}`})`,
    }
  if (!url.startsWith('/'))
    return { status: 400, why: 'it forwards to its target alone: send the path, not a whole address' }
  if (method !== 'GET' && method !== 'HEAD' && !allowsWrites)
    return {
      status: 403,
      why: `it passes GET and HEAD alone, not ${method}: put "writes": true into the target file to pass all`,
    }
  return undefined
}

const hostnameOf = (host: string) => (URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '')
