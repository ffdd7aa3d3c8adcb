import type { Fault } from './fault.ts'
import { succeeds } from './rewrite.ts'

/** Does with the first key of the organization what a key is refused with these words; `once`: one that was let in before. */
export const letIn =
  (words: string, once = false) =>
  (): Fault => {
    const good = new Set<string | undefined>()
    return async (call, next, { form, authorization }) => {
      const answer = await next(call)
      if (succeeds(answer) && form === 'cloud') good.add(call.headers.authorization)
      const isMeant = answer.body.includes(words) && (!once || good.has(call.headers.authorization))
      return isMeant ? next({ ...call, headers: { ...call.headers, authorization: authorization.own } }) : answer
    }
  }
