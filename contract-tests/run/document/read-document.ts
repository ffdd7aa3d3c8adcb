import { type Form, type Operation, type OperationId, operations } from '../../../fixtures/contract/index.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { UsageError } from '../../engine/target/target.ts'
import { createReferences, type References } from './references.ts'

/** An operation as the document shows it. */
export interface Shown {
  readonly method: string
  /** Below the host: the path of the server and that of the operation. */
  readonly path: string
  /** The path with its parameters nameless. */
  readonly shape: string
  readonly operation: JsonObject
  /** Those of the path and those of the operation, references followed. */
  readonly parameters: readonly JsonObject[]
}

/** The document, as far as the contract is concerned. */
export interface Description {
  readonly document: JsonObject
  readonly references: References
  readonly shown: readonly Shown[]
  /** The forms that it describes. */
  readonly forms: readonly Form[]
  /** The fixed segment that the managed form has here. */
  readonly segment: string
}

const methods = ['get', 'put', 'post', 'delete', 'patch']
const nameless = (path: string) => path.replace(/\{[^}]*\}/g, '{}').replace(/(?<=.)\/+$/, '')

/**
 * Reads an OpenAPI document, 3.0 or 3.1.
 * @throws UsageError with a sentence for what is no such document, or describes none of the forms.
 */
export function readDocument(document: unknown): Description {
  if (!isObject(document)) throw new UsageError('it is no OpenAPI document: a JSON object was expected.')
  if (typeof document.swagger === 'string')
    throw new UsageError(`it is a document of Swagger ${document.swagger}; only OpenAPI 3.0 and 3.1 are read.`)
  if (typeof document.openapi !== 'string' || !/^3\.\d/.test(document.openapi))
    throw new UsageError('it is no OpenAPI document: `openapi` must be a version 3.0 or 3.1.')
  if (!isObject(document.paths))
    throw new UsageError('it is no OpenAPI document that can be judged: it has no `paths`.')
  const references = createReferences(document)
  const shown = readPaths(document, references)
  const segment = findSegment(shown)
  const forms = (['cloud', 'managed', 'selfHosted'] as const).filter(form => describes(form, shown, segment))
  if (forms.length === 0)
    throw new UsageError('it describes another API: none of its paths lies under /v1/organizations or /api/v2.')
  return { document, references, shown, forms, segment: segment ?? '' }
}

function readPaths(document: JsonObject, references: References): Shown[] {
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
        shape: nameless(path),
        operation,
        parameters: parameters.map(references.resolve).filter(isObject),
      }
    })
  })
}

/** What the address of the first server adds in front of every path. */
function serverPath({ servers }: JsonObject): string {
  const [server] = Array.isArray(servers) ? servers : []
  const url = isObject(server) && typeof server.url === 'string' ? server.url : ''
  return url
    .replace(/^[a-z][a-z\d+.-]*:/i, '')
    .replace(/^\/\/[^/]*/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
}

const managed = /^\/v1\/organizations\/\{\}\/services\/\{\}\/([^/{}]+)\/(dashboards|alerts|sources)(?:\/|$)/

/** The segment under which most of the managed operations stand. */
function findSegment(shown: readonly Shown[]): string | undefined {
  const counts = new Map<string, number>()
  for (const { shape } of shown) {
    const segment = managed.exec(shape)?.[1]
    if (segment) counts.set(segment, (counts.get(segment) ?? 0) + 1)
  }
  return [...counts].sort(([a, some], [b, more]) => more - some || (a < b ? -1 : 1))[0]?.[0]
}

function describes(form: Form, shown: readonly Shown[], segment: string | undefined): boolean {
  if (form === 'selfHosted') return shown.some(({ shape }) => /^\/api\/v2(?:\/|$)/.test(shape))
  if (form === 'managed') return segment !== undefined
  const base = `/v1/organizations/{}/services/{}/${segment}/`
  return shown.some(({ shape }) => /^\/v1\/organizations(?:\/|$)/.test(shape) && !shape.startsWith(base))
}

/** An operation of the contract, with its path in this document and its counterpart there. */
export interface Expected {
  readonly id: OperationId
  readonly operation: Operation
  readonly path: string
  readonly shape: string
  readonly counterpart: Shown | undefined
}

export const expectedOperations = (form: Form, { segment, shown }: Description): readonly Expected[] =>
  (Object.entries(operations) as [OperationId, Operation][]).flatMap(([id, operation]) => {
    const path = operation.paths[form]?.replace('{segment}', segment)
    if (path === undefined) return []
    const shape = nameless(path)
    const find = (method: string) => shown.find(one => one.shape === shape && one.method === method)
    // An update by PATCH stands for the update by PUT that is not there.
    const counterpart = find(operation.method) ?? (operation.method === 'PUT' ? find('PATCH') : undefined)
    return [{ id, operation, path, shape, counterpart }]
  })
