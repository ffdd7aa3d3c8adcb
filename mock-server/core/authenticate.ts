import { allows } from '../families/key/addresses.ts'
import { type Key, keyOf, keys, minuteOf } from '../families/key/model.ts'
import { isAllowed } from '../families/key/permissions.ts'
import { teams } from '../families/team/model.ts'
import { hash } from '../words/hash.ts'
import { Refusal, unauthenticated } from '../words/refusal.ts'
import { selfHosted, type World } from '../world/world.ts'
import { type Context, choiceOf } from './context.ts'

/** Finds the key of HTTP Basic credentials: key id and secret must both be right. */
export function authenticateKey(context: Context): void {
  const { authorization } = context.call.headers
  const inAnyCase = choiceOf(context, 'auth/key-id-letter-case') === 'accept'
  const { world } = context.deployment
  const key = findKey(world, authorization, inAnyCase)
  if (!key) throw refuse(authorization, 'No Authorization header provided.', 'Key is not found')
  if (!isActive(key, context.now)) throw unauthenticated('Key is not active')
  const { address, headers } = context.call
  if (!allows(key.ipAccessList ?? [], address))
    throw new Refusal('forbidden', notAllowed, { gap: 'key/address-not-allowed' })
  noteUse(world, key, context.now)
  const { id, name, organizationId } = key
  context.actor = {
    kind: 'key',
    id,
    name,
    organizationId,
    address,
    userAgent: headers['user-agent'],
    may: (permission, instance) => isAllowed(world, key, permission, instance),
  }
}

const notAllowed = 'The IP access list of the key does not have the address of the caller'

export const isActive = ({ state, expireAt }: Key, now: number) =>
  state === 'enabled' && (expireAt == null || now < Date.parse(expireAt))

/** Updates the time of the last use, once a minute. It is saved with the next write. */
function noteUse(world: World, key: Key, now: number): void {
  const usedAt = minuteOf(now)
  if (key.usedAt !== usedAt) world.in(keys).touch({ ...key, usedAt })
}

/** Accepts the personal access key of the self-hosted team. */
export function authenticateUser(context: Context): void {
  const { authorization } = context.call.headers
  const inAnyCase = choiceOf(context, 'auth/token-letter-case') === 'accept'
  if (isAccessKey(context.deployment.world, authorization, inAnyCase)) return
  const wanted = 'a personal API access key'
  throw refuse(
    authorization,
    `No credentials were sent: Expected the header Authorization with the scheme Bearer and ${wanted}`,
    `Expected ${wanted} with the scheme Bearer in the header Authorization`,
  )
}

function refuse(authorization: string | undefined, missing: string, wrong: string): Refusal {
  return authorization === undefined
    ? new Refusal('unauthenticated', missing, { gap: 'auth/missing-credentials' })
    : new Refusal('unauthenticated', wrong, { gap: 'auth/invalid-credentials' })
}

/** The key of an Authorization header with the right secret; `inAnyCase` ignores the letter case of the key id. */
export function findKey(world: World, header = '', inAnyCase = false) {
  const credentials = credentialsIn(header)
  const colon = credentials.indexOf(':')
  if (colon < 0) return undefined
  const keyId = credentials.slice(0, colon)
  const secret = credentials.slice(colon + 1)
  const all = () => world.in(keys).list()
  const isMeant = (key: Key) => key.keyId?.toLowerCase() === keyId.toLowerCase()
  const key = keyOf(world, keyId) ?? (inAnyCase ? all().find(isMeant) : undefined)
  if (key) return isSame(secret, key.keySecret ?? '') ? key : undefined
  const hashed = world.in(keys).derive('with hashes', list => list.filter(one => one.keyIdHash !== undefined))
  if (hashed.length === 0) return undefined
  const [idHash, secretHash] = [hash(keyId), hash(secret)]
  return hashed.find(one => one.keyIdHash === idHash && isSame(secretHash, one.keySecretHash ?? ''))
}

/**
 * Whether an Authorization header holds the access key as a bearer token. Deployments take the text after the literal
 * `Bearer `, wherever it stands, up to the next such literal. With `inAnyCase`, the letter case of the token does not count.
 */
export function isAccessKey(world: World, header = '', inAnyCase = false): boolean {
  const token = tokenOf(header)
  const fold = (text: string) => (inAnyCase ? text.toLowerCase() : text)
  const accessKey = world.in(teams, selfHosted).get('team')?.accessKey
  return token !== undefined && accessKey !== undefined && isSame(fold(token), fold(accessKey))
}

export const tokenOf = (header: string): string | undefined => header.split('Bearer ')[1]

/** The parts of a header that identify the caller: key id and secret, or the token. */
export function namesIn(header: string): readonly string[] {
  const credentials = credentialsIn(header)
  if (credentials !== '') return credentials.split(':', 2)
  return [tokenOf(header) ?? header.slice(header.lastIndexOf(' ') + 1)]
}

const basic = /^basic +([\w+/=-]+)$/i

/** The decoded Basic credentials; empty when the header has none that can be decoded. */
function credentialsIn(header: string): string {
  try {
    return atob(basic.exec(header)?.[1] ?? '')
  } catch {
    return ''
  }
}

/** Compares in constant time. */
function isSame(given: string, kept: string): boolean {
  let difference = given.length ^ kept.length
  for (let i = 0; i < kept.length; i++) difference |= (given.charCodeAt(i) | 0) ^ kept.charCodeAt(i)
  return difference === 0
}
