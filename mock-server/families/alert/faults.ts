import type { Faults } from '../../faults/fault.ts'
import { mistakeUpdated } from '../../faults/lifecycle.ts'
import { inAnswers, refuse, successOf } from '../../faults/rewrite.ts'

export const faults = {
  // The sample watches a tile.
  'alert/create-accepts-the-sample': inAnswers(
    (answer, place) => successOf('alert.create')(answer, place) && !answer.body.includes('"saved_search"'),
    (answer, place) => refuse(answer, place, 400, 'An alert of this kind is not accepted.'),
  ),
  'alert/unsent-stays': mistakeUpdated('alert', 'createdAt', '2001-01-01T00:00:00.000Z'),
} as const satisfies Faults
