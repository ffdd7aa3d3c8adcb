import { secretHeaders, secretNames } from '../../../fixtures/secret-names.ts'

const redacted = '[redacted]'

/**
 * Redacts secrets and their hashes by field name in a body that may be truncated: answers show them once, the journal
 * never. The time is linear in the length of the body; names and values are limited in length because V8's
 * regular expressions overflow on many MiB.
 */
const secret = new RegExp(
  String.raw`("(?=\w{1,200}"\s*:)\w*(?:password\w*|secret\w*|${secretNames})"\s*:\s*)"((?:[^"\\]|\\.){0,16384})"?`,
  'gis',
)
/** The password in an address. */
const inAddress = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'/?#:@]{0,200}:)[^\s"'/?#@]{1,200}@/gi
const inQuery = /((?:^|&)[^=&]*(?:secret|password|token|key|signature)[^=&]*=)[^&]*/gi

export const withoutSecrets = (text: string): string =>
  text.replace(secret, `$1"${redacted}"`).replace(inAddress, `$1${redacted}@`)

export const queryWithoutSecrets = (query: string): string => query.replace(inQuery, `$1${redacted}`)

const secretHeader = new RegExp(secretHeaders, 'i')

export function headersWithoutSecrets<T extends Readonly<Record<string, string | undefined>>>(headers: T): T {
  const present = Object.keys(headers).filter(name => secretHeader.test(name))
  return present.length === 0 ? headers : { ...headers, ...Object.fromEntries(present.map(name => [name, redacted])) }
}

/** Shorter values would match inside words. */
const shortestSecret = 6
/** Limit of secrets of a body, because each is searched for in every text about the call. */
const maxSecrets = 20

/** Removes the secrets of a body from texts about it: a refusal may quote the value that it refuses. */
export function createRedactor(body: string): (text: string) => string {
  const secrets: string[] = []
  for (const [, , value] of body.matchAll(secret)) {
    if (value!.length < shortestSecret) continue
    secrets.push(value!)
    if (secrets.length === maxSecrets) break
  }
  return text => secrets.reduce((redactedText, one) => redactedText.replaceAll(one, redacted), text)
}
