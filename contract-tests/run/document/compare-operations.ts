import { type Fields, type Operation, type ResourceId, resources } from '../../../fixtures/built-contract/index.ts'
import { isObject, type JsonObject, objectsIn } from '../../engine/recognise.ts'
import { type Change, changesAt, type Location, type Side } from './change.ts'
import {
  compareRequired,
  compareSchemas,
  compareUnjudged,
  describeNew,
  describeTaken,
  type Readers,
  type SchemaPair,
} from './compare-schemas.ts'
import type { DocumentOperation, ParsedDocument } from './read-document.ts'
import type { Reader } from './schema.ts'

/** An operation that both documents have. */
interface OperationPair {
  /** Its name in reports: the contract's, or else the document's. */
  readonly id: string
  /** The contract's operation, where it has one. */
  readonly operation?: Operation
  readonly was: DocumentOperation
  readonly is: DocumentOperation
}

export interface Documents {
  readonly was: ParsedDocument
  readonly is: ParsedDocument
  readonly readers: Readers
}

/** Compares an operation's credentials, parameters, request body and answers. */
export function* compareOperations(pair: OperationPair, documents: Documents): Generator<Change> {
  const { id, was, is } = pair
  const isDeprecated = is.operation.deprecated === true && was.operation.deprecated !== true
  if (isDeprecated) yield changesAt('operation', id)('deprecated', 'neutral')
  yield* compareSecurity(pair, documents)
  yield* compareParameters(pair, documents)
  yield* compareRequests(pair, documents)
  yield* compareAnswers(pair, documents)
}

/** Authentication schemes that are required together, and the scopes that they need. */
interface SecurityOption {
  readonly schemes: string
  readonly scopes: readonly string[]
}

const NONE = 'none'

/** Compares the schemes of authentication, and the scopes where both documents have some. */
function* compareSecurity({ id, was, is }: OperationPair, documents: Documents): Generator<Change> {
  const [before, after] = [securityOf(was, documents.was), securityOf(is, documents.is)]
  const names = (options: readonly SecurityOption[]) =>
    [...new Set(options.map(({ schemes }) => schemes))].sort().join(' or ')
  const [old, now] = [names(before), names(after)]
  if (old !== now) {
    const isGone = before.some(option => !after.some(({ schemes }) => schemes === option.schemes))
    // Section 5: no operation goes without credentials.
    const isOpen = after.some(({ schemes }) => schemes === NONE)
    // All operations share one place: they usually change alike, which then counts as one difference.
    yield changesAt('operation', 'credentials')('security', isGone || isOpen ? 'breaking' : 'additive', old, now)
    return
  }
  if (!documents.was.hasScopes || !documents.is.hasScopes) return
  const scopes = (options: readonly SecurityOption[]) => new Set(options.flatMap(option => option.scopes))
  const [needed, needs] = [scopes(before), scopes(after)]
  const more = [...needs].filter(scope => !needed.has(scope))
  const fewer = [...needed].filter(scope => !needs.has(scope))
  const change = changesAt('operation', id)
  if (more.length > 0) yield change('scope-new', 'breaking', undefined, more)
  if (fewer.length > 0) yield change('scope-gone', 'additive', fewer)
}

function securityOf(
  { operation }: DocumentOperation,
  { document, references }: ParsedDocument,
): readonly SecurityOption[] {
  const { components } = document
  const declared = isObject(components) && isObject(components.securitySchemes) ? components.securitySchemes : {}
  const describeScheme = (name: string) => {
    const scheme = references.resolve(declared[name])
    if (!isObject(scheme)) return 'undeclared'
    const { type, scheme: httpScheme, in: place, name: key } = scheme
    return [type, ...(type === 'http' ? [String(httpScheme).toLowerCase()] : [place, key])].filter(Boolean).join(' ')
  }
  const security = operation.security ?? document.security
  const listed = objectsIn(security)
  return (listed.length > 0 ? listed : [{}]).map(option => ({
    schemes: Object.keys(option).map(describeScheme).sort().join(' and ') || NONE,
    scopes: Object.values(option).flatMap(scopes => (Array.isArray(scopes) ? scopes.map(String) : [])),
  }))
}

function* compareParameters({ id, was, is }: OperationPair, { readers }: Documents): Generator<Change> {
  const side = 'parameter'
  const [before, after] = [parametersOf(was), parametersOf(is)]
  const placeOf = (parameter: JsonObject) => `${id}:${parameter.in}.${parameter.name}`
  for (const [key, old] of before) {
    const now = after.get(key)
    const [place, at] = [placeOf(old), locationOf(now ?? old, readers.is)]
    const change = changesAt(side, place, at)
    if (now) {
      yield* compareRequired(change, side, old.required === true, now.required === true)
      yield* compareUnjudged(change, 'style', styleOf(old), styleOf(now))
      const schemas = { was: readers.was(schemaOf(old)), is: readers.is(schemaOf(now)) }
      yield* compareSchemas({ side, place, at, ...schemas }, readers)
    } else {
      // A filter that is ignored changes the answer silently.
      yield change('gone', 'breaking')
    }
  }
  for (const [key, now] of after)
    if (!before.has(key))
      yield describeNew(changesAt(side, placeOf(now), locationOf(now, readers.is)), now.required === true)
}

const locationOf = (parameter: JsonObject, read: Reader): Location => ({
  path: `${parameter.in}.${parameter.name}`,
  conditions: [],
  takes: () => describeTaken(read(schemaOf(parameter))),
})

/** Parameters by location and name; path parameters by position, since documents name them differently. */
function parametersOf({ path, parameters }: DocumentOperation): ReadonlyMap<string, JsonObject> {
  const ids = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name)
  const own = parameters.filter(({ in: place, name }) => place !== 'header' || !reservedHeaders.test(String(name)))
  return new Map(
    own.map(parameter => {
      const { in: place, name } = parameter
      if (place === 'path') return [`path ${ids.indexOf(String(name))}`, parameter]
      return [`${place} ${place === 'header' ? String(name).toLowerCase() : name}`, parameter]
    }),
  )
}

/** How the values of a parameter are written. */
const styleOf = ({ in: place, style, explode, allowReserved = false }: JsonObject) => {
  const written = style ?? (place === 'path' || place === 'header' ? 'simple' : 'form')
  return { style: written, explode: explode ?? written === 'form', allowReserved }
}

/** Headers that OpenAPI describes elsewhere. */
const reservedHeaders = /^(?:authorization|content-type|accept)$/i

/** The schema of a parameter or of a body in its first media type. */
function schemaOf({ schema, content }: JsonObject): unknown {
  const [media] = isObject(content) ? Object.values(content) : []
  return schema ?? (isObject(media) ? media.schema : undefined)
}

function* compareRequests({ id, operation, was, is }: OperationPair, documents: Documents): Generator<Change> {
  const side = 'request'
  const place = `${id}:$`
  const before = documents.was.references.resolve(was.operation.requestBody)
  const after = documents.is.references.resolve(is.operation.requestBody)
  const at = { path: '$', conditions: [] }
  const change = changesAt(side, place, at)
  if (!isObject(after)) {
    if (isObject(before)) yield change('gone', 'breaking')
  } else if (isObject(before)) {
    // A body with required fields is required, whether or not the document says so.
    const wasRequired = before.required === true || documents.readers.was(schemaOf(before)).required.size > 0
    if (after.required === true && !wasRequired) yield change('required', 'breaking', false, true)
    // Deployments of the cloud refuse unknown properties of a body; none was seen to refuse an unknown subfield.
    const isClosed = !was.path.startsWith('/api/v2')
    yield* compareContents(
      { side, place, at, field: fieldOf(side, operation?.body), isClosed },
      before,
      after,
      documents.readers,
    )
  } else yield describeNew(change, after.required === true)
}

function* compareAnswers({ id, operation, was, is }: OperationPair, documents: Documents): Generator<Change> {
  const side = 'answer'
  const before = answersOf(was, documents.was)
  const after = answersOf(is, documents.is)
  const field = fieldOf(side, operation?.result.resource)
  for (const [status, old] of Object.entries(before)) {
    const now = after[status] ?? after[`${status[0]}XX`] ?? after.default
    const isSuccess = /^2/.test(status)
    const at = { path: '$', status, conditions: [] }
    if (now && isSuccess)
      yield* compareUnjudged(changesAt(side, `${id}:${status}`, at), 'headers', headersOf(old), headersOf(now))
    if (now)
      yield* compareContents(
        { side, place: `${id}:${isSuccess ? '' : status}$`, at, field },
        old,
        now,
        documents.readers,
      )
    // Documents omit most refusals; which ones a deployment sends is observed, not documented.
    else if (isSuccess) yield changesAt(side, `${id}:${status}`, at)('status-gone', 'breaking')
  }
  for (const status of Object.keys(after))
    if (/^2/.test(status) && !before[status] && !before['2XX'] && !before.default)
      yield changesAt(side, `${id}:${status}`)('status-new', 'additive')
}

function answersOf(
  { operation }: DocumentOperation,
  { references }: ParsedDocument,
): Readonly<Record<string, JsonObject>> {
  const entries = Object.entries(isObject(operation.responses) ? operation.responses : {})
  return Object.fromEntries(
    entries.flatMap(([status, answer]) => {
      const resolved = references.resolve(answer)
      return isObject(resolved) ? [[status.toUpperCase().replace('DEFAULT', 'default'), resolved]] : []
    }),
  )
}

/** The headers of an answer, without their prose. */
const headersOf = ({ headers }: JsonObject) =>
  isObject(headers)
    ? Object.entries(headers).map(([name, header]) =>
        isObject(header) ? [name, { ...header, description: undefined }] : [name],
      )
    : []

const contentOf = ({ content }: JsonObject): JsonObject => (isObject(content) ? content : {})

/** A media type without its parameters. */
export const mediaTypeOf = (type = ''): string => type.replace(/;.*$/s, '').trim().toLowerCase()

function* compareContents(
  at: Pick<SchemaPair, 'side' | 'place' | 'at' | 'field' | 'isClosed'>,
  was: JsonObject,
  is: JsonObject,
  readers: Readers,
): Generator<Change> {
  const change = changesAt(at.side, at.place, at.at)
  const [before, after] = [contentOf(was), contentOf(is)]
  const find = (content: JsonObject, type: string) =>
    Object.keys(content).find(one => mediaTypeOf(one) === mediaTypeOf(type)) ??
    Object.keys(content).find(one => mediaTypeOf(one) === '*/*')
  for (const [type, old] of Object.entries(before)) {
    const match = find(after, type)
    const now = match === undefined ? undefined : after[match]
    if (match === undefined) yield change('media-type-gone', 'breaking', type, Object.keys(after).join(', ') || null)
    else if (isObject(old) && isObject(now))
      yield* compareSchemas({ ...at, was: readers.was(old.schema), is: readers.is(now.schema) }, readers)
  }
  for (const type of Object.keys(after))
    if (Object.keys(before).length > 0 && find(before, type) === undefined)
      yield change('media-type-new', 'additive', undefined, type)
}

/** The contract's description of a body: that of an answer lies in `result` or `data`. */
function fieldOf(side: Side, resource: string | undefined) {
  const fields: Fields | undefined = resources[resource as ResourceId]?.fields
  if (!fields) return undefined
  const body = { type: 'object', fields } as const
  if (side === 'request') return body
  const inside = { ...body, items: body }
  return { type: 'object', fields: { ...resources.envelope.fields, result: inside, data: inside } } as const
}
