import {
  type Contract,
  type GapId,
  type OperationId,
  contract as ours,
  type RuleId,
} from '../../../fixtures/built-contract/index.ts'
import { type Check, type Evidence, notJudged, observed, type Verdict } from '../../engine/check.ts'
import { hasLife } from '../../engine/creatable-resources.ts'
import { isSuccess } from '../../engine/exchange.ts'
import type { Reason } from '../../engine/reasons.ts'
import { firstObjectIn } from '../../engine/recognise.ts'
import { updateOf, updatesOf } from '../../visits/life.ts'
import { answersAsDocumented } from '../documented.ts'
import { adjustVerdict, anySucceeds, anySucceedsUnlessBodyIsRefused, describeAnswer, observe } from '../steps.ts'
import {
  absentIsNotFound,
  createdIsGot,
  createdIsListed,
  deletedIsGone,
  idNeverChanges,
  setIsGot,
  unsentStays,
  updatedIsGot,
} from './created.ts'
import { listAgreesWithGet, orderOfList, siblingsAreUntouched } from './listed.ts'
import { eachObject, isGone, isRequestFor, linesAroundUpdate, linesOf, updatesIn } from './objects.ts'
import { wholeIsKept } from './whole.ts'

/** The checks that follow from the contract. A section or a family may replace one. */

const hasProbeSucceeded = ({ exchanges }: Evidence, operation: string) =>
  exchanges.some(one => one.isProbe && one.operation === operation && isSuccess(one))

/** Observes the refusal of an operation on a deleted object. */
const observeAfterDeletion = (resource: string, verb: 'get' | 'update' | 'delete'): Check =>
  eachObject(
    resource,
    { lines: ['delete', `${verb}-after-delete`] },
    function* (object, { isAfter, contract }, { exchanges }) {
      const operation = verb === 'update' ? updateOf(resource, contract) : `${resource}.${verb}`
      const deletion = object.writes.find(one => one.operation === `${resource}.delete` && isSuccess(one))
      const later = exchanges.find(
        one =>
          one.operation === operation &&
          !one.isProbe &&
          deletion !== undefined &&
          isAfter(one, deletion) &&
          isRequestFor(one, object.id),
      )
      if (later) yield observed(describeAnswer(later), later)
    },
  )

/** True if an update or a probe had removed the object, which other rules report. */
function whyGoneBefore({ exchanges: [refused] }: Verdict, evidence: Evidence, resource: string): Reason | undefined {
  if (!isGone(refused)) return undefined
  if (hasProbeSucceeded(evidence, `${resource}.delete`))
    return 'a probe that should have been refused had deleted the object'
  const object = evidence.history.objectsOf(resource).find(({ id }) => isRequestFor(refused!, id))
  const isGoneAfterUpdate =
    object && updatesIn(object, evidence.history.contract).some(updated => object.readsAfter(updated).gets.some(isGone))
  return isGoneAfterUpdate ? 'the update had removed the object' : undefined
}

/** Makes the check of a rule or gap, by the second half of its id. */
const checksByClaim = {
  'created-is-listed': createdIsListed,
  'created-is-got': createdIsGot,
  'set-is-got': setIsGot,
  'updated-is-got': updatedIsGot,
  'id-never-changes': idNeverChanges,
  'unsent-stays': unsentStays,
  'deleted-is-gone': deletedIsGone,
  /** Not applicable if an update or a probe had already removed the object, which other rules report. */
  'delete-answers': (resource, contract) => {
    const hasUpdate = hasLife(resource, contract) && updateOf(resource, contract) !== undefined
    const check = adjustVerdict(anySucceeds([`${resource}.delete`]), (verdict, evidence) => {
      const why = verdict.outcome === 'broken' ? whyGoneBefore(verdict, evidence, resource) : undefined
      return why === undefined ? verdict : notJudged(why)
    })
    if (!hasUpdate) return check
    return { ...check, reads: linesOf(resource, ['delete', ...linesAroundUpdate(resource, contract)]) }
  },
  'absent-is-not-found': absentIsNotFound,
  'unknown-id': resource => observeAfterDeletion(resource, 'get'),
  'update-unknown': resource => observeAfterDeletion(resource, 'update'),
  'delete-unknown': resource => observeAfterDeletion(resource, 'delete'),
  'list-agrees-with-get': listAgreesWithGet,
  'siblings-are-untouched': siblingsAreUntouched,
  'order-of-list': orderOfList,
  'whole-is-kept': wholeIsKept,
  'fields-present': resource =>
    observe([`${resource}.create-main`, `${resource}.get`, `${resource}.list`], exchanges => {
      const object = exchanges
        .filter(isSuccess)
        .map(({ json }) => firstObjectIn(json, resource))
        .find(Boolean)
      return object && Object.keys(object).sort()
    }),
  'create-status': resource =>
    observe([`${resource}.create-main`], ([exchange]) =>
      isSuccess(exchange) ? String(exchange.response.status) : undefined,
    ),
  'update-method': (resource, contract) =>
    observe(updatesOf(resource, contract), exchanges => exchanges.find(isSuccess)?.request.method),
  'delete-answer': resource =>
    observe([`${resource}.delete`], ([exchange]) => (isSuccess(exchange) ? describeAnswer(exchange) : undefined)),
} as const satisfies Record<string, (resource: string, contract: Contract) => Check>

/**
 * Holds if the operation succeeds. A documented operation must also answer with the fields of the contract. Any other may refuse
 * the run's body, since the specification does not describe it.
 */
function operationAnswers(operation: OperationId, contract: Contract): Check {
  const { basis, body } = contract.operations[operation]
  const [resource = '', verb] = operation.split('.')
  const steps =
    verb === 'update'
      ? updatesOf(resource, contract)
      : [verb === 'create' && hasLife(resource, contract) ? `${operation}-main` : operation]
  if (basis === 'documented') return unlessProbeDidIt(operation, answersAsDocumented(operation, steps))
  return body === undefined ? anySucceeds(steps) : anySucceedsUnlessBodyIsRefused(steps)
}

/** Not applicable if the operation was refused because a probe had wrongly succeeded before, which another rule reports. */
const unlessProbeDidIt = (operation: OperationId, check: Check): Check =>
  adjustVerdict(check, (verdict, evidence) => {
    const isRepeated = verdict.exchanges.some(({ response: { status } }) => status === 409 || status === 410)
    return verdict.outcome === 'broken' && isRepeated && hasProbeSucceeded(evidence, operation)
      ? notJudged('a probe that should have been refused has already succeeded')
      : verdict
  })

type AnswersId<Id extends OperationId> = Id extends `${infer Resource}.${infer Verb}`
  ? `${Resource}/${Verb}-answers`
  : never
/** Extracted rather than intersected: the product of both unions is too large for the compiler. */
type GenericId = Extract<RuleId | GapId, `${string}/${keyof typeof checksByClaim}` | AnswersId<OperationId>>

export const checksBy = (contract: Contract): Readonly<Record<GenericId, Check>> =>
  Object.fromEntries(
    Object.keys({ ...contract.rules, ...contract.gaps }).flatMap((id): [string, Check][] => {
      const [resource = '', claim = ''] = id.split('/')
      const make: ((resource: string, contract: Contract) => Check) | undefined = Object.hasOwn(checksByClaim, claim)
        ? checksByClaim[claim as keyof typeof checksByClaim]
        : undefined
      if (make) return [[id, make(resource, contract)]]
      const operation = `${resource}.${claim.replace(/-answers$/, '')}` as OperationId
      const isOfOperation = claim.endsWith('-answers') && contract.operations[operation] !== undefined
      return isOfOperation ? [[id, operationAnswers(operation, contract)]] : []
    }),
  ) as Readonly<Record<GenericId, Check>>

export const checks = checksBy(ours)
