import {
  type Contract,
  type Form,
  type GapId,
  type Operation,
  type OperationId,
  contract as ours,
  type RuleId,
} from '../../fixtures/built-contract/index.ts'
import { isDocumented, onceFor, resourceOf } from '../engine/contract.ts'
import { type CreatableResource, hasLife } from '../engine/creatable-resources.ts'
import { type CredentialsKind, isWrongCredentials } from '../engine/credentials.ts'
import { isSuccess, parseJson } from '../engine/exchange.ts'
import { creationMark } from '../engine/mark.ts'
import {
  isShownBySpecification,
  operationsOf,
  pathTemplateOf,
  pathValues,
  skipForUnknownPath,
} from '../engine/paths.ts'
import { because } from '../engine/reasons.ts'
import { isObject, isUuid, type JsonObject } from '../engine/recognise.ts'
import type { StepRequest } from '../engine/send.ts'
import { isRead, type RequestOrSkip, type RunContext, type Step } from '../engine/step.ts'
import { isMock } from '../engine/target/own-mock.ts'
import { credentialProbes, stepsWithGoodCredentials, unusableKeyProbes } from './authentication.ts'
import { UNKNOWN_UUID, withSecondKey } from './cloud.ts'
import { skip } from './visit.ts'
import { bodyProbes, fieldsSentTo } from './wrong-bodies.ts'

/** A probe is a good request with one mistake, which must not succeed. It is sent while its object exists or after the deletion. */

export interface ProbeKind {
  /** Part of the step name, after the operation. */
  readonly name: string
  readonly why: string
  readonly rule: RuleId | GapId
  readonly as?: CredentialsKind
  /** Steps that are sent before the probe. */
  readonly from?: readonly string[]
  /** For a probe after a deletion: the step that shows that the object is gone. */
  readonly shownGoneBy?: (operation: OperationId, form: Form, contract: Contract) => string | undefined
  readonly isFor: (operation: OperationId, form: Form, contract: Contract) => boolean
  readonly change: (
    good: StepRequest,
    context: RunContext,
    operation: OperationId,
    form: Form,
    contract: Contract,
  ) => RequestOrSkip
}

/** The path parameter with the id of the object that the operation acts on; undefined if all parameters belong to its place. */
function ownIdParameter(operation: OperationId, form: Form, contract: Contract): string | undefined {
  const path = pathTemplateOf(operation, form, contract) ?? ''
  const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1]
  // The same name may exist in any place.
  if (last && contract.operations[operation].ids?.[last] === 'name') return undefined
  const isOfPlace =
    last === 'organizationId' || last === 'segment' || (last === 'serviceId' && !operation.startsWith('service.'))
  return isOfPlace ? undefined : last
}

/** The path with another value for a parameter; undefined if `change` returns none or the same. */
function withId(
  path: string,
  operation: OperationId,
  form: Form,
  contract: Contract,
  name: string,
  change: (value: string) => string | undefined,
): string | undefined {
  const [plain = '', query] = path.split(/(?=\?)/)
  const parts = plain.split('/')
  const at = (pathTemplateOf(operation, form, contract) ?? '').split('/').indexOf(`{${name}}`)
  const value = at < 0 ? undefined : change(parts[at]!)
  return value === undefined || value === parts[at]
    ? undefined
    : parts.with(at, encodeURIComponent(value)).join('/') + (query ?? '')
}

/** The resource that the own id identifies, such as the pipe for the settings of a pipe. */
function resourceOfOwnId(operation: OperationId, form: Form, contract: Contract): string | undefined {
  const own = ownIdParameter(operation, form, contract)
  const place = pathTemplateOf(operation, form, contract)?.split(`{${own}}`)[0]
  const deletion = operationsOf(form, contract).find(
    id => id.endsWith('.delete') && pathTemplateOf(id, form, contract) === `${place}{${own}}`,
  )
  return own && deletion && resourceOf(deletion)
}

/** The step that shows that the object is gone. Undefined for get, update and delete, which a life sends after its deletion. */
function shownGoneBy(operation: OperationId, form: Form, contract: Contract): string | undefined {
  const resource = resourceOfOwnId(operation, form, contract)
  const isSentByLife = operation.startsWith(`${resource}.`) && /\.(?:get|update|replace|delete)$/.test(operation)
  return resource && hasLife(resource, contract) && !isSentByLife ? `${form}:${resource}.get-after-delete` : undefined
}

/** Plans have placeholders such as `{member}` instead of ids. */
const isPlaceholder = (id: string) => /^\{.*\}$/.test(id)

/** An unknown id of the same format. */
function unknownLike(id: string): string | undefined {
  if (isUuid(id) || isPlaceholder(id)) return UNKNOWN_UUID
  return /^[0-9a-f]{24}$/i.test(id) ? 'f'.repeat(24) : undefined
}

const idProbe = (
  name: string,
  rule: RuleId,
  isFor: ProbeKind['isFor'],
  parameterOf: (operation: OperationId, form: Form, contract: Contract) => string | undefined,
  otherId: (id: string, context: RunContext, operation: OperationId, form: Form) => string | undefined,
  more: Partial<ProbeKind> = {},
): ProbeKind => ({
  name,
  why: name,
  rule,
  isFor: (operation, form, contract) =>
    parameterOf(operation, form, contract) !== undefined && isFor(operation, form, contract),
  change(good, context, operation, form, contract) {
    if (!isRead(contract.operations[operation].method) && !isMock(context.target))
      return skip('on a deployment, writes are sent only to what the run created')
    const path = withId(good.path, operation, form, contract, parameterOf(operation, form, contract)!, id =>
      otherId(id, context, operation, form),
    )
    return path === undefined ? skip('no such id is known') : { ...good, path }
  },
  ...more,
})

const hasParameter =
  (name: string): ProbeKind['isFor'] =>
  (operation, form, contract) =>
    pathTemplateOf(operation, form, contract)!.includes(`{${name}}`)
const readsOnly: ProbeKind['isFor'] = (operation, _, { operations }) => isRead(operations[operation].method)

/** False for resources with a rule of their own, and for deletions, since the answer to the deletion of an unknown id is open. */
const refusesUnknownIds: ProbeKind['isFor'] = (operation, _, { operations, rules }) =>
  operations[operation].method !== 'DELETE' && !(`${resourceOf(operation)}/unknown-id-is-refused` in rules)

const idProbes: readonly ProbeKind[] = [
  idProbe('with an unknown id', 'isolation/unknown-id-is-refused', refusesUnknownIds, ownIdParameter, unknownLike),
  idProbe(
    'with the id of another kind',
    'isolation/other-kinds-id-is-refused',
    refusesUnknownIds,
    ownIdParameter,
    (id, context, operation, form) => {
      if (isUuid(id) || isPlaceholder(id)) return pathValues(context.target).organizationId
      return context.created(`${form}:${operation.startsWith('dashboard.') ? 'alert' : 'dashboard'}.create-spare`)
    },
  ),
  {
    name: 'with the id of what was deleted',
    why: 'the id of what was deleted',
    rule: 'isolation/unknown-id-is-refused',
    isFor: (...one) => shownGoneBy(...one) !== undefined,
    shownGoneBy,
    change(good, context, operation, form, contract) {
      const { status } = context.exchange(shownGoneBy(operation, form, contract)!)?.response ?? {}
      const id = context.created(`${form}:${resourceOfOwnId(operation, form, contract)}.create-main`)
      if ((status !== 404 && status !== 410) || id === undefined) return skip('no deleted object is known')
      return {
        ...good,
        path:
          withId(good.path, operation, form, contract, ownIdParameter(operation, form, contract)!, () => id) ??
          good.path,
      }
    },
  },
  idProbe(
    'under an unknown organization',
    'isolation/unknown-organization-is-refused',
    hasParameter('organizationId'),
    () => 'organizationId',
    () => UNKNOWN_UUID,
  ),
  idProbe(
    'under another organization',
    'isolation/foreign-organization-is-refused',
    (...one) => hasParameter('organizationId')(...one) && readsOnly(...one),
    () => 'organizationId',
    (_, context) =>
      'skip' in withSecondKey(context, { path: '' }) ? undefined : context.target.cloud?.secondOrganizationId,
  ),
  idProbe(
    'under an unknown service',
    'isolation/unknown-service-is-refused',
    (...one) => hasParameter('serviceId')(...one) && ownIdParameter(...one) !== 'serviceId',
    () => 'serviceId',
    () => UNKNOWN_UUID,
  ),
  idProbe(
    'under another service',
    'isolation/foreign-service-is-refused',
    (...one) =>
      hasParameter('serviceId')(...one) &&
      ![undefined, 'serviceId'].includes(ownIdParameter(...one)) &&
      readsOnly(...one),
    () => 'serviceId',
    (id, context) =>
      [context.target.cloud?.serviceId, context.created('cloud:service.create-main')].find(
        one => one !== undefined && one !== id,
      ),
    { from: ['cloud:service.create-main'] },
  ),
  {
    name: "with another organization's key",
    why: "another organization's key",
    rule: 'isolation/foreign-organization-is-refused',
    as: 'secondKey',
    isFor: hasParameter('organizationId'),
    change: (good, context) => withSecondKey(context, good),
  },
]

const kinds: readonly ProbeKind[] = [...credentialProbes, ...unusableKeyProbes, ...idProbes, ...bodyProbes]

/** False for public operations and those that only our mock has. */
const isProbed = ({ isPublic, basis }: Operation) => !isPublic && basis !== 'invented'

const probesByForm = onceFor(contract => {
  const probesOf = (form: Form) =>
    operationsOf(form, contract)
      .filter(operation => isProbed(contract.operations[operation]))
      .flatMap(operation =>
        kinds
          .filter(kind => kind.isFor(operation, form, contract))
          .map(kind => ({ operation, kind, name: `${form}:${operation} ${kind.name}` })),
      )
  return { cloud: probesOf('cloud'), managed: probesOf('managed'), selfHosted: probesOf('selfHosted') }
})

export const probesOfRule = (rule: string, form: Form, contract?: Contract) =>
  probesByForm(contract)[form].filter(({ kind }) => kind.rule === rule)

/** True for operations that cannot be repeated, such as a deletion. Their probes are sent before the good request. */
function isDoneOnce(operation: OperationId, { operations }: Contract): boolean {
  if (operation.endsWith('.create')) return operations[operation].refusalStatuses !== undefined
  return !/\.(?:list|get|update|replace|upsert|query|validate)$/.test(operation)
}

/**
 * Whether a run on a deployment that only reads sends this probe. Of a documented operation it sends the probe without
 * credentials and one other, in turns, so that each kind is sent to some operations; of other operations all.
 */
function isItsTurn(operation: OperationId, { name, as }: ProbeKind, form: Form, contract: Contract): boolean {
  if (!isDocumented(operation) || as === 'none') return true
  const candidates = probesByForm(contract)[form].filter(
    ({ operation: of, kind }) =>
      of === operation && !isWrongCredentials(kind.as) && kind.as !== 'none' && kind.as !== 'created',
  )
  return candidates[operationsOf(form, contract).indexOf(operation) % candidates.length]?.kind.name === name
}

/** Gives a creation another name, which keeps the mark. */
function withNewName(
  good: StepRequest,
  operation: OperationId,
  creates: CreatableResource | undefined,
  { runMark }: RunContext,
  code: string,
  contract: Contract,
): StepRequest {
  if (!creates) return good
  const mark = creationMark(runMark, creates)
  // The name of the object `main` of a life is `stack-parity <mark> b <resource>`.
  const text = (good.rawBody ?? JSON.stringify(good.body)).replaceAll(new RegExp(`${mark}(?: b )?`, 'g'), match =>
    match === mark ? `${mark}${code}` : `${mark} ${code} `,
  )
  const { body: _, ...rest } = good
  const body = parseJson(text)
  return { ...rest, rawBody: isObject(body) ? JSON.stringify(withinBounds(body, operation, contract)) : text }
}

/** Cuts texts to the maximum of the contract, which a longer name may exceed. */
const withinBounds = (body: JsonObject, operation: OperationId, contract: Contract): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const { max } = fieldsSentTo(operation, contract)[name] ?? {}
      return [name, typeof value === 'string' ? value.slice(0, max) : value]
    }),
  )

/** Adds the probes: before an operation that cannot be repeated, else after its success and before the deletion of its object. */
export function withProbes(form: Form, steps: readonly Step[], contract: Contract = ours): readonly Step[] {
  const byName = new Map(steps.map(step => [step.name, step]))
  const goodStepsOf = new Map(
    operationsOf(form, contract).map(operation => [
      operation,
      stepsWithGoodCredentials(form, operation, contract).flatMap(one => byName.get(one) ?? []),
    ]),
  )
  const before = new Map<string, Step[]>()
  const after: Step[] = []
  for (const [index, { operation, kind, name }] of probesByForm(contract)[form].entries()) {
    const goodSteps = goodStepsOf.get(operation)!
    const [first] = goodSteps
    if (!first) continue
    const gone = kind.shownGoneBy?.(operation, form, contract)
    const isBefore = isDoneOnce(operation, contract) && !gone
    const deletion = `${form}:${resourceOf(operation)}.delete`
    const probe: Step = {
      ...first,
      ...(isBefore ? {} : { visit: name, awaitsUsersOf: undefined }),
      name,
      as: kind.as ?? 'key',
      isProbe: true,
      why: `${kind.why} on ${operation}`,
      from: gone
        ? [gone]
        : [...(first.from ?? []), ...(isBefore ? [] : goodSteps.map(one => one.name)), ...(kind.from ?? [])],
      poll: undefined,
      deletes: undefined,
      before: !isBefore && !gone && byName.has(deletion) ? [deletion] : undefined,
      after: gone ? goodSteps.map(one => one.name) : undefined,
      makeRequest(context) {
        const good = isBefore ? first.makeRequest(context) : repeat(context, goodSteps)
        if (good === undefined)
          return isShownBySpecification(operation, form)
            ? skipForUnknownPath(operation, form, context.target, contract)
            : skip(because('no {operation} succeeded with good credentials', { operation }))
        if ('skip' in good) return good
        if (context.readOnly && !isMock(context.target) && !isItsTurn(operation, kind, form, contract))
          return skip(
            'on a deployment, a run that only reads sends two probes of a documented operation: one of them without credentials',
          )
        return kind.change(
          withNewName(good, operation, first.creates, context, index.toString(36), contract),
          context,
          operation,
          form,
          contract,
        )
      },
    }
    if (isBefore) before.set(first.name, [...(before.get(first.name) ?? []), probe])
    else after.push(probe)
  }
  return [...steps.flatMap(step => [...(before.get(step.name) ?? []), step]), ...after]
}

/** Repeats a good request that succeeded. If none did, repeats the first one if the specification shows its operation. */
function repeat(context: RunContext, goodSteps: readonly Step[]): StepRequest | undefined {
  const sent = goodSteps.flatMap(({ name }) => context.exchange(name) ?? [])
  const [{ operation, form }] = goodSteps as [Step]
  const isShown = operation !== undefined && isShownBySpecification(operation, form)
  const exchange = sent.find(isSuccess) ?? (isShown ? sent[0] : undefined)
  if (!exchange) return undefined
  const { path, method, body } = exchange.request
  return { path, method, ...(body !== null && { rawBody: body }) }
}
