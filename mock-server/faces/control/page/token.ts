import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** A token that nobody guesses. */
export const createToken = (): string => randomBytes(24).toString('base64url')

const name = 'stack-parity-console'

/** Who may use a control plane that others can reach. */
export interface Gate {
  /** Whether a request shows the token, as a bearer token or by the cookie that was given for it. */
  admits(headers: IncomingHttpHeaders): boolean
  recognises(token: string): boolean
  /** What a browser is given for the token: not the token itself, because cookies go to every port of a machine. */
  readonly cookie: string
}

export function createGate(token: string): Gate {
  const pass = createHmac('sha256', token).update(name).digest('base64url')
  return {
    admits({ authorization = '', cookie = '' }) {
      const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
      if (bearer !== undefined) return isEqual(bearer, token)
      const shown = cookie.split(/; */).find(part => part.startsWith(`${name}=`))
      return shown !== undefined && isEqual(shown.slice(name.length + 1), pass)
    },
    recognises: shown => isEqual(shown, token),
    cookie: `${name}=${pass}; Path=/; HttpOnly; SameSite=Strict`,
  }
}

/** Takes the same time wherever two texts begin to differ, and whatever their lengths are. */
function isEqual(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
