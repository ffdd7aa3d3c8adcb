import type { Fault, FaultContext, Faults } from './fault.ts'
import { answerWithoutWriting } from './rewrite.ts'

/** Where an operation stands: shown by the specification in this form, or elsewhere; undefined if it is unknown or public. */
function findStanding({ contract, form, operation }: FaultContext): 'shown' | 'elsewhere' | undefined {
  if (form === undefined || operation === undefined) return undefined
  const { shownForms, isPublic } = contract.operations[operation]
  if (isPublic) return undefined
  return shownForms?.includes(form) ? 'shown' : 'elsewhere'
}

/**
 * Accepts one kind of wrong credentials. Creations are performed; changes and deletions are answered but not performed,
 * because the checks of other rules need the records.
 */
function acceptDefect(defect: Defect, standing: 'shown' | 'elsewhere'): () => Fault {
  const fault: Fault = async (call, next, context) => {
    if (findStanding(context) !== standing || recogniseDefect(call.headers.authorization, context) !== defect)
      return next(call)
    const authenticated = { ...call, headers: { ...call.headers, authorization: context.authorization.own } }
    return ['PUT', 'PATCH', 'DELETE'].includes(call.method)
      ? answerWithoutWriting(authenticated, next)
      : next(authenticated)
  }
  return () => fault
}

export const faults = {
  'auth/no-credentials-are-refused': acceptDefect('none', 'shown'),
  'auth/no-credentials-are-refused-elsewhere': acceptDefect('none', 'elsewhere'),
  'auth/empty-secret-is-refused': acceptDefect('empty secret', 'shown'),
  'auth/empty-secret-is-refused-elsewhere': acceptDefect('empty secret', 'elsewhere'),
  'auth/wrong-secret-is-refused': acceptDefect('wrong secret', 'shown'),
  'auth/wrong-secret-is-refused-elsewhere': acceptDefect('wrong secret', 'elsewhere'),
  'auth/near-miss-is-refused': acceptDefect('near miss', 'shown'),
  'auth/missing-scheme-is-refused': acceptDefect('no scheme', 'shown'),
  'auth/wrong-key-id-is-refused': acceptDefect('wrong key id', 'shown'),
  'auth/wrong-key-id-is-refused-elsewhere': acceptDefect('wrong key id', 'elsewhere'),
  'auth/wrong-scheme-is-refused': acceptDefect('wrong scheme', 'shown'),
  'auth/wrong-scheme-is-refused-elsewhere': acceptDefect('wrong scheme', 'elsewhere'),
  'auth/malformed-credentials-are-refused': acceptDefect('malformed', 'shown'),
  'auth/malformed-credentials-are-refused-elsewhere': acceptDefect('malformed', 'elsewhere'),
  'auth/other-forms-credentials-are-refused': acceptDefect('other form', 'shown'),
  'auth/other-forms-credentials-are-refused-elsewhere': acceptDefect('other form', 'elsewhere'),
  'auth/ingestion-key-is-refused': acceptDefect('ingestion key', 'shown'),
  'auth/ingestion-key-is-refused-elsewhere': acceptDefect('ingestion key', 'elsewhere'),
} as const satisfies Faults

/** The ways in which credentials can be wrong, as §5 distinguishes them. */
type Defect =
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
 * The one way in which an Authorization header is wrong; undefined if it is right, may be right, or is wrong in two ways at
 * once, such as the key of another organization.
 */
function recogniseDefect(header: string | undefined, { form, authorization }: FaultContext): Defect | undefined {
  const { own, foreign, ingestionKey, first, second } = authorization
  const sent = (header ?? '').trim()
  if (sent === '') return 'none'
  if (sent === own) return undefined
  if (sent === foreign) return 'other form'
  if (sent === split(own).credential) return 'no scheme'
  if (form !== 'selfHosted') {
    const others = [first, second].filter(header => header !== own)
    return recogniseBasic(split(sent), own, others.map(secretOf))
  }
  if (sent.replace(/^Bearer /, '') === ingestionKey.replace(/^Bearer /, '')) return 'ingestion key'
  return recogniseBearer(split(sent), split(own).credential)
}

function recogniseBasic(
  { scheme, credential }: Header,
  own: string,
  otherSecrets: readonly (string | undefined)[],
): Defect | undefined {
  const ownPair = decodeBasic(split(own).credential)
  if (!ownPair) return undefined
  if (scheme === 'bearer') {
    const ownForms = [split(own).credential, `${ownPair.keyId}:${ownPair.secret}`, ownPair.secret]
    return ownForms.includes(credential) ? 'wrong scheme' : 'malformed'
  }
  const sent = scheme === 'basic' ? decodeBasic(credential) : undefined
  if (!sent) return 'malformed'
  if (sent.keyId !== ownPair.keyId) return sent.secret === ownPair.secret ? 'wrong key id' : undefined
  if (sent.secret === '') return 'empty secret'
  if (sent.secret === ownPair.secret) return undefined
  const isNear =
    isCutOrContinued(sent.secret, ownPair.secret) ||
    sent.secret.toLowerCase() === ownPair.secret.toLowerCase() ||
    [ownPair.keyId, ...otherSecrets].includes(sent.secret)
  return isNear ? 'near miss' : 'wrong secret'
}

function recogniseBearer({ scheme, credential }: Header, key: string): Defect | undefined {
  if (scheme === 'bearer') {
    if (credential === '') return 'empty secret'
    if (credential === key) return undefined
    if (isCutOrContinued(credential, key)) return 'near miss'
    // The specification leaves the letter case of a UUID token open.
    if (credential.toLowerCase() === key.toLowerCase()) return undefined
    return bearerToken.test(credential) ? 'wrong secret' : 'malformed'
  }
  const sent = scheme === 'basic' ? decodeBasic(credential) : undefined
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

const secretOf = (header: string) => decodeBasic(split(header).credential)?.secret

/** Key id and secret of Basic credentials; undefined if they cannot be decoded or are empty. */
function decodeBasic(credential: string): { readonly keyId: string; readonly secret: string } | undefined {
  try {
    const [, keyId = '', secret = ''] = /^([^:]*):(.*)$/s.exec(atob(credential)) ?? []
    return keyId === '' && secret === '' ? undefined : { keyId, secret }
  } catch {
    return undefined
  }
}
