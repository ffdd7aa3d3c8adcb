import type { OperationId } from '../../fixtures/contract/index.ts'
import type { Answer, Call } from '../words/call.ts'
import { isRecord } from '../words/check-options.ts'
import type { Fault, FaultContext } from './fault.ts'

/** Functions that rewrite answers. Bodies that are not JSON objects stay as they are. */

export type Json = Readonly<Record<string, unknown>>

export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const sameId = (one: string | undefined, other: string): boolean => one?.toLowerCase() === other.toLowerCase()

/** Another id of the same format. */
export const anotherId = (id: unknown): string => String(id).replace(/.$/, digit => (digit === '0' ? '1' : '0'))

export const succeeds = ({ status }: Answer): boolean => status >= 200 && status < 300

/** Parses a JSON object; undefined for any other text. */
export function readObject(text: string): Json | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return isRecord(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** Replaces the body and drops the entity tag, which belongs to the old body. */
export function withBody({ status, headers: { etag: _, ...headers } }: Answer, body: string): Answer {
  return { status, headers, body }
}

export function change(answer: Answer, rewrite: (json: Json) => unknown): Answer {
  const json = readObject(answer.body)
  return json ? withBody(answer, JSON.stringify(rewrite(json))) : answer
}

/** The payload of a success: `result` in the cloud API, `data` in the self-hosted one. */
export function resultOf(answer: Answer): unknown {
  const json = readObject(answer.body)
  return json?.result ?? json?.data
}

export const changeResult = (answer: Answer, rewrite: (result: unknown) => unknown): Answer =>
  change(answer, json => {
    const key = 'result' in json ? 'result' : 'data'
    return key in json ? { ...json, [key]: rewrite(json[key]) } : json
  })

/** Turns a success into a refusal in the error shape of its form. */
export function refuse(answer: Answer, { form }: FaultContext, status: number, sentence: string): Answer {
  const json =
    form === 'selfHosted'
      ? { message: sentence }
      : { status, error: sentence, requestId: readObject(answer.body)?.requestId }
  const headers = { ...answer.headers, 'content-type': 'application/json; charset=utf-8' }
  return withBody({ ...answer, status, headers }, JSON.stringify(json))
}

/**
 * Answers a write without doing it. A PUT or PATCH is answered like a get of the same path or, for a command such as
 * `/state`, of the path above it; another method with an empty result. If the get is refused, the write is passed on.
 */
export async function answerWithoutWriting(call: Call, next: (call: Call) => Promise<Answer>): Promise<Answer> {
  let answer = await next(asGet(call))
  if (!succeeds(answer) && call.method === 'PATCH') answer = await next(asGet(call, call.path.replace(/\/[a-z]+$/, '')))
  if (!succeeds(answer)) return next(call)
  return call.method === 'PUT' || call.method === 'PATCH'
    ? answer
    : change(answer, json => ('result' in json ? { ...json, result: {} } : {}))
}

/** Whether the specification has an operation. Its rules do not apply to other operations. */
const isSpecified = ({ contract, operation }: FaultContext): boolean =>
  operation !== undefined && contract.operations[operation].basis === undefined

type Matches = (answer: Answer, context: FaultContext) => boolean

/** Changes the answers that match, except those to HEAD, which have no body. */
export const inAnswers =
  (matches: Matches, rewrite: (answer: Answer, context: FaultContext) => Answer) =>
  (): Fault =>
  async (call, next, context) => {
    const answer = await next(call)
    return call.method !== 'HEAD' && matches(answer, context) ? rewrite(answer, context) : answer
  }

export const success: Matches = (answer, context) => succeeds(answer) && isSpecified(context)

export const successOf =
  (...operationIds: readonly OperationId[]): Matches =>
  (answer, { operation }) =>
    succeeds(answer) && operation !== undefined && operationIds.includes(operation)

export const envelopedSuccess: Matches = (answer, context) => success(answer, context) && context.form !== 'selfHosted'

export const envelopedBadRequest: Matches = ({ status }, { form }) =>
  status === 400 && (form === 'cloud' || form === 'managed')

/** Matches, in each form, successes whose result can be changed without breaking another rule. */
export const rarelyJudgedSuccess: Matches = (answer, { operation, params, ids }) => {
  if (!succeeds(answer)) return false
  const lastId = ids.secondOrganizationId || ids.organizationId
  return operation === 'source.list' || (operation === 'member.list' && sameId(params.organizationId, lastId))
}

/** Changes the calls of an operation before they are answered. */
export const inCalls = (operation: OperationId, rewrite: (call: Call) => Call) => (): Fault => (call, next, context) =>
  next(context.operation === operation ? rewrite(call) : call)

/** Turns a call into a get. */
export const asGet = (call: Call, path = call.path): Call => ({ ...call, method: 'GET', path, body: '' })

/** Turns every success of an operation into a 500. */
export const failOperation = (operation: OperationId): (() => Fault) =>
  inAnswers(successOf(operation), (answer, context) => refuse(answer, context, 500, 'The operation broke down.'))

/** Changes the list that an operation answers. */
export const inList = (
  operation: OperationId,
  rewrite: (list: readonly Json[], context: FaultContext) => unknown,
): (() => Fault) =>
  inAnswers(successOf(operation), (answer, context) =>
    changeResult(answer, result => (Array.isArray(result) ? rewrite(result, context) : result)),
  )

/** Changes the record in an answer, or each record of its list. */
export const changeRecords = (answer: Answer, rewrite: (record: Json) => unknown): Answer => {
  const changed = (one: unknown) => (isRecord(one) ? rewrite(one) : one)
  return changeResult(answer, result => (Array.isArray(result) ? result.map(changed) : changed(result)))
}

/** Changes the record in the answers of operations, or each record of their lists. */
export const inRecords = (
  operationIds: OperationId | readonly OperationId[],
  rewrite: (record: Json, context: FaultContext) => unknown,
): (() => Fault) =>
  inAnswers(successOf(...[operationIds].flat()), (answer, context) =>
    changeRecords(answer, record => rewrite(record, context)),
  )

/** Answers another value of a field. */
export const wrongField = (operation: OperationId, field: string, value: unknown): (() => Fault) =>
  inRecords(operation, record => ({ ...record, [field]: value }))

/** Answers a path that must not exist with the list of sources of the same form, which needs credentials. */
export const offerAbsentPath =
  (path: RegExp, sourcesPath: string, methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']): (() => Fault) =>
  () =>
  (call, next) =>
    methods.includes(call.method) && path.test(call.path)
      ? next({
          ...call,
          method: call.method === 'HEAD' ? 'HEAD' : 'GET',
          path: call.path.replace(path, sourcesPath),
          body: '',
        })
      : next(call)

/** Matches the paths of a resource in the managed form. */
export const managedPath = (resource: string): RegExp =>
  new RegExp(`^(/v1/organizations/[^/]+/services/[^/]+/[^/]+)/${resource}(/.*)?$`, 'i')
