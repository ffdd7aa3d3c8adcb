import { isRecord } from '../words/check-options.ts'
import type { Fault } from './fault.ts'
import { type Json, pretend, resultOf, succeeds } from './rewrite.ts'

interface LetIn {
  /** Only a key that was let in before. */
  readonly once?: true
  /** Of keys that were created, only those whose creation sent this. */
  readonly created?: (body: Json) => boolean
}

/**
 * Does with the first key of the organization what a key is refused with these words. Creations are done; what would change or
 * delete a thing is only answered.
 */
export const letIn =
  (words: string, { once, created }: LetIn = {}) =>
  (): Fault => {
    const good = new Set<string | undefined>()
    const meant = new Set<string | undefined>()
    return async (call, next, { form, operation, authorization }) => {
      const answer = await next(call)
      if (succeeds(answer) && form === 'cloud') good.add(call.headers.authorization)
      const made = operation === 'key.create' && succeeds(answer) ? resultOf(answer) : undefined
      if (isRecord(made) && created?.(JSON.parse(call.body)))
        meant.add(`Basic ${btoa(`${made.keyId}:${made.keySecret}`)}`)
      const isKey =
        (!once || good.has(call.headers.authorization)) && (!created || meant.has(call.headers.authorization))
      if (!isKey || !answer.body.includes(words)) return answer
      const own = { ...call, headers: { ...call.headers, authorization: authorization.own } }
      return ['PUT', 'PATCH', 'DELETE'].includes(call.method) ? pretend(own, next) : next(own)
    }
  }
