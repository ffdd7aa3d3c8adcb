import type { OperationId } from '../../../fixtures/contract/index.ts'
import { type Exchange, isSuccess, parseJson } from '../../engine/exchange.ts'
import { isObject } from '../../engine/recognise.ts'
import type { RecordedEntry } from './read-har.ts'
import type { Call } from './recognise-call.ts'

/** A recorded exchange in the contract's words. */
export interface RecordedCall extends Call {
  readonly recorded: RecordedEntry
  readonly exchange: Exchange
}

/**
 * Exchanges under the names of the steps that the checks read. What belongs together (the lists of an organization, one
 * backup, the life of one alert) makes a scene of its own, and a rule is judged in each.
 */
export interface Scene {
  readonly steps: ReadonlyMap<string, readonly Exchange[]>
  /** Only rules with this prefix are judged in the scene; by default all are. */
  readonly only?: string
}

type Steps = Readonly<Record<string, RecordedCall | readonly RecordedCall[] | undefined>>

export const createScene = (steps: Steps, only?: string): Scene => ({
  steps: new Map(
    Object.entries(steps).flatMap(([name, calls = []]) => {
      const exchanges = [calls].flat().map(({ exchange }) => ({ ...exchange, step: name }))
      return exchanges.length > 0 ? [[name, exchanges] as const] : []
    }),
  ),
  only,
})

export const succeeded = ({ exchange }: RecordedCall) => isSuccess(exchange)
/** Sent with a good credential, as far as the recording shows. */
export const hasGoodCredential = ({ exchange }: RecordedCall) => exchange.as === 'key' || exchange.as === 'unknown'
/** A refusal that is the fault neither of the client, since the request has no body, nor of a gateway. */
export const isFaultOfDeployment = ({ recorded }: RecordedCall) =>
  recorded.body === null && [405, 410, 500, 501].includes(recorded.status)
/** A refusal of the method, which cannot be the fault of the body. */
export const isRefusedByMethod = ({ recorded }: RecordedCall) => [405, 410, 501].includes(recorded.status)

export const bodyOf = ({ recorded }: RecordedCall) => {
  const body = recorded.body === null ? undefined : parseJson(recorded.body)
  return isObject(body) ? body : undefined
}

export const ofOperation = (calls: readonly RecordedCall[], operation: OperationId) =>
  calls.filter(call => call.operation === operation)
