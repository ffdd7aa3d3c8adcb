import type { Form, OperationId } from '../../fixtures/contract/index.ts'
import type { Incoming } from './client.ts'
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
  readonly ms: number
}

export const isSuccess = ({ response }: Exchange): boolean => response.status >= 200 && response.status < 300

/** True when the answer should have a body and does. */
export const hasBody = ({ request, response }: Exchange): boolean =>
  request.method !== 'HEAD' && response.text.trim() !== ''

/** True when a value is nested deeper than so many levels: whoever walks it must not run out of stack. */
export const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(item => isDeeper(item, levels - 1)))

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
