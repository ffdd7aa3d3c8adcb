import {
  type Field,
  type Fields,
  type Operation,
  type OperationId,
  operations,
  type ResourceId,
  resources,
} from '../../fixtures/contract/index.ts'
import type { Answer, Call } from '../words/call.ts'
import type { Fault, FaultContext, Faults } from './fault.ts'
import { leaveOutCreated, wrongFieldAfterUpdate } from './lifecycle.ts'
import {
  change,
  changeRecords,
  inAnswers,
  inRecords,
  type Json,
  littleJudgedSuccess,
  pretend,
  readObject,
  succeeds,
  successOf,
  wrongField,
} from './rewrite.ts'

/** Faults that answer a wrong request as if the last good request of its operation had been repeated. */

/** Whether a request is wrong, compared with the last one that succeeded. */
type Wrong = (call: Call, good: Call, context: FaultContext, seen: ReadonlySet<string>) => boolean

const forgive =
  (isWrong: Wrong, all: readonly OperationId[]): (() => Fault) =>
  () => {
    const good = new Map<string, Call>()
    /** The ids in the paths of successes. */
    const seen = new Set<string>()
    return async (call, next, context) => {
      const answer = await next(call)
      if (context.operation === undefined) return answer
      const key = `${context.form} ${context.operation}`
      if (succeeds(answer)) {
        for (const id of Object.values(context.params)) seen.add(id)
        if (all.includes(context.operation)) good.set(key, call)
        return answer
      }
      const last = good.get(key)
      const isSame = last?.headers.authorization === call.headers.authorization
      if (!last || !isSame || !all.includes(context.operation) || !isWrong(call, last, context, seen)) return answer
      return call.method === 'POST' ? next(last) : answerAgain(last, next)
    }
  }

const answerAgain = async (call: Call, next: (call: Call) => Promise<Answer>): Promise<Answer> =>
  call.method === 'GET' ? next(call) : pretend(call, next)

/** A body that is wrong, compared with a good one. */
const body =
  (isWrong: (sent: Json, good: Json, fields: Fields) => boolean): Wrong =>
  (call, good, { operation }) => {
    const [sent, last] = [readObject(call.body), readObject(good.body)]
    const { body } = operations[operation!] as Operation
    return !!sent && !!last && isWrong(sent, last, resources[body as ResourceId]?.fields ?? {})
  }

const isOfOneType = (one: unknown, other: unknown) =>
  typeof one === typeof other && Array.isArray(one) === Array.isArray(other)
const isUnknownValue = (value: unknown, field: Field | undefined) =>
  typeof value === 'string' && field?.values !== undefined && !field.values.includes(value)

/** Combines faults of different operations. */
const together =
  (...some: readonly (() => Fault)[]): (() => Fault) =>
  () =>
    some
      .map(begin => begin())
      .reduce((outer, inner) => (call, next, context) => outer(call, async one => inner(one, next, context), context))

const ownId = ({ params }: FaultContext) => Object.values(params).at(-1) ?? ''
const isAbsent = (id: string) => /^f+(?:-f)?/i.test(id)
const gets = ['key.get', 'alert.get'] as const
const creations = ['queryApiEndpoint.create', 'savedSearch.create'] as const

export const faults = {
  'isolation/unknown-id-is-refused': forgive(
    (_call, _good, context, seen) => isAbsent(ownId(context)) && !seen.has(ownId(context)),
    gets,
  ),
  'isolation/other-kinds-id-is-refused': forgive(
    ({ path }, good, context, seen) =>
      path !== good.path &&
      placeOf(path) === placeOf(good.path) &&
      seen.has(ownId(context)) &&
      isOfAnotherKind(context),
    gets,
  ),
  'error/missing-field-is-refused': forgive(
    body((sent, good) => Object.keys(sent).length < Object.keys(good).length),
    creations,
  ),
  'error/unknown-value-is-refused': forgive(
    body((sent, _, fields) => Object.entries(sent).some(([name, value]) => isUnknownValue(value, fields[name]))),
    ['key.create', 'savedSearch.create'],
  ),
  'error/wrong-type-is-refused': forgive(
    body((sent, good) => Object.entries(sent).some(([name, value]) => name in good && !isOfOneType(value, good[name]))),
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
  'answer/shows-no-secret-again': inAnswers(littleJudgedSuccess, (answer, { authorization }) =>
    changeRecords(answer, record => ({ ...record, hint: secretIn(authorization.own) })),
  ),
  'answer/effects-are-shown': together(
    wrongFieldAfterUpdate('service', 'maxReplicaMemoryGb', 356, 'replicaScaling'),
    wrongField('stackRole.update', 'name', 'Another one'),
    leaveOutCreated('webhook'),
  ),
  'answer/lists-agree-with-gets': together(
    inRecords('savedQuery.list', query => ({ ...query, database: 'another' })),
    inRecords('source.list', source => ({ ...source, disabled: !source.disabled })),
  ),
  'isolation/id-is-that-asked-for': inAnswers(successOf('member.get'), answer =>
    changeRecords(answer, record => ({ ...record, userId: `${record.userId}, another` })),
  ),
} as const satisfies Faults

const placeOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/** Whether the id is that of another kind of record: of a dashboard in place of an alert, of an organization in place of a key. */
const isOfAnotherKind = ({ operation, params, ids }: FaultContext) =>
  operation === 'key.get' ? ownId({ params } as FaultContext) === ids.organizationId : true

/** The secret of an Authorization header. */
const secretIn = (header: string): string => {
  const [, scheme, credential = ''] = /^(\S+) (.*)$/.exec(header) ?? []
  return scheme === 'Basic' ? atob(credential).replace(/^[^:]*:/, '') : credential
}
