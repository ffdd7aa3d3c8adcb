/** The kind of credentials in an Authorization header. Only `good` is accepted. */
export type Credential =
  | 'good'
  | 'none'
  | 'empty-secret'
  | 'wrong-secret'
  | 'cut-secret'
  | 'continued-secret'
  | 'secret-in-other-case'
  | 'key-id-as-secret'
  | 'other-organizations-secret'
  | 'no-scheme'
  | 'wrong-key-id'
  | 'wrong-scheme'
  | 'malformed'
  | 'other-form'
  | 'other-organization'
  | 'ingestion-key'

export interface Key {
  readonly keyId: string
  readonly keySecret: string
}

interface Header {
  readonly scheme: string
  readonly token: string
  /** The two halves of a Basic token, where it has them. */
  readonly name?: string
  readonly password?: string
}

function readHeader(header: string): Header {
  const [, scheme = '', token = ''] = /^(\S*)\s*(.*)$/.exec(header.trim()) ?? []
  const isBase64 = /^[A-Za-z0-9+/]+=*$/.test(token)
  // A secret may hold colons: the name ends at the first one.
  const [, name, password] = (isBase64 && /^([^:]*):(.*)$/s.exec(Buffer.from(token, 'base64').toString())) || []
  return { scheme: scheme.toLowerCase(), token, name, password }
}

/** How a wrong secret resembles the right one. */
function recogniseNearMiss(sent: string, right: string): Credential | undefined {
  if (right.startsWith(sent)) return 'cut-secret'
  if (sent.startsWith(right)) return 'continued-secret'
  return sent.toLowerCase() === right.toLowerCase() ? 'secret-in-other-case' : undefined
}

/** Reads the header of a cloud call on an organization whose key is `own`; `others` are the keys of the other organizations. */
export function recogniseBasic(
  header: string | undefined,
  own: Key,
  others: readonly Key[],
  apiKey: string,
): Credential {
  if (header === undefined) return 'none'
  if (header.trim() === Buffer.from(`${own.keyId}:${own.keySecret}`).toString('base64')) return 'no-scheme'
  const { scheme, token, name, password } = readHeader(header)
  if ([token, name, password].includes(apiKey)) return 'other-form'
  // The letter case of a key id does not count here.
  const isOwn = name?.toLowerCase() === own.keyId.toLowerCase()
  const hasOwnCredentials = isOwn && password === own.keySecret
  if (scheme !== 'basic') {
    const isUnencoded = [own.keySecret, own.keyId, `${own.keyId}:${own.keySecret}`].includes(token)
    return scheme === 'bearer' && (hasOwnCredentials || isUnencoded) ? 'wrong-scheme' : 'malformed'
  }
  if (!name || password === undefined) return 'malformed'
  if (hasOwnCredentials) return 'good'
  if (others.some(key => key.keyId === name && key.keySecret === password)) return 'other-organization'
  if (isOwn) {
    if (password === '') return 'empty-secret'
    if (password === own.keyId) return 'key-id-as-secret'
    if (others.some(key => key.keySecret === password)) return 'other-organizations-secret'
    return recogniseNearMiss(password, own.keySecret) ?? 'wrong-secret'
  }
  return password === own.keySecret ? 'wrong-key-id' : 'malformed'
}

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

/** Reads the header of a self-hosted call. A token that is a UUID is accepted in any letter case. */
export function recogniseBearer(
  header: string | undefined,
  apiKey: string,
  ingestionKey: string,
  cloud: readonly Key[],
): Credential {
  if (header === undefined) return 'none'
  if (header.trim() === apiKey) return 'no-scheme'
  const { scheme, token, name, password } = readHeader(header)
  if (scheme === 'basic') {
    if (cloud.some(key => key.keyId === name && key.keySecret === password)) return 'other-form'
    return [token, name, password].includes(apiKey) ? 'wrong-scheme' : 'malformed'
  }
  if (scheme !== 'bearer' || /\s/.test(token)) return 'malformed'
  if (token === '') return 'empty-secret'
  if (token === apiKey || (isUuid(apiKey) && token.toLowerCase() === apiKey)) return 'good'
  if (token === ingestionKey) return 'ingestion-key'
  const ofCloud = cloud.some(
    key =>
      [key.keyId, key.keySecret, `${key.keyId}:${key.keySecret}`].includes(token) ||
      (key.keyId === name && key.keySecret === password),
  )
  return ofCloud ? 'other-form' : (recogniseNearMiss(token, apiKey) ?? 'wrong-secret')
}
