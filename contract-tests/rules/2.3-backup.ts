import type { Check, Finding } from '../engine/check.ts'
import type { Exchange } from '../engine/exchange.ts'
import { isDateTime, isObject, momentOf } from '../engine/recognise.ts'
import { resultIn } from './fields.ts'
import { eachAnswerTo } from './operations.ts'
import { judgeShownField } from './shown-fields.ts'
import { observe } from './steps.ts'

/** §2.3 Backup: types and formats of the fields that are present; absence is observed. */

const bucketIn = (exchange: Exchange) => {
  const bucket = resultIn(exchange)?.bucket
  return isObject(bucket) ? bucket : undefined
}

const judge = (name: string): Check =>
  judgeShownField('backup.get', ['backup', name], exchange => {
    const backup = resultIn(exchange)
    return backup ? [['$.result', backup]] : []
  })
const judgeBucket = (name: string): Check =>
  judgeShownField('backup.get', ['backup', 'bucket', name], exchange => {
    const bucket = bucketIn(exchange)
    return bucket ? [['$.result.bucket', bucket]] : []
  })

export const checks = {
  'backup/id-is-a-uuid': judge('id'),
  'backup/service-id-is-a-string': judge('serviceId'),
  'backup/started-at-is-a-date-time': judge('startedAt'),
  'backup/finished-at-is-a-date-time': judge('finishedAt'),
  'backup/size-in-bytes-is-a-number': judge('sizeInBytes'),
  'backup/duration-in-seconds-is-a-number': judge('durationInSeconds'),
  'backup/backup-name-is-a-string': judge('backupName'),
  'backup/bucket-is-an-object': judge('bucket'),
  'backup/bucket-provider-is-a-string': judgeBucket('bucketProvider'),
  'backup/bucket-path-is-a-string': judgeBucket('bucketPath'),
  'backup/iam-role-arn-is-a-string': judgeBucket('iamRoleArn'),
  'backup/iam-role-session-name-is-a-string': judgeBucket('iamRoleSessionName'),
  'backup/does-not-finish-before-it-starts': eachAnswerTo(
    ['backup.get'],
    (exchange): readonly Finding[] | undefined => {
      const { startedAt, finishedAt } = resultIn(exchange) ?? {}
      if (!isDateTime(startedAt) || !isDateTime(finishedAt)) return undefined
      if (momentOf(finishedAt) >= momentOf(startedAt)) return []
      return [{ path: '$.result.finishedAt', expected: `a time not before ${startedAt}`, got: finishedAt }]
    },
    'the backup does not have both a start and an end',
  ),
  'backup/fields-present': observe(['backup.get'], ([exchange]) => {
    const backup = resultIn(exchange)
    const inside = Object.keys(bucketIn(exchange) ?? {}).map(name => `bucket.${name}`)
    return backup && [...Object.keys(backup), ...inside].sort()
  }),
  'backup/bucket-provider': observe(['backup.get'], ([exchange]) => bucketIn(exchange)?.bucketProvider),
} as const satisfies Record<string, Check>
