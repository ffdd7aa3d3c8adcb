import { z } from 'zod/v3'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordOf, time } from '../../world/record.ts'
import { organizations } from '../organization/model.ts'
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
}

const day = 86_400_000

export const members: Model<Member, 'member'> = {
  name: 'member',
  within: organizations,
  record: recordOf({
    userId: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.enum(['admin', 'developer']),
    joinedAt: time,
  }),
  key: ({ id }) => id,
  /**
   * The first third of the people are in every organization, with a role and a day of joining of its own; the others are
   * in this one only.
   */
  seed(organizationId, { seed, identity, size, start, world }) {
    const number = world
      .in(organizations)
      .list()
      .findIndex(({ id }) => id === organizationId)
    const people = createPeople(seed, identity)
    const random = createRandom(seedOf(seed, 'members', number))
    const shared = Math.max(1, Math.floor(size.members / 3))
    const list = Array.from({ length: size.members }, (_, i): Member => {
      const person = people(i < shared ? i : shared + number * (size.members - shared) + (i - shared))
      // The first person is an admin here and a developer there.
      const role =
        i === 0 ? (['admin', 'developer'] as const)[number % 2]! : random.next() < 0.3 ? 'admin' : 'developer'
      const joinedAt = new Date(start - random.int(day, 600 * day)).toISOString()
      return { id: person.userId, ...person, role, joinedAt }
    })
    // keeps: member/list-is-whole-and-steady
    return list.sort((a, b) => (a.joinedAt < b.joinedAt ? -1 : 1))
  },
}
