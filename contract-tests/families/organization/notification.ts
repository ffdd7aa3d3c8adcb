import type { Check } from '../../engine/check.ts'
import { isReadToEnd, listIn } from '../../engine/pages.ts'
import { queryOf } from '../../rules/fields.ts'
import { eachPair } from '../../rules/operations.ts'
import { eachSuccess, heldUnless } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'
import { newestFirst } from '../calls.ts'

const listOfSeverity = 'cloud:notification.list-of-severity'

/** A severity that not all notifications have; else that of the first, else `warning`. */
function chooseSeverity(listed: readonly { readonly severity?: unknown }[] = []): string {
  const first = listed[0]?.severity ?? 'warning'
  const other = listed.find(({ severity }) => severity !== first)
  return String(other?.severity ?? first)
}

export const { steps } = visit('cloud', 'notification', run => {
  const list = run.call('notification.list')
  run.call('notification.list', {
    name: 'notification.list-of-severity',
    why: 'lists the notifications of one severity',
    from: [list],
    query: context => ({ severity: chooseSeverity(listIn(context.exchange(list), 'notification')) }),
  })
})

export const checks = {
  'notification/newest-comes-first': newestFirst('notification.list', 'createdAt'),
  'notification/filter-holds': eachSuccess([listOfSeverity], exchange => {
    const severity = queryOf(exchange).get('severity')
    const stray = listIn(exchange, 'notification')?.find(item => item.severity !== severity)
    return stray ? [{ path: '$.result', expected: `severity ${severity} only`, got: stray.severity }] : []
  }),
  'notification/type-is-listed': eachPair(['notification.list', 'notificationType.list'], (listed, types) => {
    const all = listIn(listed, 'notification')
    const names = listIn(types, 'notificationType')?.map(({ name }) => name)
    if (!all || !names || !isReadToEnd(types, 'notificationType')) return undefined
    const stray = all.find(({ type }) => !names.includes(type!))
    const expected = 'the name of a type that is listed'
    return heldUnless(stray && { path: '$.result.type', expected, got: stray.type }, [listed, types])
  }),
} as const satisfies Record<string, Check>
