import { z } from 'zod/v3'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import { member } from '../../../../fixtures/contract/organization/member.ts'
import { day } from '../../../words/durations.ts'
import type { Model } from '../../../world/collection.ts'
import { createRandom, type Random, seedOf } from '../../../world/random.ts'
import { recordSchema } from '../../../world/record.ts'
import { type RoleName, seededRoleId } from '../../role/model.ts'
import { organizations } from '../model.ts'
import { createPeople } from './people.ts'

const { assignedRoles: _, ...recordFields } = member.fields

/** The membership of a person in an organization. */
export type Member = ValuesOf<typeof recordFields> & {
  /** The key of the record: the `userId`; not answered. */
  readonly id: string
  /** The ids of its roles, in an organization with custom roles. */
  readonly assignedRoleIds?: readonly string[]
}

const adminRoles: readonly RoleName[] = ['Admin']
const developerRoles: readonly (readonly RoleName[])[] = [
  ['Member'],
  ['Member', 'Deployer'],
  ['Member', 'Service Reader'],
  ['Billing'],
  ['Member', 'Production Operator'],
]

const isAdmin = (random: Random, number: number) => random.next() < 0.3 || number === 1

export const members: Model<Member, 'member'> = {
  name: 'member',
  within: organizations,
  record: recordSchema(recordFields, { id: z.string().min(1), assignedRoleIds: z.array(z.string()).optional() }),
  /**
   * The first third of the people are in every organization, with a role and a day of joining for each; the others are
   * in this one only.
   */
  seed(organizationId, { seed, identitySeed, size, start, world }) {
    const all = world.list(organizations)
    const number = all.findIndex(({ id }) => id === organizationId)
    const { createdAt, usesCustomRoles } = all[number] ?? {}
    const people = createPeople(seed, identitySeed)
    const random = createRandom(seedOf(seed, 'members', number))
    const shared = Math.max(1, Math.floor(size.members / 3))
    const list = Array.from({ length: size.members }, (_, i): Member => {
      const person = people(i < shared ? i : shared + number * (size.members - shared) + (i - shared))
      // The first person is an admin in every other organization, and the second one in all.
      const role = i === 0 ? (['admin', 'developer'] as const)[number % 2]! : isAdmin(random, i) ? 'admin' : 'developer'
      const joinedAt = new Date(start - random.int(day, 600 * day)).toISOString()
      const names = role === 'admin' ? adminRoles : developerRoles[i % developerRoles.length]!
      return {
        id: person.userId,
        ...person,
        role,
        joinedAt,
        ...(usesCustomRoles && { assignedRoleIds: names.map(name => seededRoleId(seed, organizationId, name)) }),
      }
    })
    const [creator, ...others] = list.sort((a, b) => (a.joinedAt < b.joinedAt ? -1 : 1))
    // The creator joined when the organization was created.
    return creator && createdAt ? [{ ...creator, joinedAt: createdAt }, ...others] : list
  },
}
