import type { Contract, Form, OperationId, RuleId } from '../../fixtures/built-contract/index.ts'
import { isDocumented } from '../engine/contract.ts'
import { hasLife } from '../engine/creatable-resources.ts'
import {
  authorization,
  type CredentialsKind,
  credentialsTemplateOf,
  isWrongCredentials,
} from '../engine/credentials.ts'
import { isSuccess } from '../engine/exchange.ts'
import { isShownBySpecification, operationsOf, skipForMissing } from '../engine/paths.ts'
import { because } from '../engine/reasons.ts'
import type { RunContext } from '../engine/step.ts'
import { isMock } from '../engine/target/own-mock.ts'
import { updatesOf } from './life.ts'
import type { ProbeKind } from './probes.ts'
import { chartQuerySteps } from './samples.ts'
import { credentialsOf, skip } from './visit.ts'

/** The bad credentials of §5 as probes, the operations that they are tried on, and the same requests with good credentials. */

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

/** True for rules about credentials that are nearly right, which are tried only on operations that the specification shows. */
export const isTriedOnlyWhereShown = (rule: string): boolean =>
  rule === 'auth/near-miss-is-refused' || rule === 'auth/missing-scheme-is-refused'

export const probeName = (form: Form, as: CredentialsKind, operation: OperationId) => `${form}:${operation} as ${as}`

/** Operations outside the specification are tried without credentials and with a wrong secret only. */
function isTriedAs(as: CredentialsKind, rule: ProbeRule, form: Form, operation: OperationId): boolean {
  if (as !== 'none' && credentialsTemplateOf(form, as) === undefined) return false
  return isDocumented(operation)
    ? as === 'none' || as === 'wrongSecret'
    : !isTriedOnlyWhereShown(rule) || isShownBySpecification(operation, form)
}

const credentialProbe = (
  as: CredentialsKind,
  why: string,
  rule: ProbeKind['rule'],
  isFor: ProbeKind['isFor'],
): ProbeKind => ({
  name: `as ${as}`,
  why,
  rule,
  as,
  isFor,
  change(good, context, operation, form) {
    const { target } = context
    if (authorization(target, form, as) === null)
      return as === 'ingestion'
        ? skipForMissing(['selfHosted.ingestionKey'])
        : skip('the target file does not have that credential')
    if (isMock(target)) return good
    // Many near misses could lock a key out.
    if (isTriedOnlyWhereShown(rule) && operation !== sampleOperation(form))
      return skip(
        because('on a deployment, credentials that are nearly right are tried on {operation} only', {
          operation: sampleOperation(form),
        }),
      )
    if (as !== 'none' && isDocumented(operation))
      return skip('on a deployment, a wrong secret is tried on the operations of the specification only')
    if (as !== 'none' && isLockedOut(context, form))
      return skip('wrong credentials are refused in another way than before: more of them could lock the key out')
    return good
  },
})

export const credentialProbes: readonly ProbeKind[] = [
  // The specification leaves open whether a key id or token is accepted in another letter case.
  credentialProbe(
    'nameInOtherCase',
    'the key id, or a token that is a UUID, in another letter case',
    'auth/key-id-letter-case',
    (operation, form) => operation === sampleOperation(form),
  ),
  ...(Object.keys(badCredentials) as ProbeRule[]).flatMap(rule =>
    (Object.entries(badCredentials[rule]) as [CredentialsKind, string][]).map(([as, why]) =>
      credentialProbe(as, why, rule, (operation, form) => isTriedAs(as, rule, form, operation)),
    ),
  ),
]

/** True if the refusals of wrong credentials have changed from 401 to another status, such as 403. */
function isLockedOut(context: RunContext, form: Form): boolean {
  const wrong = credentialProbes.flatMap(({ as }) => (as && isWrongCredentials(as) ? [as] : []))
  const names = operationsOf(form).flatMap(operation => wrong.map(as => probeName(form, as, operation)))
  const statuses = names.flatMap(name => context.exchange(name)?.response.status ?? [])
  return statuses.includes(401) && statuses.some(status => status > 401 && status < 500)
}

/** Keys of the run that must be refused: the state and alias of the key, the step after which it is refused, and the rule. */
const unusableKeys = [
  ['disabled', 'used', 'cloud:key.disable', 'key/disabled-key-is-refused'],
  ['deleted', 'dropped', 'cloud:key.delete-dropped', 'key/deleted-key-is-refused'],
  ['expired', 'expired', 'cloud:key.create-expired', 'key/expired-key-is-refused'],
  ['of no address', 'closed', 'cloud:key.create-closed', 'key/empty-access-list-admits-nobody'],
  ['of no role', 'spare', 'cloud:key.create-spare', 'key/without-a-role-may-do-nothing'],
] as const satisfies readonly (readonly [string, string, string, RuleId])[]

/** Without a role, a list may be empty instead of refused. */
const isForbiddenWithoutRole = (operation: OperationId, { operations }: Contract) =>
  operations[operation].permission !== undefined && !operation.endsWith('.list')

export const unusableKeyProbes: readonly ProbeKind[] = unusableKeys.map(
  ([state, alias, after, rule]): ProbeKind => ({
    name: `with a key that is ${state}`,
    why: `a key of the run that is ${state}`,
    rule,
    as: 'created',
    from: [`cloud:key.create-${alias}`, after],
    isFor: (operation, form, contract) =>
      form === 'cloud' && (alias !== 'spare' || isForbiddenWithoutRole(operation, contract)),
    change(good, context) {
      const header = isSuccess(context.exchange(after))
        ? credentialsOf(context, `cloud:key.create-${alias}`)
        : undefined
      return header === undefined
        ? skip(because('no key of this run is known that is {state}', { state }))
        : { ...good, headers: { ...good.headers, authorization: header } }
    },
  }),
)

/** The steps whose success shows that a probe of the operation would succeed with good credentials. */
export function stepsWithGoodCredentials(form: Form, operation: OperationId, contract?: Contract): readonly string[] {
  if (operation === 'chart.query') return Object.values(chartQuerySteps)
  const name = `${form}:${operation}`
  const [resource = '', verb] = operation.split('.')
  if (verb === 'create' && hasLife(resource, contract)) return [`${name}-main`]
  const updates = updatesOf(resource, contract)
  return updates.includes(operation) ? updates.map(line => `${form}:${line}`) : [name]
}

/** The operation for tests that need only one operation of a form. */
export const sampleOperation = (form: Form): OperationId => (form === 'cloud' ? 'member.list' : 'dashboard.list')
