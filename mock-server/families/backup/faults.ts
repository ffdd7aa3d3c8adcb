import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import {
  anotherId,
  change,
  changeResult,
  failing,
  inAnswers,
  isUuid,
  type Json,
  succeeds,
  successOf,
} from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'

const inBackup = (how: (backup: Json) => unknown): (() => Fault) =>
  inAnswers(successOf('backup.get'), answer =>
    changeResult(answer, result => (isRecord(result) ? how(result) : result)),
  )

const withField = (field: string, value: unknown) => inBackup(backup => ({ ...backup, [field]: value }))

const asText = (field: string) => inBackup(backup => ({ ...backup, [field]: String(backup[field]) }))

const inBucket = (field: string) =>
  inBackup(backup => ({ ...backup, bucket: { ...(isRecord(backup.bucket) ? backup.bucket : {}), [field]: 7 } }))

const inList = (how: (list: readonly Json[]) => unknown): (() => Fault) =>
  inAnswers(successOf('backup.list'), answer =>
    changeResult(answer, result => (Array.isArray(result) ? how(result) : result)),
  )

export const faults = {
  // Another success, because a refusal would leave the other rules about backups without anything to judge.
  'backup/get-answers-200': inAnswers(successOf('backup.get'), answer =>
    change({ ...answer, status: 202 }, json => ({ ...json, status: 202 })),
  ),
  'backup/result-is-an-object': inBackup(backup => [backup]),
  'backup/unknown-id-is-refused': () => async (call, next, place) => {
    const answer = await next(call)
    const { backupId } = place.params
    if (place.operation !== 'backup.get' || succeeds(answer) || !backupId || !isUuid(backupId)) return answer
    const known = await next({ ...call, path: call.path.split('/').with(7, place.ids.backupId).join('/') })
    if (!succeeds(known)) return answer
    return changeResult(known, backup => (isRecord(backup) ? { ...backup, id: backupId } : backup))
  },
  'backup/id-is-a-uuid': withField('id', 7),
  'backup/id-is-the-one-asked-for': inBackup(backup => ({ ...backup, id: anotherId(backup.id) })),
  'backup/service-id-is-a-string': withField('serviceId', 7),
  'backup/service-id-is-the-one-asked-for': inBackup(backup => ({ ...backup, serviceId: anotherId(backup.serviceId) })),
  // Days that no calendar has, and years in which the backup would still end after it began.
  'backup/started-at-is-a-date-time': withField('startedAt', '1999-02-30T09:00:00.000Z'),
  'backup/finished-at-is-a-date-time': withField('finishedAt', '2999-02-30T09:00:00.000Z'),
  'backup/does-not-finish-before-it-starts': inBackup(backup => ({
    ...backup,
    finishedAt: new Date(Date.parse(String(backup.startedAt)) - 1000).toISOString(),
  })),
  'backup/size-in-bytes-is-a-number': asText('sizeInBytes'),
  'backup/duration-in-seconds-is-a-number': asText('durationInSeconds'),
  'backup/backup-name-is-a-string': withField('backupName', 7),
  'backup/bucket-is-an-object': withField('bucket', 's3'),
  'backup/bucket-provider-is-a-string': inBucket('bucketProvider'),
  'backup/bucket-path-is-a-string': inBucket('bucketPath'),
  'backup/iam-role-arn-is-a-string': inBucket('iamRoleArn'),
  'backup/iam-role-session-name-is-a-string': inBucket('iamRoleSessionName'),
  'backup/list-answers': failing('backup.list'),
  'backup/newest-comes-first': inList(list => list.toReversed()),
  'backup/listed-is-got': inList(list =>
    list.map(backup => ({ ...backup, type: backup.type === 'full' ? 'incremental' : 'full' })),
  ),
} as const satisfies Partial<Record<RuleId, () => Fault>>
