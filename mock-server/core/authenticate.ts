import type { Key } from './populate/credentials.ts'
import { remember } from './remember.ts'

/** So many characters of headers are remembered, so that a caller who returns is not decoded again. */
const mostHeaders = 128 * 1024

function rememberHeaders<T>(read: (header: string) => T | undefined): (header: string | undefined) => T | undefined {
  const recall = remember(read, mostHeaders, (_, header) => header.length)
  return header => (header === undefined ? undefined : recall(header))
}

/** Finds the key of HTTP Basic credentials: key id and secret must both be right. */
export function createBasicAuthentication(findKey: (keyId: string) => Key | undefined) {
  return rememberHeaders(header => {
    const credentials = credentialsIn(header)
    const colon = credentials.indexOf(':')
    if (colon < 0) return undefined
    const key = findKey(credentials.slice(0, colon))
    // keeps: auth/wrong-secret-is-refused, auth/wrong-secret-is-refused-elsewhere, auth/empty-secret-is-refused
    // keeps: auth/empty-secret-is-refused-elsewhere, auth/wrong-key-id-is-refused, auth/wrong-key-id-is-refused-elsewhere
    // keeps: auth/near-miss-is-refused
    return key && isSame(credentials.slice(colon + 1), key.keySecret) ? key : undefined
  })
}

/**
 * Finds whether a bearer token is the access key. Deployments take the text after the literal `Bearer `, wherever it
 * stands, up to the next such literal. With `inAnyCase`, the letter case of the token does not count.
 */
export function createBearerAuthentication(accessKey: string, { inAnyCase = false } = {}) {
  const fold = (text: string) => (inAnyCase ? text.toLowerCase() : text)
  return rememberHeaders(header => {
    const token = tokenOf(header)
    // keeps: auth/ingestion-key-is-refused, auth/ingestion-key-is-refused-elsewhere
    return token !== undefined && isSame(fold(token), fold(accessKey)) ? accessKey : undefined
  })
}

// keeps: auth/wrong-scheme-is-refused, auth/wrong-scheme-is-refused-elsewhere, auth/malformed-credentials-are-refused
// keeps: auth/malformed-credentials-are-refused-elsewhere, auth/missing-scheme-is-refused
export const tokenOf = (header: string): string | undefined => header.split('Bearer ')[1]

/** The words of a header that tell whose it is: key id and secret, or the token. */
export function namesIn(header: string): readonly string[] {
  const credentials = credentialsIn(header)
  if (credentials !== '') return credentials.split(':', 2)
  return [tokenOf(header) ?? header.slice(header.lastIndexOf(' ') + 1)]
}

const basic = /^basic +([\w+/=-]+)$/i

/** The text of Basic credentials, empty when a header has none that can be read. */
function credentialsIn(header: string): string {
  try {
    return atob(basic.exec(header)?.[1] ?? '')
  } catch {
    return ''
  }
}

/** Takes the same time wherever two texts differ. */
function isSame(given: string, kept: string): boolean {
  let difference = given.length ^ kept.length
  for (let i = 0; i < kept.length; i++) difference |= (given.charCodeAt(i) | 0) ^ kept.charCodeAt(i)
  return difference === 0
}
