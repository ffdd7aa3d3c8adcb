import type { Check } from '../engine/check.ts'
import { isSuccess } from '../engine/exchange.ts'
import { findList } from '../engine/recognise.ts'
import { look, lookAtAll, unobservable } from './observations.ts'

/** §6 Events and §8 limits: all of it is left open, and what can be seen without harm is recorded. */

const announced = /^(?:x-)?rate-?limit/i

export const checks = {
  'limit/rate': lookAtAll(exchanges => {
    const names = new Set(
      exchanges.flatMap(({ response }) =>
        Object.keys(response.headers).filter(name => announced.test(name) || name === 'retry-after'),
      ),
    )
    const limit = exchanges
      .map(({ response }) => response.headers['ratelimit-limit'] ?? response.headers['x-ratelimit-limit'])
      .find(Boolean)
    return names.size === 0 ? 'none' : `${[...names].sort().join(', ')}${limit ? ` (limit ${limit})` : ''}`
  }),
  'limit/time-out': lookAtAll(exchanges =>
    exchanges.some(({ response }) => response.headers['keep-alive']) ? 'announced' : 'none',
  ),
  'limit/page-size': look(
    form => [`${form}:alert.list`, `${form}:alert.list-limit`],
    (_, evidence) => {
      const [all, limited] = ['alert.list', 'alert.list-limit'].map(step => {
        const [exchange] = evidence.of(`${evidence.form}:${step}`)
        return exchange && isSuccess(exchange) ? findList(exchange.json, 'alert') : undefined
      })
      if (!all || !limited || all.length < 2) return undefined
      return limited.length === 1 ? 'pages' : 'whole list'
    },
  ),
  'limit/body-size': unobservable('a body over the limit would harm a real deployment, so none is sent'),
  'webhook/private-address': unobservable('it takes writing a webhook, which the specification does not list'),
  'event/webhook-payload': unobservable('it takes a receiver that the deployment can reach'),
} as const satisfies Record<string, Check>
