import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { organization } from '../../../fixtures/contract/organization/organization.ts'
import { day } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordWith } from '../../world/record.ts'
import { nameCompany } from '../member/people.ts'

const allFeatures = ['horizontal-autoscaling', 'replica-aware-routing'] as const
type Feature = (typeof allFeatures)[number]

export type Organization = ValuesOf<typeof organization.fields> & {
  /** Whether it has moved to custom roles; without it, as the mock chooses. It is not answered. */
  readonly usesCustomRoles?: boolean
  /** What is switched on for it beyond what every organization has; it is not answered. */
  readonly features?: readonly Feature[]
}

/** A large world has no use for a million invented companies. */
const named = 50

export const organizations: Model<Organization, 'organization'> = {
  name: 'organization',
  within: 'deployment',
  record: recordWith(organization.fields, {
    usesCustomRoles: z.boolean().optional(),
    features: z.array(z.enum(allFeatures)).optional(),
  }),
  seed(_, { seed, identity, size, start }) {
    const taken = new Set<string>()
    return Array.from({ length: size.organizations }, (_, number) => {
      const random = createRandom(seedOf(identity, 'organization', number))
      const age = random.int(700, 1500) * day
      let id = random.uuid()
      // Seeds have 32 bits: of 100,000 organizations two are likely to draw alike.
      for (let draws = 0; taken.has(id); draws++)
        id = createRandom(seedOf(identity, 'organization', number, draws)).uuid()
      taken.add(id)
      const name = number < named ? nameCompany(seedOf(seed, 'company', number)) : `Organization ${number + 1}`
      return {
        id,
        createdAt: new Date(start - age).toISOString(),
        name,
        privateEndpoints: [],
        capabilities: { snapshots: true },
        enableCoreDumps: true,
        // The first scales as the vendor's examples do, and the second has moved to custom roles: of both kinds there is one.
        ...(number === 0 && { features: ['horizontal-autoscaling' as const] }),
        ...(number === 1 && { usesCustomRoles: true }),
      }
    })
  },
}
