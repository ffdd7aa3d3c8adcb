import { isRecord } from '../words/check-options.ts'
import type { Fault } from './fault.ts'
import { type Json, pretend, resultOf, succeeds } from './rewrite.ts'

interface LetIn {
  /** Only for a key that succeeded before. */
  readonly once?: true
  /** Only for keys that were created with such a body. */
  readonly created?: (body: Json) => boolean
}

/**
 * Repeats a call that is refused with these words with the first key of the organization. Creations are performed; changes and
 * deletions are only pretended.
 */
export const letIn =
  (words: string, { once, created }: LetIn = {}) =>
  (): Fault => {
    const good = new Set<string | undefined>()
    const matching = new Set<string | undefined>()
    return async (call, next, { form, operation, authorization }) => {
      const answer = await next(call)
      if (succeeds(answer) && form === 'cloud') good.add(call.headers.authorization)
      const made = operation === 'key.create' && succeeds(answer) ? resultOf(answer) : undefined
      if (isRecord(made) && created?.(JSON.parse(call.body)))
        matching.add(`Basic ${btoa(`${made.keyId}:${made.keySecret}`)}`)
      const isKey =
        (!once || good.has(call.headers.authorization)) && (!created || matching.has(call.headers.authorization))
      if (!isKey || !answer.body.includes(words)) return answer
      const own = { ...call, headers: { ...call.headers, authorization: authorization.own } }
      return ['PUT', 'PATCH', 'DELETE'].includes(call.method) ? pretend(own, next) : next(own)
    }
  }
