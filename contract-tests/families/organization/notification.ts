import type { Check } from '../../engine/check.ts'
import { isReadToEnd, listIn } from '../../engine/pages.ts'
import { eachPair } from '../../rules/operations.ts'
import { heldUnless } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'
import { newestFirst } from '../calls.ts'

export const { steps } = visit('cloud', 'notification', run => {
  run.call('notification.list')
})

export const checks = {
  'notification/newest-comes-first': newestFirst('notification.list', 'createdAt'),
  'notification/type-is-listed': eachPair(['notification.list', 'notificationType.list'], (listed, types) => {
    const all = listIn(listed, 'notification')
    const names = listIn(types, 'notificationType')?.map(({ name }) => name)
    if (!all || !names || !isReadToEnd(types, 'notificationType')) return undefined
    const stray = all.find(({ type }) => !names.includes(type!))
    const expected = 'the name of a type that is listed'
    return heldUnless(stray && { path: '$.result.type', expected, got: stray.type }, [listed, types])
  }),
} as const satisfies Record<string, Check>
