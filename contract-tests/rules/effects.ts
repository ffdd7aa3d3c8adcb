import { type Form, type OperationId, operations, rules } from '../../fixtures/built-contract/index.ts'
import { type Check, type Finding, held, notJudged } from '../engine/check.ts'
import { fieldsOf, isDocumented, resourceOf } from '../engine/contract.ts'
import { type Exchange, isSuccess, sentIn } from '../engine/exchange.ts'
import { createdId, itemIn, objectIn } from '../engine/history/objects.ts'
import { completeListIn } from '../engine/pages.ts'
import { decode, pathTemplateOf } from '../engine/paths.ts'
import type { Reason } from '../engine/reasons.ts'
import { idOf, type JsonObject } from '../engine/recognise.ts'
import { isRead } from '../engine/step.ts'
import { findMismatch, isNestedAndVolatile, mayNormalise, pick, stableFieldNames } from './fields.ts'
import { isJudgedByLife } from './lifecycle/objects.ts'
import { brokenBy } from './steps.ts'

/** Judges whether reads show the effects of writes and lists agree with gets, where no rule of the resource does. */

type Effect = NonNullable<ReturnType<typeof effectOf>>

const pathnameOf = ({ request }: Exchange) => request.path.replace(/\/?(?:\?.*)?$/s, '')

const partsOf = (operation: string, form: Form) => pathTemplateOf(operation as OperationId, form)?.split('/')
const isWithin = (parts: readonly string[] | undefined, place: readonly string[] | undefined) =>
  parts !== undefined && place?.every((part, index) => part === parts[index]) === true
const isOperationJudged = ({ operation, isProbe }: Exchange) =>
  operation !== undefined && !isProbe && isDocumented(operation)

/** True for a 5xx, too, since the change may have been made. */
const mayHaveSucceeded = (one: Exchange) => isSuccess(one) || one.response.status >= 500

/** The get or list that shows the effect of a write; undefined if there is none, or rules of the life cycle judge it. */
function effectOf(write: Exchange) {
  const { operation, form } = write
  if (operation === undefined || !isOperationJudged(write) || isRead(write.request.method)) return undefined
  const [resource = '', verb = ''] = operation.split('.')
  // An object without a get is looked for in the list.
  const isListed = verb === 'create' || verb === 'delete' || !partsOf(`${resource}.get`, form)
  const readId = `${resource}.${isListed ? 'list' : 'get'}` as OperationId
  const template = partsOf(readId, form)
  if (!template || !isWithin(partsOf(operation, form), template) || isJudgedByLife(resource, verb)) return undefined
  return { write, resource, readId, path: pathnameOf(write).split('/').slice(0, template.length).join('/') }
}

/** The last read of the effect before the next change, since it gave the deployment the most time to show the effect. */
function findRead({ write, resource, path, readId }: Effect, exchanges: readonly Exchange[]): Exchange | undefined {
  const later = exchanges.slice(exchanges.indexOf(write) + 1)
  const sent = sentIn(write)
  // A creation does not change other items of a list, and a PATCH does not change fields that it leaves out.
  const mayUndo = ({ request }: Exchange) =>
    readId.endsWith('.list')
      ? request.method !== 'POST'
      : request.method !== 'PATCH' || Object.keys(sentIn({ request })).some(name => name in sent)
  const next = later.findIndex(
    one =>
      !isRead(one.request.method) &&
      resourceOf(one.operation) === resource &&
      `${pathnameOf(one)}/`.startsWith(`${path}/`) &&
      mayUndo(one),
  )
  const isTooEarly = ({ sentAt }: Exchange) =>
    sentAt !== undefined && write.sentAt !== undefined && sentAt < write.sentAt + write.ms
  return later
    .slice(0, next < 0 ? undefined : next)
    .findLast(
      one =>
        one.operation === readId && one.as === 'key' && isSuccess(one) && pathnameOf(one) === path && !isTooEarly(one),
    )
}

/** The differences between a write and the read after it; undefined if the read cannot show the effect. */
function compareWithRead({ write, resource, readId }: Effect, read: Exchange): readonly Finding[] | undefined {
  const { statesAfterCommand } = operations[write.operation!]!
  if (readId.endsWith('.list')) {
    const { method } = write.request
    const id = method === 'POST' ? createdId(write, resource) : decode(pathnameOf(write).split('/').at(-1)!)
    const list = completeListIn(read, resource)
    if (!list || id === undefined) return undefined
    const item = itemIn(read, resource, id)
    if (method === 'DELETE')
      return item ? [{ path: '$', expected: `a list without ${id}`, got: 'one that has it' }] : []
    const finding = { path: '$', expected: `the ${resource} ${id}, as it was written`, got: 'a list without it' }
    return item ? (compareWithSent(write, item, readId) ?? []) : [finding]
  }
  const object = objectIn(read, resource)
  const { command } = sentIn(write)
  const states = statesAfterCommand?.[String(command)]
  if (!object || !states) return compareWithSent(write, object, readId)
  const isReached = states.includes(String(object.state))
  return isReached ? [] : [{ path: '$.state', expected: `${states.join(' or ')} after ${command}`, got: object.state }]
}

/** Compares the fields that a request and an object share and that have the same type in both; undefined if there are none. */
function compareWithSent(
  write: Exchange,
  object: JsonObject | undefined,
  readId: OperationId,
): readonly Finding[] | undefined {
  const sent = sentIn(write)
  // A list that is changed item by item has another type in requests.
  const shownFields = fieldsOf(operations[readId]!.result.resource)
  const sameFields = Object.entries(fieldsOf(operations[write.operation!]!.body)).filter(
    ([name, { type }]) => shownFields[name]?.type === type,
  )
  const names = sameFields.map(([name]) => name).filter(name => name in sent && object && name in object)
  if (!object || names.length === 0) return undefined
  const finding = findMismatch(pick(sent, names), object, '$', mayNormalise(resourceOf(write.operation)))
  return finding ? [{ ...finding, expected: `${finding.expected}, as it was sent` }] : []
}

/** If reads may lag longer, the answer to a change may show the state before the change. */
const MAX_LAG_SECONDS = 60

/** Compares a change with its own answer, if the answer is the resource that a get shows. */
function compareWithOwnAnswer(write: Exchange): readonly Finding[] | undefined {
  const { body, result, lagGap, lagInSeconds = 0, method } = operations[write.operation!]!
  const get = `${resourceOf(write.operation)}.get` as OperationId
  const isResourceAnswered =
    body && method !== 'GET' && result.resource !== undefined && result.resource === operations[get]?.result.resource
  return isResourceAnswered && !lagGap && lagInSeconds <= MAX_LAG_SECONDS
    ? compareWithSent(write, objectIn(write, resourceOf(write.operation)), get)
    : undefined
}

/** Compares a get with a list that was read without a change in between; undefined if there is no such list. */
function compareWithList(
  got: Exchange,
  exchanges: readonly Exchange[],
): readonly [Exchange, readonly Finding[]] | undefined {
  const resource = resourceOf(got.operation)
  const list = `${resource}.list`
  const template = partsOf(list, got.form)
  if (!got.operation?.endsWith('.get') || !isWithin(partsOf(got.operation, got.form), template)) return undefined
  const isJudgedElsewhere = [`${resource}/list-agrees-with-get`, `${resource}/listed-is-got`].some(id => id in rules)
  if (isJudgedElsewhere || !isOperationJudged(got)) return undefined
  const path = pathnameOf(got).split('/').slice(0, template!.length).join('/')
  const object = objectIn(got, resource)
  const at = exchanges.indexOf(got)
  const isUnchanged = (index: number) =>
    exchanges
      .slice(Math.min(at, index), Math.max(at, index))
      .every(one => isRead(one.request.method) || resourceOf(one.operation) !== resource)
  const listed = exchanges.find(
    (one, index) =>
      one.operation === list && isSuccess(one) && pathnameOf(one) === path && isUnchanged(index) && !one.isProbe,
  )
  const item = object && itemIn(listed, resource, idOf(object, resource))
  if (!object || !item) return undefined
  const names = stableFieldNames(resource, object, item)
  const finding = findMismatch(pick(object, names), pick(item, names), '$', isNestedAndVolatile)
  return [listed!, finding ? [{ ...finding, expected: `${finding.expected}, as a get shows it` }] : []]
}

type Comparison = readonly [read: Exchange, findings: readonly Finding[], ...more: Exchange[]]

/** Makes a check of comparisons between the exchanges that may have succeeded. */
const compareAll = (
  compare: (exchanges: readonly Exchange[]) => readonly Comparison[],
  reasonIfNone: Reason,
): Check => ({
  reads: 'everything',
  judge: ({ exchanges }) => {
    const comparisons = compare(exchanges.filter(mayHaveSucceeded))
    const wrong = comparisons.find(([, findings]) => findings.length > 0)
    if (!wrong) return comparisons.length > 0 ? held(comparisons.map(([read]) => read)) : notJudged(reasonIfNone)
    const [read, [first], ...more] = wrong
    return brokenBy(first!, read, ...more)
  },
})

export const checks = {
  'answer/effects-are-shown': compareAll(exchanges => {
    const successes = exchanges.filter(isSuccess)
    const answers = successes.filter(isOperationJudged).flatMap(write => {
      const findings = compareWithOwnAnswer(write)
      return findings ? [[write, findings] as const] : []
    })
    const reads = successes.flatMap(effectOf).flatMap(effect => {
      const read = effect && findRead(effect, exchanges)
      const findings = read && compareWithRead(effect, read)
      // If reads may lag, a difference counts only if the read was repeated.
      const mayLag = effect && operations[effect.write.operation!]!.lagInSeconds && !read?.earlier
      return findings && !(findings.length > 0 && mayLag) ? [[read, findings, effect.write] as const] : []
    })
    return [...answers, ...reads]
  }, 'no change was followed by a read that shows it'),
  'answer/lists-agree-with-gets': compareAll(
    exchanges =>
      exchanges.filter(isSuccess).flatMap(got => {
        const comparison = compareWithList(got, exchanges)
        return comparison ? [[...comparison, got] as const] : []
      }),
    'no list shows an object that was got',
  ),
} as const satisfies Record<string, Check>
