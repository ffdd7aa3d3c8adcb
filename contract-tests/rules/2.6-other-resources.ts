import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { commonFieldNames } from './fields.ts'
import { answersTo, observe } from './steps.ts'

/** §2.6 Dashboards, sources and webhooks: the specification lists their operations, and shows no fields. */

const observeFields = (resource: 'source' | 'webhook'): Check =>
  observe([`selfHosted:${resource}.list-before`, `managed:${resource}.list-before`, `${resource}.list`], ([exchange]) =>
    commonFieldNames(listIn(exchange, resource) ?? []),
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
    // By step: `observe` leaves out steps without an answer.
    const [deletion, alert] = answersTo(cascade, evidence)
    if (!isSuccess(deletion) || !alert) return undefined
    return isSuccess(alert) ? 'kept' : 'deleted'
  }),
  'source/fields-present': observeFields('source'),
  // Every log source has more optional expressions than anybody sets.
  'source/unset-expressions': observe(['managed:source.list-before', 'source.list'], ([exchange]) => {
    const logs = (listIn(exchange, 'source') ?? []).filter(({ kind }) => kind === 'log')
    if (logs.length === 0) return undefined
    const values = logs.flatMap(log => Object.keys(log).filter(name => name.endsWith('Expression') && log[name] === ''))
    return values.length > 0 ? 'empty' : 'absent'
  }),
  'webhook/fields-present': observeFields('webhook'),
  'managed/unknown-property': observe(['unknown-property'], ([exchange]) => {
    if (isSuccess(exchange)) return 'ignore'
    const { status } = exchange.response
    return status >= 400 && status < 500 ? 'refuse' : undefined
  }),
} as const satisfies Record<string, Check>
