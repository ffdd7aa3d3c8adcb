/** What an Authorization header turns out to hold. Only `good` is let in. */
export type Credential =
  | 'good'
  | 'none'
  | 'empty-secret'
  | 'wrong-secret'
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

interface Held {
  readonly scheme: string
  readonly token: string
  /** The two halves of a Basic token, where it has them. */
  readonly name?: string
  readonly password?: string
}

function readHeader(header: string): Held {
  const [, scheme = '', token = ''] = /^(\S*)\s*(.*)$/.exec(header.trim()) ?? []
  const isBase64 = /^[A-Za-z0-9+/]+=*$/.test(token)
  // A secret may hold colons: the name ends at the first one.
  const [, name, password] = (isBase64 && /^([^:]*):(.*)$/s.exec(Buffer.from(token, 'base64').toString())) || []
  return { scheme: scheme.toLowerCase(), token, name, password }
}

/** Reads the header of a cloud call on an organization whose key is `own`; `others` are the keys of the other organizations. */
export function recogniseBasic(
  header: string | undefined,
  own: Key,
  others: readonly Key[],
  apiKey: string,
): Credential {
  if (header === undefined) return 'none'
  const { scheme, token, name, password } = readHeader(header)
  if ([token, name, password].includes(apiKey)) return 'other-form'
  const holdsOwn = name === own.keyId && password === own.keySecret
  if (scheme !== 'basic') {
    const spelled = [own.keySecret, own.keyId, `${own.keyId}:${own.keySecret}`].includes(token)
    return scheme === 'bearer' && (holdsOwn || spelled) ? 'wrong-scheme' : 'malformed'
  }
  if (!name || password === undefined) return 'malformed'
  if (holdsOwn) return 'good'
  if (others.some(key => key.keyId === name && key.keySecret === password)) return 'other-organization'
  if (name === own.keyId) return password === '' ? 'empty-secret' : 'wrong-secret'
  return password === own.keySecret ? 'wrong-key-id' : 'malformed'
}

/** Reads the header of a self-hosted call. */
export function recogniseBearer(
  header: string | undefined,
  apiKey: string,
  ingestionKey: string,
  cloud: readonly Key[],
): Credential {
  if (header === undefined) return 'none'
  const { scheme, token, name, password } = readHeader(header)
  if (scheme === 'basic') {
    if (cloud.some(key => key.keyId === name && key.keySecret === password)) return 'other-form'
    return [token, name, password].includes(apiKey) ? 'wrong-scheme' : 'malformed'
  }
  if (scheme !== 'bearer' || /\s/.test(token)) return 'malformed'
  if (token === '') return 'empty-secret'
  if (token === apiKey) return 'good'
  if (token === ingestionKey) return 'ingestion-key'
  const ofCloud = cloud.some(
    key =>
      [key.keyId, key.keySecret, `${key.keyId}:${key.keySecret}`].includes(token) ||
      (key.keyId === name && key.keySecret === password),
  )
  return ofCloud ? 'other-form' : 'wrong-secret'
}
