import { isSuccess } from '../engine/exchange.ts'
import type { Past } from '../engine/step.ts'

/** Why a step that follows another is not sent; undefined when the other one succeeded. */
export function whyNot(past: Past, step: string): string | undefined {
  const exchange = past.exchange(step)
  return exchange && isSuccess(exchange) ? undefined : `${step} did not succeed`
}
