import type { Form } from '../../fixtures/contract/index.ts'
import { isUuid } from './recognise.ts'
import type { TargetFile } from './target/target.ts'

/**
 * The Authorization header of each kind of credentials, good or wrong (§5), by the part of the target file that describes the
 * deployment. `{cloud.keyId}` stands for a value of the target file, `{cloud.keyId|cut}` for the value after a change, and
 * `base64(…)` encodes its content.
 */
export const credentials = {
  cloud: {
    key: 'Basic base64({cloud.keyId}:{cloud.keySecret})',
    secondKey: 'Basic base64({cloud.secondKeyId}:{cloud.secondKeySecret})',
    emptySecret: 'Basic base64({cloud.keyId}:)',
    wrongSecret: 'Basic base64({cloud.keyId}:{cloud.keySecret|altered})',
    cutSecret: 'Basic base64({cloud.keyId}:{cloud.keySecret|cut})',
    continuedSecret: 'Basic base64({cloud.keyId}:{cloud.keySecret}x9)',
    secretInOtherCase: 'Basic base64({cloud.keyId}:{cloud.keySecret|inOtherCase})',
    nameInOtherCase: 'Basic base64({cloud.keyId|inOtherCase}:{cloud.keySecret})',
    keyIdAsSecret: 'Basic base64({cloud.keyId}:{cloud.keyId})',
    otherOrganizationsSecret: 'Basic base64({cloud.keyId}:{cloud.secondKeySecret})',
    noScheme: 'base64({cloud.keyId}:{cloud.keySecret})',
    wrongKeyId: 'Basic base64({cloud.keyId|altered}:{cloud.keySecret})',
    wrongScheme: 'Bearer base64({cloud.keyId}:{cloud.keySecret})',
    malformed: 'Basic !!!',
    otherForm: 'Bearer {selfHosted.apiKey}',
  },
  selfHosted: {
    key: 'Bearer {selfHosted.apiKey}',
    emptySecret: 'Bearer ',
    wrongSecret: 'Bearer {selfHosted.apiKey|altered}',
    cutSecret: 'Bearer {selfHosted.apiKey|cut}',
    continuedSecret: 'Bearer {selfHosted.apiKey}x9',
    secretInOtherCase: 'Bearer {selfHosted.apiKey|inOtherCase}',
    nameInOtherCase: 'Bearer {selfHosted.apiKey|inOtherCase}',
    noScheme: '{selfHosted.apiKey}',
    wrongScheme: 'Basic base64({selfHosted.apiKey}:)',
    keyAsPassword: 'Basic base64(api:{selfHosted.apiKey})',
    malformed: 'Bearer not a key',
    otherForm: 'Basic base64({cloud.keyId}:{cloud.keySecret})',
    ingestion: 'Bearer {selfHosted.ingestionKey}',
  },
} as const

type NamedKind = keyof typeof credentials.cloud | keyof typeof credentials.selfHosted

/** The credentials of a request: `created` are those of a key that the run created, `unknown` those of recorded traffic. */
export type CredentialsKind = NamedKind | 'none' | 'created' | 'unknown'

/** True for wrong credentials, many of which could lock a key out. */
export const isWrongCredentials = (as: CredentialsKind | undefined): boolean =>
  as !== undefined && !['key', 'secondKey', 'none', 'created', 'unknown'].includes(as)

export const targetPartOf = (form: Form) => (form === 'selfHosted' ? 'selfHosted' : 'cloud')

export const credentialsTemplateOf = (form: Form, as: string): string | undefined =>
  (credentials[targetPartOf(form)] as Readonly<Record<string, string>>)[as]

export function splitTemplate(template: string): readonly [scheme: string, encoded: string] | undefined {
  const [, scheme = '', encoded] = /^(.*)base64\((.*)\)$/.exec(template) ?? []
  return encoded === undefined ? undefined : [scheme, encoded]
}

/** A template with its values; `fill` gets a place of the target file, such as `cloud.keyId`, and the name of the change. */
export const fillTemplate = (template: string, fill: (place: string, change: string) => string): string =>
  template.replace(/\{(\w+\.\w+)\|?(\w*)\}/g, (_, place: string, change: string) => fill(place, change))

const encode = (text: string) => btoa(unescape(encodeURIComponent(text)))
export const basic = (id: string, secret: string) => `Basic ${encode(`${id}:${secret}`)}`

const changes: Readonly<Record<string, (value: string) => string>> = {
  cut: value => value.slice(0, -1),
  inOtherCase: value =>
    value.replace(/[A-Za-z]/g, letter => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase())),
  /** Another character at the end: same length, same alphabet (hexadecimal too), another credential. */
  altered(value) {
    const last = value.at(-1) ?? ''
    const hasNext = /[0-8a-eg-yA-EG-Y]/.test(last)
    return value.slice(0, -1) + (hasNext ? String.fromCharCode(last.charCodeAt(0) + 1) : '0')
  },
}

/** The header of a template; undefined when the target file lacks one of its values. */
function headerOf(target: TargetFile, template: string): string | undefined {
  let isComplete = true
  const fill = (text: string) =>
    fillTemplate(text, (place, change) => {
      const [part, field] = place.split('.') as ['cloud', 'keyId']
      const value = target[part]?.[field] ?? ''
      isComplete &&= value !== ''
      return changes[change]?.(value) ?? value
    })
  const [scheme, encoded] = splitTemplate(template) ?? []
  const header = encoded === undefined ? fill(template) : scheme + encode(fill(encoded))
  return isComplete ? header : undefined
}

/** The Authorization header of a request, undefined for none, null when it cannot be made from the target file. */
export function authorization(target: TargetFile, form: Form, as: CredentialsKind): string | undefined | null {
  if (as === 'none') return undefined
  // In another letter case, a UUID is the same token, and any other token is a wrong one.
  const needsOtherToken = as === (isUuid(target.selfHosted?.apiKey) ? 'secretInOtherCase' : 'nameInOtherCase')
  const template = form === 'selfHosted' && needsOtherToken ? undefined : credentialsTemplateOf(form, as)
  if (!template || !target[targetPartOf(form)]) return null
  const goodHeader = headerOf(target, credentials[targetPartOf(form)].key)
  const header = headerOf(target, template)
  // Without a second key, the first one may have access to both organizations.
  if (as === 'secondKey') return header ?? goodHeader
  return !header || (header === goodHeader && as !== 'key') ? null : header
}
