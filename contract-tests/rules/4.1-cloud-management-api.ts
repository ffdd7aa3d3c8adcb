import { absent, type Check, describe, held, judgeEach, notApplicable } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { isWhole } from '../engine/pages.ts'
import { isObject, isUuid, sameId } from '../engine/recognise.ts'
import { allMembersIn } from './2.2-member.ts'
import { backupIn } from './2.3-backup.ts'
import { answers, look, neverSucceeds, refusal } from './observations.ts'

/** §4.1 The two operations of the cloud management API that are shown. */

const is200 = ({ response }: { response: { status: number } }) => response.status === 200
const asked = (exchange: { request: { path: string } }, part: string) =>
  decodeURIComponent(new RegExp(`/${part}/([^/]+)`).exec(exchange.request.path)?.[1] ?? '')

/** The backup that comes has the id that the path names. */
const asAskedFor = (field: 'id' | 'serviceId', part: 'backups' | 'services'): Check => ({
  reads: () => ['cloud:backup'],
  judge: evidence => {
    const [exchange] = evidence.of('cloud:backup')
    const value = backupIn(exchange)?.[field]
    if (!exchange) return absent(evidence, 'cloud:backup')
    if (typeof value !== 'string' || value === '' || (field === 'id' && !isUuid(value)))
      return notApplicable(`the backup has no ${field} to compare`)
    if (sameId(value, asked(exchange, part))) return held([exchange])
    const finding = { path: `$.result.${field}`, expected: `"${asked(exchange, part)}"`, got: value }
    return { outcome: 'broken', detail: describe(finding, exchange), exchanges: [exchange] }
  },
})

const backupAnswers = answers(() => ['cloud:backup'], is200)

/** The backup is named by the target file, and the specification shows no list that tells whether it is there. */
const namedBackupAnswers: Check = {
  ...backupAnswers,
  judge: evidence => {
    const verdict = backupAnswers.judge(evidence)
    const isUnknown = verdict.exchanges.some(({ response }) => response.status === 404 || response.status === 410)
    return verdict.outcome === 'broken' && isUnknown
      ? {
          ...verdict,
          detail: `${verdict.detail}; no list shows it to be gone, but check \`cloud.serviceId\` and \`cloud.backupId\` if the target file may be out of date`,
        }
      : verdict
  },
}

const thrice = ['cloud:members', 'cloud:members-again', 'cloud:members-once-more']

export const checks = {
  'member/list-answers-200': answers(() => ['cloud:members'], is200),
  'member/result-is-an-array': {
    reads: () => thrice,
    judge: evidence =>
      judgeEach(
        evidence.of(...thrice),
        exchange => {
          if (!isSuccess(exchange) || !isObject(exchange.json) || !('result' in exchange.json)) return undefined
          const { result } = exchange.json
          if (!Array.isArray(result)) {
            // A result that is no object breaks the envelope's rule, not this one.
            return isObject(result) ? [{ path: '$.result', expected: 'an array of members', got: result }] : undefined
          }
          return result.flatMap((member, index) =>
            isObject(member) ? [] : [{ path: `$.result[${index}]`, expected: 'an object', got: member }],
          )
        },
        () => (evidence.of(...thrice).length === 0 ? absent(evidence, ...thrice) : notApplicable('no result came')),
      ),
  },
  'member/list-is-whole-and-steady': {
    reads: () => thrice,
    judge: evidence => {
      const lists = evidence.of(...thrice).flatMap(exchange => {
        const members = allMembersIn(exchange)
        return members
          ? [{ exchange, keys: members.map(({ userId, email }) => JSON.stringify(userId ?? email)).sort() }]
          : []
      })
      const [first] = lists
      if (!first || lists.length < 2) return absent(evidence, ...thrice)
      const other = lists.find(({ keys }) => keys.join() !== first.keys.join())
      if (!other) return held([first.exchange])
      if (lists.some(({ exchange }) => !isWhole(exchange, 'member')))
        return notApplicable('the list goes on in other pages, which could not be read to the end')
      const finding = {
        path: '$.result',
        expected: `the same ${first.keys.length} members as before`,
        got: `${other.keys.length} members, not the same`,
      }
      return {
        outcome: 'broken',
        detail: describe(finding, other.exchange),
        exchanges: [first.exchange, other.exchange],
      }
    },
  },
  'member/order-of-list': look(
    () => ['cloud:members'],
    ([exchange]) => {
      const members = allMembersIn(exchange) ?? []
      if (members.length < 3) return undefined
      const fitting = ['joinedAt', 'name', 'email'].filter(key =>
        members.every((member, index) => index === 0 || String(members[index - 1]![key]) <= String(member[key])),
      )
      // A few members may fit several orders at once; then nothing can be said.
      return fitting.length > 1 ? undefined : (fitting[0] ?? 'none of joinedAt, name, email')
    },
  ),
  'backup/get-answers-200': namedBackupAnswers,
  'backup/result-is-an-object': {
    reads: () => ['cloud:backup'],
    judge: evidence =>
      judgeEach(
        evidence.of('cloud:backup'),
        exchange => {
          if (!isSuccess(exchange) || !isObject(exchange.json)) return undefined
          const { result } = exchange.json
          return Array.isArray(result)
            ? [{ path: '$.result', expected: 'one object', got: result }]
            : isObject(result)
              ? []
              : undefined
        },
        () =>
          evidence.of('cloud:backup').length === 0 ? absent(evidence, 'cloud:backup') : notApplicable('no result came'),
      ),
  },
  'backup/unknown-id-is-refused': neverSucceeds(() => ['cloud:unknown-backup']),
  'backup/id-is-the-one-asked-for': asAskedFor('id', 'backups'),
  'backup/service-id-is-the-one-asked-for': asAskedFor('serviceId', 'services'),
  'backup/unknown-id': refusal(() => 'cloud:unknown-backup'),
  'backup/unknown-service': refusal(() => 'cloud:unknown-service'),
  'path/unknown-organization': refusal(() => 'cloud:unknown-organization'),
  'path/malformed-organization-id-is-refused': neverSucceeds(form =>
    form === 'cloud'
      ? ['cloud:malformed-organization-id', 'cloud:malformed-organization-id-of-backup']
      : ['managed:malformed-organization-id'],
  ),
  'path/malformed-service-id-is-refused': neverSucceeds(form => [`${form}:malformed-service-id`]),
  'path/malformed-backup-id-is-refused': neverSucceeds(() => ['cloud:malformed-backup-id']),
  'path/malformed-id': refusal(form => (form === 'cloud' ? 'cloud:malformed-backup-id' : `${form}:malformed-id`)),
} as const satisfies Record<string, Check>
