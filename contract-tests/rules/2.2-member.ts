import { type Check, held, notApplicable, show } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isDateTime, isEmail, isObject, type Json, type JsonObject } from '../engine/recognise.ts'
import { commonFieldNames } from './fields.ts'
import { brokenBy, each, eachField, judgeTogether, observe } from './steps.ts'

/** §2.2 Member: types and formats of the fields that are present; absence is observed. */

const memberLists = ['members', 'members-again', 'members-once-more', 'members-of-second-organization']
const noList = 'no list of members came'

/** The members on one page; undefined unless the exchange is a success with an array in `result`. */
export function membersIn(exchange: Exchange | undefined): readonly JsonObject[] | undefined {
  if (!isSuccess(exchange) || !isObject(exchange.json)) return undefined
  const { result } = exchange.json
  return Array.isArray(result) ? (result as readonly Json[]).filter(isObject) : undefined
}

/** The members on all pages. */
export function allMembersIn(exchange: Exchange | undefined): readonly JsonObject[] | undefined {
  const members = membersIn(exchange)
  return members && [...members, ...(exchange?.pages ?? []).flatMap(page => membersIn(page) ?? [])]
}

const membersWithPaths = (exchange: Exchange) =>
  (membersIn(exchange) ?? []).map((member, index) => [`$.result[${index}]`, member] as const)

const field = (name: string, expected: string, holds: (value: unknown) => boolean): Check =>
  eachField(memberLists, membersWithPaths, name, expected, holds, noList)

export const checks = {
  'member/user-id-is-a-string': field(
    'userId',
    'a non-empty string',
    value => typeof value === 'string' && value !== '',
  ),
  'member/name-is-a-string': field('name', 'a string', value => typeof value === 'string'),
  'member/email-is-an-address': field('email', 'an e-mail address', isEmail),
  'member/role-is-admin-or-developer': field(
    'role',
    '"admin" or "developer"',
    value => value === 'admin' || value === 'developer',
  ),
  'member/joined-at-is-a-date-time': field('joinedAt', 'an ISO 8601 date and time', isDateTime),
  'member/user-id-occurs-once': each(
    memberLists,
    exchange => {
      const places = membersWithPaths(exchange)
      const first = new Map(places.map(([, { userId }], index) => [userId, index] as const).reverse())
      const again = places.filter(([, { userId }], at) => typeof userId === 'string' && first.get(userId) !== at)
      const expected = 'a userId that no other member has'
      if (places.length === 0) return undefined
      return again.map(([path, { userId }]) => ({ path: `${path}.userId`, expected, got: userId }))
    },
    noList,
  ),
  'member/user-id-is-the-same-in-every-organization': judgeTogether(
    ['members', 'members-of-second-organization'],
    ([here, there]) => {
      const [first, second] = [allMembersIn(here), allMembersIn(there)]
      if (!here || !there || !first || !second) return undefined
      const key = ({ email }: JsonObject) => (typeof email === 'string' ? email.toLowerCase() : undefined)
      const known = new Map(first.map(member => [key(member), member.userId]))
      const shared = [...second.entries()].filter(([, member]) => key(member) !== undefined && known.has(key(member)))
      const [index, other] = shared.find(([, member]) => member.userId !== known.get(key(member))) ?? []
      if (!other)
        return shared.length > 0
          ? held([here, there])
          : notApplicable('no e-mail address is a member of both organizations')
      const expected = `the userId ${show(known.get(key(other)))} that ${show(other.email)} has in the first organization`
      return brokenBy({ path: `$.result[${index}].userId`, expected, got: other.userId }, there, here)
    },
  ),
  'member/fields-present': observe(['members'], ([exchange]) => {
    const members = allMembersIn(exchange)
    return members && commonFieldNames(members)
  }),
} as const satisfies Record<string, Check>
