import type { Source } from '../../words/resources.ts'
import type { Telemetry } from '../telemetry.ts'
import { logsOf } from './logs.ts'
import { metricsOf } from './metrics.ts'
import type { Shop } from './requests.ts'
import { sessionsOf } from './sessions.ts'
import { tracesOf } from './traces.ts'

/**
 * Connects the sources of a stack to the generated telemetry of a shop. A new or changed incident shows in the next
 * query.
 */
export function observeShop(sources: readonly Source[], telemetry: Telemetry, shop: Shop): void {
  if (shop.logs === 0) return
  const revision = () => JSON.stringify(shop.incidents())
  for (const { id, kind } of sources) {
    if (kind !== 'promql') telemetry.follow(id, kind, { open: observed[kind](shop), revision })
  }
}

const observed = { log: logsOf, trace: tracesOf, session: sessionsOf, metric: metricsOf }
