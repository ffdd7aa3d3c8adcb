import { credentialsIn, equalsInConstantTime, refuseCaller } from '../../words/authorization.ts'
import { hash } from '../../words/hash.ts'
import { isOfOrganization, nameOf } from '../../words/permissions.ts'
import { Refusal, unauthenticated } from '../../words/refusal.ts'
import type { World } from '../../world/world.ts'
import type { Actor, Caller, Credentials } from '../family.ts'
import { grantsOf } from '../role/model.ts'
import { allows } from './addresses.ts'
import { basicOf, type Key, keyOf, keys, minuteOf } from './model.ts'

export const keyCredentials: Credentials = {
  authenticate: authenticateKey,
  recognise: (world, authorization) => findKey(world, authorization) !== undefined,
  names: world => world.list(keys).flatMap(({ keyId = [], keyIdHash = [] }) => [keyId, keyIdHash].flat()),
  hasName: (world, name) => keyOf(world, name) !== undefined,
  /**
   * The first active key of the organization in the path. Without one, a key of another organization: the refusal of the
   * call then says why.
   */
  choose(world, path, now) {
    const usable = world.list(keys).filter(one => one.keySecret && isActive(one, now))
    const key = usable.find(({ organizationId }) => path.includes(organizationId)) ?? usable[0]
    return key && basicOf(key)
  },
}

/** Finds the key of HTTP Basic credentials: key id and secret must both be right. */
function authenticateKey({ world, now, headers, address, choice }: Caller): Actor {
  const { authorization } = headers
  const key = findKey(world, authorization, choice('auth/key-id-letter-case') === 'accept')
  if (!key) throw refuseCaller(authorization, 'No Authorization header provided.', 'Key is not found')
  if (!isActive(key, now)) throw unauthenticated('Key is not active')
  if (!allows(key.ipAccessList ?? [], address))
    throw new Refusal('forbidden', addressNotAllowed, { gap: 'key/address-not-allowed' })
  noteUse(world, key, now)
  const { id, name, organizationId } = key
  return {
    kind: 'key',
    id,
    name,
    organizationId,
    address,
    userAgent: headers['user-agent'],
    may: (permission, instance) => isAllowed(world, key, permission, instance),
  }
}

const addressNotAllowed = 'The IP access list of the key does not have the address of the caller'

export const isActive = ({ state, expireAt }: Key, now: number) =>
  state === 'enabled' && (expireAt == null || now < Date.parse(expireAt))

/** Updates the time of the last use, at most once a minute. */
function noteUse(world: World, key: Key, now: number): void {
  const usedAt = minuteOf(now)
  if (key.usedAt !== usedAt) world.in(keys).touch({ ...key, usedAt })
}

/** The key of an Authorization header with the right secret; `inAnyCase` ignores the letter case of the key id. */
export function findKey(world: World, header = '', inAnyCase = false) {
  const credentials = credentialsIn(header)
  const colon = credentials.indexOf(':')
  if (colon < 0) return undefined
  const keyId = credentials.slice(0, colon)
  const secret = credentials.slice(colon + 1)
  const all = () => world.in(keys).list()
  const isNamed = (key: Key) => key.keyId?.toLowerCase() === keyId.toLowerCase()
  const key = keyOf(world, keyId) ?? (inAnyCase ? all().find(isNamed) : undefined)
  if (key) return equalsInConstantTime(secret, key.keySecret ?? '') ? key : undefined
  const hashed = world.in(keys).derive('with hashes', list => list.filter(one => one.keyIdHash !== undefined))
  if (hashed.length === 0) return undefined
  const [idHash, secretHash] = [hash(keyId), hash(secret)]
  return hashed.find(one => one.keyIdHash === idHash && equalsInConstantTime(secretHash, one.keySecretHash ?? ''))
}

/**
 * Whether a key has a permission on an instance or, without `instance`, on any. By the legacy roles, an admin may do
 * everything, a developer only read, and a key for query endpoints nothing. By its other roles, a key may do what one
 * policy allows and no policy denies.
 */
export function isAllowed(world: World, key: Key, permission: string, instance?: string): boolean {
  const { roles, assignedRoleIds = [], organizationId } = key
  if (roles.includes('admin')) return true
  if (roles.includes('developer') && /:view(-|$)/.test(permission)) return true
  if (assignedRoleIds.length === 0) return false
  const name = nameOf(permission)
  const isInScope = (resources: ReadonlySet<string>) =>
    isOfOrganization(name)
      ? resources.has(`organization/${organizationId}`)
      : instance === undefined || resources.has('instance/*') || resources.has(`instance/${instance}`)
  const grants = grantsOf(world, organizationId)
  const matching = assignedRoleIds
    .flatMap(id => grants.get(id) ?? [])
    .filter(({ permissions, resources }) => permissions.has(name) && isInScope(resources))
  return matching.length > 0 && matching.every(({ isAllowed }) => isAllowed)
}
