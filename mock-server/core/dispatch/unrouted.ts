import { Refusal } from '../../words/refusal.ts'
import type { Context } from '../context.ts'

const absent = /^\/(charts|webhooks)(\/|$)/
const named = /^\/v1\/organizations\/[^/]+\/notificationSettings$/

/**
 * The sentence about an unknown path. Charts and webhooks are absent on purpose; of other operations only the names of
 * their groups are known.
 */
export function refuseUnrouted(refusal: Refusal, { call, form, segment }: Context): Refusal {
  const { advice } = refusal.more
  const sentence = `${call.method} ${call.path} is no operation of this API`
  const below = form === 'managed' ? call.path.split(`/${segment}`, 2)[1] : undefined
  if (below !== undefined && absent.test(below))
    return new Refusal(refusal.kind, sentence, { gap: 'service/absent-resource', advice })
  return new Refusal(refusal.kind, sentence, {
    gap: named.test(call.path) ? 'service/other-operations' : 'path/unknown-path',
    advice,
  })
}
