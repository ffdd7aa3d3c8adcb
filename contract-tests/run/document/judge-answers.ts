import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Exchange, hasBody, isSuccess } from '../../engine/exchange.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { groupBy } from '../../report/group-by.ts'
import type { Drift } from '../../report/report.ts'
import { shorten } from '../../report/visible.ts'
import { createDrift, inOrder } from './difference.ts'
import { type Description, readDocument, type Shown } from './read-document.ts'
import { createSchemaReader } from './schema.ts'
import { mendSchema } from './slips.ts'

/** Says how the answers of a run differ from a vendor's document. */
export type AnswerJudge = (exchanges: readonly Exchange[]) => readonly Drift[]

/** One difference: `place` is where the document says otherwise, so that it is told once however many answers have it. */
interface Finding {
  readonly place: string
  readonly kind: Drift['kind']
  readonly id: string
  readonly was: unknown
  readonly is: unknown
}

const NAME = 'document'
const LONGEST_VALUE = 60

/**
 * Makes a judge of answers from an OpenAPI document (3.0 or 3.1): the path and method, the status, the media type and the
 * body of every answer of the run, by the document's own schemas. What a client that is written to the document loses is
 * breaking; fields, operations and statuses that the document does not have are additive or neutral.
 * @throws UsageError with a sentence for what is no such document.
 */
export function createAnswerJudge(document: unknown): AnswerJudge {
  const description = readDocument(document)
  const find = createFinder(description)
  const judgeBody = createBodyJudge(description)
  return exchanges => {
    const findings = exchanges.flatMap(exchange => [...judgeAnswer(exchange, find(exchange), description, judgeBody)])
    return inOrder([...groupBy(findings, ({ place }) => place).values()].map(gather))
  }
}

/** The same place once, under the name that comes first, with everything that came instead. */
function gather(findings: readonly Finding[]): Drift {
  const [first] = [...findings].sort((a, b) => (a.id < b.id ? -1 : 1)) as [Finding]
  const came = [...new Set(findings.flatMap(({ is }) => is))].sort()
  return createDrift(first.kind, first.id, first.was, came.length > 1 ? came : first.is)
}

/** Finds the operation of the document that an exchange went to: the one with the most literal steps in its path. */
function createFinder({ shown, segment }: Description) {
  const literals = (path: string) => path.split('/').filter(part => !part.startsWith('{')).length
  const routes = shown
    .map(one => ({ ...one, expression: toExpression(one.shape) }))
    .sort((a, b) => literals(b.path) - literals(a.path))
  return ({ form, request }: Exchange): Shown | undefined => {
    const path = plainPath(request.path)
    const there =
      form === 'managed' ? path.replace(/^(\/v1\/organizations\/[^/]+\/services\/[^/]+\/)[^/]+/, `$1${segment}`) : path
    return routes.find(({ method, expression }) => method === request.method && expression.test(there))
  }
}

const toExpression = (shape: string) =>
  new RegExp(
    `^${shape
      .split('{}')
      .map(part => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join('[^/]+')}/?$`,
  )

const plainPath = (path: string) => path.replace(/[?#].*$/s, '').replace(/^.*?(?=\/(?:v1|api\/v2)\/)/, '')

type BodyJudge = (schema: unknown, value: unknown, at: { place: string; id: string }) => Iterable<Finding>

function* judgeAnswer(
  exchange: Exchange,
  shown: Shown | undefined,
  { references, forms }: Description,
  judgeBody: BodyJudge,
): Iterable<Finding> {
  const { form, request, response, json } = exchange
  if (!forms.includes(form) || request.method === 'HEAD' || request.method === 'OPTIONS') return
  const operation = exchange.operation ?? `${request.method} ${shown?.path ?? namelessPath(request.path)}`
  if (!shown) {
    // A refusal of what is not there is right.
    if (!isSuccess(exchange) || exchange.as !== 'key') return
    const id = `${form}:${operation}/answered`
    return yield { place: id, kind: 'additive', id, was: null, is: `${response.status}` }
  }
  const responses = isObject(shown.operation.responses) ? shown.operation.responses : {}
  const status = String(response.status)
  const key = [status, `${status[0]}XX`, `${status[0]}xx`, 'default'].find(one => one in responses)
  if (key === undefined) {
    const id = isSuccess(exchange) ? `${form}:${operation}/answer/status` : `${form}:refusals/status-${status}`
    const was = isSuccess(exchange) ? Object.keys(responses).filter(one => /^2/.test(one)) : null
    return yield { place: id, kind: was ? 'breaking' : 'neutral', id, was, is: status }
  }
  const answer = references.resolve(responses[key])
  const content = isObject(answer) && isObject(answer.content) ? answer.content : {}
  const documented = Object.keys(content)
  if (documented.length === 0) return
  const base = `${form}:${operation}/${isSuccess(exchange) ? 'answer' : `refusal/${status}`}`
  const media = essence(response.headers['content-type'])
  const type = documented.find(one => matches(essence(one), media))
  const entry = type === undefined ? undefined : content[type]
  if (type === undefined || !hasBody(exchange)) {
    const is = hasBody(exchange) ? media || 'no media type' : 'no body'
    return yield { place: `${base}/media-type`, kind: 'breaking', id: `${base}/media-type`, was: documented, is }
  }
  if (!/json/.test(type) || !isObject(entry) || entry.schema === undefined) return
  yield* judgeBody(entry.schema, json, { place: base, id: base })
}

const essence = (type = '') => type.replace(/;.*$/s, '').trim().toLowerCase()
const matches = (pattern: string, type: string) =>
  pattern === '*/*' || pattern === type || (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1)))

const namelessPath = (path: string) =>
  plainPath(path)
    .split('/')
    .map(part => (/^(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(part) ? '{}' : part))
    .join('/')

/** Bounds of values are told, but break no client. */
const bounds = /^(?:minimum|maximum|exclusive|multipleOf|min|max|unique|pattern)/

function createBodyJudge({ document, references }: Description): BodyJudge {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, verbose: true, logger: false })
  formats.default(ajv)
  ajv.addSchema(mendSchema(document, NAME) as JsonObject, NAME)
  const read = createSchemaReader(references)
  const validate = (schema: JsonObject, value: unknown): readonly ErrorObject[] => {
    const check = ajv.compile(schema)
    check(value)
    return check.errors ?? []
  }
  const mended = new Map<unknown, JsonObject>()
  const mend = (schema: unknown) => {
    const known = mended.get(schema) ?? (mendSchema(schema, NAME) as JsonObject)
    mended.set(schema, known)
    return known
  }

  /** Of alternatives none of which fits, the errors of the nearest one. */
  function settle(errors: readonly ErrorObject[], under = ''): readonly ErrorObject[] {
    const choice = errors.find(({ keyword }) => keyword === 'anyOf')
    if (!choice) return errors.map(error => ({ ...error, instancePath: under + error.instancePath }))
    const isInside = ({ instancePath }: ErrorObject) => `${instancePath}/`.startsWith(`${choice.instancePath}/`)
    const cost = (found: readonly ErrorObject[]) => found.reduce((sum, error) => sum + distance(error), 0)
    const [nearest] = (choice.schema as JsonObject[])
      .map(schema => validate(schema, choice.data))
      .sort((a, b) => cost(a) - cost(b)) as [readonly ErrorObject[]]
    return [
      ...settle(
        errors.filter(error => !isInside(error)),
        under,
      ),
      ...settle(nearest, under + choice.instancePath),
    ]
  }

  function* findAdditions(
    schema: unknown,
    value: unknown,
    at: { place: string; id: string },
    path = '',
  ): Iterable<Finding> {
    const resolved = references.resolve(schema)
    const { properties, items, unread } = read(resolved)
    if (unread) return
    if (Array.isArray(value)) {
      for (const item of items === undefined ? [] : value) yield* findAdditions(items, item, at, `${path}[]`)
    } else if (isObject(value) && properties.size > 0) {
      const isOpen = isObject(resolved) && Boolean(resolved.additionalProperties)
      const strange = Object.keys(value).filter(name => !properties.has(name))
      const id = `${at.id}/${path ? `${path}/` : ''}fields-new`
      for (const is of isOpen ? [] : strange) yield { place: id, kind: 'additive', id, was: null, is }
      for (const [name, one] of properties)
        if (Object.hasOwn(value, name))
          yield* findAdditions(one, value[name], at, path === '' ? name : `${path}.${name}`)
    }
  }

  return function* (schema, value, at) {
    let errors: readonly ErrorObject[]
    try {
      errors = settle(validate(mend(schema), value))
    } catch (error) {
      // Parts that could not be read are reported; otherwise they would look like agreement.
      const id = 'document/schemas-unread'
      return yield { place: id, kind: 'neutral', id, was: null, is: (error as Error).message }
    }
    for (const error of errors) {
      const { keyword, params, data } = error
      const field = keyword === 'required' ? `${error.instancePath}/${params.missingProperty}` : error.instancePath
      const path = field
        .replace(/\/\d+(?=\/|$)/g, '[]')
        .replace(/^\//, '')
        .replaceAll('/', '.')
      // The same schema of the document serves several operations.
      const isShared = error.schemaPath.startsWith(`${NAME}#`)
      yield {
        place: isShared ? `${error.schemaPath} ${field.replace(/.*\//, '')}` : `${at.place}/${path}/${keyword}`,
        kind: bounds.test(keyword) ? 'neutral' : 'breaking',
        id: `${at.id}/${path ? `${path}/` : ''}${keyword}`,
        was: keyword === 'required' ? 'required' : error.schema,
        is: keyword === 'required' ? null : keyword === 'type' ? typeOf(data) : cut(data),
      }
    }
    yield* findAdditions(schema, value, at)
  }
}

/** Another type is not meant at all; another word, as in `type: 'search'`, names another alternative. */
const distance = ({ instancePath, keyword }: ErrorObject) =>
  keyword === 'type' && instancePath === '' ? 1000 : keyword === 'const' || keyword === 'enum' ? 30 : 1

const typeOf = (value: unknown) =>
  value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const cut = (value: unknown) => shorten(typeof value === 'string' ? value : JSON.stringify(value), LONGEST_VALUE)
