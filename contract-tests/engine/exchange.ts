import { type Form, type OperationId, operations } from '../../fixtures/built-contract/index.ts'
import type { Incoming, Outgoing } from './clients/client.ts'
import type { CredentialsKind } from './credentials.ts'
import { isObject, type JsonObject } from './recognise.ts'

/** A request of a run with its answer. */
export interface Exchange {
  readonly step: string
  readonly form: Form
  readonly operation: OperationId | undefined
  readonly as: CredentialsKind
  readonly why: string
  readonly request: Pick<Outgoing, 'method' | 'path' | 'headers'> & { readonly body: string | null }
  readonly response: Incoming
  /** Undefined when the body is empty or not JSON. */
  readonly json: unknown
  /** Milliseconds on the clock of the run or of the recorder; undefined if the recorder did not note them. */
  readonly sentAt?: number
  readonly ms: number
  /** Of recorded traffic: the address, and true if the body of the answer is missing. */
  readonly origin?: string
  readonly isUnread?: true
  /** A request that must not succeed; only the rule of its probe judges a success. */
  readonly isProbe?: true
  /** A request to the SQL of a service, which is not part of the API and goes with the service. */
  readonly isSql?: true
  /** A request to the receiver of webhooks, which is not part of the API. */
  readonly isReceiver?: true
  /** The further pages of a list, as far as they were read. */
  readonly pages?: readonly Exchange[]
  /** Why a further page of a list got no answer. */
  readonly lostPage?: string
  /** The answers before this one, where the request was repeated until its answer showed what was expected. */
  readonly earlier?: readonly Exchange[]
  /** The request was repeated, if necessary, until its answer showed the writes before it or their lag had passed. */
  readonly isSettled?: true
}

declare const succeeded: unique symbol
/** Without the brand, TypeScript would narrow an exchange that is no success to undefined. */
export type Success = Exchange & { readonly [succeeded]: true }

export const isSuccess = (exchange: Exchange | undefined): exchange is Success =>
  exchange !== undefined && exchange.response.status >= 200 && exchange.response.status < 300

/** 501 means that the deployment does not have the operation. */
export const isServerError = ({ response }: Exchange): boolean => response.status >= 500 && response.status !== 501

/** An answer of a gateway that got none from the deployment: as little evidence as a lost connection. */
export const isUnavailable = (status: number): boolean => status === 502 || status === 503 || status === 504

/** A success that is text by the contract, such as metrics, or that only a document describes: it may be empty. */
export const isTextSuccess = (exchange: Exchange): boolean =>
  isSuccess(exchange) &&
  exchange.operation !== undefined &&
  (exchange.operation in operations
    ? operations[exchange.operation].mediaType !== undefined
    : exchange.json === undefined)

export const lacksExpectedBody = (exchange: Exchange): boolean =>
  isSuccess(exchange) &&
  exchange.operation !== undefined &&
  !isTextSuccess(exchange) &&
  exchange.request.method !== 'HEAD' &&
  ![204, 205].includes(exchange.response.status) &&
  !hasBody(exchange)

export const hasBody = ({ request, response }: Exchange): boolean =>
  request.method !== 'HEAD' && response.text.trim() !== ''

/** The number of values in a parsed body; Infinity when it is nested deeper than `levels`. */
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

/** The object that a request sent; an empty object if its body is something else. */
export function sentIn(exchange: Pick<Exchange, 'request'> | undefined): JsonObject {
  const body = exchange?.request.body ? parseJson(exchange.request.body) : undefined
  return isObject(body) ? body : {}
}
