import { absent, type Check, describe, held, notApplicable } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import type { Past } from '../engine/step.ts'

/** The statuses by which a deployment says that it does not have an operation, or not for this key. */
const withheld = [403, 404, 405, 501]

export const isOffered = ({ response }: Exchange): boolean => !withheld.includes(response.status)

/** Why a step that follows another is not sent; undefined when the other one succeeded. */
export function whyNot(past: Past, step: string): string | undefined {
  const exchange = past.exchange(step)
  return exchange && isSuccess(exchange) ? undefined : `${step} did not succeed`
}

/** Holds when an operation that is only documented answers with success, where a deployment offers it. */
export const answersWhereOffered = (step: string): Check => ({
  reads: () => [step],
  judge: evidence => {
    const [exchange] = evidence.of(step)
    if (!exchange) return absent(evidence, step)
    const { status } = exchange.response
    if (!isOffered(exchange)) return notApplicable(`the deployment does not offer the operation: it answered ${status}`)
    if (isSuccess(exchange)) return held([exchange])
    return {
      outcome: 'broken',
      detail: describe({ expected: 'success', got: status }, exchange),
      exchanges: [exchange],
    }
  },
})
