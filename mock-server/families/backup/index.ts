import type { OperationId } from '../../../fixtures/contract/index.ts'
import { unknownId } from '../../words/refusal.ts'
import type { Handler } from '../family.ts'
import { backups } from './model.ts'

export { faults } from './faults.ts'
export const models = [backups]

export const handlers = {
  'backup.get': request => {
    // keeps: backup/id-is-the-one-asked-for, backup/service-id-is-the-one-asked-for
    const backup = request.in(backups).get(request.ids.backupId!)
    // keeps: backup/unknown-id-is-refused
    if (!backup) throw unknownId('Backup')
    // keeps: backup/get-answers-200, backup/result-is-an-object
    return { kind: 'object', json: JSON.stringify(backup) }
  },
} as const satisfies Partial<Record<OperationId, Handler>>
