import type { Faults } from '../../../faults/fault.ts'
import { change, inAnswers, inList, inRecords, sameId, successOf, wrongField } from '../../../faults/rewrite.ts'

export const faults = {
  // Another success, because a refusal would leave the other rules about members without anything to judge.
  'member/list-answers-200': inAnswers(successOf('member.list'), answer =>
    change({ ...answer, status: 202 }, json => ({ ...json, status: 202 })),
  ),
  'member/result-is-an-array': inList('member.list', members => ({ members })),
  'member/list-is-whole-and-steady': () => {
    const turns = new Map<unknown, number>()
    // The first list of an organization is whole; each further one lacks another member.
    return inList('member.list', (members, { params }) => {
      const turn = turns.get(params.organizationId) ?? 0
      turns.set(params.organizationId, turn + 1)
      const absent = turn % (members.length + 1)
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
