import type { Field, Fields, OperationId, ResourceId } from '../../fixtures/built-contract/index.ts'
import type { Answer, Call } from '../words/call.ts'
import type { Fault, FaultContext, Faults } from './fault.ts'
import { leaveOutCreated, wrongFieldAfterUpdate } from './lifecycle.ts'
import {
  answerWithoutWriting,
  change,
  changeRecords,
  inAnswers,
  inRecords,
  type Json,
  rarelyJudgedSuccess,
  readObject,
  succeeds,
  successOf,
  wrongField,
} from './rewrite.ts'

/** Faults of rules about all operations: most answer an invalid request like the last successful one of its operation. */

/** Judges a request by the last one of its operation that succeeded. `seen` has the ids in the paths of all successes. */
type IsInvalid = (call: Call, lastSuccess: Call, context: FaultContext, seen: ReadonlySet<string>) => boolean

const acceptInvalid =
  (isInvalid: IsInvalid, operationIds: readonly OperationId[]): (() => Fault) =>
  () => {
    const lastSuccess = new Map<string, Call>()
    const seen = new Set<string>()
    return async (call, next, context) => {
      const answer = await next(call)
      if (context.operation === undefined) return answer
      const key = `${context.form} ${context.operation}`
      if (succeeds(answer)) {
        for (const id of Object.values(context.params)) seen.add(id)
        if (operationIds.includes(context.operation)) lastSuccess.set(key, call)
        return answer
      }
      const last = lastSuccess.get(key)
      const isSameCaller = last?.headers.authorization === call.headers.authorization
      const isAccepted =
        last && isSameCaller && operationIds.includes(context.operation) && isInvalid(call, last, context, seen)
      return isAccepted ? sendAgain(last, next) : answer
    }
  }

/** A creation takes place again, since the run deletes what it created; other writes do not, since rules judge their records. */
const sendAgain = async (call: Call, next: (call: Call) => Promise<Answer>): Promise<Answer> =>
  call.method === 'GET' || call.method === 'POST' ? next(call) : answerWithoutWriting(call, next)

/** Compares only the bodies of the request and of the last success. */
const byBody =
  (isInvalid: (sent: Json, lastSuccess: Json, fields: Fields) => boolean): IsInvalid =>
  (call, lastSuccess, { contract, operation }) => {
    const [sent, last] = [readObject(call.body), readObject(lastSuccess.body)]
    const { body: resource } = contract.operations[operation!]
    return !!sent && !!last && isInvalid(sent, last, contract.resources[resource as ResourceId]?.fields ?? {})
  }

const haveSameType = (one: unknown, other: unknown) =>
  typeof one === typeof other && Array.isArray(one) === Array.isArray(other)
const isUnknownValue = (value: unknown, field: Field | undefined) =>
  typeof value === 'string' && field?.values !== undefined && !field.values.includes(value)

/** Applies several faults, which concern different operations, as one. */
const combine =
  (...factories: readonly (() => Fault)[]): (() => Fault) =>
  () =>
    factories
      .map(create => create())
      .reduce((outer, inner) => (call, next, context) => outer(call, async sent => inner(sent, next, context), context))

const recordId = ({ params }: Pick<FaultContext, 'params'>) => Object.values(params).at(-1) ?? ''
/** The ids with which the suite asks for absent records begin with f. */
const isUnknownIdOfSuite = (id: string) => /^f/i.test(id)
const gets = ['key.get', 'alert.get'] as const
const creations = ['queryApiEndpoint.create', 'savedSearch.create'] as const

export const faults = {
  'isolation/unknown-id-is-refused': acceptInvalid(
    (_call, _lastSuccess, context, seen) => isUnknownIdOfSuite(recordId(context)) && !seen.has(recordId(context)),
    gets,
  ),
  'isolation/other-kinds-id-is-refused': acceptInvalid(
    ({ path }, lastSuccess, context, seen) =>
      path !== lastSuccess.path &&
      parentPath(path) === parentPath(lastSuccess.path) &&
      seen.has(recordId(context)) &&
      isOfAnotherKind(context),
    gets,
  ),
  'error/missing-field-is-refused': acceptInvalid(
    byBody((sent, lastSuccess) => Object.keys(sent).length < Object.keys(lastSuccess).length),
    creations,
  ),
  'error/unknown-value-is-refused': acceptInvalid(
    byBody((sent, _, fields) => Object.entries(sent).some(([name, value]) => isUnknownValue(value, fields[name]))),
    ['key.create', 'savedSearch.create'],
  ),
  'error/wrong-type-is-refused': acceptInvalid(
    byBody((sent, lastSuccess) =>
      Object.entries(sent).some(([name, value]) => name in lastSuccess && !haveSameType(value, lastSuccess[name])),
    ),
    creations,
  ),
  'answer/has-the-fields-of-the-contract': inAnswers(
    (answer, context) => successOf(context.form === 'cloud' ? 'clickPipe.scaling' : 'alert.get')(answer, context),
    answer => changeRecords(answer, record => ({ ...record, updatedAt: 'now' })),
  ),
  'answer/refusals-are-described': inAnswers(
    ({ status }, { operation }) => operation === 'key.get' && status === 404,
    answer => change(answer, json => ({ ...json, error: { message: json.error } })),
  ),
  'answer/shows-no-secret-again': inAnswers(rarelyJudgedSuccess, (answer, { authorization }) =>
    changeRecords(answer, record => ({ ...record, hint: secretIn(authorization.own) })),
  ),
  'answer/effects-are-shown': combine(
    wrongFieldAfterUpdate('service', 'maxReplicaMemoryGb', 356, 'replicaScaling'),
    wrongField('stackRole.update', 'name', 'Another one'),
    leaveOutCreated('webhook'),
  ),
  'answer/lists-agree-with-gets': combine(
    inRecords('savedQuery.list', query => ({ ...query, database: 'another' })),
    inRecords('source.list', source => ({ ...source, disabled: !source.disabled })),
  ),
  'isolation/id-is-that-asked-for': inAnswers(successOf('member.get'), answer =>
    changeRecords(answer, record => ({ ...record, userId: `${record.userId}, another` })),
  ),
} as const satisfies Faults

const parentPath = (path: string) => path.slice(0, path.lastIndexOf('/'))

/**
 * Whether the id belongs to a record of another kind. For `key.get` the suite sends the id of the organization; for
 * `alert.get`, every id that gets here is one of another kind.
 */
const isOfAnotherKind = ({ operation, params, ids }: FaultContext) =>
  operation !== 'key.get' || recordId({ params }) === ids.organizationId

/** The secret in an Authorization header: that of the key, or the token. */
const secretIn = (header: string): string => {
  const [, scheme, credential = ''] = /^(\S+) (.*)$/.exec(header) ?? []
  return scheme === 'Basic' ? atob(credential).replace(/^[^:]*:/, '') : credential
}
