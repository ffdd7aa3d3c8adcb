import {
  absent,
  broken,
  type Check,
  type Evidence,
  type Finding,
  held,
  judgeEach,
  notApplicable,
  show,
} from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isDateTime, isEmail, isObject, type Json, type JsonObject } from '../engine/recognise.ts'
import { look } from './observations.ts'

/** §2.2 Member: types and formats of what is there; what is absent is observed. */

const steps = [
  'cloud:members',
  'cloud:members-again',
  'cloud:members-once-more',
  'cloud:members-of-second-organization',
]

/** The members in an answer; undefined when it is no success with an array in `result`. */
export function membersIn(exchange: Exchange | undefined): readonly JsonObject[] | undefined {
  if (!exchange || !isSuccess(exchange) || !isObject(exchange.json)) return undefined
  const { result } = exchange.json
  return Array.isArray(result) ? (result as readonly Json[]).filter(isObject) : undefined
}

/** The members of an answer and of the pages that came after it. */
export function allMembersIn(exchange: Exchange | undefined): readonly JsonObject[] | undefined {
  const members = membersIn(exchange)
  return members && [...members, ...(exchange?.pages ?? []).flatMap(page => membersIn(page) ?? [])]
}

/** Every answer with members, page by page. */
const pagesOf = (evidence: Evidence) => evidence.of(...steps).flatMap(exchange => [exchange, ...(exchange.pages ?? [])])

const noMembers = (evidence: Evidence) => () =>
  evidence.of(...steps).length === 0 ? absent(evidence, ...steps) : notApplicable('no list of members came')

/** Judges one field of every member that has it. */
const field = (name: string, expected: string, holds: (value: unknown) => boolean): Check => ({
  reads: () => steps,
  judge: evidence =>
    judgeEach(
      pagesOf(evidence),
      exchange => {
        const members = membersIn(exchange)?.map((member, index) => ({ value: member[name], index }))
        const present = members?.filter(({ value }) => value !== undefined)
        if (!present || present.length === 0) return undefined
        return present
          .filter(({ value }) => !holds(value))
          .map(({ value, index }) => ({ path: `$.result[${index}].${name}`, expected, got: value }))
      },
      noMembers(evidence),
    ),
})

const isFilled = (value: unknown) => typeof value === 'string' && value !== ''

export const checks = {
  'member/user-id-is-a-string': field('userId', 'a non-empty string', isFilled),
  'member/name-is-a-string': field('name', 'a string', value => typeof value === 'string'),
  'member/email-is-an-address': field('email', 'an e-mail address', isEmail),
  'member/role-is-admin-or-developer': field(
    'role',
    '"admin" or "developer"',
    value => value === 'admin' || value === 'developer',
  ),
  'member/joined-at-is-a-date-time': field('joinedAt', 'an ISO 8601 date and time', isDateTime),
  'member/user-id-occurs-once': {
    reads: () => steps,
    judge: evidence =>
      judgeEach(
        pagesOf(evidence),
        exchange => {
          const members = membersIn(exchange)
          if (!members || members.length === 0) return undefined
          const known = new Set<string>()
          const findings: Finding[] = []
          for (const [index, { userId }] of members.entries()) {
            if (typeof userId !== 'string') continue
            if (known.has(userId)) {
              const path = `$.result[${index}].userId`
              findings.push({ path, expected: 'a userId that no other member has', got: userId })
            }
            known.add(userId)
          }
          return findings
        },
        noMembers(evidence),
      ),
  },
  'member/user-id-is-the-same-in-every-organization': {
    reads: () => ['cloud:members', 'cloud:members-of-second-organization'],
    judge: evidence => {
      const [here, there] = ['cloud:members', 'cloud:members-of-second-organization'].map(step => evidence.of(step)[0])
      const first = allMembersIn(here)
      const second = allMembersIn(there)
      if (!here || !there || !first || !second)
        return absent(evidence, 'cloud:members', 'cloud:members-of-second-organization')
      const key = (member: JsonObject) => (typeof member.email === 'string' ? member.email.toLowerCase() : undefined)
      const known = new Map(first.filter(key).map(member => [key(member), member]))
      let shared = 0
      for (const [index, member] of second.entries()) {
        const twin = key(member) === undefined ? undefined : known.get(key(member))
        if (!twin) continue
        shared++
        if (twin.userId !== member.userId) {
          return broken(
            `expected the userId ${show(twin.userId)} that ${show(member.email)} has in the first organization, got ${show(member.userId)} (GET ${there.request.path} at $.result[${index}].userId)`,
            here,
            there,
          )
        }
      }
      return shared > 0 ? held([here, there]) : notApplicable('no e-mail address is a member of both organizations')
    },
  },
  'member/fields-present': look(
    () => ['cloud:members'],
    ([exchange]) => {
      const members = allMembersIn(exchange)
      if (!members || members.length === 0) return undefined
      const names = new Set(members.flatMap(member => Object.keys(member)))
      return [...names].filter(name => members.every(member => name in member)).sort()
    },
  ),
} as const satisfies Record<string, Check>
