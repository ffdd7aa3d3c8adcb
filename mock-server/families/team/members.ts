import { z } from 'zod/v3'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordOf, time } from '../../world/record.ts'
import { selfHosted } from '../../world/world.ts'
import { createPeople } from '../member/people.ts'
import { teams } from './model.ts'

/** A user of the self-hosted deployment. */
export interface TeamMember {
  readonly id: string
  readonly email: string
  readonly name: string
}

const others = 3

export const teamMembers: Model<TeamMember, 'teamMember'> = {
  name: 'teamMember',
  within: 'stack',
  record: recordOf({ email: z.string(), name: z.string() }),
  seed(stackId, { seed, identity, world }) {
    const user = world.in(teams, stackId).get('team')?.user
    if (stackId !== selfHosted || !user) return []
    const people = createPeople(seed, identity)
    const random = createRandom(seedOf(identity, 'team members'))
    const colleagues = Array.from({ length: others }, (_, i) => {
      const { name, email } = people(i + 1)
      return { id: `65${random.hex(22)}`, email, name }
    })
    return [{ id: user._id, email: user.email, name: user.name }, ...colleagues]
  },
}

export interface TeamInvitation {
  readonly id: string
  readonly email: string
  readonly name?: string
  /** Part of the address at which the invitation is followed. */
  readonly token: string
  readonly createdAt: string
}

export const teamInvitations: Model<TeamInvitation, 'teamInvitation'> = {
  name: 'teamInvitation',
  within: 'stack',
  record: recordOf({ email: z.string(), name: z.string().optional(), token: z.string(), createdAt: time }),
  usual(_, at, world) {
    const id = world.newObjectId()
    return { id, email: 'somebody@example.com', token: dealToken(id), createdAt: new Date(at).toISOString() }
  },
}

/** Sixty-four hexadecimal digits. */
export const dealToken = (id: string) => createRandom(seedOf(0, 'invitation', id)).hex(64)
