import { type Fields, type Operation, type ResourceId, resources } from '../../../fixtures/contract/index.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { type Change, compareSchemas, type Readers, type Side } from './compare-schemas.ts'
import { compareSecurity } from './compare-security.ts'
import type { Description, Shown } from './read-document.ts'

/** An operation that both documents have. */
export interface Pair {
  /** What reports call it: the contract's name, or else the document's. */
  readonly id: string
  /** The contract's operation, where it has one. */
  readonly operation?: Operation
  readonly was: Shown
  readonly is: Shown
}

export interface Documents {
  readonly was: Description
  readonly is: Description
  readonly readers: Readers
}

/** Compares an operation part by part: who may call it, what is sent, and what comes. */
export function* compareOperations(pair: Pair, documents: Documents): Generator<Change> {
  const { id, was, is } = pair
  const isDeprecated = is.operation.deprecated === true && was.operation.deprecated !== true
  if (isDeprecated) yield { side: 'operation', place: id, what: 'deprecated', kind: 'neutral' }
  yield* compareSecurity(pair, documents)
  yield* compareParameters(pair, documents)
  yield* compareRequests(pair, documents)
  yield* compareAnswers(pair, documents)
}

function* compareParameters({ id, was, is }: Pair, { readers }: Documents): Generator<Change> {
  const [before, after] = [parametersOf(was), parametersOf(is)]
  for (const [key, old] of before) {
    const now = after.get(key)
    const place = `${id}:${old.in}.${old.name}`
    // A filter that is ignored from now on answers with something else, without a word.
    if (!now) {
      yield { side: 'parameter', place, what: 'gone', kind: 'breaking' }
      continue
    }
    const [needed, needs] = [old.required === true, now.required === true]
    if (needs && !needed) yield { side: 'parameter', place, what: 'required', kind: 'breaking', was: false, is: true }
    if (needed && !needs) yield { side: 'parameter', place, what: 'optional', kind: 'additive', was: true, is: false }
    const schemas = { was: readers.was(schemaOf(old)), is: readers.is(schemaOf(now)) }
    yield* compareSchemas({ side: 'parameter', place, ...schemas }, readers)
  }
  for (const [key, now] of after) {
    if (before.has(key)) continue
    const isDemanded = now.required === true
    yield {
      side: 'parameter',
      place: `${id}:${now.in}.${now.name}`,
      what: isDemanded ? 'new-required' : 'new',
      kind: isDemanded ? 'breaking' : 'additive',
    }
  }
}

/** By where they stand and their name; what a document calls an id in the path is no matter. */
function parametersOf({ path, parameters }: Shown): ReadonlyMap<string, JsonObject> {
  const ids = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
  const own = parameters.filter(({ in: place, name }) => place !== 'header' || !reserved.test(String(name)))
  return new Map(
    own.map(parameter => {
      const { in: place, name } = parameter
      const known =
        place === 'path' ? ids.indexOf(String(name)) : place === 'header' ? String(name).toLowerCase() : name
      return [`${place} ${known}`, parameter]
    }),
  )
}

/** Headers that OpenAPI describes elsewhere. */
const reserved = /^(?:authorization|content-type|accept)$/i

function schemaOf({ schema, content }: JsonObject): unknown {
  const [media] = isObject(content) ? Object.values(content) : []
  return schema ?? (isObject(media) ? media.schema : undefined)
}

function* compareRequests({ id, operation, was, is }: Pair, documents: Documents): Generator<Change> {
  const before = documents.was.references.resolve(was.operation.requestBody)
  const after = documents.is.references.resolve(is.operation.requestBody)
  const at = { side: 'request', place: `${id}:$` } as const
  if (isObject(before) && !isObject(after)) yield { ...at, what: 'gone', kind: 'breaking' }
  if (!isObject(after)) return
  const needs = after.required === true
  if (!isObject(before)) yield { ...at, what: needs ? 'new-required' : 'new', kind: needs ? 'breaking' : 'additive' }
  else {
    if (needs && before.required !== true && !demands(before, documents.readers.was))
      yield { ...at, what: 'required', kind: 'breaking', was: false, is: true }
    // Deployments of the cloud refuse a body with a property that they do not know; inside of it, they were not seen to.
    const isClosed = !was.path.startsWith('/api/v2')
    yield* compareContents('request', `${id}:$`, before, after, documents.readers, operation?.body, isClosed)
  }
}

/** A body with fields that must be there must be there itself, whether or not the document says so. */
const demands = (body: JsonObject, read: Readers['was']) => {
  const [media] = Object.values(contentOf(body))
  return read(isObject(media) ? media.schema : undefined).required.size > 0
}

function* compareAnswers({ id, operation, was, is }: Pair, documents: Documents): Generator<Change> {
  const before = answersOf(was, documents.was)
  const after = answersOf(is, documents.is)
  const find = (status: string) => after[status] ?? after[`${status[0]}XX`] ?? after.default
  for (const [status, old] of Object.entries(before)) {
    const now = find(status)
    const isSuccess = /^2/.test(status)
    const at = { side: 'answer', place: `${id}:${status}` } as const
    // Documents leave most refusals out; which of them come is observed on deployments.
    if (!now) {
      if (isSuccess) yield { ...at, what: 'status-gone', kind: 'breaking' }
    } else
      yield* compareContents(
        'answer',
        `${id}:${isSuccess ? '' : status}$`,
        old,
        now,
        documents.readers,
        resultOf(operation),
      )
  }
  for (const status of Object.keys(after))
    if (/^2/.test(status) && !before[status] && !before['2XX'] && !before.default)
      yield { side: 'answer', place: `${id}:${status}`, what: 'status-new', kind: 'additive' }
}

function answersOf({ operation }: Shown, { references }: Description): Readonly<Record<string, JsonObject>> {
  const entries = Object.entries(isObject(operation.responses) ? operation.responses : {})
  return Object.fromEntries(
    entries.flatMap(([status, answer]) => {
      const resolved = references.resolve(answer)
      return isObject(resolved) ? [[status.toUpperCase().replace('DEFAULT', 'default'), resolved]] : []
    }),
  )
}

const resultOf = (operation?: Operation) => operation?.result.of

const contentOf = ({ content }: JsonObject): JsonObject => (isObject(content) ? content : {})
const essence = (type: string) => type.replace(/;.*$/s, '').trim().toLowerCase()

function* compareContents(
  side: Side,
  place: string,
  was: JsonObject,
  is: JsonObject,
  readers: Readers,
  resource: string | undefined,
  isClosed = false,
): Generator<Change> {
  const [before, after] = [contentOf(was), contentOf(is)]
  const find = (content: JsonObject, type: string) => Object.keys(content).find(one => essence(one) === essence(type))
  for (const [type, old] of Object.entries(before)) {
    const there = find(after, type) ?? find(after, '*/*')
    const now = there === undefined ? undefined : after[there]
    if (there === undefined)
      yield {
        side,
        place,
        what: 'media-type-gone',
        kind: 'breaking',
        was: type,
        is: Object.keys(after).join(', ') || null,
      }
    else if (isObject(old) && isObject(now))
      yield* compareSchemas(
        {
          side,
          place,
          was: readers.was(old.schema),
          is: readers.is(now.schema),
          field: fieldOf(side, resource),
          isClosed,
        },
        readers,
      )
  }
  for (const type of Object.keys(after))
    if (Object.keys(before).length > 0 && !find(before, type) && !find(before, '*/*'))
      yield { side, place, what: 'media-type-new', kind: 'additive', is: type }
}

/** What the contract states of a body: that of an answer lies in `result` or `data`. */
function fieldOf(side: Side, resource: string | undefined) {
  const fields: Fields | undefined = resources[resource as ResourceId]?.fields
  if (!fields) return undefined
  const whole = { type: 'object', fields } as const
  if (side === 'request') return whole
  const inside = { ...whole, items: whole }
  return { type: 'object', fields: { ...resources.envelope.fields, result: inside, data: inside } } as const
}
