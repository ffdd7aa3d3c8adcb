import type { OperationId } from '../../fixtures/contract/index.ts'
import { type Evidence, notApplicable, type Verdict } from '../engine/check.ts'
import { isServerError } from '../engine/exchange.ts'

/**
 * The vendor's document says more than the specification, and a deployment need not have all of it. A documented rule is not
 * applicable where the deployment answers an operation, each time that it was asked with good credentials, as one that it does
 * not have (404, 405, 501) or that the role of the key may not use (403).
 */
export function unlessAbsent(verdict: Verdict, { all }: Evidence): Verdict {
  // A failure is no absence, but one beside refusals does not make them an offer.
  if (verdict.outcome !== 'broken' || verdict.exchanges.some(isServerError)) return verdict
  for (const { operation } of verdict.exchanges) {
    const status = operation && absentStatus(operation, all)
    if (status !== undefined) return { ...notApplicable(sayAbsent(operation!, status)), isAbsent: true }
  }
  return verdict
}

function absentStatus(operation: OperationId, all: Evidence['all']): number | undefined {
  const asked = all.filter(
    one => one.operation === operation && one.as === 'key' && !one.isProbe && !isServerError(one),
  )
  const statuses = asked.map(({ response }) => response.status)
  return statuses.every(status => [403, 404, 405, 501].includes(status)) ? statuses[0] : undefined
}

const sayAbsent = (operation: OperationId, status: number) =>
  status === 403
    ? `the key may not use ${operation} (403)`
    : `the deployment does not offer ${operation} (it answered ${status})`
