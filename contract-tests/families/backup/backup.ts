import { type Check, notJudged } from '../../engine/check.ts'
import { listIn } from '../../engine/pages.ts'
import { sameId } from '../../engine/recognise.ts'
import { findMismatch, pick, resultIn } from '../../rules/fields.ts'
import { heldUnless, judgeTogether } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'
import { newestFirst } from '../calls.ts'

const list = 'cloud:backup.list'

export const checks = {
  'backup/newest-comes-first': newestFirst('backup.list', 'startedAt'),
  'backup/listed-is-got': judgeTogether([list, 'cloud:backup'], ([listing, exchange]) => {
    const got = resultIn(exchange)
    const listed = listIn(listing, 'backup')?.find(({ id }) => sameId(String(id), String(got?.id)))
    if (!listing || !exchange) return undefined
    if (!got || !listed || listed.status === 'in_progress')
      return notJudged('the list does not show the backup, or shows it in progress')
    return heldUnless(findMismatch(pick(listed, ['status', 'type']), got, '$.result'), [exchange])
  }),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'backup', run => void run.call('backup.list'))
