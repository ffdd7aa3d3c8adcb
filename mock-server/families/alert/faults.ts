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
import { failing, inAnswers, refuse, successOf } from '../../faults/rewrite.ts'

export const faults = {
  // The sample watches a tile.
  'alert/create-accepts-the-sample': inAnswers(
    (answer, place) => successOf('alert.create')(answer, place) && !answer.body.includes('"saved_search"'),
    (answer, place) => refuse(answer, place, 400, 'An alert of this kind is not accepted.'),
  ),
  'alert/list-answers': failing('alert.list'),
  'alert/get-answers': failing('alert.get'),
  'alert/update-answers': failing('alert.update'),
  'alert/delete-answers': failing('alert.delete'),
  'alert/created-is-listed': leaveOutCreated('alert'),
  'alert/created-is-got': mistakeCreated('alert'),
  'alert/updated-is-got': forgetUpdates('alert'),
  'alert/deleted-is-gone': keepDeleted('alert'),
  'alert/siblings-are-untouched': renameSiblings('alert'),
  'alert/list-agrees-with-get': listOldNames('alert'),
  'alert/id-never-changes': changeId('alert'),
  'alert/unsent-stays': resetUnsent('alert', 'createdAt', '2001-01-01T00:00:00.000Z'),
} as const satisfies Partial<Record<RuleId, () => Fault>>
