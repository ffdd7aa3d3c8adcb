import {
  type Form,
  type GapId,
  type OperationId,
  operations,
  type RuleId,
  rules,
} from '../../fixtures/contract/index.ts'
import { isDocumented, resourceOf } from '../engine/contract.ts'
import type { CreatableResource } from '../engine/creatable-resources.ts'
import { type As, authorization, isWrong } from '../engine/credentials.ts'
import { isSuccess, parseJson } from '../engine/exchange.ts'
import { creationMark } from '../engine/mark.ts'
import { isShown, lack, lacksPath, operationsOf, pathValues, templateOf } from '../engine/paths.ts'
import { isObject, isUuid, type JsonObject } from '../engine/recognise.ts'
import { isLiving } from '../engine/resources-with-life.ts'
import type { Request } from '../engine/send.ts'
import { type Draft, isRead, type RunContext, type Step } from '../engine/step.ts'
import { everyForm } from '../engine/target/forms-of.ts'
import { isLocal } from '../engine/target/target.ts'
import {
  badCredentials,
  describeCredentials,
  isTriedAs,
  isTriedOnShownOnly,
  shownList,
  stepsWithGoodCredentials,
} from './authentication.ts'
import { UNKNOWN, withSecondKey } from './cloud.ts'
import { credentialsOf, skip } from './visit.ts'
import { fieldsSentTo, wrongBodies } from './wrong-bodies.ts'

/** Probes repeat a successful request with one mistake, while its thing exists. None may succeed. */

interface Kind {
  /** Part of the step name, after the operation. */
  readonly name: string
  readonly why: string
  readonly rule: RuleId | GapId
  readonly as?: As
  /** Steps that come before it. */
  readonly from?: readonly string[]
  /** The step that shows that the thing is gone, for a probe that comes after that. */
  readonly goneBy?: (operation: OperationId, form: Form) => string | undefined
  readonly isFor: (operation: OperationId, form: Form) => boolean
  readonly change: (good: Request, context: RunContext, operation: OperationId, form: Form) => Draft
}

const ofCredential = (as: As, rule: Kind['rule'], isFor: Kind['isFor']): Kind => ({
  name: `as ${as}`,
  why: describeCredentials(as),
  rule,
  as,
  isFor,
  change(good, context, operation, form) {
    const { target } = context
    if (authorization(target, form, as) === null)
      return as === 'ingestion'
        ? lack(['selfHosted.ingestionKey'])
        : skip('the target file does not have that credential')
    if (isLocal(target)) return good
    // Many near misses could lock a key out.
    if (isTriedOnShownOnly(rule) && operation !== shownList(form))
      return skip(`beyond loopback credentials that are nearly right are tried on ${shownList(form)} only`)
    if (as !== 'none' && isDocumented(operation))
      return skip('beyond loopback a wrong secret is tried on the operations of the specification only')
    if (as !== 'none' && isLockedOut(context, form))
      return skip('wrong credentials are refused in another way than before: more of them could lock the key out')
    return good
  },
})

const ofCredentials: readonly Kind[] = [
  // Whether a key id or token is accepted in another letter case is open.
  ofCredential('nameInOtherCase', 'auth/key-id-letter-case', (operation, form) => operation === shownList(form)),
  ...(Object.keys(badCredentials) as (keyof typeof badCredentials)[]).flatMap(rule =>
    (Object.keys(badCredentials[rule]) as As[]).map(as =>
      ofCredential(as, rule, (operation, form) => isTriedAs(as, rule, form, operation)),
    ),
  ),
]

/** True once wrong credentials get another refusal than the 401 before, such as 403 or 429. */
function isLockedOut(context: RunContext, form: Form): boolean {
  const statuses = all[form].flatMap(({ kind, name }) =>
    isWrong(kind.as) ? (context.exchange(name)?.response.status ?? []) : [],
  )
  return statuses.includes(429) || (statuses.includes(401) && statuses.some(status => status > 401 && status < 500))
}

/** Keys of the run, and the step after which each is refused. */
const madeKeys = [
  ['disabled', 'used', 'cloud:key.disable', 'key/disabled-key-is-refused'],
  ['deleted', 'dropped', 'cloud:key.delete-dropped', 'key/deleted-key-is-refused'],
  ['expired', 'expired', 'cloud:key.create-expired', 'key/expired-key-is-refused'],
  ['of no address', 'closed', 'cloud:key.create-closed', 'key/empty-access-list-admits-nobody'],
  ['of no role', 'spare', 'cloud:key.create-spare', 'key/without-a-role-may-do-nothing'],
] as const satisfies readonly (readonly [string, string, string, RuleId])[]

/** A list may be empty instead of refused. */
const isForbiddenWithoutRole = (operation: OperationId) =>
  operations[operation].permission !== undefined && !operation.endsWith('.list')

const ofMadeKeys: readonly Kind[] = madeKeys.map(
  ([what, thing, done, rule]): Kind => ({
    name: `with a key that is ${what}`,
    why: `a key of the run that is ${what}`,
    rule,
    as: 'created',
    from: [`cloud:key.create-${thing}`, done],
    isFor: (operation, form) => form === 'cloud' && (thing !== 'spare' || isForbiddenWithoutRole(operation)),
    change(good, context) {
      const exchange = context.exchange(done)
      const header = isSuccess(exchange) ? credentialsOf(context, `cloud:key.create-${thing}`) : undefined
      return header === undefined
        ? skip(`no key of this run is known that is ${what}`)
        : { ...good, headers: { ...good.headers, authorization: header } }
    },
  }),
)

/** The parameter of the operation's own id; undefined where the path only names a place. */
function ownId(operation: OperationId, form: Form): string | undefined {
  const path = templateOf(operation, form) ?? ''
  const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1]
  // A name may exist everywhere.
  if (last && operations[operation].ids?.[last] === 'name') return undefined
  const isPlace =
    last === 'organizationId' || last === 'segment' || (last === 'serviceId' && !operation.startsWith('service.'))
  return isPlace ? undefined : last
}

/** The path with another value for a parameter. */
function withId(
  path: string,
  operation: OperationId,
  form: Form,
  name: string,
  change: (value: string) => string | undefined,
): string | undefined {
  const [plain = '', query] = path.split(/(?=\?)/)
  const parts = plain.split('/')
  const at = (templateOf(operation, form) ?? '').split('/').indexOf(`{${name}}`)
  const value = at < 0 ? undefined : change(parts[at]!)
  return value === undefined || value === parts[at]
    ? undefined
    : parts.with(at, encodeURIComponent(value)).join('/') + (query ?? '')
}

/** The resource of the own id: for the settings of a pipe, the pipe. */
function ownedBy(operation: OperationId, form: Form): string | undefined {
  const own = ownId(operation, form)
  const place = templateOf(operation, form)?.split(`{${own}}`)[0]
  const deletion = operationsOf(form).find(id => id.endsWith('.delete') && templateOf(id, form) === `${place}{${own}}`)
  return own && deletion && resourceOf(deletion)
}

/** The step that shows that the thing is gone; a life itself gets, updates and deletes it after that. */
function goneBy(operation: OperationId, form: Form): string | undefined {
  const resource = ownedBy(operation, form)
  const isOfLife = operation.startsWith(`${resource}.`) && /\.(?:get|update|replace|delete)$/.test(operation)
  return resource && isLiving(resource) && !isOfLife ? `${form}:${resource}.get-after-delete` : undefined
}

/** An unknown id of the same format. */
const unknownLike = (id: string) => (isUuid(id) ? UNKNOWN : /^[0-9a-f]{24}$/i.test(id) ? 'f'.repeat(24) : undefined)

const ofId = (
  what: string,
  rule: RuleId,
  isFor: Kind['isFor'],
  nameOf: (operation: OperationId, form: Form) => string | undefined,
  idOf: (id: string, context: RunContext, operation: OperationId, form: Form) => string | undefined,
  more: Partial<Kind> = {},
): Kind => ({
  name: what,
  why: what,
  rule,
  isFor: (operation, form) => nameOf(operation, form) !== undefined && isFor(operation, form),
  change(good, context, operation, form) {
    if (!isRead(operations[operation].method) && !isLocal(context.target))
      return skip("beyond loopback what writes is sent to the run's own things only")
    const path = withId(good.path, operation, form, nameOf(operation, form)!, id => idOf(id, context, operation, form))
    return path === undefined ? skip('no such id is known') : { ...good, path }
  },
  ...more,
})

const has =
  (name: string): Kind['isFor'] =>
  (operation, form) =>
    templateOf(operation, form)!.includes(`{${name}}`)
const isReading: Kind['isFor'] = operation => isRead(operations[operation].method)

/** The answer to the deletion of an unknown id is open; a resource may have a rule of its own. */
const isForOtherIds: Kind['isFor'] = operation =>
  operations[operation].method !== 'DELETE' && !(`${resourceOf(operation)}/unknown-id-is-refused` in rules)

const ofIds: readonly Kind[] = [
  ofId('with an unknown id', 'isolation/unknown-id-is-refused', isForOtherIds, ownId, unknownLike),
  ofId(
    'with the id of another kind',
    'isolation/other-kinds-id-is-refused',
    isForOtherIds,
    ownId,
    (id, context, operation, form) => {
      if (isUuid(id)) return pathValues(context.target).organizationId
      return context.created(`${form}:${operation.startsWith('dashboard.') ? 'alert' : 'dashboard'}.create-spare`)
    },
  ),
  {
    name: 'with the id of what was deleted',
    why: 'the id of what was deleted',
    rule: 'isolation/unknown-id-is-refused',
    isFor: (operation, form) => goneBy(operation, form) !== undefined,
    goneBy,
    change(good, context, operation, form) {
      const { status } = context.exchange(goneBy(operation, form)!)?.response ?? {}
      const id = context.created(`${form}:${ownedBy(operation, form)}.create-main`)
      if ((status !== 404 && status !== 410) || id === undefined) return skip('nothing is known that is gone')
      return { ...good, path: withId(good.path, operation, form, ownId(operation, form)!, () => id) ?? good.path }
    },
  },
  ofId(
    'under an unknown organization',
    'isolation/unknown-organization-is-refused',
    has('organizationId'),
    () => 'organizationId',
    () => UNKNOWN,
  ),
  ofId(
    'under another organization',
    'isolation/foreign-organization-is-refused',
    (operation, form) => has('organizationId')(operation, form) && isReading(operation, form),
    () => 'organizationId',
    (_, context) =>
      'skip' in withSecondKey(context, { path: '' }) ? undefined : context.target.cloud?.secondOrganizationId,
  ),
  ofId(
    'under an unknown service',
    'isolation/unknown-service-is-refused',
    (operation, form) => has('serviceId')(operation, form) && ownId(operation, form) !== 'serviceId',
    () => 'serviceId',
    () => UNKNOWN,
  ),
  ofId(
    'under another service',
    'isolation/foreign-service-is-refused',
    (operation, form) =>
      has('serviceId')(operation, form) &&
      ownId(operation, form) !== undefined &&
      ownId(operation, form) !== 'serviceId' &&
      isReading(operation, form),
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
    isFor: has('organizationId'),
    change: (good, context) => withSecondKey(context, good),
  },
]

/** Beyond loopback, a creation or change by mistake would reach people. */
const isDelicate = (operation: OperationId) => /^(?:invitation|key|byoc|postgres)/.test(operation)

const ofBodies: readonly Kind[] = wrongBodies.map(({ what, rule, isFor, change }) => ({
  name: what,
  why: what,
  rule,
  isFor: operation => operations[operation].body !== undefined && isFor(operation),
  change(good, context, operation) {
    if (!isLocal(context.target) && isDelicate(operation)) return skip('such bodies are tried on loopback only')
    const body = good.body ?? parseJson(good.rawBody ?? '')
    const changed = isObject(body) ? change(body, operation, context) : undefined
    if (changed === undefined) return skip('the good body has no such field')
    const { body: _body, rawBody: _rawBody, ...rest } = good
    return { ...rest, rawBody: typeof changed === 'string' ? changed : JSON.stringify(changed) }
  },
}))

const kinds: readonly Kind[] = [...ofCredentials, ...ofMadeKeys, ...ofIds, ...ofBodies]

interface Probed {
  readonly name: string
  readonly operation: OperationId
  readonly kind: Kind
}

/** Public operations, and those that only our mock has, are not probed. */
const isProbed = (operation: OperationId) =>
  !operations[operation].isPublic && operations[operation].basis !== 'invented'

const all = Object.fromEntries(
  everyForm.map(form => [
    form,
    operationsOf(form)
      .filter(isProbed)
      .flatMap(operation =>
        kinds
          .filter(kind => kind.isFor(operation, form))
          .map(kind => ({ operation, kind, name: `${form}:${operation} ${kind.name}` })),
      ),
  ]),
) as unknown as Readonly<Record<Form, readonly Probed[]>>

export const probesOfRule = (rule: string, form: Form): readonly Probed[] =>
  all[form].filter(({ kind }) => kind.rule === rule)

/** What cannot be repeated, or is refused once it is done, is probed before it is done; everything else after it. */
function isDoneOnce(operation: OperationId): boolean {
  if (operation.endsWith('.create')) return operations[operation].refuses !== undefined
  return !/\.(?:list|get|update|replace|upsert|query|validate)$/.test(operation)
}

/** Operations take turns, so that each kind of probe is sent to some of them. */
function isItsTurn(operation: OperationId, { name, as }: Kind, form: Form): boolean {
  if (!isDocumented(operation) || as === 'none') return true
  const others = all[form].filter(
    ({ operation: of, kind }) => of === operation && !isWrong(kind.as) && kind.as !== 'none' && kind.as !== 'created',
  )
  return others[operationsOf(form).indexOf(operation) % others.length]?.kind.name === name
}

/** A creation needs another name, which keeps the mark. */
function renamed(
  good: Request,
  operation: OperationId,
  creates: CreatableResource | undefined,
  { run }: RunContext,
  code: string,
): Request {
  if (!creates) return good
  const mark = creationMark(run, creates)
  const text = (good.rawBody ?? JSON.stringify(good.body)).replaceAll(new RegExp(`${mark}(?: b )?`, 'g'), found =>
    found === mark ? `${mark}${code}` : `${mark} ${code} `,
  )
  const { body: _, ...rest } = good
  const body = parseJson(text)
  return { ...rest, rawBody: isObject(body) ? JSON.stringify(shortened(body, operation)) : text }
}

/** A longer name may exceed the maximum of the contract. */
const shortened = (body: JsonObject, operation: OperationId): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const { max } = fieldsSentTo(operation)[name] ?? {}
      return [name, typeof value === 'string' ? value.slice(0, max) : value]
    }),
  )

/** Adds the probes: before what is done once, else after its success and before the deletion of the thing. */
export function withProbes(form: Form, steps: readonly Step[]): readonly Step[] {
  const byName = new Map(steps.map(step => [step.name, step]))
  const before = new Map<string, Step[]>()
  const after: Step[] = []
  for (const [index, { operation, kind, name }] of all[form].entries()) {
    const goods = stepsWithGoodCredentials(form, operation).flatMap(one => byName.get(one) ?? [])
    const [first] = goods
    if (!first) continue
    const gone = kind.goneBy?.(operation, form)
    const isBefore = isDoneOnce(operation) && !gone
    const deletion = `${form}:${resourceOf(operation)}.delete`
    const probe: Step = {
      ...first,
      name,
      as: kind.as ?? 'key',
      isProbe: true,
      why: `${kind.why} on ${operation}`,
      from: gone
        ? [gone]
        : [...(first.from ?? []), ...(isBefore ? [] : goods.map(one => one.name)), ...(kind.from ?? [])],
      settled: undefined,
      deletes: undefined,
      before: undefined,
      after: gone ? goods.map(one => one.name) : undefined,
      draft(context) {
        const good = isBefore ? first.draft(context) : repeat(context, goods)
        if (good === undefined)
          return isShown(operation, form)
            ? lacksPath(operation, form, context.target)
            : skip(`no ${operation} succeeded with good credentials`)
        if ('skip' in good) return good
        if (context.readOnly && !isLocal(context.target) && !isItsTurn(operation, kind, form))
          return skip(
            'a run beyond loopback that only reads sends one probe of an operation beside that without credentials',
          )
        return kind.change(
          renamed(good, operation, first.creates, context, index.toString(36)),
          context,
          operation,
          form,
        )
      },
    }
    if (isBefore) before.set(first.name, [...(before.get(first.name) ?? []), probe])
    else
      after.push({
        ...probe,
        visit: name,
        awaits: undefined,
        ...(byName.has(deletion) && !gone && { before: [deletion] }),
      })
  }
  return [...steps.flatMap(step => [...(before.get(step.name) ?? []), step]), ...after]
}

/** The good request that succeeded, else the first one that was sent. */
function repeat(context: RunContext, goods: readonly Step[]): Request | undefined {
  const sent = goods.flatMap(({ name }) => context.exchange(name) ?? [])
  const { request } =
    sent.find(isSuccess) ??
    (goods[0]!.operation && isShown(goods[0]!.operation, goods[0]!.form) ? sent[0] : undefined) ??
    {}
  return (
    request && { path: request.path, method: request.method, ...(request.body !== null && { rawBody: request.body }) }
  )
}
