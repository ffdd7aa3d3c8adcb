import { backup as backupResource } from '../../../fixtures/contract/backup/backup.ts'
import { unknownId } from '../../words/refusal.ts'
import { pick } from '../../world/record.ts'
import { answerList, type Handlers, type Request } from '../family.ts'
import { backupConfigurations } from './backup-configuration/model.ts'
import { type Backup, backups, secondsSince } from './model.ts'

export { faults } from './faults.ts'
export const models = [backups]

/** The backups of the service. Reading the configuration begins those that are due. */
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
    // Serialising a finished one for each call would cost a third of the call.
    return { kind: 'object', json: backup.status === 'in_progress' ? write() : all.derive(backup.id, write) }
  },
} as const satisfies Handlers
