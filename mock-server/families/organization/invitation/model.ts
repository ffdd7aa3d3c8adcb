import { z } from 'zod/v3'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import { invitation } from '../../../../fixtures/contract/organization/invitation.ts'
import { day, hour } from '../../../words/durations.ts'
import type { Model } from '../../../world/collection.ts'
import { createRandom, seedOf } from '../../../world/random.ts'
import { recordSchema } from '../../../world/record.ts'
import { createPeople } from '../member/people.ts'
import { organizations } from '../model.ts'

const { assignedRoles: _, ...recordFields } = invitation.fields

export type Invitation = ValuesOf<typeof recordFields> & {
  /** The ids of the roles that it gives. */
  readonly assignedRoleIds?: readonly string[]
}

/** Hours before the start at which the seeded invitations were written; the last one has expired. */
const written = [5, 60, 300] as const

export const invitations: Model<Invitation, 'invitation'> = {
  name: 'invitation',
  within: organizations,
  record: recordSchema(recordFields, {
    assignedRoleIds: z.array(z.string()).optional(),
  }),
  *seed(organizationId, { seed, identitySeed, size, start }) {
    const random = createRandom(seedOf(identitySeed, 'invitations', organizationId))
    const people = createPeople(seed, identitySeed)
    // People who are in no organization: their numbers follow those of all members.
    const first = size.organizations * size.members + random.int(0, 1_000_000)
    for (const [index, hours] of written.entries()) {
      const role = index === 0 ? 'admin' : 'developer'
      yield { id: random.uuid(), email: people(first + index).email, role, ...since(start - hours * hour) }
    }
  },
}

/** Invitations expire after seven days, which no source states. */
export const since = (at: number): Pick<Invitation, 'createdAt' | 'expireAt'> => ({
  createdAt: new Date(at).toISOString(),
  expireAt: new Date(at + 7 * day).toISOString(),
})

export const hasExpired = ({ expireAt }: Invitation, now: number): boolean => Date.parse(expireAt) <= now
