import type { Collection } from '../../core/stack.ts'
import { unknownId } from '../../words/refusal.ts'
import type { Reply } from '../../words/reply.ts'
import type { Backup } from './seed.ts'

const texts = new WeakMap<Backup, string>()

/** One backup of a service. */
export function getBackup(backups: Collection<Backup>, backupId: string): Reply {
  // keeps: backup/id-is-the-one-asked-for, backup/service-id-is-the-one-asked-for
  const backup = backups.get(backupId)
  // keeps: backup/unknown-id-is-refused
  if (!backup) throw unknownId('Backup')
  let json = texts.get(backup)
  if (json === undefined) {
    json = JSON.stringify(backup)
    texts.set(backup, json)
  }
  // keeps: backup/get-answers-200, backup/result-is-an-object
  return { kind: 'object', json }
}
