import {
  type Form,
  familyOf,
  type Operation,
  type OperationId,
  operations,
} from '../../../fixtures/built-contract/index.ts'
import { decode } from '../../engine/paths.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { UsageError } from '../../engine/target/target.ts'

/** An operation of the document. */
export interface DocumentOperation {
  readonly method: string
  /** The path of the server followed by that of the operation. */
  readonly path: string
  /** The path without the names of its parameters, and with `{segment}` for the managed form's fixed segment. */
  readonly shape: string
  readonly operation: JsonObject
  /** The parameters of the path and of the operation, with references resolved. */
  readonly parameters: readonly JsonObject[]
}

/** An OpenAPI document, with its operations and references read. */
export interface ParsedDocument {
  readonly document: JsonObject
  readonly references: References
  readonly operations: readonly DocumentOperation[]
  /** The forms that the document describes. */
  readonly forms: readonly Form[]
  /** Whether any operation says which permissions it needs. */
  readonly hasScopes: boolean
}

const methods = ['get', 'put', 'post', 'delete', 'patch']
const withoutParameterNames = (path: string) => path.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/+$/, '')

/**
 * Reads an OpenAPI document, 3.0 or 3.1.
 * @throws UsageError if the value is no such document, or describes none of the forms.
 */
export function readDocument(document: unknown): ParsedDocument {
  if (!isObject(document)) throw new UsageError('it is no OpenAPI document: a JSON object was expected.')
  if (typeof document.swagger === 'string')
    throw new UsageError(`it is a document of Swagger ${document.swagger}; only OpenAPI 3.0 and 3.1 are read.`)
  // YAML reads a version without quotes as a number.
  const version = String(document.openapi ?? '')
  if (!/^\d+(?:\.\d+)+$/.test(version))
    throw new UsageError('it is no OpenAPI document: `openapi` must be a version 3.0 or 3.1.')
  if (!/^3\.[01]\b/.test(version)) throw new UsageError(`it is a document of OpenAPI ${version}; 3.0 and 3.1 are read.`)
  if (!isObject(document.paths))
    throw new UsageError('it is no OpenAPI document that can be judged: it has no `paths`.')
  refuseOutsideReferences(document)
  const references = createReferences(document)
  const operations = nameSegment(readPaths(document, references))
  const forms = (['cloud', 'managed', 'selfHosted'] as const).filter(form => describes(form, operations))
  if (forms.length === 0)
    throw new UsageError('it describes another API: none of its paths lies under /v1/organizations or /api/v2.')
  const security = [document, ...operations.map(({ operation }) => operation)].flatMap(({ security }) => security ?? [])
  const scopes = security.flatMap(option => (isObject(option) ? Object.values(option).flat() : []))
  return { document, references, operations, forms, hasScopes: scopes.length > 0 }
}

/** Keywords whose values are data: a `$ref` in them is no reference. */
const sampleKeywords = /^(?:examples?|default|enum|const)$/

/** Refuses references to other documents, since nothing is fetched, and aliases of YAML by which a value contains itself. */
function refuseOutsideReferences(value: unknown, above: ReadonlySet<unknown> = new Set()): void {
  if (typeof value !== 'object' || value === null) return
  if (above.has(value)) throw new UsageError('it contains itself, by an alias of YAML: use $ref instead.')
  const within = new Set(above).add(value)
  for (const [key, item] of Object.entries(value)) {
    if (key === '$ref' && typeof item === 'string' && !item.startsWith('#'))
      throw new UsageError(
        `it refers to ${JSON.stringify(item)}, outside of itself, and nothing is fetched; bundle it into one file first, such as with "redocly bundle".`,
      )
    if (!sampleKeywords.test(key)) refuseOutsideReferences(item, within)
  }
}

/** Whether the basis of a part of our description is observed, inferred or invented: a vendor's document need not have it. */
export const isUndocumented = (thing: unknown): boolean =>
  isObject(thing) && /^(?:observed|inferred|invented)$/.test(String(thing['x-basis']))

function readPaths(document: JsonObject, references: References): DocumentOperation[] {
  const prefix = serverPath(document)
  return Object.entries(document.paths as JsonObject).flatMap(([written, entry]) => {
    const item = references.resolve(entry)
    if (!isObject(item)) return []
    const path = /^\/(?:v1|api\/v2)(?:\/|$)/.test(written) ? written : prefix + written
    return methods.flatMap(method => {
      const operation = item[method]
      if (!isObject(operation)) return []
      const parameters = [item.parameters, operation.parameters].flatMap(list => (Array.isArray(list) ? list : []))
      return {
        method: method.toUpperCase(),
        path,
        shape: withoutParameterNames(path),
        operation,
        parameters: parameters.map(references.resolve).filter(isObject),
      }
    })
  })
}

/** The path of the first server, which stands in front of every path. */
function serverPath({ servers }: JsonObject): string {
  const [server] = Array.isArray(servers) ? servers : []
  const url = isObject(server) && typeof server.url === 'string' ? server.url : ''
  return url
    .replace(/^[a-z][a-z\d+.-]*:/i, '')
    .replace(/^\/\/[^/]*/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
}

const managedPattern = /^\/v1\/organizations\/\{\}\/services\/\{\}\/([^/{}]+)\/(?:dashboards|alerts|sources)(?:\/|$)/
const serviceShape = '/v1/organizations/{}/services/{}/'

/** Finds the segment under which most of the managed operations stand, and names it as the contract does. */
function nameSegment(documented: readonly DocumentOperation[]): readonly DocumentOperation[] {
  const counts = new Map<string, number>()
  for (const { shape } of documented) {
    const segment = managedPattern.exec(shape)?.[1]
    if (segment) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  }
  const [segment] = [...counts].sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1))[0] ?? []
  if (!segment) return documented
  const own = `${serviceShape}${segment}/`
  return documented.map(one =>
    one.shape.startsWith(own) ? { ...one, shape: `${serviceShape}{segment}/${one.shape.slice(own.length)}` } : one,
  )
}

function describes(form: Form, documented: readonly DocumentOperation[]): boolean {
  const isManaged = (shape: string) => shape.startsWith(`${serviceShape}{segment}/`)
  if (form === 'selfHosted') return documented.some(({ shape }) => /^\/api\/v2(?:\/|$)/.test(shape))
  if (form === 'managed') return documented.some(({ shape }) => isManaged(shape))
  return documented.some(({ shape }) => /^\/v1\/organizations(?:\/|$)/.test(shape) && !isManaged(shape))
}

const contractOperations = (Object.entries(operations) as [OperationId, Operation][]).flatMap(([id, operation]) =>
  Object.values({ ...operation.pathsBeyondSpecification, ...operation.paths }).map(path => ({
    id,
    operation,
    shape: path.replace(/\{(?!segment)[^}]*\}/g, '{}'),
  })),
)

/** The contract's id and family of an operation; an unknown one belongs to the family whose path it continues. */
export function matchContract({
  method,
  shape,
  operation: { operationId },
}: Pick<DocumentOperation, 'method' | 'shape' | 'operation'>) {
  const own = contractOperations.find(one => one.shape === shape && one.operation.method === method)
  if (own) return { ...own, family: familyOf[own.id] }
  const root = (path: string) => path.replace(/(?:\/\{\})?$/, '')
  const [nearest] = contractOperations
    .filter(one => shape === root(one.shape) || shape.startsWith(`${root(one.shape)}/`))
    .sort((a, b) => b.shape.length - a.shape.length)
  const id = typeof operationId === 'string' ? operationId : `${method} ${shape}`
  return { id, family: nearest ? familyOf[nearest.id] : '', operation: undefined }
}

export type References = ReturnType<typeof createReferences>

/** Follows references within one document. A reference that leads nowhere is undefined, and listed in `unread`. */
function createReferences(document: unknown) {
  const unread = new Set<string>()
  function follow(reference: string): unknown {
    let place: unknown = reference.startsWith('#/') ? document : undefined
    for (const part of reference.slice(2).split('/')) {
      const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
      place = (isObject(place) || Array.isArray(place)) && Object.hasOwn(place, key) ? place[key as never] : undefined
    }
    if (place === undefined) unread.add(reference)
    return place
  }
  /** Returns what a value refers to, or the value itself where it is no reference. */
  function resolve(value: unknown): unknown {
    const above = new Set<string>()
    let place = value
    while (isObject(place) && typeof place.$ref === 'string') {
      if (above.has(place.$ref)) {
        unread.add(place.$ref)
        return undefined
      }
      above.add(place.$ref)
      place = follow(place.$ref)
    }
    return place
  }
  return { follow, resolve, unread }
}
