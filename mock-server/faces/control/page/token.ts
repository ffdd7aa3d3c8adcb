import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

export const createToken = (): string => randomBytes(24).toString('base64url')

const name = 'stack-parity-console'

/** Protects a control plane beyond loopback by a token. */
export interface Gate {
  /** Whether a request has the token, as a bearer token or by the cookie. */
  admits(headers: IncomingHttpHeaders): boolean
  recognises(token: string): boolean
  /** The Set-Cookie header. Its value is derived from the token, because cookies are sent to every port of a host. */
  readonly cookie: string
}

export function createGate(token: string): Gate {
  const cookieValue = createHmac('sha256', token).update(name).digest('base64url')
  return {
    admits({ authorization = '', cookie = '' }) {
      const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
      if (bearer !== undefined) return isEqual(bearer, token)
      const candidate = cookie.split(/; */).find(part => part.startsWith(`${name}=`))
      return candidate !== undefined && isEqual(candidate.slice(name.length + 1), cookieValue)
    },
    recognises: candidate => isEqual(candidate, token),
    cookie: `${name}=${cookieValue}; Path=/; HttpOnly; SameSite=Strict`,
  }
}

/** Compares in constant time, also for texts of different lengths. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
