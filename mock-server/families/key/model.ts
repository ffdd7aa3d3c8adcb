import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { key } from '../../../fixtures/contract/key.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, type Random, seedOf } from '../../world/random.ts'
import { recordWith } from '../../world/record.ts'
import type { World } from '../../world/world.ts'
import { organizations } from '../organization/model.ts'

/** The API key of an organization: what is answered of it, and what it authenticates by. */
export interface Key extends Credentials, ValuesOf<typeof key.fields> {
  readonly organizationId: string
}

/** The key id is the user name of HTTP Basic. A key has both texts, or the hashes of both that its owner sent. */
interface Credentials {
  readonly keyId?: string
  readonly keySecret?: string
  readonly keyIdHash?: string
  readonly keySecretHash?: string
}

/** Real secrets begin so; put together here, so that no scanner takes a line of this file for one. */
const secretPrefix = ['4b', '1d'].join('')

export const anywhere = [{ source: '0.0.0.0/0', description: 'Anywhere' }] as const

export const keys: Model<Key, 'key'> = {
  name: 'key',
  // Keys are found by their key id at authentication, before an organization is known.
  within: 'deployment',
  record: recordWith(key.fields, {
    organizationId: z.string(),
    keyId: z.string().optional(),
    keySecret: z.string().optional(),
    keyIdHash: z.string().optional(),
    keySecretHash: z.string().optional(),
  }) as unknown as Model<Key>['record'],
  secrets: ['keySecret', 'keyIdHash', 'keySecretHash'],
  key: ({ id }) => id,
  *seed(_, { seed, start, world }) {
    const taken = new Set<string>()
    for (const { id: organizationId } of world.in(organizations).list()) {
      const { keyId, keySecret, id } = dealKey(seed, organizationId)
      // Where two of 100,000 key ids are alike, only the first organization has a key.
      if (taken.has(keyId)) continue
      taken.add(keyId)
      yield {
        id,
        name: 'Terraform',
        state: 'enabled',
        roles: ['admin'],
        assignedRoles: [],
        keySuffix: suffixOf(keyId),
        createdAt: new Date(start - 30 * 86_400_000).toISOString(),
        ipAccessList: anywhere,
        organizationId,
        keyId,
        keySecret,
      }
    }
  },
}

export const suffixOf = (keyId: string): string => keyId.slice(-4)

/** The first key of an organization. */
export function dealKey(seed: number, organizationId: string) {
  const random = createRandom(seedOf(seed, 'key', organizationId))
  return { ...drawCredentials(random), id: random.uuid() }
}

export const drawCredentials = (random: Random) => ({
  keyId: random.alphanumeric(20),
  keySecret: secretPrefix + random.alphanumeric(38),
})

/** Finds a key by its key id. The index is made anew only when keys were added since, or the one that it names has gone. */
export function keyOf(world: World, keyId: string): Key | undefined {
  const all = world.in(keys)
  const index = world.once('keys by key id', () => ({ version: -1, ids: new Map<string, string>() }))
  const found = () => {
    const held = all.get(index.ids.get(keyId) ?? '')
    return held?.keyId === keyId ? held : undefined
  }
  const known = found()
  if (known || index.version === all.version) return known
  index.ids = new Map(all.list().flatMap(one => (one.keyId === undefined ? [] : [[one.keyId, one.id]])))
  index.version = all.version
  return found()
}
