import { z } from 'zod/v3'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import { member } from '../../../../fixtures/contract/organization/member.ts'
import type { Faults } from '../../../faults/fault.ts'
import { change, inAnswers, inList, inRecords, sameId, successOf, wrongField } from '../../../faults/rewrite.ts'
import { day } from '../../../words/durations.ts'
import { refused } from '../../../words/refusal.ts'
import type { Model } from '../../../world/collection.ts'
import { createRandom, seedOf } from '../../../world/random.ts'
import { recordSchema } from '../../../world/record.ts'
import { type Handlers, type Request, serve } from '../../family.ts'
import {
  acceptRoles,
  presentAssigned,
  presentRoles,
  type RoleName,
  rolesOfCaptured,
  seededRoleId,
  usesCustomRoles,
} from '../../role/model.ts'
import { organizations } from '../model.ts'
import { createPeople } from './people.ts'

const { assignedRoles: _, ...recordFields } = member.fields

/** The membership of a person in an organization. */
export type Member = ValuesOf<typeof recordFields> & {
  /** The key of the record: the `userId`; never part of an answer. */
  readonly id: string
  /** The ids of the member's roles, in an organization with custom roles. */
  readonly assignedRoleIds?: readonly string[]
}

const developerRoles: readonly (readonly RoleName[])[] = [
  ['Member'],
  ['Member', 'Deployer'],
  ['Member', 'Service Reader'],
  ['Billing'],
  ['Member', 'Production Operator'],
]

export const members: Model<Member, 'member'> = {
  name: 'member',
  within: organizations,
  namedBy: ['userId'],
  fromCaptured: ({ fields, within }, world) => ({ id: fields.userId, ...rolesOfCaptured(fields, within, world) }),
  inEmptyWorld: () => true,
  record: recordSchema(recordFields, { id: z.string().min(1), assignedRoleIds: z.array(z.string()).optional() }),
  /**
   * The first third of the people are in every organization, in each with another role and day of joining; the others are
   * in this organization only.
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
      const hasAdminRole = i === 0 ? number % 2 === 0 : random.next() < 0.3 || i === 1
      const role = hasAdminRole ? 'admin' : 'developer'
      const joinedAt = new Date(start - random.int(day, 600 * day)).toISOString()
      const names = role === 'admin' ? (['Admin'] as const) : developerRoles[i % developerRoles.length]!
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

export const models = [members]

const { present, find, answer, get, remove } = serve(
  members,
  ({ id: _, assignedRoleIds, ...member }, request) => ({ ...member, ...presentAssigned(request, assignedRoleIds) }),
  'userId',
)

/** Whether a member is an admin: by its role or, in an organization with custom roles, by the system role Admin. */
function isAdmin(request: Request, { role, assignedRoleIds }: Pick<Member, 'role' | 'assignedRoleIds'>): boolean {
  if (!usesCustomRoles(request)) return role === 'admin'
  const assigned = presentRoles(request.world, request.ids.organizationId!, assignedRoleIds)
  return assigned.some(({ roleType, roleName }) => roleType === 'system' && roleName === 'Admin')
}

/** Refuses to demote or remove the last admin, who alone can manage the organization. */
function refuseLastAdmin(request: Request, member: Member): void {
  const others = request.list(members).filter(({ userId }) => userId !== member.userId)
  if (!isAdmin(request, member) || others.some(one => isAdmin(request, one))) return
  throw refused('The last admin of an organization can be neither demoted nor removed')
}

export const handlers = {
  'member.list': request => {
    const by = request.choice('member/order-of-list') as 'joinedAt' | 'name' | 'email'
    const write = (list: readonly Member[]) =>
      JSON.stringify(
        list.toSorted((a, b) => (a[by] < b[by] ? -1 : a[by] > b[by] ? 1 : 0)).map(one => present(one, request)),
      )
    // Cached: serialising 1,000 members takes 460 of 580 µs. Custom roles are not cached: their names change without a write to the members.
    const all = request.in(members)
    return { kind: 'list', json: usesCustomRoles(request) ? write(all.list()) : all.derive(by, write) }
  },
  'member.get': get,
  'member.update': request => {
    const before = find(request)
    const sent = acceptRoles(request, request.body)
    const changed = { ...before, ...sent }
    if (!isAdmin(request, changed)) refuseLastAdmin(request, before)
    request.in(members).replace(changed)
    if (changed.role !== before.role) request.log({ type: 'organization_member_update_role' })
    if (String(changed.assignedRoleIds ?? []) !== String(before.assignedRoleIds ?? []))
      request.log({ type: 'organization_member_update_roles' })
    // With lagging reads, this answer lags, too.
    return answer(request, request.choice('member/read-after-update') === 'at once' ? changed : before)
  },
  'member.delete': request => {
    const member = find(request)
    refuseLastAdmin(request, member)
    request.log({ type: 'organization_member_delete' })
    return remove(request, member)
  },
} as const satisfies Handlers

export const faults = {
  // Another success, because a refusal would leave the other rules about members without anything to judge.
  'member/list-answers-200': inAnswers(successOf('member.list'), answer =>
    change({ ...answer, status: 202 }, json => ({ ...json, status: 202 })),
  ),
  'member/result-is-an-array': inList('member.list', members => ({ members })),
  'member/list-is-whole-and-steady': () => {
    const listings = new Map<unknown, number>()
    // The first list of an organization is whole; each further one lacks another member.
    return inList('member.list', (members, { params }) => {
      const listing = listings.get(params.organizationId) ?? 0
      listings.set(params.organizationId, listing + 1)
      const absent = listing % (members.length + 1)
      return members.filter((_, index) => index + 1 !== absent)
    })()
  },
  'member/user-id-is-a-string': () => {
    const numbers = new Map<unknown, number>()
    // The same person gets the same number in every organization.
    return inRecords('member.list', ({ userId, ...member }) => {
      if (!numbers.has(userId)) numbers.set(userId, numbers.size + 1)
      return { userId: numbers.get(userId), ...member }
    })()
  },
  'member/name-is-a-string': wrongField('member.list', 'name', 7),
  'member/email-is-an-address': inRecords('member.list', member => ({
    ...member,
    email: String(member.email).replace('@', ' at '),
  })),
  'member/role-is-admin-or-developer': wrongField('member.list', 'role', 'Admin'),
  'member/joined-at-is-a-date-time': wrongField('member.list', 'joinedAt', '2026-02-30T09:00:00.000Z'),
  'member/user-id-occurs-once': inList('member.list', members => [...members, ...members.slice(0, 1)]),
  'member/user-id-is-the-same-in-every-organization': inRecords('member.list', (member, { params, ids }) =>
    sameId(params.organizationId, ids.organizationId)
      ? member
      : { ...member, userId: [...String(member.userId)].reverse().join('') },
  ),
  'member/list-agrees-with-get': wrongField('member.list', 'name', 'Another one'),
} as const satisfies Faults
