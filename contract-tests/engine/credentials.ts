import type { Form } from '../../fixtures/contract/index.ts'
import { isUuid } from './recognise.ts'
import type { TargetFile } from './target/target.ts'

/** Who a request is sent as: the good credentials, or one of the probes of §5. */
export type As =
  | 'key'
  | 'secondKey'
  | 'none'
  | 'emptySecret'
  | 'wrongSecret'
  | 'cutSecret'
  | 'continuedSecret'
  | 'secretInOtherCase'
  | 'keyIdAsSecret'
  | 'otherOrganizationsSecret'
  | 'wrongKeyId'
  | 'wrongScheme'
  | 'keyAsPassword'
  | 'noScheme'
  | 'malformed'
  | 'otherForm'
  | 'ingestion'
  /** The key id, or a token that is a UUID, in another letter case: whether it is accepted is left open. */
  | 'nameInOtherCase'
  /** A key that the run created: the request itself carries its credentials. */
  | 'created'
  /** Recorded traffic whose credentials are redacted. */
  | 'unknown'

const basic = (id: string, secret: string) => `Basic ${btoa(unescape(encodeURIComponent(`${id}:${secret}`)))}`

/**
 * The Authorization header for a request, `undefined` for none, or `null` when the target file does not have what it takes.
 */
export function authorization(target: TargetFile, form: Form, as: As): string | undefined | null {
  const { cloud, selfHosted } = target
  if (as === 'none') return undefined
  if (form === 'selfHosted') {
    if (!selfHosted) return null
    switch (as) {
      case 'key':
        return `Bearer ${selfHosted.apiKey}`
      case 'emptySecret':
        return 'Bearer '
      case 'wrongSecret':
        return `Bearer ${alter(selfHosted.apiKey)}`
      case 'cutSecret':
        return `Bearer ${selfHosted.apiKey.slice(0, -1)}`
      case 'continuedSecret':
        return `Bearer ${selfHosted.apiKey}${JUNK}`
      case 'secretInOtherCase':
      case 'nameInOtherCase': {
        const other = inOtherCase(selfHosted.apiKey)
        return other && isUuid(selfHosted.apiKey) === (as === 'nameInOtherCase') ? `Bearer ${other}` : null
      }
      case 'noScheme':
        return selfHosted.apiKey
      case 'wrongScheme':
        return basic(selfHosted.apiKey, '')
      case 'keyAsPassword':
        return basic('api', selfHosted.apiKey)
      case 'malformed':
        return 'Bearer not a key'
      case 'otherForm':
        return cloud ? basic(cloud.keyId, cloud.keySecret) : null
      case 'ingestion':
        return selfHosted.ingestionKey ? `Bearer ${selfHosted.ingestionKey}` : null
      default:
        return null
    }
  }
  if (!cloud) return null
  switch (as) {
    case 'key':
      return basic(cloud.keyId, cloud.keySecret)
    case 'secondKey':
      return cloud.secondKeyId && cloud.secondKeySecret
        ? basic(cloud.secondKeyId, cloud.secondKeySecret)
        : basic(cloud.keyId, cloud.keySecret)
    case 'emptySecret':
      return basic(cloud.keyId, '')
    case 'wrongSecret':
      return basic(cloud.keyId, alter(cloud.keySecret))
    case 'cutSecret':
      return basic(cloud.keyId, cloud.keySecret.slice(0, -1))
    case 'continuedSecret':
      return basic(cloud.keyId, cloud.keySecret + JUNK)
    case 'secretInOtherCase': {
      const other = inOtherCase(cloud.keySecret)
      return other ? basic(cloud.keyId, other) : null
    }
    case 'nameInOtherCase': {
      const other = inOtherCase(cloud.keyId)
      return other ? basic(other, cloud.keySecret) : null
    }
    case 'keyIdAsSecret':
      return cloud.keyId === cloud.keySecret ? null : basic(cloud.keyId, cloud.keyId)
    case 'otherOrganizationsSecret':
      return cloud.secondKeySecret && cloud.secondKeySecret !== cloud.keySecret
        ? basic(cloud.keyId, cloud.secondKeySecret)
        : null
    case 'noScheme':
      return basic(cloud.keyId, cloud.keySecret).replace(/^Basic /, '')
    case 'wrongKeyId':
      return basic(alter(cloud.keyId), cloud.keySecret)
    case 'wrongScheme':
      return basic(cloud.keyId, cloud.keySecret).replace(/^Basic/, 'Bearer')
    case 'malformed':
      return 'Basic !!!'
    case 'otherForm':
      return selfHosted ? `Bearer ${selfHosted.apiKey}` : null
    default:
      return null
  }
}

/** Characters that may continue a secret. */
const JUNK = 'x9'

/** The same text with each letter in the other case; undefined when it has no letters. */
function inOtherCase(text: string): string | undefined {
  const other = text.replace(/[A-Za-z]/g, letter => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))
  return other === text ? undefined : other
}

/** The same text with another character at its end: same length, same alphabet (hexadecimal too), another credential. */
function alter(text: string): string {
  const last = text.at(-1) ?? ''
  const hasNext = /[0-8a-eg-yA-EG-Y]/.test(last)
  return text.slice(0, -1) + (hasNext ? String.fromCharCode(last.charCodeAt(0) + 1) : '0')
}
