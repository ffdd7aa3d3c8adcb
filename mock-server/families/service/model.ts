import { z } from 'zod/v3'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordOf } from '../../world/record.ts'
import { organizations } from '../organization/model.ts'

export interface Service {
  readonly id: string
  readonly name: string
  readonly provider: string
  readonly region: string
  readonly state: string
}

const regions = [
  ['aws', 'eu-central-1'],
  ['aws', 'us-east-1'],
  ['gcp', 'europe-west4'],
  ['azure', 'westeurope'],
] as const
const purposes = ['production', 'staging', 'analytics', 'sandbox']

export const services: Model<Service, 'service'> = {
  name: 'service',
  within: organizations,
  record: recordOf({ name: z.string() }) as unknown as Model<Service>['record'],
  key: ({ id }) => id,
  seed(organizationId, { seed, size }) {
    const random = createRandom(seedOf(seed, 'services', organizationId))
    return Array.from({ length: size.services }, (_, number) => {
      const [provider, region] = regions[number % regions.length]!
      const purpose = purposes[number % purposes.length]!
      const name = number < purposes.length ? purpose : `${purpose}-${number + 1}`
      return { id: random.uuid(), name, provider, region, state: number % 4 === 3 ? 'idle' : 'running' }
    })
  },
}
