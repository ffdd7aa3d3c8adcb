import { type Form, type Operation, type OperationId, operations } from '../../../fixtures/contract/index.ts'

/**
 * What the specification itself says, apart from what the contract knows from deployments: only against the former does a
 * document break anything.
 */

/** Resources whose fields are those of a request (§2.4, §2.5): how they come back is not shown. */
const sent = new Set(Object.values(operations as Record<string, Operation>).map(({ body }) => body))

/** True when the specification shows the body of a request, or the payload of its answer. */
export function isStated(operation: Operation, form: Form, side: 'request' | 'answer'): boolean {
  if (!operation.shown?.includes(form)) return false
  return side === 'request'
    ? operation.body !== undefined
    : operation.result.of !== undefined && !sent.has(operation.result.of)
}

/** The operation whose 400 is shown (§4.1); §7 says of every other 400 only what its body is. */
export const showsBadRequest: OperationId = 'member.list'

/** The scheme of §5, as an OpenAPI document spells it. */
export const schemes = {
  cloud: 'http basic',
  managed: 'http basic',
  selfHosted: 'http bearer',
} as const satisfies Record<Form, string>
