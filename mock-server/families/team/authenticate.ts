import { equalsInConstantTime, refuseCaller, tokenOf } from '../../words/authorization.ts'
import { selfHosted, type World } from '../../world/world.ts'
import type { Actor, Caller } from '../family.ts'
import { teams } from './model.ts'

/** Accepts the personal access key of the self-hosted team. */
export function authenticateUser({ world, headers: { authorization }, choice }: Caller): Actor {
  if (isAccessKey(world, authorization, choice('auth/token-letter-case') === 'accept')) return { kind: 'user' }
  const credential = 'a personal API access key'
  throw refuseCaller(
    authorization,
    `No credentials were sent: Expected the header Authorization with the scheme Bearer and ${credential}`,
    `Expected ${credential} with the scheme Bearer in the header Authorization`,
  )
}

/**
 * Whether an Authorization header holds the access key as a bearer token. With `inAnyCase`, the letter case of the token
 * does not count.
 */
export function isAccessKey(world: World, header = '', inAnyCase = false): boolean {
  const token = tokenOf(header)
  const fold = (text: string) => (inAnyCase ? text.toLowerCase() : text)
  const accessKey = world.in(teams, selfHosted).get('team')?.accessKey
  return token !== undefined && accessKey !== undefined && equalsInConstantTime(fold(token), fold(accessKey))
}
