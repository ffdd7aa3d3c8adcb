import type { Check } from '../../engine/check.ts'
import { isSuccess } from '../../engine/exchange.ts'
import { isWhole, listIn } from '../../engine/pages.ts'
import type { Step } from '../../engine/step.ts'
import { agrees, each, together } from '../../rules/steps.ts'
import { asking, call, newestFirst } from '../calls.ts'

const filtered = 'cloud:notification.list-of-severity'
const list = call('notification.list')

/** The severity that some notifications have and others do not, else any. */
const severityOf = (listed: readonly { readonly severity?: unknown }[] | undefined) =>
  String(
    listed?.find(({ severity }) => severity !== listed[0]?.severity)?.severity ?? listed?.[0]?.severity ?? 'warning',
  )

export const steps: readonly Step[] = [
  list,
  call('notificationType.list'),
  {
    ...list,
    name: filtered,
    phase: 1,
    why: 'lists the notifications of one severity',
    from: [list.name],
    draft: past =>
      asking(list, () => `severity=${severityOf(listIn(past.exchange(list.name), 'notification'))}`).draft(past),
  },
]

export const checks = {
  'notification/newest-comes-first': newestFirst('notification.list', 'createdAt'),
  'notification/filter-holds': each([filtered], exchange => {
    const wanted = new URLSearchParams(exchange.request.path.split('?')[1]).get('severity')
    const stray = listIn(exchange, 'notification')?.find(({ severity }) => severity !== wanted)
    if (!isSuccess(exchange)) return undefined
    return stray ? [{ path: '$.result', expected: `severity ${wanted} only`, got: stray.severity }] : []
  }),
  'notification/type-is-listed': together(['notification.list', 'notificationType.list'], ([listed, types]) => {
    const all = listIn(listed, 'notification')
    const names = listIn(types, 'notificationType')?.map(({ name }) => name)
    if (!listed || !types || !all || !names || !isWhole(types, 'notificationType')) return undefined
    const stray = all.find(({ type }) => !names.includes(type!))
    const expected = 'the name of a type that is listed'
    return agrees(stray && { path: '$.result.type', expected, got: stray.type }, '', listed, types)
  }),
} as const satisfies Record<string, Check>
