import type { Form } from '../../fixtures/contract/index.ts'
import type { TargetFile } from './target.ts'

/** Who a request is sent as: the good credentials, or one of the probes of §5. */
export type As =
  | 'key'
  | 'secondKey'
  | 'none'
  | 'emptySecret'
  | 'wrongSecret'
  | 'wrongKeyId'
  | 'wrongScheme'
  | 'keyAsPassword'
  | 'malformed'
  | 'otherForm'
  | 'ingestion'
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

/** The same text with another character at its end: same length, same alphabet (hexadecimal too), another credential. */
function alter(text: string): string {
  const last = text.at(-1) ?? ''
  const hasNext = /[0-8a-eg-yA-EG-Y]/.test(last)
  return text.slice(0, -1) + (hasNext ? String.fromCharCode(last.charCodeAt(0) + 1) : '0')
}
