import type { Mutant } from '../mutant.ts'

/** §2.2, §4.1 members: one member of a list, or one list of several, is wrong. */

const list = { operation: 'member.list', answers: 'success' } as const
const ada = 'result/userId=saml|idp-7|ada'
const quiet = 'result/userId=usr_9f'

const fields = [
  ['member/role-is-admin-or-developer', 'role', 'Admin'],
  ['member/role-is-admin-or-developer', 'role', 'owner'],
  ['member/role-is-admin-or-developer', 'role', ['admin']],
  ['member/role-is-admin-or-developer', 'role', 'developer '],
  ['member/role-is-admin-or-developer', 'role', null],
  ['member/joined-at-is-a-date-time', 'joinedAt', '2025-02-30T10:00:00Z'],
  ['member/joined-at-is-a-date-time', 'joinedAt', '2023-02-29T10:00:00+01:00'],
  ['member/joined-at-is-a-date-time', 'joinedAt', '2025-06-01'],
  ['member/joined-at-is-a-date-time', 'joinedAt', '2025-06-01T25:00:00Z'],
  ['member/joined-at-is-a-date-time', 'joinedAt', '2025-06-01T10:60:00Z'],
  ['member/joined-at-is-a-date-time', 'joinedAt', '2025-13-01T10:00:00Z'],
  ['member/joined-at-is-a-date-time', 'joinedAt', 'Sun, 01 Jun 2025 10:00:00 GMT'],
  ['member/joined-at-is-a-date-time', 'joinedAt', 1748772000000],
  ['member/joined-at-is-a-date-time', 'joinedAt', ''],
  ['member/joined-at-is-a-date-time', 'joinedAt', null],
  ['member/email-is-an-address', 'email', 'ada.example.org'],
  ['member/email-is-an-address', 'email', 'ada@'],
  ['member/email-is-an-address', 'email', '@example.org'],
  ['member/email-is-an-address', 'email', ''],
  ['member/email-is-an-address', 'email', null],
  ['member/name-is-a-string', 'name', null],
  ['member/name-is-a-string', 'name', 7],
  ['member/name-is-a-string', 'name', { first: 'Ada', last: 'Lovelace' }],
  ['member/user-id-is-a-string', 'userId', 9],
  ['member/user-id-is-a-string', 'userId', ''],
  ['member/user-id-is-a-string', 'userId', null],
] as const

export const memberMutants: readonly Mutant[] = [
  // Only the member without e-mail and `joinedAt` is altered, so that no other rule breaks.
  ...fields.map(
    ([rule, field, to]): Mutant => ({
      id: `member ${field} ${JSON.stringify(to)}`,
      rule,
      form: 'cloud',
      description: `The ${field} of one member is ${JSON.stringify(to)}.`,
      at: list,
      change: { set: `${quiet}/${field}`, to },
    }),
  ),
  {
    id: 'members answered 201',
    rule: 'member/list-answers-200',
    form: 'cloud',
    description: 'The list of members is answered 201, in the envelope too.',
    at: list,
    change: { status: 201, statusAt: 'status' },
  },
  {
    id: 'members answered 404',
    rule: 'member/list-answers-200',
    form: 'cloud',
    description: 'There is no list of members.',
    at: list,
    change: { answer: 404 },
  },
  {
    id: 'members answered 500',
    rule: 'member/list-answers-200',
    form: 'cloud',
    description: 'The list of members fails.',
    at: list,
    change: { answer: 500, text: 'Internal Server Error' },
  },
  {
    id: 'members by user id',
    rule: 'member/result-is-an-array',
    form: 'cloud',
    description: 'The result is an object of members by their ids.',
    at: list,
    change: { answer: 200, result: { usr_1: { userId: 'usr_1', role: 'admin' } } },
  },
  {
    id: 'members as ids',
    rule: 'member/result-is-an-array',
    form: 'cloud',
    description: 'The result is an array of strings.',
    at: list,
    change: { answer: 200, result: ['usr_1', 'usr_2'] },
  },
  {
    id: 'one member null',
    rule: 'member/result-is-an-array',
    form: 'cloud',
    description: 'One element of the list is null.',
    at: list,
    change: { set: quiet, to: null },
  },
  {
    id: 'one member missing from the second list on',
    rule: 'member/list-is-whole-and-steady',
    form: 'cloud',
    description: 'Every list but the first leaves out one member.',
    at: { ...list, organization: 'first', after: 1 },
    change: { unset: quiet },
  },
  {
    id: 'one member replaced every second time',
    rule: 'member/list-is-whole-and-steady',
    form: 'cloud',
    description: 'Every second list has another member instead of one.',
    at: { ...list, organization: 'first', every: 2 },
    change: { set: `${quiet}/userId`, to: 'usr_passing' },
  },
  {
    id: 'userId twice',
    rule: 'member/user-id-occurs-once',
    form: 'cloud',
    description: 'Two members of one organization have the same userId.',
    at: list,
    change: { copy: `${ada}/userId`, to: `${quiet}/userId` },
  },
  {
    id: 'userId of its own in the second organization',
    rule: 'member/user-id-is-the-same-in-every-organization',
    form: 'cloud',
    description: 'A person has another userId in the second organization.',
    at: { ...list, organization: 'second' },
    change: { set: `${ada}/userId`, to: 'saml|idp-8|ada' },
  },
  {
    id: 'userId in capitals in the second organization',
    rule: 'member/user-id-is-the-same-in-every-organization',
    form: 'cloud',
    description: 'A person has the same userId in another letter case in the second organization.',
    at: { ...list, organization: 'second' },
    change: { set: `${ada}/userId`, to: 'SAML|IDP-7|ADA' },
  },
]
