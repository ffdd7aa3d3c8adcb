import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { findList } from '../engine/recognise.ts'
import { answersTo, headerNamesIn, observe, observeAll, unobservable } from './steps.ts'

/** §6 Events and §8 limits: the specification leaves them open, so a run observes them where that does no harm. */

const alertLists = ['alert.list', 'alert.list-limit']

export const checks = {
  'limit/rate': observeAll(exchanges => {
    const names = headerNamesIn(exchanges, /^(?:x-)?rate-?limit|^retry-after$/i)
    const limit = exchanges
      .map(({ response }) => response.headers['ratelimit-limit'] ?? response.headers['x-ratelimit-limit'])
      .find(Boolean)
    return limit ? `${names} (limit ${limit})` : names
  }),
  'limit/headers': observeAll(exchanges =>
    exchanges.some(({ response }) => response.headers['ratelimit-limit']) ? 'always' : 'never',
  ),
  'limit/time-out': observeAll(exchanges =>
    exchanges.some(({ response }) => response.headers['keep-alive']) ? 'announced' : 'none',
  ),
  'limit/page-size': observe(alertLists, (_, evidence) => {
    const [all, limited] = answersTo(alertLists, evidence).map(one =>
      isSuccess(one) ? findList(one.json, 'alert') : undefined,
    )
    if (!all || !limited || all.length < 2) return undefined
    return limited.length === 1 ? 'pages' : 'whole list'
  }),
  'limit/body-size': unobservable('a body over the limit would harm a real deployment, so none is sent'),
  'webhook/private-address': unobservable(
    'it requires an operation that writes webhooks, and the specification lists none',
  ),
} as const satisfies Record<string, Check>
