import { backup as backupResource } from '../../../fixtures/contract/backup/backup.ts'
import type { Faults } from '../../faults/fault.ts'
import {
  anotherId,
  change,
  changeRecords,
  inAnswers,
  inList,
  inRecords,
  isUuid,
  succeeds,
  successOf,
  wrongField,
} from '../../faults/rewrite.ts'
import { isRecord } from '../../words/check-options.ts'
import { unknownId } from '../../words/refusal.ts'
import { pick } from '../../world/record.ts'
import { answerList, type Family, type Handlers, type Request } from '../family.ts'
import { firstService } from '../service/model.ts'
import { backupConfigurations } from './backup-configuration/index.ts'
import { type Backup, backups, secondsSince } from './model.ts'

export const models = [backups]
export const scenarios: Family['scenarios'] = {
  degraded({ world }) {
    const service = firstService(world)
    const ofService = service && world.in(backups, service.id)
    const backup = ofService?.list().at(-1)
    if (!ofService || !backup) return
    const { endsAt: _, ...rest } = backup
    const seconds = Math.max(0, Math.round((world.start - Date.parse(backup.startedAt)) / 1000))
    const finishedAt = backup.finishedAt ?? new Date(world.start).toISOString()
    const durationInSeconds = backup.finishedAt ? backup.durationInSeconds : seconds
    ofService.replace({ ...rest, status: 'error', finishedAt, durationInSeconds })
  },
}

/** The backups of the service. Reading the configuration first begins the backups that are due. */
function recordsOf(request: Request) {
  request.in(backupConfigurations)
  return request.in(backups)
}

function present({ finishedAt, ...backup }: Backup, now: number): object {
  const { status } = backup
  const end = status === 'in_progress' ? { durationInSeconds: secondsSince(backup, now) } : finishedAt && { finishedAt }
  return pick({ ...backup, ...end }, backupResource.fields)
}

export const handlers = {
  'backup.list': request => {
    const listed = recordsOf(request)
      .list()
      .map(backup => [Date.parse(backup.startedAt), backup] as const)
      .toSorted(([a], [b]) => b - a)
    return answerList(listed.map(([, backup]) => present(backup, request.now)))
  },
  'backup.get': request => {
    const all = recordsOf(request)
    const backup = all.get(request.ids.backupId!)
    if (!backup) throw unknownId('Backup')
    const write = () => JSON.stringify(present(backup, request.now))
    // Serialising a finished backup for each call would take a third of the call.
    return { kind: 'object', json: backup.status === 'in_progress' ? write() : all.derive(backup.id, write) }
  },
} as const satisfies Handlers

const asText = (field: string) => inRecords('backup.get', backup => ({ ...backup, [field]: String(backup[field]) }))

const inBucket = (field: string) =>
  inRecords('backup.get', ({ bucket, ...backup }) => ({
    ...backup,
    bucket: { ...(isRecord(bucket) && bucket), [field]: 7 },
  }))

export const faults = {
  // Another success, because a refusal would leave the other rules about backups without anything to judge.
  'backup/get-answers-200': inAnswers(successOf('backup.get'), answer =>
    change({ ...answer, status: 202 }, json => ({ ...json, status: 202 })),
  ),
  'backup/result-is-an-object': inRecords('backup.get', backup => [backup]),
  'backup/unknown-id-is-refused': () => async (call, next, context) => {
    const answer = await next(call)
    const { backupId } = context.params
    if (context.operation !== 'backup.get' || succeeds(answer) || !backupId || !isUuid(backupId)) return answer
    // Segment 7 of the path is the id of the backup.
    const known = await next({ ...call, path: call.path.split('/').with(7, context.ids.backupId).join('/') })
    if (!succeeds(known)) return answer
    return changeRecords(known, backup => ({ ...backup, id: backupId }))
  },
  'backup/id-is-a-uuid': wrongField('backup.get', 'id', 7),
  'backup/id-is-the-one-asked-for': inRecords('backup.get', backup => ({ ...backup, id: anotherId(backup.id) })),
  'backup/service-id-is-a-string': wrongField('backup.get', 'serviceId', 7),
  'backup/service-id-is-the-one-asked-for': inRecords('backup.get', backup => ({
    ...backup,
    serviceId: anotherId(backup.serviceId),
  })),
  // A day that no calendar has, in years that keep the end of the backup after its beginning.
  'backup/started-at-is-a-date-time': wrongField('backup.get', 'startedAt', '1999-02-30T09:00:00.000Z'),
  'backup/finished-at-is-a-date-time': wrongField('backup.get', 'finishedAt', '2999-02-30T09:00:00.000Z'),
  'backup/does-not-finish-before-it-starts': inRecords('backup.get', backup => ({
    ...backup,
    finishedAt: new Date(Date.parse(String(backup.startedAt)) - 1000).toISOString(),
  })),
  'backup/size-in-bytes-is-a-number': asText('sizeInBytes'),
  'backup/duration-in-seconds-is-a-number': asText('durationInSeconds'),
  'backup/backup-name-is-a-string': wrongField('backup.get', 'backupName', 7),
  'backup/bucket-is-an-object': wrongField('backup.get', 'bucket', 's3'),
  'backup/bucket-provider-is-a-string': inBucket('bucketProvider'),
  'backup/bucket-path-is-a-string': inBucket('bucketPath'),
  'backup/iam-role-arn-is-a-string': inBucket('iamRoleArn'),
  'backup/iam-role-session-name-is-a-string': inBucket('iamRoleSessionName'),
  'backup/listed-is-got': inList('backup.list', list =>
    list.map(backup => ({ ...backup, type: backup.type === 'full' ? 'incremental' : 'full' })),
  ),
} as const satisfies Faults
