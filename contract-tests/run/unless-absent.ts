import type { OperationId } from '../../fixtures/contract/index.ts'
import { type Evidence, notApplicable, type Verdict } from '../engine/check.ts'
import { isServerError } from '../engine/exchange.ts'

/**
 * A deployment need not offer every operation of the vendor's document. A documented rule is not applicable where all requests
 * with good credentials were answered as not offered (404, 405, 501) or forbidden for the key's role (403).
 */
export function unlessAbsent(verdict: Verdict, { all }: Evidence): Verdict {
  // A 5xx is a failure, not an absence; a 5xx among refusals does not show that the operation is offered.
  if (verdict.outcome !== 'broken' || verdict.exchanges.some(isServerError)) return verdict
  for (const { operation } of verdict.exchanges) {
    const status = operation && absentStatus(operation, all)
    if (status !== undefined) return { ...notApplicable(describeAbsent(operation!, status)), isAbsent: true }
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

const describeAbsent = (operation: OperationId, status: number) =>
  status === 403
    ? `the key may not use ${operation} (403)`
    : `the deployment does not offer ${operation} (it answered ${status})`
