import {
  type Field,
  type Fields,
  type Form,
  type Operation,
  type OperationId,
  operations,
  type ResourceId,
  resources,
} from '../../../fixtures/built-contract/index.ts'
import type { TargetFile } from '../../engine/target/target.ts'
import { lists } from './list-mutants.ts'
import {
  type Answer,
  type Call,
  changePayload,
  changeRecords,
  isObject,
  type Json,
  ownId,
  parse,
  pathIn,
  payloadIn,
  type Route,
  recordsIn,
  succeeds,
  withBody,
} from './route.ts'

/**
 * Deployments that break one thing in one operation, derived from the contract: they alter a request before the mock gets it,
 * or the answer of the mock. They share no code with the probes and the checks.
 */

export type Next = (call: Call) => Promise<Answer>
/** Answers a call. `next(call)` would be the genuine answer. */
export type Break = (call: Call, next: Next, route: Route) => Promise<Answer>

export interface Mutant {
  readonly id: string
  readonly kind: string
  readonly operation: OperationId
  readonly form: Form
  /** Returns the break for one run, with an empty memory. */
  readonly begin: (target: TargetFile) => Break
}

const byId = operations as Readonly<Record<OperationId, Operation>>
const verbOf = (operation: OperationId) => operation.split('.')[1]!
const resourceOf = (operation: OperationId) => operation.split('.')[0]!
const fieldsOf = (resource: string | undefined): Fields => (resource && resources[resource as ResourceId]?.fields) || {}
const isRequiredIn = (side: 'request' | 'answer', { optional }: Field) => optional !== true && optional !== side

/** A hash of a text, so that the mutants of different operations change different fields. */
const hashOf = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7)
const pick = <Item>(items: readonly Item[], seed: string): Item | undefined => items[hashOf(seed) % items.length]

export type Begin = Mutant['begin']

/** Changes the successes of the operation. */
const onSuccess =
  (operation: OperationId, form: Form, how: (answer: Answer, call: Call, route: Route) => Answer): Begin =>
  () =>
  async (call, next, route) => {
    const answer = await next(call)
    return route.operation === operation && route.form === form && succeeds(answer) ? how(answer, call, route) : answer
  }

/** Changes the body of requests that are JSON objects. */
const onBody =
  (operation: OperationId, form: Form, how: (body: Json) => Json): Begin =>
  () =>
  async (call, next, route) => {
    const body = route.operation === operation && route.form === form ? parse(call.body) : undefined
    return next(isObject(body) ? { ...call, body: JSON.stringify(how(body)) } : call)
  }

const basic = (id: string | undefined, secret: string | undefined) => `Basic ${btoa(`${id}:${secret}`)}`
const goodOf = ({ cloud, selfHosted }: TargetFile, form: Form) =>
  form === 'selfHosted' ? `Bearer ${selfHosted?.apiKey}` : basic(cloud?.keyId, cloud?.keySecret)

/** Accepts the wrong credentials that `isMeant` selects, as though the good key had called. */
const acceptsCredentials =
  (operation: OperationId, form: Form, isMeant: (header: string | undefined, target: TargetFile) => boolean): Begin =>
  target =>
  async (call, next, route) => {
    const { authorization } = call.headers
    const good = goodOf(target, form)
    const isWrong = route.operation === operation && route.form === form && authorization !== good
    return next(
      isWrong && isMeant(authorization, target) ? { ...call, headers: { ...call.headers, authorization: good } } : call,
    )
  }

/** Accepts created keys that should be refused for a reason, as though the good key had called. */
const acceptsCreatedKeys =
  (operation: OperationId, why: 'disabled' | 'expired' | 'deleted' | 'address' | 'role'): Begin =>
  target => {
    const createdKeys = new Map<string, { id: unknown; why: Set<string> }>()
    const keyById = (id: unknown) => [...createdKeys.values()].find(one => one.id === id)
    return async (call, next, route) => {
      const { authorization = '' } = call.headers
      const key = createdKeys.get(authorization)
      const isMeant = key?.why.has(why) && route.operation === operation
      const answer = await next(
        isMeant ? { ...call, headers: { ...call.headers, authorization: goodOf(target, 'cloud') } } : call,
      )
      if (!succeeds(answer)) return answer
      const body = parse(call.body) as Json | undefined
      if (route.operation === 'key.create') {
        const { key: record, keyId, keySecret } = payloadIn(answer) as { key: Json; keyId: string; keySecret: string }
        const reasons = new Set<string>(['role'])
        if (Array.isArray(body?.ipAccessList) && body.ipAccessList.length === 0) reasons.add('address')
        if (typeof body?.expireAt === 'string') reasons.add('expired')
        createdKeys.set(basic(keyId, keySecret), { id: record.id, why: reasons })
      }
      const changed = keyById(Object.values(route.params).at(-1))
      if (route.operation === 'key.update' && body?.state === 'disabled') changed?.why.add('disabled')
      if (route.operation === 'key.update' && body?.expireAt) changed?.why.add('expired')
      if (route.operation === 'key.delete') changed?.why.add('deleted')
      return answer
    }
  }

/** Answers a refused request like the first good one, if `isMeant` selects the ids in which their paths differ. */
const forgivesIds =
  (operation: OperationId, form: Form, isMeant: (names: readonly string[]) => boolean): Begin =>
  () => {
    let good: { readonly path: string; readonly params: Readonly<Record<string, string>> } | undefined
    return async (call, next, route) => {
      const answer = await next(call)
      if (route.operation !== operation || route.form !== form) return answer
      if (succeeds(answer)) good ??= { path: call.path, params: route.params }
      if (succeeds(answer) || !good || ![403, 404].includes(answer.status)) return answer
      const differing = Object.keys(route.params).filter(name => route.params[name] !== good!.params[name])
      return differing.length > 0 && isMeant(differing) ? next({ ...call, path: good.path }) : answer
    }
  }

/** Once a path is gone, repeats the last good answer to it. */
const keepsAnswering =
  (operation: OperationId, form: Form): Begin =>
  () => {
    const last = new Map<string, Answer>()
    return async (call, next, route) => {
      const answer = await next(call)
      if (route.operation !== operation || route.form !== form) return answer
      if (succeeds(answer)) last.set(call.path, answer)
      return answer.status === 404 || answer.status === 410 ? (last.get(call.path) ?? answer) : answer
    }
  }

/** Answers a refused body like the last good one, if `isMeant` selects the two. */
const forgivesBody =
  (operation: OperationId, form: Form, isMeant: (body: unknown, good: Json) => boolean): Begin =>
  () => {
    let good: string | undefined
    return async (call, next, route) => {
      const answer = await next(call)
      if (route.operation !== operation || route.form !== form) return answer
      const body = parse(call.body)
      if (succeeds(answer) && isObject(body)) good = call.body
      if (answer.status < 400 || answer.status > 422 || [401, 403, 404].includes(answer.status)) return answer
      const lastGood = parse(good ?? '')
      return isObject(lastGood) && isMeant(body, lastGood) ? next({ ...call, body: good! }) : answer
    }
  }

const isOfAnotherType = (one: unknown, other: unknown) =>
  one !== undefined &&
  one !== null &&
  other !== null &&
  (typeof one !== typeof other || Array.isArray(one) !== Array.isArray(other))

function retype(value: unknown): unknown {
  if (typeof value === 'string') return 7
  return typeof value === 'object' ? 'text' : String(value)
}
const spoilFormat = (value: unknown) => (typeof value === 'string' ? `${value.slice(0, 4)}~` : value)
const cut = (value: unknown) => (typeof value === 'string' && value.length > 20 ? value.slice(0, 20) : value)

const spoilField =
  (name: string, how: (value: unknown, record: Json) => unknown) =>
  (record: Json): Json =>
    name in record && record[name] !== null ? { ...record, [name]: how(record[name], record) } : record

export interface Where {
  readonly operation: OperationId
  readonly form: Form
  readonly of: Operation
}

/** Operations that accept bad credentials. */
function* credentials({ operation, form, of }: Where): Generator<[string, Begin]> {
  if (of.isPublic) return
  yield ['no credentials', acceptsCredentials(operation, form, header => !header)]
  yield [
    'wrong secret',
    acceptsCredentials(operation, form, (header, { cloud }) =>
      form === 'selfHosted'
        ? /^Bearer \S+$/.test(header ?? '')
        : !!header && /^Basic /.test(header) && safeDecode(header).startsWith(`${cloud?.keyId}:`),
    ),
  ]
  if (form === 'selfHosted') return
  yield [
    "another organization's key",
    acceptsCredentials(
      operation,
      form,
      (header, { cloud }) => header === basic(cloud?.secondKeyId, cloud?.secondKeySecret),
    ),
  ]
  if (form !== 'cloud') return
  for (const why of ['disabled', 'expired', 'deleted', 'address'] as const)
    yield [`key that is refused: ${why}`, acceptsCreatedKeys(operation, why)]
  if (of.permission) yield ['key that is refused: role', acceptsCreatedKeys(operation, 'role')]
}

const safeDecode = (header: string) => {
  try {
    return atob(header.slice(6))
  } catch {
    return ''
  }
}

/** Operations that accept the ids of other objects. */
function* ids({ operation, form }: Where): Generator<[string, Begin]> {
  const own = ownId(operation, form)
  if (own) yield ['unknown id', forgivesIds(operation, form, names => names.join() === own)]
  if (own && !/\.(?:get|update|replace|delete)$/.test(operation))
    yield ['id of what was deleted', keepsAnswering(operation, form)]
  const path = pathIn(operation, form)!
  if (path.includes('{organizationId}'))
    yield ['another organization', forgivesIds(operation, form, names => names.join() === 'organizationId')]
  if (own !== 'serviceId' && path.includes('{serviceId}'))
    yield ['another service', forgivesIds(operation, form, names => names.join() === 'serviceId')]
}

/** Operations that accept wrong bodies. */
function* bodies({ operation, form, of }: Where): Generator<[string, Begin]> {
  if (!of.body) return
  const fields = fieldsOf(of.body)
  yield ['malformed JSON', forgivesBody(operation, form, body => body === undefined)]
  if (Object.values(fields).some(field => isRequiredIn('request', field) && !field.readOnly))
    yield [
      'required field missing',
      forgivesBody(
        operation,
        form,
        (body, good) =>
          isObject(body) &&
          Object.keys(good).some(name => !(name in body)) &&
          Object.keys(body).every(name => name in good),
      ),
    ]
  if (Object.values(fields).some(({ values, items }) => values ?? items?.values))
    yield [
      'value outside an enum',
      forgivesBody(
        operation,
        form,
        (body, good) =>
          isObject(body) &&
          Object.keys(body).some(
            name =>
              fields[name]?.values &&
              !fields[name].values.includes(body[name] as string) &&
              !isOfAnotherType(body[name], good[name]),
          ),
      ),
    ]
  yield [
    'wrong type',
    forgivesBody(
      operation,
      form,
      (body, good) => isObject(body) && Object.keys(body).some(name => isOfAnotherType(body[name], good[name])),
    ),
  ]
}

/** The differences between two values, each with the field of the contract and its depth. */
function* differencesIn(one: unknown, other: unknown, field: Field | undefined, depth = 0): Generator<Difference> {
  if (Array.isArray(one) && Array.isArray(other)) yield* differencesIn(one[0], other[0], field?.items, depth)
  else if (isObject(one) && isObject(other)) {
    const fields: Fields = { ...field?.fields, ...field?.oneOf?.variants[String(other[field.oneOf.discriminator])] }
    for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
      yield* differencesIn(one[name], other[name], fields[name], depth + 1)
  } else if (one !== other) yield { one, other, field, depth }
}

interface Difference {
  readonly one: unknown
  readonly other: unknown
  readonly field: Field | undefined
  readonly depth: number
}

/** Operations that accept bodies that are wrong in a nested object. */
function* innerBodies({ operation, form, of }: Where): Generator<[string, Begin]> {
  const fields = fieldsOf(of.body)
  if (!Object.values(fields).some(({ fields, items }) => fields ?? items?.fields)) return
  const inner = (isMeant: (difference: Difference) => boolean) =>
    forgivesBody(operation, form, (body, good) =>
      [...differencesIn(body, good, { type: 'object', fields })].some(found => found.depth > 1 && isMeant(found)),
    )
  yield ['inner field missing', inner(({ one, field }) => one === undefined && !field?.optional)]
  yield [
    'inner value outside an enum',
    inner(({ one, field }) => typeof one === 'string' && field?.values?.includes(one) === false),
  ]
  yield ['inner value of another type', inner(({ one, other }) => isOfAnotherType(one, other))]
}

/** Operations with wrong answers. */
function* answers({ operation, form, of }: Where): Generator<[string, Begin]> {
  const success = (how: Parameters<typeof onSuccess>[2]) => onSuccess(operation, form, how)
  if (of.mediaType) {
    yield ['text: no TYPE lines', success(answer => withBody(answer, answer.body.replace(/^# TYPE.*\n/gm, '')))]
    yield [
      'text: a series twice',
      success(answer => withBody(answer, answer.body.replace(/^([a-zA-Z_].*\n)/m, '$1$1'))),
    ]
    yield [
      'text: no number',
      success(answer => withBody(answer, answer.body.replace(/^([a-zA-Z_][^\n]*) \S+$/m, '$1 many'))),
    ]
    yield ['text: empty', success(answer => withBody(answer, ''))]
    yield ['text: HELP lost', success(answer => withBody(answer, answer.body.replace(/^# HELP.*\n/gm, '')))]
    return
  }
  const resource = resourceOf(operation)
  const shownFields = Object.entries(fieldsOf(of.result.resource)).filter(([, field]) => !field.writeOnly)
  const fieldsByName = new Map(shownFields)
  const seed = `${operation} ${form}`
  const field = (
    kind: string,
    matches: (field: Field) => boolean,
    how: (value: unknown, field: Field) => unknown,
  ): [string, Begin][] => {
    const names = shownFields.filter(([, one]) => matches(one)).map(([name]) => name)
    const name = pick(names, seed + kind)
    return name === undefined
      ? []
      : [
          [
            `${kind}: ${name}`,
            success(answer =>
              changeRecords(
                answer,
                spoilField(name, value => how(value, fieldsByName.get(name)!)),
              ),
            ),
          ],
        ]
  }
  yield* field(
    'field lost',
    one => isRequiredIn('answer', one),
    () => undefined,
  )
  yield* field('another type', one => !one.alternativeType, retype)
  yield* field('another format', one => one.format !== undefined, spoilFormat)
  yield* field(
    'unheard-of value',
    one => one.values !== undefined,
    () => 'unheard_of',
  )
  if (verbOf(operation) === 'get') {
    yield* field(
      'value of the record changed',
      one => one.type === 'string' && !one.format && !one.values,
      value => `${value}!`,
    )
    yield* field(
      'another allowed value',
      one => (one.values?.length ?? 0) > 1,
      (value, { values = [] }) => values[(values.indexOf(value as string) + 1) % values.length],
    )
    yield* field(
      'moment moved',
      one => /time|moment/.test(one.format ?? ''),
      value => (typeof value === 'string' ? value.replace(/^\d{4}/, year => String(Number(year) - 1)) : value),
    )
  }
  if (of.result.type === 'array') {
    yield [
      'list without its last item',
      success(answer => changePayload(answer, list => (Array.isArray(list) ? list.slice(0, -1) : list))),
    ]
    yield* field(
      'list differs from get',
      one => one.type === 'string' && !one.format && !one.values,
      value => `${value}!`,
    )
    yield* field(
      'list differs from get, allowed value',
      one => (one.values?.length ?? 0) > 1,
      (value, { values = [] }) => values[(values.indexOf(value as string) + 1) % values.length],
    )
  } else if (of.result.type === 'object' && of.method === 'GET')
    yield ['nothing in the result', success(answer => changePayload(answer, () => ({})))]
  if (of.basis === 'documented' && form === 'cloud') {
    const refused =
      (how: (json: Json) => unknown): Begin =>
      () =>
      async (call, next, route) => {
        const answer = await next(call)
        const json = parse(answer.body)
        return route.operation === operation &&
          route.form === form &&
          answer.status > 400 &&
          answer.status < 500 &&
          isObject(json)
          ? withBody(answer, JSON.stringify(how(json)))
          : answer
      }
    yield ['refusal: another status', refused(json => ({ ...json, status: 418 }))]
    yield ['refusal: error is no text', refused(json => ({ ...json, error: { message: json.error } }))]
    yield [
      'refusal: no JSON',
      () => async (call, next, route) => {
        const answer = await next(call)
        return route.operation === operation && answer.status > 400 && answer.status < 500
          ? withBody({ ...answer, headers: { ...answer.headers, 'content-type': 'text/html' } }, '<h1>Refused</h1>')
          : answer
      },
    ]
  }
  if (resource && of.method === 'GET')
    yield [
      'secret shown again',
      () => {
        const secrets = new Set<string>()
        return async (call, next, route) => {
          const answer = await next(call)
          if (!succeeds(answer)) return answer
          const learn = (value: unknown, name = '') => {
            if (isObject(value)) for (const [key, one] of Object.entries(value)) learn(one, key)
            else if (
              typeof value === 'string' &&
              value.length > 7 &&
              /secret|password|token/i.test(name) &&
              resourceOf(route.operation ?? ('x.y' as OperationId)) === resource
            )
              secrets.add(value)
          }
          if (route.form === form && call.method !== 'GET')
            for (const value of [parse(call.body), payloadIn(answer)]) learn(value)
          const [secret] = secrets
          return route.operation === operation && route.form === form && secret
            ? changeRecords(answer, record => ({ ...record, hint: secret }))
            : answer
        }
      },
    ]
}

/** Operations with missing or wrong effects. */
function* effects({ operation, form, of }: Where): Generator<[string, Begin]> {
  const verb = verbOf(operation)
  const resource = resourceOf(operation)
  const isOwn = (route: Route) => route.operation === operation && route.form === form
  const isOf = (route: Route, ...verbs: string[]) =>
    route.form === form && verbs.some(one => route.operation === `${resource}.${one}`)
  const lastIdIn = (route: Route) => Object.values(route.params).at(-1)
  const get = byId[`${resource}.get` as OperationId]
  if (of.body && of.method !== 'GET') {
    yield [
      'drops the last field that is sent',
      onBody(operation, form, body =>
        Object.fromEntries(Object.entries(body).slice(0, Math.max(1, Object.keys(body).length - 1))),
      ),
    ]
    if (verb === 'create' || verb === 'update' || verb === 'replace') {
      yield [
        'cuts a name at 20 characters',
        onBody(operation, form, body => ({ ...body, ...(typeof body.name === 'string' && { name: cut(body.name) }) })),
      ]
      if ('message' in fieldsOf(of.body))
        yield ['drops the message', onBody(operation, form, ({ message: _, ...body }) => body)]
      if ('channel' in fieldsOf(of.body))
        yield [
          'changes the channel',
          onSuccess(operation, form, answer =>
            changeRecords(answer, record => ({
              ...record,
              channel: { type: 'webhook', webhookId: 'ffffffffffffffffffffffff' },
            })),
          ),
        ]
    }
    yield [
      'keeps another allowed value',
      onBody(operation, form, body => {
        const fields = fieldsOf(of.body)
        const name = Object.keys(body).find(one => (fields[one]?.values?.length ?? 0) > 1)
        const values = fields[name ?? '']?.values ?? []
        return name === undefined
          ? body
          : { ...body, [name]: values[(values.indexOf(body[name] as string) + 1) % values.length] }
      }),
    ]
  }
  if (
    !['GET', 'POST'].includes(of.method) &&
    verb !== 'delete' &&
    get &&
    pathIn(`${resource}.get` as OperationId, form)
  )
    yield [
      'has no effect',
      () => async (call, next, route) => {
        if (!isOwn(route)) return next(call)
        const path = call.path.replace(/\/(?:state|scaling|replicaScaling|password|config)$/, '')
        const got = await next({ ...call, method: 'GET', path, body: '' })
        return succeeds(got) ? got : next(call)
      },
    ]
  if (verb === 'create' && of.result.type === 'object') {
    yield [
      'creates nothing',
      () => async (call, next, route) => {
        const answer = await next(call)
        if (!isOwn(route) || !succeeds(answer)) return answer
        const id = recordsIn(answer, resource)[0]?.id
        if (id !== undefined) await next({ ...call, method: 'DELETE', path: `${call.path}/${id}`, body: '' })
        return answer
      },
    ]
    const shown = Object.entries(fieldsOf(of.result.resource))
      .filter(([, field]) => field.secret)
      .map(([name]) => name)
    if (shown.length > 0)
      yield [
        'creation without what only it shows',
        onSuccess(operation, form, answer =>
          changePayload(answer, payload =>
            isObject(payload)
              ? Object.fromEntries(Object.entries(payload).filter(([name]) => !shown.includes(name)))
              : payload,
          ),
        ),
      ]
  }
  if (verb === 'update' || verb === 'replace' || verb === 'delete') {
    yield [
      'touches siblings',
      () => {
        let by: string | undefined
        return async (call, next, route) => {
          const answer = await next(call)
          if (isOwn(route) && succeeds(answer)) by = lastIdIn(route)
          return by !== undefined && isOf(route, 'get', 'list') && succeeds(answer) && ownId(operation, form)
            ? changeRecords(answer, record =>
                record.id !== by && typeof record.name === 'string'
                  ? { ...record, name: `${record.name}, touched` }
                  : record,
              )
            : answer
        }
      },
    ]
  }
  if ((verb === 'update' || verb === 'replace') && get) {
    yield [
      'changes what was not sent',
      () => {
        const sent = new Map<string | undefined, readonly string[]>()
        return async (call, next, route) => {
          const answer = await next(call)
          if (!succeeds(answer)) return answer
          if (isOwn(route)) sent.set(lastIdIn(route), Object.keys((parse(call.body) as Json | undefined) ?? {}))
          const names = sent.get(lastIdIn(route))
          if (!isOf(route, 'get') || !names) return answer
          return changeRecords(answer, record => {
            const name = Object.keys(record).find(
              one =>
                typeof record[one] === 'string' &&
                !names.includes(one) &&
                !/id$|at$|time|state|status|version/i.test(one),
            )
            return name ? { ...record, [name]: `${record[name]}!` } : record
          })
        }
      },
    ]
    yield [
      'answers with what was before',
      () => async (call, next, route) => {
        if (!isOwn(route)) return next(call)
        const before = await next({ ...call, method: 'GET', body: '' })
        const answer = await next(call)
        return succeeds(answer) && succeeds(before) ? changePayload(answer, () => payloadIn(before)) : answer
      },
    ]
  }
  if (verb === 'delete') {
    yield [
      'deletes nothing',
      () => async (call, next, route) => {
        if (!isOwn(route)) return next(call)
        const got = await next({ ...call, method: 'GET' })
        return succeeds(got) ? changePayload(got, () => ({})) : next(call)
      },
    ]
    const remembers =
      (...verbs: string[]): Begin =>
      () => {
        const last = new Map<string, Answer>()
        return async (call, next, route) => {
          const answer = await next(call)
          if (isOf(route, 'get', ...verbs) && succeeds(answer) && call.method !== 'DELETE') last.set(call.path, answer)
          const former = last.get(call.path)
          return isOf(route, ...verbs) && [404, 410].includes(answer.status) && former ? former : answer
        }
      }
    if (get) yield ['deleted is still got', remembers('get')]
    if (byId[`${resource}.update` as OperationId]) yield ['deleted can be updated', remembers('update')]
    if (byId[`${resource}.list` as OperationId] && ownId(operation, form))
      yield [
        'deleted is still listed',
        () => {
          const seen = new Map<unknown, Json>()
          const gone = new Set<unknown>()
          return async (call, next, route) => {
            const answer = await next(call)
            if (!succeeds(answer)) return answer
            if (isOf(route, 'get')) for (const record of recordsIn(answer)) seen.set(record.id, record)
            if (isOwn(route)) gone.add(lastIdIn(route))
            return isOf(route, 'list') && gone.size > 0
              ? changePayload(answer, list =>
                  Array.isArray(list) ? [...list, ...[...gone].flatMap(id => seen.get(id) ?? [])] : list,
                )
              : answer
          }
        },
      ]
  }
  if (verb === 'get' && ownId(operation, form) && byId[`${resource}.list` as OperationId])
    yield [
      "another thing's record",
      () => {
        const list = new Map<string, Json>()
        return async (call, next, route) => {
          const answer = await next(call)
          if (!succeeds(answer)) return answer
          if (isOf(route, 'list')) for (const record of recordsIn(answer)) list.set(String(record.id), record)
          if (!isOwn(route)) return answer
          const [other] = [...list.values()].filter(record => record.id !== lastIdIn(route))
          return other ? changePayload(answer, () => other) : answer
        }
      },
    ]
  if (operation === 'usageCost.get') {
    const costs = (how: (list: Json[]) => Json[]) =>
      onSuccess(operation, form, answer =>
        changePayload(answer, payload =>
          isObject(payload) ? { ...payload, costs: how(payload.costs as Json[]) } : payload,
        ),
      )
    yield ['cost: a day twice', costs(list => [...list, ...list.slice(0, 1)])]
    yield ['cost: rows do not sum up', costs(list => list.slice(1))]
    yield ['cost: a negative amount', costs(([first, ...more]) => (first ? [{ ...first, totalCHC: -1 }, ...more] : []))]
  }
}

const isSent = (operation: OperationId) =>
  byId[operation].basis !== 'invented' && operation !== 'description.get' && operation !== 'health.get'

export const mutantsOf = (form: Form): readonly Mutant[] =>
  (Object.keys(byId) as OperationId[])
    .filter(operation => pathIn(operation, form) && isSent(operation))
    .flatMap(operation => {
      const where = { operation, form, of: byId[operation] }
      return [credentials, ids, bodies, innerBodies, answers, effects, lists].flatMap(make =>
        [...make(where)].map(([sentence, begin]) => ({
          id: `${form} ${operation}: ${sentence}`,
          kind: sentence.replace(
            /^(field lost|another type|another format|unheard-of value|value of the record changed|another allowed value|moment moved|list differs from get(?:, allowed value)?|[a-z]+: [a-z ]+): .*$/,
            '$1',
          ),
          operation,
          form,
          begin,
        })),
      )
    })
