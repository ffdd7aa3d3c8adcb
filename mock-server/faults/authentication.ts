import { type Operation, operations } from '../../fixtures/contract/index.ts'
import type { Fault, FaultContext, Faults } from './fault.ts'
import { answerWithoutWriting } from './rewrite.ts'

/** Whether the specification shows the operation in this form; undefined for one without authentication. */
function findProminence({ form, operation }: FaultContext): 'shown' | 'elsewhere' | undefined {
  if (form === undefined || operation === undefined) return undefined
  const { shownForms, isPublic }: Operation = operations[operation]
  if (isPublic) return undefined
  return shownForms?.includes(form) ? 'shown' : 'elsewhere'
}

/**
 * Accepts one kind of wrong credentials. Creations are performed; changes and deletions are answered without being done,
 * because other rules are judged by the same records.
 */
const acceptProbe =
  (probe: Probe, where: 'shown' | 'elsewhere'): (() => Fault) =>
  () =>
  async (call, next, context) => {
    if (findProminence(context) !== where || recogniseProbe(call.headers.authorization, context) !== probe)
      return next(call)
    const good = { ...call, headers: { ...call.headers, authorization: context.authorization.own } }
    return ['PUT', 'PATCH', 'DELETE'].includes(call.method) ? answerWithoutWriting(good, next) : next(good)
  }

export const faults = {
  'auth/no-credentials-are-refused': acceptProbe('none', 'shown'),
  'auth/no-credentials-are-refused-elsewhere': acceptProbe('none', 'elsewhere'),
  'auth/empty-secret-is-refused': acceptProbe('empty secret', 'shown'),
  'auth/empty-secret-is-refused-elsewhere': acceptProbe('empty secret', 'elsewhere'),
  'auth/wrong-secret-is-refused': acceptProbe('wrong secret', 'shown'),
  'auth/wrong-secret-is-refused-elsewhere': acceptProbe('wrong secret', 'elsewhere'),
  'auth/near-miss-is-refused': acceptProbe('near miss', 'shown'),
  'auth/missing-scheme-is-refused': acceptProbe('no scheme', 'shown'),
  'auth/wrong-key-id-is-refused': acceptProbe('wrong key id', 'shown'),
  'auth/wrong-key-id-is-refused-elsewhere': acceptProbe('wrong key id', 'elsewhere'),
  'auth/wrong-scheme-is-refused': acceptProbe('wrong scheme', 'shown'),
  'auth/wrong-scheme-is-refused-elsewhere': acceptProbe('wrong scheme', 'elsewhere'),
  'auth/malformed-credentials-are-refused': acceptProbe('malformed', 'shown'),
  'auth/malformed-credentials-are-refused-elsewhere': acceptProbe('malformed', 'elsewhere'),
  'auth/other-forms-credentials-are-refused': acceptProbe('other form', 'shown'),
  'auth/other-forms-credentials-are-refused-elsewhere': acceptProbe('other form', 'elsewhere'),
  'auth/ingestion-key-is-refused': acceptProbe('ingestion key', 'shown'),
  'auth/ingestion-key-is-refused-elsewhere': acceptProbe('ingestion key', 'elsewhere'),
} as const satisfies Faults

/** The ways in which credentials can be wrong, as §5 distinguishes them. */
type Probe =
  | 'none'
  | 'empty secret'
  | 'wrong secret'
  | 'near miss'
  | 'wrong key id'
  | 'wrong scheme'
  | 'no scheme'
  | 'malformed'
  | 'other form'
  | 'ingestion key'

/**
 * The one way in which an Authorization header is wrong; undefined for the good one, and for one that is wrong in two ways
 * at once, such as the key of another organization.
 */
function recogniseProbe(header: string | undefined, { form, authorization }: FaultContext): Probe | undefined {
  const { own, foreign, ingestionKey, first, second } = authorization
  const sent = (header ?? '').trim()
  if (sent === '') return 'none'
  if (sent === own) return undefined
  if (sent === foreign) return 'other form'
  if (sent === split(own).credential) return 'no scheme'
  if (form !== 'selfHosted') {
    const others = [first, second].filter(other => other !== own).map(other => decode(split(other).credential)?.secret)
    return recogniseBasic(split(sent), own, others)
  }
  if (sent.replace(/^Bearer /, '') === ingestionKey.replace(/^Bearer /, '')) return 'ingestion key'
  return recogniseBearer(split(sent), split(own).credential)
}

function recogniseBasic(
  { scheme, credential }: Header,
  own: string,
  otherSecrets: readonly (string | undefined)[],
): Probe | undefined {
  const good = decode(split(own).credential)
  if (!good) return undefined
  if (scheme === 'bearer') {
    const rights = [split(own).credential, `${good.keyId}:${good.secret}`, good.secret]
    return rights.includes(credential) ? 'wrong scheme' : 'malformed'
  }
  const sent = scheme === 'basic' ? decode(credential) : undefined
  if (!sent) return 'malformed'
  if (sent.keyId !== good.keyId) return sent.secret === good.secret ? 'wrong key id' : undefined
  if (sent.secret === '') return 'empty secret'
  if (sent.secret === good.secret) return undefined
  const isNear =
    isCutOrContinued(sent.secret, good.secret) ||
    sent.secret.toLowerCase() === good.secret.toLowerCase() ||
    [good.keyId, ...otherSecrets].includes(sent.secret)
  return isNear ? 'near miss' : 'wrong secret'
}

function recogniseBearer({ scheme, credential }: Header, key: string): Probe | undefined {
  if (scheme === 'bearer') {
    if (credential === '') return 'empty secret'
    if (credential === key) return undefined
    if (isCutOrContinued(credential, key)) return 'near miss'
    // The specification leaves the letter case of a UUID token open.
    if (credential.toLowerCase() === key.toLowerCase()) return undefined
    return bearerToken.test(credential) ? 'wrong secret' : 'malformed'
  }
  const sent = scheme === 'basic' ? decode(credential) : undefined
  return [credential, sent?.keyId, sent?.secret].includes(key) ? 'wrong scheme' : 'malformed'
}

const isCutOrContinued = (sent: string, good: string) => good.startsWith(sent) || sent.startsWith(good)

/** The grammar of a bearer token, RFC 6750 §2.1. */
const bearerToken = /^[\w.~+/-]+=*$/

interface Header {
  readonly scheme: string
  readonly credential: string
}

function split(header: string): Header {
  const [, scheme = '', credential = ''] = /^(\S*)\s*(.*)$/s.exec(header) ?? []
  return { scheme: scheme.toLowerCase(), credential }
}

/** Key id and secret of Basic credentials; undefined when they are none. */
function decode(credential: string): { readonly keyId: string; readonly secret: string } | undefined {
  try {
    const [, keyId = '', secret = ''] = /^([^:]*):(.*)$/s.exec(atob(credential)) ?? []
    return keyId === '' && secret === '' ? undefined : { keyId, secret }
  } catch {
    return undefined
  }
}
