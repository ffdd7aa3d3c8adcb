import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import { isDocumented } from '../engine/contract.ts'
import type { CredentialsKind } from '../engine/credentials.ts'
import { isShownBySpecification } from '../engine/paths.ts'
import { hasLife } from '../engine/resources-with-life.ts'
import { updatesOf } from './life.ts'
import { chartQueries } from './samples.ts'

/** The bad credentials of §5, the operations that they are tried on, and the requests that must succeed with good ones. */

/** By rule: the kinds of bad credentials with their descriptions. */
export const badCredentials = {
  'auth/no-credentials-are-refused': { none: 'no credentials' },
  'auth/empty-secret-is-refused': { emptySecret: 'an empty secret' },
  'auth/wrong-secret-is-refused': { wrongSecret: 'a wrong secret' },
  'auth/near-miss-is-refused': {
    cutSecret: 'a secret without its last character',
    continuedSecret: 'a secret with further characters',
    secretInOtherCase: 'a secret in another letter case',
    keyIdAsSecret: 'the key id as secret',
    otherOrganizationsSecret: 'the secret of another organization',
  },
  'auth/missing-scheme-is-refused': { noScheme: 'the right credential without its scheme' },
  'auth/wrong-key-id-is-refused': { wrongKeyId: 'a wrong key id' },
  'auth/wrong-scheme-is-refused': {
    wrongScheme: 'the right credential under the other scheme',
    keyAsPassword: 'the key as a Basic password',
  },
  'auth/malformed-credentials-are-refused': { malformed: 'malformed credentials' },
  'auth/other-forms-credentials-are-refused': { otherForm: 'the credentials of the other form' },
  'auth/ingestion-key-is-refused': { ingestion: 'the ingestion key' },
} as const satisfies Record<string, Partial<Record<CredentialsKind, string>>>

export type ProbeRule = keyof typeof badCredentials
export const describeCredentials = (as: CredentialsKind): string => descriptions[as] ?? as

const descriptions: Partial<Record<CredentialsKind, string>> = Object.assign(
  { nameInOtherCase: 'the key id, or a token that is a UUID, in another letter case' },
  ...Object.values(badCredentials),
)

/** True for rules about credentials that are nearly right, which are tried only on operations that the specification shows. */
export const isTriedOnlyWhereShown = (rule: string): boolean =>
  rule === 'auth/near-miss-is-refused' || rule === 'auth/missing-scheme-is-refused'

const notInForm: Partial<Record<CredentialsKind, readonly Form[]>> = {
  keyIdAsSecret: ['selfHosted'],
  otherOrganizationsSecret: ['selfHosted'],
  wrongKeyId: ['selfHosted'],
  keyAsPassword: ['cloud', 'managed'],
  ingestion: ['cloud', 'managed'],
}

export const probeName = (form: Form, as: CredentialsKind, operation: OperationId) => `${form}:${operation} as ${as}`

/** Operations outside the specification are tried without credentials and with a wrong secret only. */
export function isTriedAs(as: CredentialsKind, rule: ProbeRule, form: Form, operation: OperationId): boolean {
  if (notInForm[as]?.includes(form)) return false
  return isDocumented(operation)
    ? as === 'none' || as === 'wrongSecret'
    : !isTriedOnlyWhereShown(rule) || isShownBySpecification(operation, form)
}

/** The steps whose success shows that a probe of the operation would succeed with good credentials. */
export function stepsWithGoodCredentials(form: Form, operation: OperationId): readonly string[] {
  if (operation === 'member.list') return ['cloud:members']
  if (operation === 'backup.get') return ['cloud:backup']
  if (operation === 'chart.query') return Object.values(chartQueries)
  const name = `${form}:${operation}`
  const [resource = '', verb] = operation.split('.')
  if (verb === 'create' && hasLife(resource)) return [`${name}-main`]
  const updates = updatesOf(resource)
  return updates.includes(operation) ? updates.map(line => `${form}:${line}`) : [name]
}

/** The operation for tests that need only one operation of a form. */
export const sampleList = (form: Form): OperationId => (form === 'cloud' ? 'member.list' : 'dashboard.list')
