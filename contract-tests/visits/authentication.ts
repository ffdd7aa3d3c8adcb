import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import { operations } from '../../fixtures/contract/index.ts'
import { type As, authorization } from '../engine/credentials.ts'
import { isSuccess } from '../engine/exchange.ts'
import { isDocumented, isShown, lack, lacksPath, operationsOf, pathOf, pathValues } from '../engine/paths.ts'
import { isRead, type Past, type Step } from '../engine/step.ts'
import { isLocal } from '../engine/target/target.ts'
import { nameOf, updatedNameOf } from './life.ts'
import { chartBody, chartQueries, noBody, noSource } from './samples.ts'
import { bodyOf, type ObservabilityForm, onPath, type Resource, readableId } from './things.ts'

/**
 * The probes of §5: every operation with every kind of bad credential; the operations that are shown also with near
 * misses. Each probe would succeed with good credentials; those that write aim at the spare dashboard and alert of the
 * run.
 */

export const probes = {
  'auth/no-credentials-are-refused': ['none'],
  'auth/empty-secret-is-refused': ['emptySecret'],
  'auth/wrong-secret-is-refused': ['wrongSecret'],
  'auth/near-miss-is-refused': [
    'cutSecret',
    'continuedSecret',
    'secretInOtherCase',
    'keyIdAsSecret',
    'otherOrganizationsSecret',
  ],
  'auth/missing-scheme-is-refused': ['noScheme'],
  'auth/wrong-key-id-is-refused': ['wrongKeyId'],
  'auth/wrong-scheme-is-refused': ['wrongScheme', 'keyAsPassword'],
  'auth/malformed-credentials-are-refused': ['malformed'],
  'auth/other-forms-credentials-are-refused': ['otherForm'],
  'auth/ingestion-key-is-refused': ['ingestion'],
} as const satisfies Record<string, readonly As[]>

export type ProbeRule = keyof typeof probes

/** The rules about near misses, which are tried on the shown operations only. */
export const isForShownOnly = (rule: ProbeRule): boolean =>
  rule === 'auth/near-miss-is-refused' || rule === 'auth/missing-scheme-is-refused'

const notInForm: Partial<Record<As, readonly Form[]>> = {
  keyIdAsSecret: ['selfHosted'],
  otherOrganizationsSecret: ['selfHosted'],
  wrongKeyId: ['selfHosted'],
  keyAsPassword: ['cloud', 'managed'],
  ingestion: ['cloud', 'managed'],
}

export const probeName = (form: Form, as: As, operation: OperationId) => `${form}:${operation} as ${as}`

/** The probes of one rule in one form: the kinds of credential that the form can be sent. */
export const probesOf = (rule: ProbeRule, form: Form): readonly As[] =>
  (probes[rule] as readonly As[]).filter(as => !notInForm[as]?.includes(form))

/**
 * The operations that a rule is tried on. Those that only the vendor's document has are tried without credentials and with a
 * wrong secret: reading ones here, writing ones where a family creates what they may be aimed at.
 */
export const probedOperations = (rule: ProbeRule, form: Form): readonly OperationId[] =>
  operationsOf(form).filter(operation =>
    isDocumented(operation)
      ? (rule === 'auth/no-credentials-are-refused' || rule === 'auth/wrong-secret-is-refused') &&
        operations[operation].isPublic !== true
      : !isForShownOnly(rule) || isShown(operation, form),
  )

/** The step whose success shows that a probe of an operation would succeed with good credentials. */
export function goodStep(form: Form, operation: OperationId): readonly string[] {
  switch (operation) {
    case 'member.list':
      return ['cloud:members']
    case 'backup.get':
      return ['cloud:backup']
    case 'chart.query':
      return Object.values(chartQueries)
    case 'alert.update':
    case 'dashboard.update':
      return [`${form}:${operation}`, `${form}:${operation}-by-patch`]
    default:
      return [`${form}:${operation}${operation.endsWith('.create') ? '-main' : ''}`]
  }
}

export function authenticationSteps(form: Form): readonly Step[] {
  const tried = operationsOf(form).filter(operation => !isDocumented(operation) || isRead(operations[operation].method))
  const steps = tried.flatMap(operation =>
    (Object.keys(probes) as ProbeRule[])
      .filter(rule => probedOperations(rule, form).includes(operation))
      .flatMap(rule => probesOf(rule, form).map(as => probe(form, operation, as, isForShownOnly(rule)))),
  )
  return [...steps, probe(form, firstShown(form), 'nameInOtherCase')]
}

/** The operation that stands for its form where one is enough: a list, which reads. */
export const firstShown = (form: Form): OperationId => (form === 'cloud' ? 'member.list' : 'dashboard.list')

function probe(form: Form, operation: OperationId, as: As, isNearMiss = false): Step {
  const { method } = operations[operation]
  const resource = operation.split('.')[0] as Resource
  const creates = operation.endsWith('.create')
  const deletes = method === 'DELETE'
  return {
    name: probeName(form, as, operation),
    form,
    phase: deletes ? 29 : isRead(method) ? (isDocumented(operation) ? 26 : 8) : 28,
    operation,
    method,
    as,
    why: `${describe(as)} on ${operation}`,
    from: [...goodStep(form, operation), ...(form === 'cloud' ? [] : [`${form}:${resource}.create-spare`])],
    ...(creates ? { creates: resource } : {}),
    ...(deletes ? { deletes: { resource, step: `${form}:${resource}.create-spare` } } : {}),
    draft: past => {
      if (authorization(past.target, form, as) === null)
        return as === 'ingestion'
          ? lack(['selfHosted.ingestionKey'])
          : { skip: 'the target file does not have that credential' }
      // Many near misses could lock a key out.
      if (isNearMiss && operation !== firstShown(form) && !isLocal(past.target))
        return { skip: `beyond loopback credentials that are nearly right are tried on ${firstShown(form)} only` }
      if (isDocumented(operation)) return draftAgain(past, form, operation)
      return form === 'cloud' ? draftCloud(past, operation) : draftObservability(past, form, operation, method, as)
    },
  }
}

/** Repeats the request that succeeded with good credentials. */
function draftAgain(past: Past, form: Form, operation: OperationId) {
  const good = goodStep(form, operation).flatMap(step => past.exchange(step) ?? [])
  const { request } = good.find(isSuccess) ?? {}
  return request ? { path: request.path } : { skip: `no ${operation} succeeded with good credentials` }
}

function draftCloud(past: Past, operation: OperationId) {
  const path = pathOf(operation, 'cloud', pathValues(past.target))
  return path ? { path } : lacksPath(operation, 'cloud', past.target)
}

function draftObservability(past: Past, form: ObservabilityForm, operation: OperationId, method: string, as: As) {
  const [resource, verb] = operation.split('.') as [Resource, string]
  if (onPath(past, form, 'dashboard.list') === undefined) return lacksPath('dashboard.list', form, past.target)
  if (operation === 'chart.query') {
    const body = chartBody(past)
    return body ? { path: onPath(past, form, operation)!, body } : noSource
  }
  if (verb === 'list') return { path: onPath(past, form, operation)! }
  if (verb === 'create') {
    const body = bodyOf(past, form, resource, nameOf(past, resource, `probe ${as}`), 'spare')
    return body ? { path: onPath(past, form, operation)!, body } : noBody(past, form, `${form}:dashboard.create-spare`)
  }
  const id = isRead(method)
    ? readableId(past, form, resource, 'spare')
    : past.created(`${form}:${resource}.create-spare`)
  if (!id) return { skip: `no ${resource} ${isRead(method) ? '' : 'of this run '}is known` }
  const path = onPath(past, form, operation, id)!
  if (verb !== 'update') return { path }
  const body = bodyOf(past, form, resource, updatedNameOf(past, resource, 'spare'), 'spare', true)
  const byPatch = succeeded(past, `${form}:${operation}-by-patch`)
  return body
    ? { path, body, ...(byPatch ? { method: 'PATCH' } : {}) }
    : noBody(past, form, `${form}:dashboard.create-spare`)
}

const succeeded = (past: Past, step: string) => {
  const exchange = past.exchange(step)
  return exchange !== undefined && isSuccess(exchange)
}

function describe(as: As): string {
  const words: Partial<Record<As, string>> = {
    none: 'no credentials',
    emptySecret: 'an empty secret',
    wrongSecret: 'a wrong secret',
    cutSecret: 'a secret without its last character',
    continuedSecret: 'a secret that goes on',
    secretInOtherCase: 'a secret in another letter case',
    keyIdAsSecret: 'the key id as secret',
    otherOrganizationsSecret: 'the secret of another organization',
    noScheme: 'the right credential without its scheme',
    nameInOtherCase: 'the key id, or a token that is a UUID, in another letter case',
    wrongKeyId: 'a wrong key id',
    wrongScheme: 'the right credential under the other scheme',
    keyAsPassword: 'the key as a Basic password',
    malformed: 'malformed credentials',
    otherForm: 'the credentials of the other form',
    ingestion: 'the ingestion key',
  }
  return words[as] ?? as
}
