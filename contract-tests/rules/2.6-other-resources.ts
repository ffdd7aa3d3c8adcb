import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { fieldsOfAll } from './fields.ts'
import { answersTo, describeRefusal, observe } from './steps.ts'

/** §2.6 Dashboards, sources and webhooks: the specification lists their operations, and shows no fields. */

const fieldsOfList = (resource: 'source' | 'webhook'): Check =>
  observe([`selfHosted:${resource}.list-before`, `managed:${resource}.list-before`, `${resource}.list`], ([exchange]) =>
    fieldsOfAll(listIn(exchange, resource) ?? []),
  )

const cascade = ['dashboard.delete-third', 'alert.get-after-cascade']

export const checks = {
  'dashboard/language-without-query': observe(['dashboard.list'], ([exchange]) => {
    const without = (listIn(exchange, 'dashboard') ?? []).filter(
      ({ savedQuery = null, savedQueryLanguage = null }) => savedQuery === null && savedQueryLanguage === null,
    )
    if (without.length === 0) return undefined
    return without.some(item => item.savedQueryLanguage === null) ? 'null' : 'absent'
  }),
  'dashboard/delete-takes-alerts-along': observe(cascade, (_, evidence) => {
    const [deletion, alert] = answersTo(cascade, evidence)
    if (!isSuccess(deletion) || !alert) return undefined
    return isSuccess(alert) ? 'kept' : 'deleted'
  }),
  'source/fields-present': fieldsOfList('source'),
  'webhook/fields-present': fieldsOfList('webhook'),
  'managed/unknown-property': observe(['unknown-property'], ([exchange]) =>
    isSuccess(exchange) ? 'ignore' : describeRefusal(exchange).startsWith('4') ? 'refuse' : undefined,
  ),
} as const satisfies Record<string, Check>
