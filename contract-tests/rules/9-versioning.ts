import { absent, type Check, describe, held, notApplicable } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { findList, findObject, isObject } from '../engine/recognise.ts'
import { look, lookAtAll } from './observations.ts'

/** §9 Versioning. */

/** The OpenAPI document in an answer, if it is one. */
const documentIn = (exchange: Exchange | undefined) =>
  exchange &&
  isSuccess(exchange) &&
  isObject(exchange.json) &&
  ('openapi' in exchange.json || 'swagger' in exchange.json)
    ? exchange.json
    : undefined

export const checks = {
  'version/description-is-1.0': {
    reads: () => ['cloud:description'],
    judge: evidence => {
      const [exchange] = evidence.of('cloud:description')
      if (!exchange) return absent(evidence, 'cloud:description')
      const info = documentIn(exchange)?.info
      if (!isObject(info)) return notApplicable('no machine-readable description is served at /v1')
      if (info.version === '1.0') return held([exchange])
      const finding = { path: '$.info.version', expected: '"1.0"', got: info.version }
      return { outcome: 'broken', detail: describe(finding, exchange), exchanges: [exchange] }
    },
  },
  'version/description': look(
    () => ['cloud:description'],
    ([exchange]) => (documentIn(exchange) ? 'served' : 'absent'),
  ),
  'version/self-hosted-edition': look(
    form => [`${form}:alert.create-main`, `${form}:alert.list`],
    exchanges => {
      for (const { json } of exchanges.filter(isSuccess)) {
        const alert = findObject(json, 'alert') ?? findList(json, 'alert')?.[0]
        if (alert)
          return 'numConsecutiveWindows' in alert || 'channels' in alert
            ? '2.36'
            : 'teamId' in alert
              ? '2.24'
              : 'another'
      }
      return undefined
    },
  ),
  'version/deprecation': lookAtAll(exchanges => {
    const names = new Set(
      exchanges.flatMap(({ response }) =>
        Object.keys(response.headers).filter(name => name === 'deprecation' || name === 'sunset'),
      ),
    )
    return names.size === 0 ? 'none' : [...names].sort().join(', ')
  }),
} as const satisfies Record<string, Check>
