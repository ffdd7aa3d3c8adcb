import { absent, type Check, describe, type Evidence, held, judgeEach, notApplicable } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { isDateTime, isObject, isUuid, type JsonObject, momentOf } from '../engine/recognise.ts'
import { look } from './observations.ts'

/** §2.3 Backup: types and formats of what is there; what is absent is observed. */

export function backupIn(exchange: Exchange | undefined): JsonObject | undefined {
  if (!exchange || !isSuccess(exchange) || !isObject(exchange.json)) return undefined
  return isObject(exchange.json.result) ? exchange.json.result : undefined
}

const bucketIn = (exchange: Exchange) => {
  const bucket = backupIn(exchange)?.bucket
  return isObject(bucket) ? bucket : undefined
}

const none = (evidence: Evidence, name: string) => () =>
  evidence.of('cloud:backup').length === 0
    ? absent(evidence, 'cloud:backup')
    : notApplicable(`the backup has no ${name}`)

const field = (
  name: string,
  expected: string,
  holds: (value: unknown) => boolean,
  holder: (exchange: Exchange) => JsonObject | undefined = backupIn,
  path = '$.result',
): Check => ({
  reads: () => ['cloud:backup'],
  judge: evidence =>
    judgeEach(
      evidence.of('cloud:backup'),
      exchange => {
        const value = holder(exchange)?.[name]
        if (value === undefined) return undefined
        return holds(value) ? [] : [{ path: `${path}.${name}`, expected, got: value }]
      },
      none(evidence, name),
    ),
})

const isString = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)
const inBucket = (name: string) => field(name, 'a string', isString, bucketIn, '$.result.bucket')

export const checks = {
  'backup/id-is-a-uuid': field('id', 'a UUID', isUuid),
  'backup/service-id-is-a-string': field('serviceId', 'a non-empty string', value => isString(value) && value !== ''),
  'backup/started-at-is-a-date-time': field('startedAt', 'an ISO 8601 date and time', isDateTime),
  'backup/finished-at-is-a-date-time': field('finishedAt', 'an ISO 8601 date and time', isDateTime),
  'backup/does-not-finish-before-it-starts': {
    reads: () => ['cloud:backup'],
    judge: evidence => {
      const [exchange] = evidence.of('cloud:backup')
      const { startedAt, finishedAt } = backupIn(exchange) ?? {}
      if (!exchange || !isDateTime(startedAt) || !isDateTime(finishedAt))
        return none(evidence, 'pair of start and end')()
      if (momentOf(finishedAt) >= momentOf(startedAt)) return held([exchange])
      const finding = { path: '$.result.finishedAt', expected: `a time not before ${startedAt}`, got: finishedAt }
      return { outcome: 'broken', detail: describe(finding, exchange), exchanges: [exchange] }
    },
  },
  'backup/size-in-bytes-is-a-number': field('sizeInBytes', 'a number', isNumber),
  'backup/duration-in-seconds-is-a-number': field('durationInSeconds', 'a number', isNumber),
  'backup/backup-name-is-a-string': field('backupName', 'a string', isString),
  'backup/bucket-is-an-object': field('bucket', 'an object', isObject),
  'backup/bucket-provider-is-a-string': inBucket('bucketProvider'),
  'backup/bucket-path-is-a-string': inBucket('bucketPath'),
  'backup/iam-role-arn-is-a-string': inBucket('iamRoleArn'),
  'backup/iam-role-session-name-is-a-string': inBucket('iamRoleSessionName'),
  'backup/fields-present': look(
    () => ['cloud:backup'],
    ([exchange]) => {
      const backup = backupIn(exchange)
      const bucket = exchange ? bucketIn(exchange) : undefined
      return backup && [...Object.keys(backup), ...Object.keys(bucket ?? {}).map(name => `bucket.${name}`)].sort()
    },
  ),
  'backup/bucket-provider': look(
    () => ['cloud:backup'],
    ([exchange]) => exchange && bucketIn(exchange)?.bucketProvider,
  ),
} as const satisfies Record<string, Check>
