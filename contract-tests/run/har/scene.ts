import type { OperationId } from '../../../fixtures/contract/index.ts'
import { type Exchange, parseJson } from '../../engine/exchange.ts'
import { isObject } from '../../engine/recognise.ts'
import type { RecordedCall } from './call.ts'

/**
 * Exchanges under the names of the steps that the checks read. A recording is not one visit: what belongs together (the
 * lists of an organization, one backup, the life of one alert) makes a scene of its own, and a rule is judged in each.
 */
export interface Scene {
  readonly steps: ReadonlyMap<string, readonly Exchange[]>
  /** The rules that it is for begin so; otherwise it is for all. */
  readonly only?: string
}

export const createScene = (
  steps: Readonly<Record<string, readonly (RecordedCall | undefined)[]>>,
  only?: string,
): Scene => ({
  steps: new Map(
    Object.entries(steps).flatMap(([name, calls]) => {
      const exchanges = calls.flatMap(call => (call ? [{ ...call.exchange, step: name }] : []))
      return exchanges.length > 0 ? [[name, exchanges] as const] : []
    }),
  ),
  ...(only ? { only } : {}),
})

export const succeeded = ({ recorded }: RecordedCall) => recorded.status >= 200 && recorded.status < 300
/** Sent with a good credential, as far as the recording tells. */
export const isTrusted = ({ exchange }: RecordedCall) => exchange.as === 'key' || exchange.as === 'unknown'
/** A refusal of a request without a body that cannot be the client's fault, nor that of a gateway. */
export const isFailure = ({ recorded }: RecordedCall) =>
  recorded.body === null && [405, 410, 500, 501].includes(recorded.status)

export const bodyOf = ({ recorded }: RecordedCall) => {
  const body = recorded.body === null ? undefined : parseJson(recorded.body)
  return isObject(body) ? body : undefined
}

export const ofOperation = (calls: readonly RecordedCall[], ...operations: OperationId[]) =>
  calls.filter(({ operation }) => operation && operations.includes(operation))

/** Calls by the name of a step, as they are found. */
export function collectSteps() {
  const steps: Record<string, RecordedCall[]> = {}
  const add = (name: string, call: RecordedCall) => {
    steps[name] ??= []
    steps[name].push(call)
  }
  return { steps, add }
}
