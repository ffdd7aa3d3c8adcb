import { type Check, notJudged } from '../../engine/check.ts'
import { listIn } from '../../engine/pages.ts'
import { sameId } from '../../engine/recognise.ts'
import { findMismatch, pick, resultIn } from '../../rules/fields.ts'
import { eachPair } from '../../rules/operations.ts'
import { heldUnless } from '../../rules/steps.ts'
import { newestFirst } from '../calls.ts'

export const checks = {
  'backup/newest-comes-first': newestFirst('backup.list', 'startedAt'),
  'backup/listed-is-got': eachPair(['backup.list', 'backup.get'], (listing, exchange) => {
    const got = resultIn(exchange)
    const listed = listIn(listing, 'backup')?.find(({ id }) => sameId(String(id), String(got?.id)))
    if (!got || !listed || listed.status === 'in_progress')
      return notJudged('the list does not show the backup, or shows it in progress')
    return heldUnless(findMismatch(pick(listed, ['status', 'type']), got, '$.result'), [exchange])
  }),
} as const satisfies Record<string, Check>
