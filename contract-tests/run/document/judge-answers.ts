import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Exchange, hasBody, isSuccess } from '../../engine/exchange.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import { groupBy } from '../../report/group-by.ts'
import type { Drift } from '../../report/report.ts'
import { shorten } from '../../report/visible.ts'
import { inOrder, type Touched, toDrift } from './drift.ts'
import { type Description, readDocument, type Shown } from './read-document.ts'
import { recognise } from './recognise-operation.ts'
import { createSchemaReader, unite } from './schema.ts'
import { mendSchema } from './slips.ts'

/** Says how the answers of a run differ from a vendor's document. */
export type AnswerJudge = (exchanges: readonly Exchange[]) => readonly Drift[]

/** One difference of one answer; those with the same key are one, since the document says it at one place. */
interface Finding {
  readonly key: string
  readonly kind: Drift['kind']
  /** The operation, and where in its answer. */
  readonly place: string
  readonly what: string
  readonly was: unknown
  readonly is: unknown
}

/** What is known of the operation that was asked, and of the document's own. */
interface Judged extends Finding {
  readonly family: string
  readonly operation: Touched
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
    const findings = exchanges.flatMap(exchange => {
      const shown = find(exchange)
      const { method, path } = exchange.request
      const { id, family } = recognise(shown ?? { method, shape: namelessPath(path), operation: {} })
      const operation = { id, method, path: shown?.path ?? namelessPath(path) }
      const own = [...judgeAnswer(exchange, id, shown, description, judgeBody)]
      return own.map((finding): Judged => ({ ...finding, family, operation }))
    })
    return [...groupBy(findings, ({ key }) => key).values()].map(gather).sort(inOrder)
  }
}

/** The same place once, under the name that comes first, with everything that came instead. */
function gather(findings: readonly Judged[]): Drift {
  const sorted = [...findings].sort((a, b) => (a.place < b.place ? -1 : 1))
  const [first] = sorted as [Judged]
  const came = [...new Set(findings.flatMap(({ is }) => is))].sort()
  const operations = new Map(sorted.map(({ operation }) => [`${operation.method} ${operation.path}`, operation]))
  const change = { ...first, side: 'answered', is: came.length > 1 ? came : first.is } as const
  return toDrift(change, first.family, [...operations.values()])
}

/** Finds the operation of the document that an exchange went to: the one with the most literal steps in its path. */
function createFinder({ shown }: Description) {
  const literals = (path: string) => path.split('/').filter(part => !part.startsWith('{')).length
  const routes = shown
    .map(one => ({ ...one, expression: toExpression(one.shape) }))
    .sort((a, b) => literals(b.path) - literals(a.path))
  return ({ request }: Exchange): Shown | undefined => {
    const path = plainPath(request.path)
    return routes.find(({ method, expression }) => method === request.method && expression.test(path))
  }
}

const toExpression = (shape: string) =>
  new RegExp(
    `^${shape
      .split(/\{\w*\}/)
      .map(part => part.replace(/[.*+?^$()|[\]\\]/g, '\\$&'))
      .join('[^/]+')}/?$`,
  )

const plainPath = (path: string) => path.replace(/[?#].*$/s, '').replace(/^.*?(?=\/(?:v1|api\/v2)\/)/, '')

type BodyJudge = (schema: unknown, value: unknown, at: string) => Iterable<Finding>

function* judgeAnswer(
  exchange: Exchange,
  operation: string,
  shown: Shown | undefined,
  { references, forms }: Description,
  judgeBody: BodyJudge,
): Iterable<Finding> {
  const { form, request, response, json } = exchange
  if (!forms.includes(form) || request.method === 'HEAD' || request.method === 'OPTIONS') return
  const find = (place: string, what: string, kind: Drift['kind'], was: unknown, is: unknown): Finding => ({
    key: `${place}/${what}`,
    place,
    what,
    kind,
    was,
    is,
  })
  if (!shown) {
    // A refusal of what is not there is right.
    if (isSuccess(exchange) && exchange.as === 'key')
      yield find(operation, 'undocumented', 'additive', null, `${response.status}`)
    return
  }
  const responses = isObject(shown.operation.responses) ? shown.operation.responses : {}
  const status = String(response.status)
  const key = [status, `${status[0]}XX`, `${status[0]}xx`, 'default'].find(one => one in responses)
  if (key === undefined) {
    const documented = Object.keys(responses).filter(one => /^2/.test(one))
    yield isSuccess(exchange)
      ? find(operation, 'status', 'breaking', documented, status)
      : find('refusals', `status-${status}`, 'neutral', null, status)
    return
  }
  const answer = references.resolve(responses[key])
  const content = isObject(answer) && isObject(answer.content) ? answer.content : {}
  const documented = Object.keys(content)
  if (documented.length === 0) return
  const at = `${operation}:${isSuccess(exchange) ? '' : status}$`
  const media = essence(response.headers['content-type'])
  const type = documented.find(one => matches(essence(one), media))
  const entry = type === undefined ? undefined : content[type]
  if (type === undefined || !hasBody(exchange)) {
    const is = hasBody(exchange) ? media || 'no media type' : 'no body'
    return yield find(at, 'media-type', 'breaking', documented, is)
  }
  if (!/json/.test(type) || !isObject(entry) || entry.schema === undefined) return
  yield* judgeBody(entry.schema, json, at)
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

  function* findAdditions(schema: unknown, value: unknown, at: string): Iterable<Finding> {
    const resolved = references.resolve(schema)
    const { properties, items, unread } = unite(read(resolved))
    if (unread) return
    if (Array.isArray(value)) {
      for (const item of items === undefined ? [] : value) yield* findAdditions(items, item, `${at}[]`)
    } else if (isObject(value) && properties.size > 0) {
      const isOpen = isObject(resolved) && Boolean(resolved.additionalProperties)
      const strange = Object.keys(value).filter(name => !properties.has(name))
      for (const is of isOpen ? [] : strange)
        yield { key: `${at}/new`, place: at, what: 'new', kind: 'additive', was: null, is }
      for (const [name, one] of properties)
        if (Object.hasOwn(value, name)) yield* findAdditions(one, value[name], `${at}.${name}`)
    }
  }

  return function* (schema, value, at) {
    let errors: readonly ErrorObject[]
    try {
      errors = settle(validate(mend(schema), value))
    } catch (error) {
      // Parts that could not be read are reported; otherwise they would look like agreement.
      const what = 'schemas-unread'
      return yield { key: what, place: '', what, kind: 'neutral', was: null, is: (error as Error).message }
    }
    for (const error of errors) {
      const { keyword, params, data } = error
      const field = keyword === 'required' ? `${error.instancePath}/${params.missingProperty}` : error.instancePath
      const path = field.replace(/\/\d+(?=\/|$)/g, '[]').replaceAll('/', '.')
      // The same schema of the document serves several operations.
      const isShared = error.schemaPath.startsWith(`${NAME}#`)
      yield {
        key: isShared ? `${error.schemaPath} ${field.replace(/.*\//, '')}` : `${at}${path}/${keyword}`,
        place: `${at}${path}`,
        what: keyword,
        kind: bounds.test(keyword) ? 'neutral' : 'breaking',
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
