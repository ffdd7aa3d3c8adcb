import type { Contract, OperationId } from '../../../fixtures/built-contract/index.ts'
import { type Check, type Finding, held, notJudged, unlessOthersWrote, type Verdict } from '../../engine/check.ts'
import { isDocumented, onceFor, resourceOf } from '../../engine/contract.ts'
import { type Exchange, isSuccess, sentIn } from '../../engine/exchange.ts'
import type { History, ObjectHistory } from '../../engine/history/history.ts'
import { objectIn } from '../../engine/history/objects.ts'
import { completeListIn } from '../../engine/pages.ts'
import type { Reason } from '../../engine/reasons.ts'
import type { JsonObject } from '../../engine/recognise.ts'
import { findMismatch, isNestedAndVolatile, mayNormalise, pick, stableFieldNames } from '../fields.ts'
import { conclude } from '../operations.ts'
import { brokenBy, heldUnless } from '../steps.ts'
import { isJudgedByLife, readsOf, sentAsShown } from './objects.ts'

/** Judges whether reads show the effects of writes and lists agree with gets, where no rule of the resource does. */

const documentedResources = onceFor(({ operations }) => [
  ...new Set((Object.keys(operations) as OperationId[]).filter(isDocumented).map(resourceOf)),
])

const isJudged = ({ operation, isProbe }: Exchange) => operation !== undefined && !isProbe && isDocumented(operation)

/** The list or get that shows the effect of a write. An object without a get is looked for in the list. */
function readOf({ operation, form }: Exchange, { operations }: Contract): OperationId {
  const [resource = '', verb = ''] = operation!.split('.')
  const get = `${resource}.get` as OperationId
  const isListed = verb === 'create' || verb === 'delete' || operations[get]?.paths[form] === undefined
  return isListed ? (`${resource}.list` as OperationId) : get
}

/** The differences between a write and the read after it; undefined if the read cannot show the effect. */
function compareWithRead(write: Exchange, read: Exchange, { resource, id }: ObjectHistory, history: History) {
  const { listOf, contract } = history
  if (read.operation!.endsWith('.list')) {
    const item = listOf(read).find(id)
    if (!completeListIn(read, resource)) return undefined
    if (write.request.method === 'DELETE')
      return item ? [{ path: '$', expected: `a list without ${id}`, got: 'one that has it' }] : []
    const finding = { path: '$', expected: `the ${resource} ${id}, as it was written`, got: 'a list without it' }
    return item ? (compareWithSent(write, item, contract) ?? []) : [finding]
  }
  const object = objectIn(read, resource)
  const { command } = sentIn(write)
  const states = contract.operations[write.operation!]!.statesAfterCommand?.[String(command)]
  if (!object || !states) return compareWithSent(write, object, contract)
  const isReached = states.includes(String(object.state))
  return isReached ? [] : [{ path: '$.state', expected: `${states.join(' or ')} after ${command}`, got: object.state }]
}

/** Compares what a write sent with what an object shows of it; undefined if it shows nothing of it. */
function compareWithSent(write: Exchange, object: JsonObject | undefined, contract: Contract) {
  const sent = sentAsShown(write, contract)
  if (!object || !Object.keys(sent).some(name => name in object)) return undefined
  const finding = findMismatch(sent, object, '$', mayNormalise(resourceOf(write.operation), contract))
  return finding ? [{ ...finding, expected: `${finding.expected}, as it was sent` }] : []
}

/** If reads may lag longer, the answer to a change may show the state before the change. */
const MAX_LAG_SECONDS = 60

/** Compares a change with its own answer, if the answer is the resource that a get shows. */
function compareWithOwnAnswer(write: Exchange, contract: Contract): readonly Finding[] | undefined {
  const { operations } = contract
  const { body, result, lagGap, lagInSeconds = 0, method } = operations[write.operation!]!
  const get = `${resourceOf(write.operation)}.get` as OperationId
  const isResourceAnswered =
    body && method !== 'GET' && result.resource !== undefined && result.resource === operations[get]?.result.resource
  return isResourceAnswered && !lagGap && lagInSeconds <= MAX_LAG_SECONDS
    ? compareWithSent(write, objectIn(write, resourceOf(write.operation)), contract)
    : undefined
}

type JudgeObject = (object: ObjectHistory, history: History) => Iterable<Verdict>

/** Judges the objects of all documented resources, and each success. */
const eachDocumentedObject = (
  judge: JudgeObject,
  reasonIfNone: Reason,
  judgeAnswer?: (write: Exchange, contract: Contract) => Verdict | undefined,
): Check => ({
  reads: 'everything',
  judge: evidence => {
    const { exchanges, history } = evidence
    const answers = exchanges
      .filter(one => isSuccess(one) && isJudged(one))
      .flatMap(one => judgeAnswer?.(one, history.contract) ?? [])
    const ofObjects = documentedResources(history.contract)
      .flatMap(history.objectsOf)
      .flatMap(object => {
        const verdicts = [...judge(object, history)]
        return object.isOwn ? verdicts : verdicts.map(unlessOthersWrote)
      })
    const verdicts = [...answers, ...ofObjects]
    return verdicts.length === 0 ? notJudged(reasonIfNone) : conclude(verdicts, evidence, [])
  },
})

/** Yields a verdict for each read that shows the effect of a write. */
function* judgeEffects(object: ObjectHistory, history: History): Iterable<Verdict> {
  for (const write of object.writes) {
    const [resource = '', verb = ''] = write.operation?.split('.') ?? []
    if (
      resource !== object.resource ||
      !isSuccess(write) ||
      !isJudged(write) ||
      isJudgedByLife(resource, verb, history.contract)
    )
      continue
    const { gets, lists } = readsOf(write, object)
    const reads = (readOf(write, history.contract).endsWith('.list') ? lists : gets).filter(isSuccess)
    // The last one gave the deployment the most time to show the effect. One that may lag need not show it.
    const read = reads.findLast(one => !history.mayLag(one, write)) ?? reads.at(-1)
    const findings = read && compareWithRead(write, read, object, history)
    if (!findings || (findings.length > 0 && history.mayLag(read, write))) continue
    yield findings[0] ? brokenBy(findings[0], read, write) : held([read])
  }
}

/** Compares each get with a list that no write to the object can have come between. */
function* judgeLists(object: ObjectHistory, { listOf, contract }: History): Iterable<Verdict> {
  const { resource, id, writes, readsAfter } = object
  if ([`${resource}/list-agrees-with-get`, `${resource}/listed-is-got`].some(rule => rule in contract.rules)) return
  for (const write of [undefined, ...writes]) {
    const { gets, lists } = readsAfter(write)
    const listed = lists.find(list => listOf(list).find(id))
    const item = listed && listOf(listed).find(id)
    for (const got of gets.filter(isJudged)) {
      const shown = objectIn(got, resource)
      if (!item || !shown) continue
      const names = stableFieldNames(resource, shown, item, contract)
      const finding = findMismatch(pick(shown, names), pick(item, names), '$', isNestedAndVolatile)
      yield heldUnless(finding, [listed, got], ', as a get shows it')
    }
  }
}

export const checks = {
  'answer/effects-are-shown': eachDocumentedObject(
    judgeEffects,
    'no change was followed by a read that shows it',
    (write, contract) => {
      const findings = compareWithOwnAnswer(write, contract)
      return findings && heldUnless(findings[0], [write])
    },
  ),
  'answer/lists-agree-with-gets': eachDocumentedObject(judgeLists, 'no list shows an object that was got'),
} as const satisfies Record<string, Check>
