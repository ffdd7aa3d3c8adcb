import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { teamInvitation, teamMember } from '../../../fixtures/contract/team.ts'
import { day } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordOf, recordSchema } from '../../world/record.ts'
import { selfHosted } from '../../world/world.ts'
import { createPeople } from '../organization/member/people.ts'
import { planStack } from '../stack/stack-plan.ts'

export interface User {
  readonly _id: string
  readonly email: string
  readonly name: string
}

/** The team of a stack; that of the self-hosted one has keys, of which only the access key opens its API (§5). */
export interface Team {
  readonly id: string
  readonly name?: string
  readonly accessKey?: string
  readonly ingestionKey?: string
  /** The user whose access key it is, as `GET /api/v2` answers it. */
  readonly user?: User
}

export const teams: Model<Team, 'team'> = {
  name: 'team',
  within: 'stack',
  isSingleton: true,
  record: recordOf({
    name: z.string().optional(),
    accessKey: z.string().optional(),
    ingestionKey: z.string().optional(),
    user: z.object({ _id: z.string(), email: z.string(), name: z.string() }).passthrough().optional(),
  }),
  secrets: ['accessKey', 'ingestionKey'],
  seed(stackId, from) {
    const { teamId: id } = planStack(stackId, from)
    if (stackId !== selfHosted) return [{ id }]
    const { seed, identitySeed, start } = from
    const keys = createRandom(seedOf(identitySeed, 'access keys'))
    const accessKey = keys.uuid()
    const ingestionKey = keys.uuid()
    const { name, email } = createPeople(seed, identitySeed)(0)
    const _id = `65${createRandom(seedOf(identitySeed, 'self-hosted')).hex(22)}`
    const createdAt = new Date(start - 200 * day).toISOString()
    const user = { _id, email, name, team: id, accessKey, createdAt, updatedAt: createdAt, __v: 0 }
    return [{ id, name: `${email}'s Team`, accessKey, ingestionKey, user }]
  },
}

const { isCurrentUser: _, ...keptOfMember } = teamMember.fields
const { url: _url, ...keptOfInvitation } = teamInvitation.fields

const others = 3

export const teamMembers: Model<ValuesOf<typeof keptOfMember>, 'teamMember'> = {
  name: 'teamMember',
  within: 'stack',
  record: recordSchema(keptOfMember),
  seed(stackId, { seed, identitySeed, world }) {
    const user = world.in(teams, stackId).get('team')?.user
    if (stackId !== selfHosted || !user) return []
    const people = createPeople(seed, identitySeed)
    const random = createRandom(seedOf(identitySeed, 'team members'))
    const colleagues = Array.from({ length: others }, (_, i) => {
      const { name, email } = people(i + 1)
      return { id: `65${random.hex(22)}`, email, name }
    })
    return [{ id: user._id, email: user.email, name: user.name }, ...colleagues]
  },
}

/** The token is a part of the address at which the invitation is followed. */
type TeamInvitation = ValuesOf<typeof keptOfInvitation> & { readonly token: string }

export const teamInvitations: Model<TeamInvitation, 'teamInvitation'> = {
  name: 'teamInvitation',
  within: 'stack',
  record: recordSchema(keptOfInvitation, { token: z.string() }),
  defaults(_, at, world) {
    const id = world.newObjectId()
    return { id, email: 'somebody@example.com', token: dealToken(id), createdAt: new Date(at).toISOString() }
  },
}

export const dealToken = (id: string) => createRandom(seedOf(0, 'invitation', id)).hex(64)
