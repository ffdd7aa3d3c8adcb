import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault, Place } from '../../faults/fault.ts'
import {
  change,
  changeResult,
  failing,
  inAnswers,
  type Json,
  listedOtherwise,
  sameId,
  successOf,
} from '../../faults/rewrite.ts'
import type { Answer } from '../../words/call.ts'

const inList = (how: (members: readonly Json[], place: Place) => unknown): (() => Fault) =>
  inAnswers(successOf('member.list'), (answer: Answer, place) =>
    changeResult(answer, result => (Array.isArray(result) ? how(result, place) : result)),
  )

const inMembers = (how: (member: Json, place: Place) => Json): (() => Fault) =>
  inList((members, place) => members.map(member => how(member, place)))

export const faults = {
  // Another success, because a refusal would leave the other rules about members without anything to judge.
  'member/list-answers-200': inAnswers(successOf('member.list'), answer =>
    change({ ...answer, status: 202 }, json => ({ ...json, status: 202 })),
  ),
  'member/result-is-an-array': inList(members => ({ members })),
  'member/list-is-whole-and-steady': () => {
    const turns = new Map<unknown, number>()
    // The first list of an organization is whole; each further one lacks another member.
    return inList((members, { params }) => {
      const turn = turns.get(params.organizationId) ?? 0
      turns.set(params.organizationId, turn + 1)
      const absent = turn % (members.length + 1)
      return members.filter((_, index) => index + 1 !== absent)
    })()
  },
  'member/user-id-is-a-string': () => {
    const numbers = new Map<unknown, number>()
    // The same person gets the same number in every organization.
    return inMembers(({ userId, ...member }) => {
      if (!numbers.has(userId)) numbers.set(userId, numbers.size + 1)
      return { userId: numbers.get(userId), ...member }
    })()
  },
  'member/name-is-a-string': inMembers(member => ({ ...member, name: 7 })),
  'member/email-is-an-address': inMembers(member => ({ ...member, email: String(member.email).replace('@', ' at ') })),
  'member/role-is-admin-or-developer': inMembers(member => ({ ...member, role: 'Admin' })),
  'member/joined-at-is-a-date-time': inMembers(member => ({ ...member, joinedAt: '2026-02-30T09:00:00.000Z' })),
  'member/user-id-occurs-once': inList(members => [...members, ...members.slice(0, 1)]),
  'member/user-id-is-the-same-in-every-organization': inMembers((member, { params, ids }) =>
    sameId(params.organizationId, ids.organizationId)
      ? member
      : { ...member, userId: [...String(member.userId)].reverse().join('') },
  ),
  'member/get-answers': failing('member.get'),
  'member/list-agrees-with-get': listedOtherwise('member.list'),
  'member/update-answers': failing('member.update'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
