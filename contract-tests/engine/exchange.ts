import { type Form, type OperationId, operations } from '../../fixtures/contract/index.ts'
import type { Incoming } from './clients/client.ts'
import type { As } from './credentials.ts'

/** One request of a visit and its answer, as evidence for every rule that can read it. */
export interface Exchange {
  readonly step: string
  readonly form: Form
  readonly operation: OperationId | undefined
  readonly as: As
  readonly why: string
  readonly request: {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | null
  }
  readonly response: Incoming
  /** The parsed body; undefined when there is none or it is not JSON. */
  readonly json: unknown
  /** When it was sent, on a clock of the run; unknown of recorded traffic. */
  readonly sentAt?: number
  readonly ms: number
  /** True for a request that must not succeed: a success is judged by the rule of the probe alone. */
  readonly isProbe?: true
  /** True for a request to the SQL of a service, which is no part of the API and is gone with it. */
  readonly isSql?: true
  /** Of a list that goes on: its other pages, in order, as far as they were read. */
  readonly pages?: readonly Exchange[]
  /** Of a request that was repeated until its answer showed what was waited for: the answers before, in order. */
  readonly earlier?: readonly Exchange[]
}

declare const succeeded: unique symbol
/** An exchange that is known to be a success. The brand keeps one that fails the test an `Exchange`. */
export type Success = Exchange & { readonly [succeeded]: true }

export const isSuccess = (exchange: Exchange | undefined): exchange is Success =>
  exchange !== undefined && exchange.response.status >= 200 && exchange.response.status < 300

/** True for an answer that says that the deployment failed; 501 says that it does not have the operation. */
export const isServerError = ({ response }: Exchange): boolean => response.status >= 500 && response.status !== 501

/** True for a success of an operation that answers text, such as metrics: no envelope, and possibly no body. */
export const isText = (exchange: Exchange): boolean =>
  isSuccess(exchange) && exchange.operation !== undefined && operations[exchange.operation].media !== undefined

/** True for a success without a body whose status calls for one. */
export const lacksBody = (exchange: Exchange): boolean =>
  isSuccess(exchange) &&
  exchange.operation !== undefined &&
  !isText(exchange) &&
  exchange.request.method !== 'HEAD' &&
  ![204, 205].includes(exchange.response.status) &&
  !hasBody(exchange)

/** True when the answer should have a body and does. */
export const hasBody = ({ request, response }: Exchange): boolean =>
  request.method !== 'HEAD' && response.text.trim() !== ''

/** How many values a parsed body is made of; Infinity when it is nested deeper than so many levels. */
export function countValues(value: unknown, levels: number): number {
  if (typeof value !== 'object' || value === null) return 1
  if (levels === 0) return Number.POSITIVE_INFINITY
  let count = 1
  for (const item of Array.isArray(value) ? value : Object.values(value)) count += countValues(item, levels - 1)
  return count
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
