import type { Answer, Listener } from '../words/call.ts'

/**
 * Writes the refusal of a request that never became a call, or of a failure after it, in the error shape of the
 * listener.
 */
export function refuseAtTheDoor(listener: Listener | 'control', status: number, sentence: string): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify(shape[listener](status, sentence)),
  }
}

const shape = {
  cloud: (status: number, error: string) => ({ status, error, requestId: crypto.randomUUID() }),
  selfHosted: (_status: number, message: string) => ({ message }),
  control: (_status: number, error: string) => ({ error }),
}
