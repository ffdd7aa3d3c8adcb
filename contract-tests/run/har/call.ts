import type { As } from '../../engine/credentials.ts'
import type { Exchange } from '../../engine/exchange.ts'
import type { Recorded } from './read-har.ts'
import type { Call } from './recognise-call.ts'

/** A recorded exchange with what it is in the contract's words. */
export interface RecordedCall extends Call {
  readonly recorded: Recorded
  readonly exchange: Exchange
}

/**
 * Who sent a recorded request. A credential that was let in is taken for a good one; one that was refused may be anything,
 * and so may a request whose credentials the recorder left out.
 */
export function asOf({ recorded, form }: { recorded: Recorded; form: Call['form'] }, keepsCredentials: boolean): As {
  const { scheme, otherCredentials, status } = recorded
  if (scheme === undefined) return keepsCredentials && !otherCredentials ? 'none' : 'unknown'
  if (otherCredentials || scheme === '') return status === 401 || status === 403 ? 'unknown' : 'key'
  if (scheme !== (form === 'selfHosted' ? 'bearer' : 'basic')) return 'wrongScheme'
  return status === 401 || status === 403 ? 'unknown' : 'key'
}

export function toExchange(call: Call, recorded: Recorded, as: As): Exchange {
  const { method, path, query, headers, scheme, body, status, answerHeaders, text, json, ms } = recorded
  return {
    step: '',
    form: call.form,
    operation: call.operation,
    as,
    why: 'it is in the recording',
    request: {
      method,
      path: path + query,
      headers: { ...headers, ...(scheme ? { authorization: `${scheme} ${headers.authorization ?? ''}` } : {}) },
      body,
    },
    response: { status, headers: answerHeaders, text },
    json,
    ms,
  }
}

/** True when one began after the other had ended; false also when the recording does not tell. */
export const isAfter = (later: RecordedCall, earlier: RecordedCall): boolean =>
  later !== earlier && later.recorded.startedAt >= earlier.recorded.endedAt - 1
