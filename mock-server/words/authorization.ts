import { Refusal } from './refusal.ts'

/** The decoded Basic credentials; empty when the header has none that can be decoded. */
export function credentialsIn(header: string): string {
  try {
    return atob(basic.exec(header)?.[1] ?? '')
  } catch {
    return ''
  }
}

const basic = /^basic +([\w+/=-]+)$/i

/** The text between the first `Bearer ` in the header and the next one, if any, as deployments read it. */
export const tokenOf = (header: string): string | undefined => header.split('Bearer ')[1]

/** The parts of a header that may identify the caller: key id and secret, or the token, or else the last word. */
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

/** The refusal of a caller, with one sentence for missing and another for wrong credentials. */
export const refuseCaller = (header: string | undefined, ifMissing: string, ifWrong: string): Refusal =>
  header === undefined
    ? new Refusal('unauthenticated', ifMissing, { gap: 'auth/missing-credentials' })
    : new Refusal('unauthenticated', ifWrong, { gap: 'auth/invalid-credentials' })
