import { isRecord } from '../words/check-options.ts'
import type { Fault } from './fault.ts'
import { answerWithoutWriting, type Json, resultOf, succeeds } from './rewrite.ts'

interface Restriction {
  /** Applies only to keys whose calls succeeded before. */
  readonly onlyAfterSuccess?: true
  /** Applies only to keys that were created with a body of this kind. */
  readonly createdWith?: (body: Json) => boolean
}

/**
 * If the refusal of a call contains a text, repeats the call with the first key of the organization. Creations are
 * performed; changes and deletions are answered without being done.
 */
export const retryWithOwnKey =
  (refusalText: string, { onlyAfterSuccess, createdWith }: Restriction = {}) =>
  (): Fault => {
    const keysThatSucceeded = new Set<string | undefined>()
    const keysCreatedWith = new Set<string | undefined>()
    return async (call, next, { form, operation, authorization }) => {
      const answer = await next(call)
      if (succeeds(answer) && form === 'cloud') keysThatSucceeded.add(call.headers.authorization)
      const createdKey = operation === 'key.create' && succeeds(answer) ? resultOf(answer) : undefined
      if (isRecord(createdKey) && createdWith?.(JSON.parse(call.body)))
        keysCreatedWith.add(`Basic ${btoa(`${createdKey.keyId}:${createdKey.keySecret}`)}`)
      const applies =
        (!onlyAfterSuccess || keysThatSucceeded.has(call.headers.authorization)) &&
        (!createdWith || keysCreatedWith.has(call.headers.authorization))
      if (!applies || !answer.body.includes(refusalText)) return answer
      const own = { ...call, headers: { ...call.headers, authorization: authorization.own } }
      return ['PUT', 'PATCH', 'DELETE'].includes(call.method) ? answerWithoutWriting(own, next) : next(own)
    }
  }
