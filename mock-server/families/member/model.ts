import { z } from 'zod/v3'
import type { Model } from '../../world/collection.ts'
import { createRandom, type Random, seedOf } from '../../world/random.ts'
import { recordOf, time } from '../../world/record.ts'
import { organizations } from '../organization/model.ts'
import { type RoleName, seededRoleId } from '../role/model.ts'
import { createPeople } from './people.ts'

/** A membership: the person, and what differs from organization to organization. */
export interface Member {
  /** The `userId`, under which the record lies; it is not answered. */
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly role: 'admin' | 'developer'
  readonly joinedAt: string
  /** The roles that it has in an organization that has moved to custom roles. */
  readonly assignedRoleIds?: readonly string[]
}

const day = 86_400_000

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
  record: recordOf({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.enum(['admin', 'developer']),
    joinedAt: time,
    assignedRoleIds: z.array(z.string()).optional(),
  }),
  key: ({ id }) => id,
  /**
   * The first third of the people are in every organization, with a role and a day of joining of its own; the others are
   * in this one only.
   */
  seed(organizationId, { seed, identity, size, start, world }) {
    const all = world.in(organizations).list()
    const number = all.findIndex(({ id }) => id === organizationId)
    const { createdAt, usesCustomRoles } = all[number] ?? {}
    const people = createPeople(seed, identity)
    const random = createRandom(seedOf(seed, 'members', number))
    const shared = Math.max(1, Math.floor(size.members / 3))
    const list = Array.from({ length: size.members }, (_, i): Member => {
      const person = people(i < shared ? i : shared + number * (size.members - shared) + (i - shared))
      // The first person is an admin here and a developer there, and the second one everywhere an admin.
      const role = i === 0 ? (['admin', 'developer'] as const)[number % 2]! : isAdmin(random, i) ? 'admin' : 'developer'
      const joinedAt = new Date(start - random.int(day, 600 * day)).toISOString()
      const names = role === 'admin' ? adminRoles : developerRoles[i % developerRoles.length]!
      return {
        ...{ id: person.userId, ...person, role, joinedAt },
        ...(usesCustomRoles && { assignedRoleIds: names.map(name => seededRoleId(seed, organizationId, name)) }),
      }
    })
    // keeps: member/list-is-whole-and-steady
    const [creator, ...others] = list.sort((a, b) => (a.joinedAt < b.joinedAt ? -1 : 1))
    // Who made the organization was its member from the first moment.
    return creator && createdAt ? [{ ...creator, joinedAt: createdAt }, ...others] : list
  },
}
