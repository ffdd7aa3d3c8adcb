import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { type Exchange, hasBody, isSuccess } from '../../engine/exchange.ts'
import { groupBy } from '../../engine/group-by.ts'
import { isObject, type JsonObject } from '../../engine/recognise.ts'
import type { Drift } from '../../report/report.ts'
import { shorten } from '../../report/visible.ts'
import { type Change, changesAt, compareDrift, idOf, type Kind, toDrift } from './change.ts'
import { mediaTypeOf } from './compare-operations.ts'
import { createFinder, plainPath } from './find-operation.ts'
import { type DocumentOperation, matchContract, type ParsedDocument, readDocument } from './read-document.ts'
import { createSchemaReader, uniteAlternatives } from './schema.ts'
import { correctSchema } from './slips.ts'

/** Compares the answers of a run with a vendor's document. */
export type AnswerJudge = (exchanges: readonly Exchange[]) => readonly Drift[]

/** One difference of one answer. Differences with the same key contradict one place of the document, and count as one. */
interface Finding {
  readonly key: string
  readonly change: Change
}

interface LocatedFinding extends Finding {
  readonly family: string
  readonly operation: NonNullable<Drift['operations']>[number]
}

const createFinding = (place: string, what: string, kind: Kind, was: unknown, is: unknown, key?: string): Finding => {
  const change = changesAt('answered', place)(what, kind, was, is)
  return { key: key ?? idOf(change), change }
}

const DOCUMENT_NAME = 'document'
const MAX_VALUE_CHARACTERS = 60

/**
 * Makes a judge of answers from an OpenAPI document (3.0 or 3.1): it compares path, method, status, media type and body.
 * What may break a client written to the document is breaking; everything else is additive or neutral.
 * @throws UsageError when the document cannot be read, or describes none of the forms.
 */
export function createAnswerJudge(document: unknown): AnswerJudge {
  const parsed = readDocument(document)
  const findOperation = createFinder(parsed)
  const judgeBody = createBodyJudge(parsed)
  return exchanges => {
    const findings = exchanges.flatMap(exchange => {
      const documented = findOperation(exchange.request)
      const { method, path } = exchange.request
      const { id, family } = matchContract(documented ?? { method, shape: pathWithoutIds(path), operation: {} })
      const operation = { id, method, path: documented?.path ?? pathWithoutIds(path) }
      const found = [...judgeAnswer(exchange, id, documented, parsed, judgeBody)]
      return found.map((finding): LocatedFinding => ({ ...finding, family, operation }))
    })
    const causes = [...groupBy(findings, ({ key }) => key).values()].map(sortByPlace)
    const places = groupBy(causes, ([first]) => idOf(first!.change))
    return [...places.values()].map(found => mergeFindings(found.flat())).sort(compareDrift)
  }
}

const sortByPlace = (findings: readonly LocatedFinding[]) =>
  [...findings].sort((a, b) => (a.change.place < b.change.place ? -1 : 1))

/** One drift for all findings of a cause or a place, under the place that sorts first, with all values that the answers had. */
function mergeFindings(findings: readonly LocatedFinding[]): Drift {
  const sorted = sortByPlace(findings)
  const [{ change, family }] = sorted as [LocatedFinding]
  const values = [...new Set(findings.flatMap(({ change }) => change.is))].sort()
  const operations = new Map(sorted.map(({ operation }) => [`${operation.method} ${operation.path}`, operation]))
  return toDrift({ ...change, is: values.length > 1 ? values : change.is }, family, [...operations.values()])
}

type BodyJudge = (schema: unknown, value: unknown, at: string) => Iterable<Finding>

function* judgeAnswer(
  exchange: Exchange,
  operation: string,
  documentOperation: DocumentOperation | undefined,
  { references, forms }: ParsedDocument,
  judgeBody: BodyJudge,
): Iterable<Finding> {
  const { form, request, response, json } = exchange
  if (!forms.includes(form) || request.method === 'HEAD' || request.method === 'OPTIONS') return
  if (!documentOperation) {
    // Only a success with the usual key shows that there is an operation that the document lacks.
    if (isSuccess(exchange) && exchange.as === 'key')
      yield createFinding(operation, 'undocumented', 'additive', null, `${response.status}`)
    return
  }
  const responses = isObject(documentOperation.operation.responses) ? documentOperation.operation.responses : {}
  const status = String(response.status)
  const statusKey = [status, `${status[0]}XX`, `${status[0]}xx`, 'default'].find(one => one in responses)
  if (statusKey === undefined) {
    const successes = Object.keys(responses).filter(one => /^2/.test(one))
    yield isSuccess(exchange)
      ? createFinding(operation, 'status', 'breaking', successes, status)
      : createFinding('refusals', `status-${status}`, 'neutral', null, status)
    return
  }
  const answer = references.resolve(responses[statusKey])
  const content = isObject(answer) && isObject(answer.content) ? answer.content : {}
  const mediaTypes = Object.keys(content)
  if (mediaTypes.length === 0) return
  // Such as `member.list:$` for a success, `member.list:404$` for a refusal.
  const at = `${operation}:${isSuccess(exchange) ? '' : status}$`
  const media = mediaTypeOf(response.headers['content-type'])
  const type = mediaTypes.find(one => matches(mediaTypeOf(one), media))
  const entry = type === undefined ? undefined : content[type]
  if (type === undefined || !hasBody(exchange)) {
    const is = hasBody(exchange) ? media || 'no media type' : 'no body'
    return yield createFinding(at, 'media-type', 'breaking', mediaTypes, is)
  }
  if (!/json/.test(type) || !isObject(entry) || entry.schema === undefined) return
  yield* judgeBody(entry.schema, json, at)
}

const matches = (pattern: string, type: string) =>
  pattern === '*/*' || pattern === type || (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1)))

const pathWithoutIds = (path: string) =>
  plainPath(path)
    .split('/')
    .map(part => (/^(?:[0-9a-f]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(part) ? '{}' : part))
    .join('/')

/** Keywords whose violation breaks no client. */
const boundKeywords = /^(?:min|max|exclusive|multipleOf|unique|pattern)/

function createBodyJudge({ document, references }: ParsedDocument): BodyJudge {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, verbose: true, logger: false })
  formats.default(ajv)
  ajv.addSchema(correctSchema(document, DOCUMENT_NAME) as JsonObject, DOCUMENT_NAME)
  const read = createSchemaReader(references)
  const validate = (schema: JsonObject, value: unknown): readonly ErrorObject[] => {
    const isValid = ajv.compile(schema)
    isValid(value)
    return isValid.errors ?? []
  }
  /** A number for each schema with which an answer disagreed: several operations may share a schema of the document. */
  const numbers = new Map<unknown, number>()
  const correctedSchemas = new Map<unknown, JsonObject>()
  const correct = (schema: unknown) => {
    const known = correctedSchemas.get(schema) ?? (correctSchema(schema, DOCUMENT_NAME) as JsonObject)
    correctedSchemas.set(schema, known)
    return known
  }

  /** Where no alternative of an `anyOf` fits, keeps only the errors of the nearest one. */
  function selectNearest(errors: readonly ErrorObject[], under = ''): readonly ErrorObject[] {
    // The error of a union comes after those of the unions in its alternatives, which may be at the same place.
    const [unionError] = errors
      .filter(({ keyword }) => keyword === 'anyOf')
      .toReversed()
      .sort((a, b) => a.instancePath.length - b.instancePath.length)
    if (!unionError) return placeBelow(under, errors)
    const isInside = ({ instancePath }: ErrorObject) => `${instancePath}/`.startsWith(`${unionError.instancePath}/`)
    const cost = (found: readonly ErrorObject[]) => {
      const causes = groupBy(found, error => `${withoutIndexes(error.instancePath)} ${error.keyword}`)
      return [...causes.values()].reduce((sum, [error]) => sum + distance(error!), 0)
    }
    const [nearest] = (unionError.schema as JsonObject[])
      .map(schema => selectNearest(validate(schema, unionError.data)))
      .sort((a, b) => cost(a) - cost(b)) as [readonly ErrorObject[]]
    const others = errors.filter(error => !isInside(error))
    return [...selectNearest(others, under), ...placeBelow(under + unionError.instancePath, nearest)]
  }

  function* findAdditions(schema: unknown, value: unknown, at: string): Iterable<Finding> {
    const resolved = references.resolve(schema)
    const { properties, items, isIncomplete } = uniteAlternatives(read(resolved))
    if (isIncomplete) return
    if (Array.isArray(value)) {
      if (items !== undefined) for (const item of value) yield* findAdditions(items, item, `${at}[]`)
    } else if (isObject(value) && properties.size > 0) {
      const isOpen = isObject(resolved) && Boolean(resolved.additionalProperties)
      const undocumented = Object.keys(value).filter(name => !properties.has(name))
      if (!isOpen) for (const name of undocumented) yield createFinding(at, 'new', 'additive', null, name)
      for (const [name, one] of properties)
        if (Object.hasOwn(value, name)) yield* findAdditions(one, value[name], `${at}.${name}`)
    }
  }

  return function* (schema, value, at) {
    let errors: readonly ErrorObject[]
    try {
      errors = selectNearest(validate(correct(schema), value))
    } catch (error) {
      // Parts that could not be read are reported; otherwise they would look like agreement.
      return yield createFinding('', 'schemas-unread', 'neutral', null, (error as Error).message)
    }
    for (const error of errors) {
      const { keyword, params, data } = error
      const isMissing = keyword === 'required'
      const field = isMissing ? `${error.instancePath}/${params.missingProperty}` : error.instancePath
      const path = withoutIndexes(field).replaceAll('/', '.')
      const schemaNumber = numbers.get(error.parentSchema) ?? numbers.size
      numbers.set(error.parentSchema, schemaNumber)
      const found = keyword === 'type' ? typeOf(data) : cut(data)
      yield createFinding(
        `${at}${path}`,
        keyword,
        boundKeywords.test(keyword) ? 'neutral' : 'breaking',
        isMissing ? keyword : error.schema,
        isMissing ? null : found,
        `${schemaNumber} ${keyword} ${path.replace(/.*\./, '')}`,
      )
    }
    yield* findAdditions(schema, value, at)
  }
}

const placeBelow = (place: string, errors: readonly ErrorObject[]) =>
  errors.map(error => ({ ...error, instancePath: place + error.instancePath }))

const withoutIndexes = (path: string) => path.replace(/\/\d+(?=\/|$)/g, '[]')

/** How strongly an error rules out an alternative: a wrong type of the whole most, then a constant, then fields that it lacks. */
function distance({ instancePath, keyword, schema }: ErrorObject): number {
  if (keyword === 'type' && instancePath === '') return 1000
  if (keyword === 'required' && instancePath === '') return 5
  const isConstant = keyword === 'const' || (keyword === 'enum' && Array.isArray(schema) && schema.length === 1)
  return isConstant && instancePath.lastIndexOf('/') === 0 ? 30 : 1
}

const typeOf = (value: unknown) =>
  value === undefined ? 'nothing' : value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

const cut = (value: unknown) => shorten(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE_CHARACTERS)
