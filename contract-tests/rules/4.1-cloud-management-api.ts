import type { OperationId } from '../../fixtures/contract/index.ts'
import { type Check, type Finding, held, notReadToEnd } from '../engine/check.ts'
import { isReadToEnd } from '../engine/pages.ts'
import { decode } from '../engine/paths.ts'
import { because } from '../engine/reasons.ts'
import { isObject, isUuid, sameId } from '../engine/recognise.ts'
import { allMembersIn } from './2.2-member.ts'
import { resultIn } from './fields.ts'
import { eachAnswerTo, eachPair } from './operations.ts'
import { adjustVerdict, anySucceeds, brokenBy, neverSucceeds, observe, observeRefusal } from './steps.ts'

/** §4.1 The two operations of the cloud management API that the specification shows. */

const is200 = ({ response }: { response: { status: number } }) => response.status === 200

const judgeRequestedId = (field: 'id' | 'serviceId', precedingPart: 'backups' | 'services'): Check =>
  eachAnswerTo(
    ['backup.get'],
    (exchange): readonly Finding[] | undefined => {
      const value = resultIn(exchange)?.[field]
      const requested = decode(new RegExp(`/${precedingPart}/([^/?]+)`).exec(exchange.request.path)?.[1] ?? '')
      // Ids may have been taken out of the paths of a recording.
      if (typeof value !== 'string' || value === '' || !isUuid(requested) || (field === 'id' && !isUuid(value)))
        return undefined
      return sameId(value, requested) ? [] : [{ path: `$.result.${field}`, expected: `"${requested}"`, got: value }]
    },
    because('the backup has no {field} to compare', { field }),
  )

/** Adds advice if the backup is unknown, since the specification has no list that shows whether it still exists. */
const backupAnswers = adjustVerdict(anySucceeds(['backup.get'], is200), verdict => {
  const isUnknown = verdict.exchanges.some(({ response }) => response.status === 404 || response.status === 410)
  return verdict.outcome === 'broken' && isUnknown
    ? {
        ...verdict,
        detail: `${verdict.detail}; no list shows whether it still exists: check \`cloud.serviceId\` and \`cloud.backupId\` if the target file may be out of date`,
      }
    : verdict
})

/** Judges the result of each success. A result that is neither an array nor an object breaks a rule of the envelope instead. */
const judgeResult = (operation: OperationId, find: (result: object) => readonly Finding[]): Check =>
  eachAnswerTo(
    [operation],
    ({ json }) => {
      const found = isObject(json) ? json.result : undefined
      return typeof found === 'object' && found !== null ? find(found) : undefined
    },
    'no result came',
  )

export const checks = {
  'member/list-answers-200': anySucceeds(['member.list'], is200),
  'member/result-is-an-array': judgeResult('member.list', found =>
    Array.isArray(found)
      ? found.flatMap((member, index) =>
          isObject(member) ? [] : [{ path: `$.result[${index}]`, expected: 'an object', got: member }],
        )
      : [{ path: '$.result', expected: 'an array of members', got: found }],
  ),
  'member/list-is-whole-and-steady': eachPair(
    ['member.list', 'member.list'],
    (one, other) => {
      const [first, again] = [one, other].map(exchange =>
        allMembersIn(exchange)
          ?.map(({ userId, email }) => JSON.stringify(userId ?? email))
          .sort(),
      )
      if (!first || !again) return undefined
      if (first.join() === again.join()) return held([one])
      const cut = [one, other].find(exchange => !isReadToEnd(exchange, 'member'))
      if (cut) return notReadToEnd(cut)
      const expected = `the same ${first.length} members as before`
      return brokenBy({ path: '$.result', expected, got: `${again.length} members, not the same` }, other, one)
    },
    { unlessWritten: ['member'], lines: ['cloud:member.list-again', 'cloud:member.list-once-more'] },
  ),
  'member/order-of-list': observe(['member.list'], ([exchange]) => {
    const members = allMembersIn(exchange) ?? []
    if (members.length < 3) return undefined
    const possibleOrders = ['joinedAt', 'name', 'email'].filter(key =>
      members.every((member, index) => index === 0 || String(members[index - 1]![key]) <= String(member[key])),
    )
    // A few members may be in several orders at once.
    return possibleOrders.length > 1 ? undefined : (possibleOrders[0] ?? 'none of joinedAt, name, email')
  }),
  'backup/get-answers-200': backupAnswers,
  'backup/result-is-an-object': judgeResult('backup.get', found =>
    Array.isArray(found) ? [{ path: '$.result', expected: 'one object', got: found }] : [],
  ),
  'backup/unknown-id-is-refused': neverSucceeds(['unknown-backup']),
  'backup/id-is-the-one-asked-for': judgeRequestedId('id', 'backups'),
  'backup/service-id-is-the-one-asked-for': judgeRequestedId('serviceId', 'services'),
  'backup/unknown-id': observeRefusal('unknown-backup'),
  'backup/unknown-service': observeRefusal('backup.get under an unknown service'),
  'path/unknown-organization': observeRefusal('member.list under an unknown organization'),
  'path/malformed-organization-id-is-refused': neverSucceeds([
    'malformed-organization-id',
    'cloud:malformed-organization-id-of-backup',
  ]),
  'path/malformed-service-id-is-refused': neverSucceeds(['malformed-service-id']),
  'path/malformed-backup-id-is-refused': neverSucceeds(['malformed-backup-id']),
  'path/malformed-id': observeRefusal(form => (form === 'cloud' ? 'malformed-backup-id' : 'malformed-id')),
} as const satisfies Record<string, Check>
