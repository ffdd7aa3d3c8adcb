import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { organization } from '../../../fixtures/contract/organization/organization.ts'
import { day } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import { nameCompany } from './member/people.ts'

const allFeatures = ['horizontal-autoscaling', 'replica-aware-routing'] as const
type Feature = (typeof allFeatures)[number]

export type Organization = ValuesOf<typeof organization.fields> & {
  /** Default: true if the choice for `role/legacy-roles` is `refused`. Never part of an answer. */
  readonly usesCustomRoles?: boolean
  /** Features that not every organization has; never part of an answer. */
  readonly features?: readonly Feature[]
}

/** The number of organizations with generated names; the others are named by number. */
const generatedNameCount = 50

export const organizations: Model<Organization, 'organization'> = {
  name: 'organization',
  within: 'deployment',
  inEmptyWorld: () => true,
  record: recordSchema(organization.fields, {
    usesCustomRoles: z.boolean().optional(),
    features: z.array(z.enum(allFeatures)).optional(),
  }),
  seed(_, { seed, identitySeed, size, start }) {
    const taken = new Set<string>()
    return Array.from({ length: size.organizations }, (_, index) => {
      const random = createRandom(seedOf(identitySeed, 'organization', index))
      const age = random.int(700, 1500) * day
      let id = random.uuid()
      // Seeds have only 32 bits: of 100,000 organizations, two are likely to draw the same id.
      for (let draws = 0; taken.has(id); draws++)
        id = createRandom(seedOf(identitySeed, 'organization', index, draws)).uuid()
      taken.add(id)
      const name =
        index < generatedNameCount ? nameCompany(seedOf(seed, 'company', index)) : `Organization ${index + 1}`
      return {
        id,
        createdAt: new Date(start - age).toISOString(),
        name,
        privateEndpoints: [],
        capabilities: { snapshots: true },
        enableCoreDumps: true,
        // The first has horizontal scaling, as in the vendor's examples, and the second custom roles.
        ...(index === 0 && { features: ['horizontal-autoscaling' as const] }),
        ...(index === 1 && { usesCustomRoles: true }),
      }
    })
  },
}
