import { type Check, held, notJudged } from '../engine/check.ts'
import { type Exchange, isSuccess } from '../engine/exchange.ts'
import { firstObjectIn, isObject } from '../engine/recognise.ts'
import { brokenBy, headerNamesIn, judgeTogether, observe, observeAll } from './steps.ts'

const documentIn = (exchange: Exchange) =>
  isSuccess(exchange) && isObject(exchange.json) && ('openapi' in exchange.json || 'swagger' in exchange.json)
    ? exchange.json
    : undefined

export const checks = {
  'version/description-is-1.0': judgeTogether(['description'], ([exchange]) => {
    if (!exchange) return undefined
    const info = documentIn(exchange)?.info
    if (!isObject(info)) return notJudged('no machine-readable description is served at /v1')
    if (info.version === '1.0') return held([exchange])
    return brokenBy({ path: '$.info.version', expected: '"1.0"', got: info.version }, exchange)
  }),
  'version/description': observe(['description'], ([exchange]) => (documentIn(exchange) ? 'served' : 'absent')),
  'version/self-hosted-edition': observe(['alert.create-main', 'alert.list'], exchanges => {
    const alert = exchanges
      .filter(isSuccess)
      .map(({ json }) => firstObjectIn(json, 'alert'))
      .find(Boolean)
    if (!alert) return undefined
    if ('numConsecutiveWindows' in alert || 'channels' in alert) return '2.36'
    return 'teamId' in alert ? '2.24' : 'another'
  }),
  'version/deprecation': observeAll(exchanges => headerNamesIn(exchanges, /^(?:deprecation|sunset)$/)),
} as const satisfies Record<string, Check>
