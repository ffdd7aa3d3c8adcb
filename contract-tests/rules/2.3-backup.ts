import { type Check, held, notJudged } from '../engine/check.ts'
import type { Exchange } from '../engine/exchange.ts'
import { because } from '../engine/reasons.ts'
import { isDateTime, isObject, isUuid, type JsonObject, momentOf } from '../engine/recognise.ts'
import { resultIn } from './fields.ts'
import { brokenBy, eachField, judgeTogether, observe } from './steps.ts'

/** §2.3 Backup: types and formats of the fields that are present; absence is observed. */

const bucketIn = (exchange: Exchange) => {
  const bucket = resultIn(exchange)?.bucket
  return isObject(bucket) ? bucket : undefined
}

const judgeFieldsOf =
  (find: (exchange: Exchange) => JsonObject | undefined, path: string) =>
  (name: string, expected: string, holds: (value: unknown) => boolean): Check =>
    eachField(
      ['backup'],
      exchange => {
        const object = find(exchange)
        return object ? [[path, object]] : []
      },
      name,
      expected,
      holds,
      because('the backup has no {field}', { field: name }),
    )

const judge = judgeFieldsOf(resultIn, '$.result')
const judgeBucket = judgeFieldsOf(bucketIn, '$.result.bucket')

const isString = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value)

export const checks = {
  'backup/id-is-a-uuid': judge('id', 'a UUID', isUuid),
  'backup/service-id-is-a-string': judge('serviceId', 'a non-empty string', value => isString(value) && value !== ''),
  'backup/started-at-is-a-date-time': judge('startedAt', 'an ISO 8601 date and time', isDateTime),
  'backup/finished-at-is-a-date-time': judge('finishedAt', 'an ISO 8601 date and time', isDateTime),
  'backup/does-not-finish-before-it-starts': judgeTogether(['backup'], ([exchange]) => {
    if (!exchange) return undefined
    const { startedAt, finishedAt } = resultIn(exchange) ?? {}
    if (!isDateTime(startedAt) || !isDateTime(finishedAt))
      return notJudged('the backup does not have both a start and an end')
    if (momentOf(finishedAt) >= momentOf(startedAt)) return held([exchange])
    const expected = `a time not before ${startedAt}`
    return brokenBy({ path: '$.result.finishedAt', expected, got: finishedAt }, exchange)
  }),
  'backup/size-in-bytes-is-a-number': judge('sizeInBytes', 'a number', isNumber),
  'backup/duration-in-seconds-is-a-number': judge('durationInSeconds', 'a number', isNumber),
  'backup/backup-name-is-a-string': judge('backupName', 'a string', isString),
  'backup/bucket-is-an-object': judge('bucket', 'an object', isObject),
  'backup/bucket-provider-is-a-string': judgeBucket('bucketProvider', 'a string', isString),
  'backup/bucket-path-is-a-string': judgeBucket('bucketPath', 'a string', isString),
  'backup/iam-role-arn-is-a-string': judgeBucket('iamRoleArn', 'a string', isString),
  'backup/iam-role-session-name-is-a-string': judgeBucket('iamRoleSessionName', 'a string', isString),
  'backup/fields-present': observe(['backup'], ([exchange]) => {
    const backup = resultIn(exchange)
    const inside = Object.keys(bucketIn(exchange) ?? {}).map(name => `bucket.${name}`)
    return backup && [...Object.keys(backup), ...inside].sort()
  }),
  'backup/bucket-provider': observe(['backup'], ([exchange]) => bucketIn(exchange)?.bucketProvider),
} as const satisfies Record<string, Check>
