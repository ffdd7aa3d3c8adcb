import { type Check, held, notJudged, show } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isObject, type Json, type JsonObject } from '../engine/recognise.ts'
import { commonFieldNames } from './fields.ts'
import { eachAnswerTo, eachPair } from './operations.ts'
import { judgeShownField } from './shown-fields.ts'
import { brokenBy, observe } from './steps.ts'

/** §2.2 Member: types and formats of the fields that are present; absence is observed. */

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

const secondList = 'cloud:member.list-of-second-organization'

const judgeField = (name: string): Check =>
  judgeShownField('member.list', ['member', name], membersWithPaths, [secondList])

export const checks = {
  'member/user-id-is-a-string': judgeField('userId'),
  'member/name-is-a-string': judgeField('name'),
  'member/email-is-an-address': judgeField('email'),
  'member/role-is-admin-or-developer': judgeField('role'),
  'member/joined-at-is-a-date-time': judgeField('joinedAt'),
  'member/user-id-occurs-once': eachAnswerTo(
    ['member.list'],
    exchange => {
      const members = membersWithPaths(exchange)
      // Reversed, so that the map keeps the first index of each userId.
      const firstIndexes = new Map(members.map(([, { userId }], index) => [userId, index] as const).reverse())
      const repeated = members.filter(
        ([, { userId }], index) => typeof userId === 'string' && firstIndexes.get(userId) !== index,
      )
      const expected = 'a userId that no other member has'
      if (members.length === 0) return undefined
      return repeated.map(([path, { userId }]) => ({ path: `${path}.userId`, expected, got: userId }))
    },
    'no list of members came',
    [secondList],
  ),
  'member/user-id-is-the-same-in-every-organization': eachPair(
    ['member.list', 'member.list'],
    (here, there) => {
      const [first, second] = [allMembersIn(here), allMembersIn(there)]
      if (!first || !second) return undefined
      const emailOf = ({ email }: JsonObject) => (typeof email === 'string' ? email.toLowerCase() : undefined)
      const userIds = new Map(first.map(member => [emailOf(member), member.userId]))
      const shared = [...second.entries()].filter(
        ([, member]) => emailOf(member) !== undefined && userIds.has(emailOf(member)),
      )
      const [index, other] = shared.find(([, member]) => member.userId !== userIds.get(emailOf(member))) ?? []
      if (!other)
        return shared.length > 0 ? held([here, there]) : notJudged('no e-mail address occurs in both organizations')
      const expected = `the userId ${show(userIds.get(emailOf(other)))} that ${show(other.email)} has in the first organization`
      return brokenBy({ path: `$.result[${index}].userId`, expected, got: other.userId }, there, here)
    },
    { in: 'different organizations', lines: [secondList] },
  ),
  'member/fields-present': observe(['member.list'], ([exchange]) => {
    const members = allMembersIn(exchange)
    return members && commonFieldNames(members)
  }),
} as const satisfies Record<string, Check>
