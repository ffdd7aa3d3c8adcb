import { findList, isObject, payloadOf } from '../../engine/recognise.ts'
import { readHar } from '../har/read-har.ts'
import { recogniseOperation } from '../har/recognise-call.ts'
import type { Answered } from './read-deployment.ts'

/**
 * Reads the successful lists and gets of recorded traffic (HAR 1.2), in order.
 * @throws UsageError when it is no recording.
 */
export function readRecording(har: unknown): { readonly answers: readonly Answered[]; readonly at: number } {
  const { recorded } = readHar(har)
  const answers = recorded.flatMap(({ method, path, status, json }): readonly Answered[] => {
    const call = method === 'GET' && status >= 200 && status < 300 ? recogniseOperation(method, path) : undefined
    const { form, operation, ids } = call ?? {}
    if (!form || !ids || !operation || json === undefined) return []
    const [resource = '', verb] = operation.split('.')
    const payload = payloadOf(json)
    if (verb === 'list') return [{ form, operation, ids, items: findList(json, resource) ?? [] }]
    return verb === 'get' && isObject(payload) ? [{ form, operation, ids, items: [payload] }] : []
  })
  const moments = recorded.map(({ endedAt, startedAt }) => endedAt || startedAt || 0)
  return { answers, at: moments.filter(at => at < endOfTime).reduce((latest, at) => Math.max(latest, at), 0) }
}

/** Times after this, or before 1970, are not credible in a recording. */
const endOfTime = Date.UTC(10_000)
