import { Refusal } from './refusal.ts'

/** What an Authorization header holds. */

/** The decoded Basic credentials; empty when the header has none that can be decoded. */
export function credentialsIn(header: string): string {
  try {
    return atob(basic.exec(header)?.[1] ?? '')
  } catch {
    return ''
  }
}

const basic = /^basic +([\w+/=-]+)$/i

/** The text after the literal `Bearer `, wherever it stands, up to the next such literal, as deployments read it. */
export const tokenOf = (header: string): string | undefined => header.split('Bearer ')[1]

/** The parts of a header that identify the caller: key id and secret, or the token. */
export function callerNamesIn(header: string): readonly string[] {
  const credentials = credentialsIn(header)
  if (credentials !== '') return credentials.split(':', 2)
  return [tokenOf(header) ?? header.slice(header.lastIndexOf(' ') + 1)]
}

/** Compares in constant time. */
export function equalsInConstantTime(received: string, expected: string): boolean {
  let difference = received.length ^ expected.length
  for (let i = 0; i < expected.length; i++) difference |= (received.charCodeAt(i) | 0) ^ expected.charCodeAt(i)
  return difference === 0
}

/** The refusal of a caller who sent no credentials, or wrong ones. */
export const refuseCaller = (header: string | undefined, missing: string, wrong: string): Refusal =>
  header === undefined
    ? new Refusal('unauthenticated', missing, { gap: 'auth/missing-credentials' })
    : new Refusal('unauthenticated', wrong, { gap: 'auth/invalid-credentials' })
