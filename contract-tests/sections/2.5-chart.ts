import type { Check } from '../harness/check.ts'
import { isSuccess } from '../harness/exchange.ts'
import { findList } from '../harness/recognise.ts'
import { answers, look, neverSucceeds, refusal, refusalIn, unobservable } from './observations.ts'

/** §2.5 and §4.3 charts: by POST only. */

const query = 'selfHosted:chart.query'
const inSeconds = 'selfHosted:chart.query-in-seconds'

export const checks = {
  'chart/query-is-accepted': answers(() => [query, inSeconds]),
  'chart/other-methods-never-succeed': neverSucceeds(() =>
    ['get', 'put', 'patch', 'delete'].map(method => `selfHosted:chart.${method}`),
  ),
  'chart/time-unit': look(
    () => [query, inSeconds],
    (_, evidence) => {
      const [milliseconds, seconds] = [query, inSeconds].map(step => evidence.of(step).some(isSuccess))
      if (milliseconds && seconds) return 'both accepted'
      return milliseconds ? 'milliseconds' : seconds ? 'seconds' : undefined
    },
  ),
  'chart/fields-present': look(
    () => [query, inSeconds],
    exchanges => {
      const rows = exchanges.filter(isSuccess).flatMap(({ json }) => findList(json, 'data') ?? [])
      return rows[0] && [...new Set(rows.flatMap(Object.keys))].sort()
    },
  ),
  'chart/free-text': look(
    () => ['selfHosted:chart.free-text'],
    ([exchange]) => exchange && (isSuccess(exchange) ? 'search' : 'refuse'),
  ),
  'chart/short-names': look(
    () => ['selfHosted:chart.short-names'],
    ([exchange]) => exchange && (isSuccess(exchange) ? 'read' : 'refuse'),
  ),
  'chart/group-names': unobservable('it takes telemetry with attributes, which the specification cannot write'),
  'chart/metric-values': unobservable('it takes telemetry of metrics, which the specification cannot write'),
  'chart/unreadable-where': look(
    () => ['selfHosted:chart.unreadable-where'],
    ([exchange]) => exchange && refusalIn(exchange),
  ),
  'chart/unknown-source': refusal(() => 'selfHosted:chart.unknown-source'),
} as const satisfies Record<string, Check>
