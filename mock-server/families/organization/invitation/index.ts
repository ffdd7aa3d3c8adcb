import { z } from 'zod/v3'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import { invitation } from '../../../../fixtures/contract/organization/invitation.ts'
import type { Faults } from '../../../faults/fault.ts'
import { inRecords } from '../../../faults/rewrite.ts'
import { day, hour } from '../../../words/durations.ts'
import { refused } from '../../../words/refusal.ts'
import type { Model } from '../../../world/collection.ts'
import { createRandom, seedOf } from '../../../world/random.ts'
import { recordSchema } from '../../../world/record.ts'
import { type Handlers, type Request, serve } from '../../family.ts'
import { acceptRoles, assignedRoleIdsIn, presentAssigned } from '../../role/model.ts'
import { members } from '../member/index.ts'
import { createPeople } from '../member/people.ts'
import { organizations } from '../model.ts'

const { assignedRoles: _, ...recordFields } = invitation.fields

type Invitation = ValuesOf<typeof recordFields> & {
  /** The ids of the roles that the invited person gets. */
  readonly assignedRoleIds?: readonly string[]
}

/** Hours from each seeded invitation to the start; the last invitation has expired. */
const ageHours = [5, 60, 300] as const

export const invitations: Model<Invitation, 'invitation'> = {
  name: 'invitation',
  within: organizations,
  fromCaptured: ({ fields }) => assignedRoleIdsIn(fields),
  record: recordSchema(recordFields, {
    assignedRoleIds: z.array(z.string()).optional(),
  }),
  *seed(organizationId, { seed, identitySeed, size, start }) {
    const random = createRandom(seedOf(identitySeed, 'invitations', organizationId))
    const people = createPeople(seed, identitySeed)
    // People who are in no organization: their numbers follow those of all members.
    const first = size.organizations * size.members + random.int(0, 1_000_000)
    for (const [index, hours] of ageHours.entries()) {
      const role = index === 0 ? 'admin' : 'developer'
      yield { id: random.uuid(), email: people(first + index).email, role, ...timesFrom(start - hours * hour) }
    }
  },
}

/** Invitations expire after seven days: an invented time, as no source states one. */
const timesFrom = (at: number): Pick<Invitation, 'createdAt' | 'expireAt'> => ({
  createdAt: new Date(at).toISOString(),
  expireAt: new Date(at + 7 * day).toISOString(),
})

const hasExpired = ({ expireAt }: Invitation, now: number): boolean => Date.parse(expireAt) <= now

export const models = [invitations]

const { find, get, list, create, remove } = serve(invitations, ({ assignedRoleIds, ...invitation }, request) => ({
  ...invitation,
  ...presentAssigned(request, assignedRoleIds),
}))

/** Refuses members and invited people. Removes an expired invitation. */
function makeRoomFor(request: Request, email: string): void {
  const isMember = request.list(members).some(one => one.email.toLowerCase() === email)
  if (isMember) throw refused(`${email} is a member of the organization already`)
  const known = request.list(invitations).find(one => one.email === email)
  if (!known) return
  if (!hasExpired(known, request.now)) throw refused(`${email} is invited already`)
  request.in(invitations).remove(known.id)
}

export const handlers = {
  'invitation.list': list,
  'invitation.get': get,
  'invitation.create': request => {
    const sent = acceptRoles(request, request.body)
    const email = sent.email.toLowerCase()
    makeRoomFor(request, email)
    const id = request.world.newUuid()
    request.log({ type: 'organization_invite_create' })
    return create(request, { id, role: 'developer', ...sent, email, ...timesFrom(request.now) })
  },
  'invitation.delete': request => {
    const invitation = find(request)
    request.log({ type: 'organization_invite_delete' })
    return remove(request, invitation)
  },
} as const satisfies Handlers

const operations = ['invitation.list', 'invitation.create', 'invitation.get'] as const

export const faults = {
  'invitation/email-is-in-lower-case': inRecords(operations, one => ({
    ...one,
    email: String(one.email).toUpperCase(),
  })),
} as const satisfies Faults
