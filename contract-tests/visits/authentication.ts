import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import { isDocumented } from '../engine/contract.ts'
import type { As } from '../engine/credentials.ts'
import { isShown } from '../engine/paths.ts'
import { isLiving } from '../engine/resources-with-life.ts'
import { updatesOf } from './life.ts'
import { chartQueries } from './samples.ts'

/** The bad credentials of §5, the operations that they are tried on, and the requests that succeed with good ones. */

/** By rule: the kinds of bad credentials, in words. */
export const badCredentials = {
  'auth/no-credentials-are-refused': { none: 'no credentials' },
  'auth/empty-secret-is-refused': { emptySecret: 'an empty secret' },
  'auth/wrong-secret-is-refused': { wrongSecret: 'a wrong secret' },
  'auth/near-miss-is-refused': {
    cutSecret: 'a secret without its last character',
    continuedSecret: 'a secret that goes on',
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
} as const satisfies Record<string, Partial<Record<As, string>>>

export type ProbeRule = keyof typeof badCredentials
export const describeCredentials = (as: As): string => words[as] ?? as

const words: Partial<Record<As, string>> = Object.assign(
  { nameInOtherCase: 'the key id, or a token that is a UUID, in another letter case' },
  ...Object.values(badCredentials),
)

/** Near misses are tried on shown operations only. */
export const isTriedOnShownOnly = (rule: string): boolean =>
  rule === 'auth/near-miss-is-refused' || rule === 'auth/missing-scheme-is-refused'

const notInForm: Partial<Record<As, readonly Form[]>> = {
  keyIdAsSecret: ['selfHosted'],
  otherOrganizationsSecret: ['selfHosted'],
  wrongKeyId: ['selfHosted'],
  keyAsPassword: ['cloud', 'managed'],
  ingestion: ['cloud', 'managed'],
}

export const probeName = (form: Form, as: As, operation: OperationId) => `${form}:${operation} as ${as}`

/** Operations outside the specification are tried without credentials and with a wrong secret only. */
export function isTriedAs(as: As, rule: ProbeRule, form: Form, operation: OperationId): boolean {
  if (notInForm[as]?.includes(form)) return false
  return isDocumented(operation)
    ? as === 'none' || as === 'wrongSecret'
    : !isTriedOnShownOnly(rule) || isShown(operation, form)
}

/** The steps whose success shows that a probe of the operation would succeed with good credentials. */
export function stepsWithGoodCredentials(form: Form, operation: OperationId): readonly string[] {
  if (operation === 'member.list') return ['cloud:members']
  if (operation === 'backup.get') return ['cloud:backup']
  if (operation === 'chart.query') return Object.values(chartQueries)
  const name = `${form}:${operation}`
  const [resource = '', verb] = operation.split('.')
  if (verb === 'create' && isLiving(resource)) return [`${name}-main`]
  const updates = updatesOf(resource)
  return updates.includes(operation) ? updates.map(line => `${form}:${line}`) : [name]
}

/** A list, where one operation is enough for a form. */
export const shownList = (form: Form): OperationId => (form === 'cloud' ? 'member.list' : 'dashboard.list')
