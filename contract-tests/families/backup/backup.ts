import { type Check, notApplicable } from '../../engine/check.ts'
import { listIn } from '../../engine/pages.ts'
import { sameId } from '../../engine/recognise.ts'
import { findMismatch, pick, resultIn } from '../../rules/fields.ts'
import { heldUnless, judgeTogether } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'
import { newestFirst } from '../calls.ts'

const list = 'cloud:backup.list'

export const checks = {
  'backup/newest-comes-first': newestFirst('backup.list', 'startedAt'),
  'backup/listed-is-got': judgeTogether([list, 'cloud:backup'], ([lists, exchange]) => {
    const got = resultIn(exchange)
    const listed = listIn(lists, 'backup')?.find(({ id }) => sameId(String(id), String(got?.id)))
    if (!lists || !exchange) return undefined
    if (!got || !listed || listed.status === 'in_progress') return notApplicable('the list does not have it')
    return heldUnless(findMismatch(pick(listed, ['status', 'type']), got, '$.result'), [exchange])
  }),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'backup', run => void run.call('backup.list'))
