const redacted = '[redacted]'

/**
 * Secrets and hashes of them by the names of their fields, in a body that may be cut off: it shows them once, the journal
 * never. Its time grows as the body does, and a value is read so far only because V8 overflows with one of many MiB.
 */
const secret =
  /("(?:(?=\w*(?:password|secret))\w+|connectionString|privateKey|accessKey|ingestionKey|\w+Hash)"\s*:\s*)"((?:[^"\\]|\\.){0,16384})"?/gis
/** The password in an address. */
const inAddress = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'/?#:@]{0,200}:)[^\s"'/?#@]{1,200}@/gi
const inQuery = /((?:^|&)[^=&]*(?:secret|password|token|key|signature)[^=&]*=)[^&]*/gi

export const withoutSecrets = (text: string): string =>
  text.replace(secret, `$1"${redacted}"`).replace(inAddress, `$1${redacted}@`)

export const queryWithoutSecrets = (query: string): string => query.replace(inQuery, `$1${redacted}`)

/** Headers by which somebody may be known. */
const credentials = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']

export function headersWithoutSecrets<T extends Readonly<Record<string, string | undefined>>>(headers: T): T {
  const shown = credentials.filter(name => headers[name] !== undefined)
  return shown.length === 0 ? headers : { ...headers, ...Object.fromEntries(shown.map(name => [name, redacted])) }
}

/** Shorter ones would be found in words. */
const shortestSecret = 6
/** More are not looked for: each of them is, in all that is said. */
const mostSecrets = 20

/** Takes the secrets of a body out of what is said of it: a refusal may name the value that it refuses. */
export function unsaying(body: string): (text: string) => string {
  const secrets: string[] = []
  for (const found of body.matchAll(secret)) {
    if (found[2]!.length < shortestSecret) continue
    secrets.push(found[2]!)
    if (secrets.length === mostSecrets) break
  }
  return text => secrets.reduce((said, one) => said.replaceAll(one, redacted), text)
}
