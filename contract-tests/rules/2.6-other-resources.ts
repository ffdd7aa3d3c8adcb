import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { lifecycle } from './lifecycle/index.ts'
import { answers, look, refusalIn } from './observations.ts'

/** §2.6 Dashboards, sources and webhooks: their fields are not shown, their operations are listed. */

/** Fields that every item of a list has. */
const fieldsOfList = (resource: 'source' | 'webhook'): Check =>
  look(
    form => [`${form}:${resource}.list`],
    ([exchange]) => {
      const list = listIn(exchange, resource)
      if (!list?.[0]) return undefined
      return Object.keys(list[0])
        .filter(name => list.every(item => name in item))
        .sort()
    },
  )

export const checks = {
  ...lifecycle('dashboard'),
  'dashboard/language-without-query': look(
    form => [`${form}:dashboard.list`],
    ([exchange]) => {
      const list = listIn(exchange, 'dashboard')
      const without = list?.filter(({ savedQuery = null, savedQueryLanguage = null }) => {
        return savedQuery === null && savedQueryLanguage === null
      })
      if (!without?.length) return undefined
      return without.some(item => item.savedQueryLanguage === null) ? 'null' : 'absent'
    },
  ),
  'dashboard/delete-takes-alerts-along': look(
    form => [`${form}:dashboard.delete-third`, `${form}:alert.get-after-cascade`],
    (_, evidence) => {
      const [deletion] = evidence.of(`${evidence.form}:dashboard.delete-third`)
      const [alert] = evidence.of(`${evidence.form}:alert.get-after-cascade`)
      if (!deletion || !isSuccess(deletion) || !alert) return undefined
      return isSuccess(alert) ? 'kept' : 'deleted'
    },
  ),
  'source/list-answers': answers(form => [`${form}:source.list`]),
  'source/fields-present': fieldsOfList('source'),
  'webhook/list-answers': answers(() => ['selfHosted:webhook.list']),
  'webhook/fields-present': fieldsOfList('webhook'),
  'managed/unknown-property': look(
    () => ['managed:unknown-property'],
    ([exchange]) =>
      exchange && (isSuccess(exchange) ? 'ignore' : refusalIn(exchange).startsWith('4') ? 'refuse' : undefined),
  ),
} as const satisfies Record<string, Check>
