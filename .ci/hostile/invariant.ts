import type { Answer } from '../../mock-server/words/call.ts'
import type { Listener } from './sample-requests.ts'

/** A sentence about the promise that an answer of the mock breaks; undefined if it keeps all. */
export function findViolatedInvariant({ status, headers, body }: Answer, listener: Listener): string | undefined {
  if (!Number.isInteger(status) || status < 200 || status > 599) return `the status is ${status}`
  // The control plane says so of a run of the suite, which this mock was started without.
  if (status >= 500 && !(listener === 'control' && status === 501))
    return `the status is ${status}: ${body.slice(0, 300)}`
  if (/\n\s+at .+:\d+|node:internal|node_modules|\.ts:\d+/.test(body)) return `a stack trace: ${body.slice(0, 500)}`
  if (Object.values(headers).some(value => /[\r\n\0]/.test(value))) return `a header with a line break`
  const isText = headers['content-type']?.startsWith('text/') || headers['content-type']?.includes('pem')
  return listener === 'cloud' && body !== '' && !(isText && status < 400) ? findBrokenEnvelope(status, body) : undefined
}

function findBrokenEnvelope(status: number, body: string): string | undefined {
  let envelope: unknown
  try {
    envelope = JSON.parse(body)
  } catch {
    return `no JSON: ${body.slice(0, 300)}`
  }
  // The description of the API and the list of targets for Prometheus are JSON without an envelope.
  if (status === 200 && ((envelope as { openapi?: unknown } | null)?.openapi !== undefined || isDiscovery(envelope)))
    return undefined
  const { status: statusInBody, result, error } = (envelope ?? {}) as Record<string, unknown>
  if (statusInBody !== status) return `the envelope says ${statusInBody}, the status is ${status}`
  const isWhole = status < 400 ? typeof result === 'object' && result !== null : typeof error === 'string'
  return isWhole ? undefined : `no envelope: ${body.slice(0, 300)}`
}

const isDiscovery = (answer: unknown): boolean =>
  Array.isArray(answer) && answer.every(group => Array.isArray((group as { targets?: unknown } | null)?.targets))
