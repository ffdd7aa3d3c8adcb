import {
  type Field,
  type Form,
  type GapId,
  type Operation,
  type OperationId,
  operations,
  type ResourceId,
  type RuleId,
  resources,
  rules,
} from '../../fixtures/contract/index.ts'
import type { Created } from '../engine/created.ts'
import { type As, authorization, isWrong } from '../engine/credentials.ts'
import { isSuccess, parseJson } from '../engine/exchange.ts'
import { creationMark } from '../engine/mark.ts'
import { isDocumented, isShown, lack, lacksPath, operationsOf, pathValues } from '../engine/paths.ts'
import { isObject, isUuid } from '../engine/recognise.ts'
import type { Request } from '../engine/send.ts'
import { type Draft, isRead, type Past, type Step } from '../engine/step.ts'
import { isLocal } from '../engine/target/target.ts'
import { firstShown, goodStep, isForShownOnly, isTriedAs, probes, wordsOf } from './authentication.ts'
import { UNKNOWN, withSecondKey } from './cloud.ts'
import { credentialsOf, skip } from './visit.ts'

/**
 * The probes of every operation, made of the request that succeeds: with other credentials, other ids, another body. A probe
 * never succeeds; it is sent while the thing that it aims at is there.
 */

/** One kind of probe. */
interface Kind {
  /** Stands behind the operation in the names of its steps. */
  readonly name: string
  readonly why: string
  readonly rule: RuleId | GapId
  readonly as?: As
  /** Steps that have to be done before it. */
  readonly from?: readonly string[]
  readonly isFor: (operation: OperationId, form: Form) => boolean
  readonly change: (good: Request, past: Past, operation: OperationId, form: Form) => Draft
}

/** What a probe of credentials is sent as, on which operations. */
const ofCredentials: readonly Kind[] = (Object.keys(probes) as (keyof typeof probes)[]).flatMap(rule =>
  (Object.keys(probes[rule]) as As[]).map(
    (as): Kind => ({
      name: `as ${as}`,
      why: wordsOf(as),
      rule,
      as,
      isFor: (operation, form) => isTriedAs(as, rule, form, operation),
      change(good, past, operation, form) {
        const { target } = past
        if (authorization(target, form, as) === null)
          return as === 'ingestion'
            ? lack(['selfHosted.ingestionKey'])
            : skip('the target file does not have that credential')
        // Many near misses could lock a key out.
        if (isForShownOnly(rule) && operation !== firstShown(form) && !isLocal(target))
          return skip(`beyond loopback credentials that are nearly right are tried on ${firstShown(form)} only`)
        if (as !== 'none' && isDocumented(operation) && !isLocal(target))
          return skip('beyond loopback a wrong secret is tried on the operations of the specification only')
        if (!isLocal(target) && as !== 'none' && isLockedOut(past, form))
          return skip('wrong credentials are refused in another way than before: more of them could lock the key out')
        return good
      },
    }),
  ),
)

/** True once wrong credentials that were answered with 401 are answered with another refusal, such as 403 or 429. */
function isLockedOut(past: Past, form: Form): boolean {
  const statuses = all[form].flatMap(({ kind, name }) =>
    isWrong(kind.as) ? (past.exchange(name)?.response.status ?? []) : [],
  )
  return statuses.includes(429) || (statuses.includes(401) && statuses.some(status => status > 401 && status < 500))
}

/** Keys that the run made, and why each of them is refused: by the step that did it. */
const madeKeys = [
  ['disabled', 'used', 'cloud:key.disable', 'key/disabled-key-is-refused'],
  ['deleted', 'dropped', 'cloud:key.delete-dropped', 'key/deleted-key-is-refused'],
  ['expired', 'expired', 'cloud:key.create-expired', 'key/expired-key-is-refused'],
  ['of no address', 'closed', 'cloud:key.create-closed', 'key/empty-access-list-admits-nobody'],
  ['of no role', 'spare', 'cloud:key.create-spare', 'key/without-a-role-may-do-nothing'],
] as const satisfies readonly (readonly [string, string, string, RuleId])[]

/** A list may be empty instead of refused. */
const isForbiddenWithoutRole = (operation: OperationId) =>
  (operations[operation] as Operation).permission !== undefined && !operation.endsWith('.list')

const ofMadeKeys: readonly Kind[] = madeKeys.map(
  ([what, thing, done, rule]): Kind => ({
    name: `with a key that is ${what}`,
    why: `a key of the run that is ${what}`,
    rule,
    as: 'created',
    from: [`cloud:key.create-${thing}`, done],
    isFor: (operation, form) => form === 'cloud' && (thing !== 'spare' || isForbiddenWithoutRole(operation)),
    change(good, past) {
      const came = past.exchange(done)
      const header = came && isSuccess(came) ? credentialsOf(past, `cloud:key.create-${thing}`) : undefined
      return header === undefined
        ? skip(`no key of this run is known that is ${what}`)
        : { ...good, headers: { ...good.headers, authorization: header } }
    },
  }),
)

/** The id in a path that is the operation's own, not that of the place where it lies. */
function ownId(operation: OperationId, form: Form): string | undefined {
  const path = (operations[operation] as Operation).paths[form] ?? ''
  const last = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1]
  // A name may be known everywhere.
  if (last && (operations[operation] as Operation).ids?.[last] === 'name') return undefined
  const isPlace =
    last === 'organizationId' || last === 'segment' || (last === 'serviceId' && !operation.startsWith('service.'))
  return isPlace ? undefined : last
}

/** The same path with another value in one of its places. */
function withId(
  path: string,
  operation: OperationId,
  form: Form,
  name: string,
  change: (value: string) => string | undefined,
): string | undefined {
  const [plain = '', query] = path.split(/(?=\?)/)
  const parts = plain.split('/')
  const at = ((operations[operation] as Operation).paths[form] ?? '').split('/').indexOf(`{${name}}`)
  const value = at < 0 ? undefined : change(parts[at]!)
  return value === undefined || value === parts[at]
    ? undefined
    : parts.with(at, encodeURIComponent(value)).join('/') + (query ?? '')
}

/** Another id of the same form, which belongs to nothing. */
const unknownLike = (id: string) => (isUuid(id) ? UNKNOWN : /^[0-9a-f]{24}$/i.test(id) ? 'f'.repeat(24) : undefined)

/** A probe with another id in one place of the path. */
const ofId = (
  what: string,
  rule: RuleId,
  isFor: Kind['isFor'],
  nameOf: (operation: OperationId, form: Form) => string | undefined,
  idOf: (id: string, past: Past, operation: OperationId, form: Form) => string | undefined,
  more: Partial<Kind> = {},
): Kind => ({
  name: what,
  why: what,
  rule,
  isFor: (operation, form) => nameOf(operation, form) !== undefined && isFor(operation, form),
  change(good, past, operation, form) {
    if (!isRead(operations[operation].method) && !isLocal(past.target))
      return skip("beyond loopback what writes is sent to the run's own things only")
    const path = withId(good.path, operation, form, nameOf(operation, form)!, id => idOf(id, past, operation, form))
    return path === undefined ? skip('no such id is known') : { ...good, path }
  },
  ...more,
})

const has =
  (name: string): Kind['isFor'] =>
  (operation, form) =>
    (operations[operation] as Operation).paths[form]!.includes(`{${name}}`)
const isReading: Kind['isFor'] = operation => isRead(operations[operation].method)

/** What a deletion of an unknown id answers is left open; a resource may have a rule of its own. */
const isForOtherIds: Kind['isFor'] = operation =>
  operations[operation].method !== 'DELETE' && !(`${operation.split('.')[0]}/unknown-id-is-refused` in rules)

const ofIds: readonly Kind[] = [
  ofId('with an unknown id', 'isolation/unknown-id-is-refused', isForOtherIds, ownId, unknownLike),
  ofId(
    'with the id of another kind',
    'isolation/other-kinds-id-is-refused',
    isForOtherIds,
    ownId,
    (id, past, operation, form) => {
      if (isUuid(id)) return pathValues(past.target).organizationId
      return past.created(`${form}:${operation.startsWith('dashboard.') ? 'alert' : 'dashboard'}.create-spare`)
    },
  ),
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
    (_, { target }) => target.cloud?.secondOrganizationId,
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
    (id, past) =>
      [past.target.cloud?.serviceId, past.created('cloud:service.create-main')].find(
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
    change: (good, past) => withSecondKey(past, good),
  },
]

/** The fields of the contract that a body may be probed in: those that the good one carries. */
const fieldsOf = (operation: OperationId): readonly (readonly [string, Field])[] => {
  const { body } = operations[operation] as Operation
  return Object.entries(resources[body as ResourceId]?.fields ?? {}).filter(
    ([, { readOnly, editions, forms }]) => !readOnly && !editions && !forms,
  )
}
const isNeeded = ({ optional, default: usual }: Field) =>
  optional !== true && optional !== 'request' && usual === undefined

/** Bodies that create or change something by mistake are not tried where people would have to do with it. */
const isDelicate = (operation: OperationId) => /^(?:invitation|key|byoc|postgres)/.test(operation)

/** A probe with another body, of what only the vendor's document shows: the specification shows no schema. */
const ofBody = (
  what: string,
  rule: RuleId,
  isFor: Kind['isFor'],
  change: (body: Record<string, unknown>, operation: OperationId, past: Past) => object | string | undefined,
): Kind => ({
  name: what,
  why: what,
  rule,
  isFor: (operation, form) => (operations[operation] as Operation).body !== undefined && isFor(operation, form),
  change(good, past, operation) {
    if (!isLocal(past.target) && isDelicate(operation)) return skip('such bodies are tried on loopback only')
    const body = good.body ?? parseJson(good.rawBody ?? '')
    const changed = isObject(body) ? change({ ...body }, operation, past) : undefined
    if (changed === undefined) return skip('the good body has no such field')
    const { body: _, rawBody: __, ...rest } = good
    return { ...rest, rawBody: typeof changed === 'string' ? changed : JSON.stringify(changed) }
  },
})

/** The first field of the good body that fits, better one that does not carry the mark of the run. */
function fieldIn(
  body: Record<string, unknown>,
  operation: OperationId,
  { run }: Past,
  fits: (field: Field) => boolean,
) {
  const fitting = fieldsOf(operation).filter(([name, field]) => name in body && body[name] !== null && fits(field))
  return fitting.find(([name]) => !JSON.stringify(body[name]).includes(run)) ?? fitting[0]
}

/** A validation answers with what is wrong. */
const isDescribed: Kind['isFor'] = operation => isDocumented(operation) && !operation.endsWith('.validate')

const ofBodies: readonly Kind[] = [
  ofBody(
    'with malformed JSON',
    'error/malformed-json-is-refused',
    () => true,
    body => JSON.stringify(body).slice(0, -1),
  ),
  ofBody('without a required field', 'error/missing-field-is-refused', isDescribed, (body, operation, past) => {
    const [name] = fieldIn(body, operation, past, isNeeded) ?? []
    return name && Object.fromEntries(Object.entries(body).filter(([one]) => one !== name))
  }),
  ofBody('with a value outside an enum', 'error/unknown-value-is-refused', isDescribed, (body, operation) => {
    const [name] = fieldsOf(operation).find(([, { values }]) => values) ?? []
    return name && { ...body, [name]: 'stack-parity' }
  }),
  ofBody('with a value of another type', 'error/wrong-type-is-refused', isDescribed, (body, operation, past) => {
    const [name, field] = fieldIn(body, operation, past, ({ also }) => !also) ?? []
    return name && { ...body, [name]: field!.type === 'object' ? 'stack-parity' : { stackParity: true } }
  }),
]

/** Whether a key id or token is taken in another letter case is left open. */
const ofLetterCase: Kind = {
  name: 'as nameInOtherCase',
  why: wordsOf('nameInOtherCase'),
  rule: 'auth/key-id-letter-case',
  as: 'nameInOtherCase',
  isFor: (operation, form) => operation === firstShown(form),
  change: (good, { target }, _, form) =>
    authorization(target, form, 'nameInOtherCase') === null
      ? skip('the target file does not have that credential')
      : good,
}

const kinds: readonly Kind[] = [ofLetterCase, ...ofCredentials, ...ofMadeKeys, ...ofIds, ...ofBodies]

/** The name of a probe of an operation. */
export const nameOfProbe = (form: Form, operation: OperationId, kind: string) => `${form}:${operation} ${kind}`

interface Probed {
  readonly name: string
  readonly operation: OperationId
  readonly kind: Kind
}

/** An operation that anybody may call, or that is ours alone, is not probed. */
const isProbed = (operation: OperationId) =>
  !operations[operation].isPublic && operations[operation].basis !== 'invented'

const probesIn = (form: Form): readonly Probed[] =>
  operationsOf(form)
    .filter(isProbed)
    .flatMap(operation =>
      kinds
        .filter(kind => kind.isFor(operation, form))
        .map(kind => ({ operation, kind, name: nameOfProbe(form, operation, kind.name) })),
    )

/** Every probe, by its form. */
const all: Readonly<Record<Form, readonly Probed[]>> = {
  cloud: probesIn('cloud'),
  managed: probesIn('managed'),
  selfHosted: probesIn('selfHosted'),
}

/** The probes of a rule in a form, by the operation that each is about. */
export const probesOfRule = (rule: string, form: Form): readonly Probed[] =>
  all[form].filter(({ kind }) => kind.rule === rule)

/**
 * What is done once cannot be repeated, nor what is refused because it was done: it is probed before it is done, everything
 * else after it.
 */
function isDoneOnce(operation: OperationId): boolean {
  if (operation.endsWith('.create')) return (operations[operation] as Operation).refuses !== undefined
  return !/\.(?:list|get|update|replace|upsert|query)$/.test(operation)
}

/** Operations take turns in which of their probes is sent, so that each kind is sent to some. */
function isItsTurn(operation: OperationId, { name, as }: Kind, form: Form): boolean {
  if (!isDocumented(operation) || as === 'none') return true
  const others = all[form].filter(
    ({ operation: of, kind }) => of === operation && !isWrong(kind.as) && kind.as !== 'none' && kind.as !== 'created',
  )
  return others[operationsOf(form).indexOf(operation) % others.length]?.kind.name === name
}

/** Made for a creation of its own: with another word in what carries the mark, since names may have to differ. */
function renamed(good: Request, creates: Created | undefined, { run }: Past, code: string): Request {
  if (!creates) return good
  const mark = creationMark(run, creates)
  const text = (good.rawBody ?? JSON.stringify(good.body)).replaceAll(new RegExp(`${mark}(?: b )?`, 'g'), found =>
    found === mark ? `${mark}${code}` : `${mark} ${code} `,
  )
  const { body: _, ...rest } = good
  return { ...rest, rawBody: text }
}

/**
 * The steps of a form with the probes of their operations. What is done once is probed right before it, everything else as
 * soon as it succeeded and before the thing is deleted.
 */
export function withProbes(form: Form, steps: readonly Step[]): readonly Step[] {
  const byName = new Map(steps.map(step => [step.name, step]))
  const before = new Map<string, Step[]>()
  const after: Step[] = []
  for (const [index, { operation, kind, name }] of all[form].entries()) {
    const goods = goodStep(form, operation).flatMap(one => byName.get(one) ?? [])
    const [first] = goods
    if (!first) continue
    const isBefore = isDoneOnce(operation)
    const deletion = `${form}:${operation.split('.')[0]}.delete`
    const probe: Step = {
      ...first,
      name,
      as: kind.as ?? 'key',
      isProbe: true,
      why: `${kind.why} on ${operation}`,
      from: [...(first.from ?? []), ...(isBefore ? [] : goods.map(one => one.name)), ...(kind.from ?? [])],
      ...{ settled: undefined, deletes: undefined, before: undefined, after: undefined },
      draft(past) {
        const good = isBefore ? first.draft(past) : repeat(past, goods)
        if (good === undefined)
          return isShown(operation, form)
            ? lacksPath(operation, form, past.target)
            : skip(`no ${operation} succeeded with good credentials`)
        if ('skip' in good) return good
        if (past.readOnly && !isLocal(past.target) && !isItsTurn(operation, kind, form))
          return skip(
            'a run beyond loopback that only reads sends one probe of an operation beside that without credentials',
          )
        return kind.change(renamed(good, first.creates, past, index.toString(36)), past, operation, form)
      },
    }
    if (isBefore) before.set(first.name, [...(before.get(first.name) ?? []), probe])
    else after.push({ ...probe, visit: name, awaits: undefined, ...(byName.has(deletion) && { before: [deletion] }) })
  }
  return [...steps.flatMap(step => [...(before.get(step.name) ?? []), step]), ...after]
}

/** The good request that succeeded, else the first one. */
function repeat(past: Past, goods: readonly Step[]): Request | undefined {
  const sent = goods.flatMap(({ name }) => past.exchange(name) ?? [])
  const { request } =
    sent.find(isSuccess) ??
    (goods[0]!.operation && isShown(goods[0]!.operation, goods[0]!.form) ? sent[0] : undefined) ??
    {}
  return (
    request && { path: request.path, method: request.method, ...(request.body !== null && { rawBody: request.body }) }
  )
}
