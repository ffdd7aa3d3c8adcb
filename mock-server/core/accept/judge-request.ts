import type { Edition, Field, Fields, Form, OperationId, ResourceId } from '../../../fixtures/built-contract/index.ts'
import type { Request } from '../../families/family.ts'
import { createJudge, type Judge, type Judgement, type Terms } from '../../fields/judge.ts'
import { fieldsOf } from '../../fields/view.ts'
import { isRecord } from '../../words/check-options.ts'
import { memoize, onceFor } from '../../words/memoize.ts'
import { type Issue, invalid, refused, unknownProperty } from '../../words/refusal.ts'
import type { Core } from '../core.ts'

/** A request whose parts can be replaced by their judged values. */
export type MutableRequest = Omit<Request, JudgedPart> & { -readonly [Key in JudgedPart]: Request[Key] }
type JudgedPart = 'ids' | 'body' | 'parameters'

/** Judges the query and the body of an operation by the contract, unless the handler does. */
export function judgeRequest(core: Core, id: OperationId, request: MutableRequest, method?: string): void {
  const { query, isPublic } = core.contract.operations[id]
  if (isPublic || core.judgedByFamily.has(id)) return
  if (!isOfCloud(core, id, request)) {
    judgeObservability(core, id, request, method)
    return
  }
  // The managed form ignores unknown parameters.
  if (request.form === 'cloud' && query) refuseQuery(core, id, request, query)
  const { issues } = judgeBody(core, id, request)
  if (issues.length > 0) throw invalid(issues)
}

/**
 * Judges the parts of a request to the observability API together, so that one refusal names everything that is wrong,
 * body first. The handler gets the body with its defaults, and the id in lower case.
 */
function judgeObservability(core: Core, id: OperationId, request: MutableRequest, method?: string): void {
  const { refusals, unsent } = core
  const refuse = (issues: readonly Issue[]) => refusals[id]?.(issues, request) ?? invalid(issues)
  const inPath = issuesOfPath(core, request)
  if (request.ids.id) request.ids = { ...request.ids, id: request.ids.id.toLowerCase() }
  if (method === 'PATCH' && unsent[id] && isRecord(request.body)) {
    if (inPath.length > 0) throw refuse(inPath)
    request.body = { ...unsent[id](request), ...request.body }
  }
  const body = judgeBody(core, id, request)
  const query = judgeQuery(core, id, request)
  const issues = [...body.issues, ...inPath, ...query.issues]
  if (issues.length > 0) throw refuse(issues)
  request.body = body.value
  request.parameters = query.value as Request['parameters']
}

/**
 * Judges a body by the fields of its resource. The cloud refuses the first unknown property, and so does the gateway in
 * front of the managed form if a choice says so. A self-hosted deployment drops unknown properties.
 */
export function judgeBody(core: Core, id: OperationId, request: Request): Judgement {
  const resource = core.contract.operations[id].body as ResourceId | undefined
  if (resource === undefined) return { value: request.body, issues: [] }
  refuseUnknownProperty(core, id, request, resource)
  return judgesOf(core)(`body ${resource} ${variantOf(core, id, request)}`)(request.body, termsOf(request))
}

function judgeQuery(core: Core, id: OperationId, request: Request): Judgement {
  const { query } = core.contract.operations[id]
  if (!query) return { value: {}, issues: [] }
  return judgesOf(core)(`query ${id} ${variantOf(core, id, request)}`)(
    readQuery(request.query, query),
    termsOf(request),
  )
}

function issuesOfPath(core: Core, request: Request): readonly Issue[] {
  const { id } = request.ids
  return id === undefined
    ? []
    : judgesOf(core)(`path id selfHosted ${request.edition}`)({ id }, termsOf(request)).issues
}

/** Whether an operation has the sentences of the cloud. Operations of the observability API have them only in the cloud form. */
function isOfCloud({ contract }: Core, id: OperationId, { form }: Request): boolean {
  const { paths, pathsBeyondSpecification } = contract.operations[id]
  return form === 'cloud' || !(paths.selfHosted || pathsBeyondSpecification)
}
const variantOf = (core: Core, id: OperationId, request: Request) =>
  `${isOfCloud(core, id, request) ? 'cloud' : request.form} ${request.edition}`

const termsOf = (request: Request): Terms => ({
  form: request.form,
  edition: request.edition,
  now: request.now,
  twelveCharacters: request.form === 'selfHosted' && request.choice('id/twelve-characters') === 'accept',
  maxSeries: request.limits.series,
})

/** Judges are compiled on first use: compiling all of them would slow the start. */
const judgesOf = onceFor((core: Core) => memoize((key: string) => makeJudge(core, key), Number.POSITIVE_INFINITY))

function makeJudge({ contract, rulesOfBodies }: Core, key: string): Judge {
  const [kind, name, form, edition] = key.split(' ') as [string, string, Form, Edition]
  if (kind === 'body') {
    const { fields, oneOf } = contract.resources[name as ResourceId]
    const rules = form === 'cloud' ? { sentences: { type: 'Expected an object' } } : rulesOfBodies[name as ResourceId]
    return createJudge({ type: 'object', fields, oneOf }, { part: 'Body', form, edition, ...rules })
  }
  if (kind === 'path')
    return createJudge({ type: 'object', fields: { id: objectId } }, { part: 'Params', form, edition })
  const query: Fields = contract.operations[name as OperationId].query!
  const fields = form === 'cloud' ? judgedFields(query, kind === 'capped') : query
  return createJudge({ type: 'object', fields }, { part: 'Query', form, edition })
}

/** The judged fields of a query: without lists and formats, and without the upper bound of `limit` if it is capped. */
const judgedFields = (query: Fields, isCapped: boolean): Fields =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, { format: _, ...field }]) =>
      field.type === 'array' ? [] : [[name, isCapped && name === 'limit' ? { ...field, max: undefined } : field]],
    ),
  )

const objectId = { type: 'string', format: 'object-id' } as const satisfies Field

/** Judges the query of a cloud operation. Handlers judge lists and the formats of texts, such as dates. */
function refuseQuery(core: Core, id: OperationId, request: Request, fields: Fields): void {
  const { query } = request
  const unknown = [...query.keys()].find(name => !Object.hasOwn(fields, name))
  if (unknown !== undefined) throw refused(`Unknown parameter: ${unknown}`)
  const isCapped = core.contract.operations[id].page && request.choice('page/limit-above-maximum') === 'capped'
  const values = Object.entries(fields).map(([name, { type }]) => {
    const received = query.get(name) ?? undefined
    return [name, type === 'number' && /^-?\d+$/.test(received ?? '') ? Number(received) : received]
  })
  const judge = judgesOf(core)(`${isCapped ? 'capped' : 'query'} ${id} cloud ${request.edition}`)
  const { issues } = judge(Object.fromEntries(values), termsOf(request))
  if (issues.length > 0)
    throw invalid(issues.map(issue => ({ ...issue, received: query.get(String(issue.path[0])) ?? undefined })))
}

function refuseUnknownProperty(core: Core, id: OperationId, request: Request, resource: ResourceId): void {
  const { form, body } = request
  if (form === 'selfHosted' || !isRecord(body)) return
  const isOfCloudApi = isOfCloud(core, id, request)
  if (!isOfCloudApi && request.choice('managed/unknown-property') !== 'refuse') return
  const known = fieldsOf(core.contract.resources[resource])
  const unknown = Object.keys(body).find(name => !Object.hasOwn(known, name) || known[name]!.readOnly === true)
  if (unknown === undefined) return
  // The gateway in front of the cloud API answers this.
  throw unknownProperty(unknown, isOfCloudApi ? request.choice('error/unknown-property-code') : undefined)
}

/**
 * A parameter that is sent twice, or as `name[]` or `name[0]` (up to 20), becomes a list. For a number, a list of one item
 * is read as the item, and a longer list is not a number.
 */
function readQuery(query: URLSearchParams, fields: Fields): Readonly<Record<string, unknown>> {
  const values: Record<string, string | string[]> = Object.create(null)
  for (const [sent, value] of query) {
    const name = sent.replace(/\[(\d|1\d|20)?\]$/, '')
    const earlier = values[name]
    if (Array.isArray(earlier)) earlier.push(value)
    else if (earlier !== undefined) values[name] = [earlier, value]
    else values[name] = name === sent ? value : [value]
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, fields[name]?.type === 'number' ? Number(value) : value]),
  )
}
