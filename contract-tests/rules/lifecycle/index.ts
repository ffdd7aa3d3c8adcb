import { type GapId, gaps, type OperationId, operations, type RuleId, rules } from '../../../fixtures/contract/index.ts'
import { type Check, notApplicable } from '../../engine/check.ts'
import { hasLife } from '../../engine/creatable-resources.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { firstObjectIn } from '../../engine/recognise.ts'
import { updatesOf } from '../../visits/life.ts'
import { answersAsDocumented } from '../documented.ts'
import { anySucceeds, anySucceedsUnlessBodyIsRefused, describeRefusal, observe } from '../observations.ts'
import { adjustVerdict } from '../steps.ts'
import { checksOfChanges } from './changed.ts'
import type { ChecksByClaim } from './common.ts'
import { checksOfLists } from './listed.ts'

/** The checks that follow from the contract. A section or a family may replace one. */

const checksByClaim = {
  ...checksOfChanges,
  ...checksOfLists,
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
  // Organizations with the feature are not refused.
  'not-entitled': resource =>
    observe([`${resource}.update`], ([exchange]) => (isSuccess(exchange) ? undefined : describeRefusal(exchange))),
  'update-method': resource => observe(updatesOf(resource), exchanges => exchanges.find(isSuccess)?.request.method),
  'delete-answer': resource =>
    observe([`${resource}.delete`], ([exchange]) => (isSuccess(exchange) ? describeRefusal(exchange) : undefined)),
} as const satisfies ChecksByClaim

/**
 * Holds if the operation succeeds. A documented operation must also answer with the fields of the contract; another one may refuse
 * the run's body, which the specification does not describe.
 */
function operationAnswers(operation: OperationId): Check {
  const { basis, body } = operations[operation]
  const [resource = '', verb] = operation.split('.')
  const steps =
    verb === 'update' ? updatesOf(resource) : [verb === 'create' && hasLife(resource) ? `${operation}-main` : operation]
  if (basis === 'documented') return unlessProbeDidIt(operation, answersAsDocumented(operation, steps))
  return body === undefined ? anySucceeds(steps) : anySucceedsUnlessBodyIsRefused(steps)
}

/** Not applicable if the operation was refused because a probe had wrongly succeeded before, which another rule reports. */
const unlessProbeDidIt = (operation: OperationId, check: Check): Check =>
  adjustVerdict(check, (verdict, { exchanges }) => {
    const isRepeated = verdict.exchanges.some(({ response: { status } }) => status === 409 || status === 410)
    return verdict.outcome === 'broken' &&
      isRepeated &&
      exchanges.some(one => one.operation === operation && one.isProbe && isSuccess(one))
      ? notApplicable('a probe that should have been refused has done it already')
      : verdict
  })

type AnswersId<Id extends OperationId> = Id extends `${infer Resource}.${infer Verb}`
  ? `${Resource}/${Verb}-answers`
  : never
/** Extracted rather than intersected: the product of both unions is too large for the compiler. */
type GenericId = Extract<RuleId | GapId, `${string}/${keyof typeof checksByClaim}` | AnswersId<OperationId>>

function checkOf(id: string): Check | undefined {
  const [resource = '', claim = ''] = id.split('/')
  const operation = `${resource}.${claim.replace(/-answers$/, '')}` as OperationId
  if (claim in checksByClaim) return checksByClaim[claim as keyof typeof checksByClaim](resource)
  return claim.endsWith('-answers') && operations[operation] ? operationAnswers(operation) : undefined
}

export const checks = Object.fromEntries(
  Object.keys({ ...rules, ...gaps }).flatMap(id => {
    const check = checkOf(id)
    return check ? [[id, check]] : []
  }),
) as Readonly<Record<GenericId, Check>>
