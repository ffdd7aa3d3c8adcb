import type { RuleId } from '../../../fixtures/contract/index.ts'
import type { Fault } from '../../faults/fault.ts'
import {
  changeId,
  forgetUpdates,
  keepDeleted,
  leaveOutCreated,
  listOldNames,
  mistakeCreated,
  renameSiblings,
  resetUnsent,
} from '../../faults/lifecycle.ts'
import { failing } from '../../faults/rewrite.ts'

export const faults = {
  'dashboard/list-answers': failing('dashboard.list'),
  'dashboard/create-answers': failing('dashboard.create'),
  'dashboard/get-answers': failing('dashboard.get'),
  'dashboard/update-answers': failing('dashboard.update'),
  'dashboard/delete-answers': failing('dashboard.delete'),
  'dashboard/created-is-listed': leaveOutCreated('dashboard'),
  'dashboard/created-is-got': mistakeCreated('dashboard'),
  'dashboard/updated-is-got': forgetUpdates('dashboard'),
  'dashboard/deleted-is-gone': keepDeleted('dashboard'),
  'dashboard/siblings-are-untouched': renameSiblings('dashboard'),
  'dashboard/list-agrees-with-get': listOldNames('dashboard'),
  'dashboard/id-never-changes': changeId('dashboard'),
  'dashboard/unsent-stays': resetUnsent('dashboard', 'tags', ['reset']),
} as const satisfies Partial<Record<RuleId, () => Fault>>
