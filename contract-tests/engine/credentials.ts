import type { Form } from '../../fixtures/contract/index.ts'
import { isUuid } from './recognise.ts'
import type { CloudTarget, SelfHostedTarget, TargetFile } from './target/target.ts'

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

/** True for credentials that are wrong, so that many of them could lock a key out. */
export const isWrong = (as: As | undefined): boolean =>
  as !== undefined && !['key', 'secondKey', 'none', 'created', 'unknown'].includes(as)

export const basic = (id: string, secret: string) => `Basic ${btoa(unescape(encodeURIComponent(`${id}:${secret}`)))}`

/**
 * The Authorization header for a request, `undefined` for none, or `null` when the target file does not have what it takes.
 */
export function authorization(target: TargetFile, form: Form, as: As): string | undefined | null {
  return as === 'none' ? undefined : authorizations(target, form)[as]?.() || null
}

type Authorizations = Readonly<Partial<Record<As, () => string | undefined>>>

/** The Authorization headers that can be made from a target file: each is made when it is asked for. */
export function authorizations({ cloud, selfHosted }: TargetFile, form: Form): Authorizations {
  if (form === 'selfHosted') return selfHosted ? tokens(selfHosted, cloud) : {}
  return cloud ? basics(cloud, selfHosted) : {}
}

function tokens({ apiKey, ingestionKey }: SelfHostedTarget, cloud: CloudTarget | undefined): Authorizations {
  const bearer = (token: string | undefined) => token && `Bearer ${token}`
  return {
    key: () => bearer(apiKey),
    emptySecret: () => 'Bearer ',
    wrongSecret: () => bearer(alter(apiKey)),
    cutSecret: () => bearer(apiKey.slice(0, -1)),
    continuedSecret: () => bearer(apiKey + JUNK),
    [isUuid(apiKey) ? 'nameInOtherCase' : 'secretInOtherCase']: () => bearer(inOtherCase(apiKey)),
    noScheme: () => apiKey,
    wrongScheme: () => basic(apiKey, ''),
    keyAsPassword: () => basic('api', apiKey),
    malformed: () => bearer('not a key'),
    otherForm: () => cloud && basic(cloud.keyId, cloud.keySecret),
    ingestion: () => bearer(ingestionKey),
  }
}

function basics(cloud: CloudTarget, selfHosted: SelfHostedTarget | undefined): Authorizations {
  const { keyId, keySecret, secondKeyId, secondKeySecret } = cloud
  const key = () => basic(keyId, keySecret)
  const withId = (id: string | undefined) => id && basic(id, keySecret)
  const withSecret = (secret: string | undefined) => (secret && secret !== keySecret ? basic(keyId, secret) : undefined)
  return {
    key,
    secondKey: () => (secondKeyId && secondKeySecret ? basic(secondKeyId, secondKeySecret) : key()),
    emptySecret: () => basic(keyId, ''),
    wrongSecret: () => withSecret(alter(keySecret)),
    cutSecret: () => basic(keyId, keySecret.slice(0, -1)),
    continuedSecret: () => withSecret(keySecret + JUNK),
    secretInOtherCase: () => withSecret(inOtherCase(keySecret)),
    nameInOtherCase: () => withId(inOtherCase(keyId)),
    keyIdAsSecret: () => withSecret(keyId),
    otherOrganizationsSecret: () => withSecret(secondKeySecret),
    noScheme: () => key().replace(/^Basic /, ''),
    wrongKeyId: () => withId(alter(keyId)),
    wrongScheme: () => key().replace(/^Basic/, 'Bearer'),
    malformed: () => 'Basic !!!',
    otherForm: () => selfHosted && `Bearer ${selfHosted.apiKey}`,
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
