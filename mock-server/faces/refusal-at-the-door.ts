import type { Host } from '../core/mock.ts'
import type { Answer } from '../words/call.ts'

/**
 * Writes the refusal of a request that never became a call, or of a failure after it, in the error shape of the
 * listener.
 */
export function refuseAtTheDoor(listener: Host | 'control', status: number, says: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(shape[listener](status, says)),
  }
}

const shape = {
  cloud: (status: number, error: string) => ({ status, error, requestId: crypto.randomUUID() }),
  selfHosted: (_status: number, message: string) => ({ message }),
  control: (_status: number, error: string) => ({ error }),
}
