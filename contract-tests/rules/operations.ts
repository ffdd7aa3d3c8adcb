import type { Contract, Form, OperationId } from '../../fixtures/built-contract/index.ts'
import { type Check, type Evidence, noAnswer, unlessOthersWrote, type Verdict, whyLost } from '../engine/check.ts'
import { resourceOf } from '../engine/contract.ts'
import { type Exchange, isSuccess, type Success } from '../engine/exchange.ts'
import type { Reason } from '../engine/reasons.ts'
import { stepsWithGoodCredentials } from '../visits/authentication.ts'
import { type InspectWith, judgeOneByOne, stepsOfForm } from './steps.ts'

/**
 * Checks of operations. They judge the answers to an operation in a run and in recorded traffic. For a check, a run sends the
 * line that a visit has for each of its operations, and the `lines` that it names besides.
 */

const linesOf =
  (operations: readonly OperationId[], lines: readonly string[] = []) =>
  (form: Form, contract?: Contract): readonly string[] => [
    ...operations.flatMap(operation => stepsWithGoodCredentials(form, operation, contract)),
    ...stepsOfForm(lines)(form),
  ]

/** The successes of an operation, with the further pages of lists. */
const successesOf = ({ exchanges }: Evidence, operations: readonly OperationId[]): readonly Success[] => [
  ...new Set(
    exchanges
      .filter(one => one.operation !== undefined && operations.includes(one.operation) && !one.isProbe)
      .flatMap(one => [one, ...(one.pages ?? [])])
      .filter(isSuccess),
  ),
]

/** Judges the successes of some operations one by one. */
export function eachAnswerTo(
  operations: readonly OperationId[],
  inspect: InspectWith,
  reasonIfNone?: Reason,
  lines?: readonly string[],
): Check {
  const reads = linesOf(operations, lines)
  return {
    reads,
    ofAnyTraffic: true,
    judge: evidence => {
      const names = reads(evidence.form, evidence.history.contract)
      return judgeOneByOne(successesOf(evidence, operations), inspect, evidence, names, reasonIfNone)
    },
  }
}

interface PairOptions {
  readonly lines?: readonly string[]
  /** Resources that must not have been written to between the two answers; a recording need not show all writes. */
  readonly unlessWritten?: readonly string[]
  readonly in?: 'the same organization' | 'different organizations'
}

/**
 * Judges each success of an operation together with the first of another operation that `judge` can compare it with. Lists
 * with a query do not count.
 */
export function eachPair(
  [first, second]: readonly [OperationId, OperationId],
  judge: (one: Success, other: Success, evidence: Evidence) => Verdict | undefined,
  { lines, unlessWritten = [], in: place = 'the same organization' }: PairOptions = {},
): Check {
  const reads = linesOf([first, second], lines)
  return {
    reads,
    ofAnyTraffic: true,
    judge: evidence => {
      const { isAfter, isWhole, writes, contract } = evidence.history
      const disturbing = writes.filter(({ operation }) => unlessWritten.includes(resourceOf(operation)))
      const isUndisturbed = (one: Exchange, other: Exchange) =>
        disturbing.every(
          write => (isAfter(write, one) && isAfter(write, other)) || (isAfter(one, write) && isAfter(other, write)),
        )
      const answersTo = (operation: OperationId) =>
        successesOf(evidence, [operation])
          .filter(({ request }) => !request.path.includes('?'))
          .map(exchange => ({ exchange, organization: organizationOf(exchange) }))
      const others = answersTo(second)
      const judgeOne = ({ exchange: one, organization }: ReturnType<typeof answersTo>[number]): Verdict | undefined => {
        for (const { exchange: other, organization: its } of others) {
          const isSame = !organization || !its || organization === its
          const isInPlace = one.origin === other.origin && isSame === (place === 'the same organization')
          const isComparable = other !== one && isInPlace && isUndisturbed(one, other)
          const verdict = isComparable ? judge(one, other, evidence) : undefined
          if (verdict) return verdict
        }
        return undefined
      }
      const verdicts = answersTo(first)
        .flatMap(one => judgeOne(one) ?? [])
        .map(verdict => (isWhole || unlessWritten.length === 0 ? verdict : unlessOthersWrote(verdict)))
      return conclude(verdicts, evidence, reads(evidence.form, contract))
    },
  }
}

/** The id of the organization in the path. */
export const organizationOf = ({ request }: Exchange): string | undefined =>
  /^\/v1\/organizations\/([^/?]+)/.exec(request.path)?.[1]

/**
 * The verdict of several: a breach first; then what got no answer to one of the lines `lost`, without which nothing is known;
 * held only where `isOfEvery` allows it, although something was left unjudged.
 */
export function conclude(
  verdicts: readonly Verdict[],
  evidence: Evidence,
  lines: readonly string[],
  { lost = lines, isOfEvery }: { readonly lost?: readonly string[]; readonly isOfEvery?: boolean | undefined } = {},
): Verdict {
  const first = (outcome: Verdict['outcome']) => verdicts.find(verdict => verdict.outcome === outcome)
  return (
    first('broken') ??
    whyLost(evidence, lost) ??
    first('errored') ??
    (isOfEvery ? first('not-applicable') : undefined) ??
    first('held') ??
    first('observed') ??
    first('not-applicable') ??
    noAnswer(evidence, ...lines)
  )
}
