import { type Contract, contract as ours } from '../../../fixtures/built-contract/index.ts'
import {
  type Check,
  type Evidence,
  notJudged,
  notReadToEnd,
  unlessOthersWrote,
  type Verdict,
} from '../../engine/check.ts'
import { fieldsOf, findOperation, resourceOf } from '../../engine/contract.ts'
import { hasLife } from '../../engine/creatable-resources.ts'
import { type Exchange, isSuccess, sentIn } from '../../engine/exchange.ts'
import type { History, ObjectHistory } from '../../engine/history/history.ts'
import { decode } from '../../engine/paths.ts'
import { type JsonObject, sameId } from '../../engine/recognise.ts'
import { updateOf, updatesOf } from '../../visits/life.ts'
import { setterOf } from '../../visits/singleton.ts'
import { isOfWhole } from '../../visits/whole/whole-life.ts'
import { findMismatch, mayNormalise, pick } from '../fields.ts'
import { conclude } from '../operations.ts'
import { stepsOfForm } from '../steps.ts'

/** Judges the objects of a resource in any traffic. */

interface Needs {
  /** The lines that a run sends for the rule; those of the resource without its name. */
  readonly lines: readonly string[]
  /** Those without whose answers nothing is known. */
  readonly essential?: readonly string[]
  /** True if a rule holds only where nothing was left unjudged. */
  readonly isOfEvery?: true
  /** True if what other clients do cannot explain a breach. */
  readonly isOfAnyObject?: true
}

/** Yields a verdict for each thing that the history shows about an object. */
export type JudgeObject = (object: ObjectHistory, history: History, evidence: Evidence) => Iterable<Verdict>

/** Whole names of lines, in the form that is judged. */
export const linesOf = (resource: string, lines: readonly string[]) =>
  stepsOfForm(lines.map(name => (/[.:]/.test(name) ? name : `${resource}.${name}`)))

export function eachObject(
  resource: string,
  { lines, essential = [], isOfEvery, isOfAnyObject }: Needs,
  judge: JudgeObject,
): Check {
  return {
    reads: linesOf(resource, lines),
    ofAnyTraffic: true,
    judge: evidence => {
      const { history, form } = evidence
      // What was created with every field has a rule of its own.
      const objects = history
        .objectsOf(resource)
        .filter(({ creations }) => !creations.some(one => isOfWhole(one, resource)))
      const verdicts = objects.flatMap(object => {
        const ofObject = [...judge(object, history, evidence)]
        return isOfAnyObject || object.isOwn ? ofObject : ofObject.map(unlessOthersWrote)
      })
      const [lost, all] = [essential, lines].map(some => linesOf(resource, some)(form)) as [string[], string[]]
      return conclude(verdicts, evidence, all, { lost, isOfEvery })
    },
  }
}

/** The verdict on an object that a list lacks; undefined if the list does not show whether it does. */
export function lacking(listed: Exchange, history: History, broken: () => Verdict): Verdict {
  const { isComplete, isRecognised } = history.listOf(listed)
  if (!isRecognised) return notJudged('the list could not be recognised')
  return isComplete ? broken() : notReadToEnd(listed)
}

/** The successful updates of an object, or those by another operation. */
export const updatesIn = (
  { resource, writes }: ObjectHistory,
  contract: Contract,
  operation = updateOf(resource, contract),
): readonly Exchange[] => writes.filter(one => isSuccess(one) && !one.isProbe && one.operation === operation)

/** The reads that show what a write sent: no later write to the object can have changed it. */
export function readsOf(write: Exchange, { resource, writes, readsAfter }: ObjectHistory) {
  const sent = sentIn(write)
  // A PATCH does not change fields that it leaves out.
  const mayUndo = ({ operation, request }: Exchange) =>
    request.method !== 'PATCH' ||
    resourceOf(operation) !== resource ||
    Object.keys(sentIn({ request })).some(name => name in sent)
  return readsAfter(write, writes.filter(mayUndo))
}

/** What a write sent, without lists that are changed item by item: these have another type in requests than in answers. */
export function sentAsShown(write: Exchange, contract: Contract): JsonObject {
  const sent = sentIn(write)
  const fields = fieldsOf(findOperation(write.operation, contract)?.body, contract)
  const shown = fieldsOf(findOperation(`${resourceOf(write.operation)}.get`, contract)?.result.resource, contract)
  const isOfSameType = (name: string) => !fields[name] || !shown[name] || fields[name].type === shown[name].type
  return pick(sent, Object.keys(sent).filter(isOfSameType))
}

/** True if an object is as a write left it, in the fields that the write sent: it shows at least that the write took effect. */
export function showsWrite(object: JsonObject | undefined, write: Exchange, contract: Contract): boolean {
  const resource = resourceOf(write.operation)
  if (!object || write.operation?.endsWith('.create')) return object !== undefined
  const sent = sentAsShown(write, contract)
  const isShared = Object.keys(sent).some(name => name in object)
  return isShared && findMismatch(sent, object, '$', mayNormalise(resource, contract)) === undefined
}

export const isGone = (exchange: Exchange | undefined): boolean => [404, 410].includes(exchange?.response.status ?? 0)

/** True if a rule of the life cycle judges the effect of the operation. */
export function isJudgedByLife(resource: string, verb: string, contract: Contract): boolean {
  const { rules } = contract
  if (verb === 'create' && `${resource}/created-is-listed` in rules) return true
  if (verb === 'delete') return `${resource}/deleted-is-gone` in rules || `${resource}/absent-is-not-found` in rules
  const id = `${resource}.${verb}`
  return (
    (id === updateOf(resource, contract) && `${resource}/updated-is-got` in rules) ||
    (id === setterOf(resource) && `${resource}/set-is-got` in rules)
  )
}

export const isEmpty = (value: unknown): boolean =>
  value == null || (typeof value === 'object' && Object.keys(value).length === 0)

/** True if the path of the request ends with the id. */
export function isRequestFor({ request }: Exchange, id: string): boolean {
  const [lastSegment = ''] = /[^/?]*(?=\/?(?:\?|$))/.exec(request.path) ?? []
  return sameId(decode(lastSegment), id)
}

/** The lines that a run sends for rules about updates. */
export function linesAroundUpdate(resource: string, contract: Contract = ours): readonly string[] {
  const updates = updatesOf(resource, contract)
  const hasUpdates = updates.length > 0
  return [
    ...updates,
    'get',
    ...(hasUpdates ? ['get-after-update'] : []),
    ...(hasLife(resource, contract) ? ['create-main', ...(hasUpdates ? ['list-after-update'] : [])] : []),
  ]
}
