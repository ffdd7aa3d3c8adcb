import type { Source } from '../../words/resources.ts'
import type { Arrivals, Telemetry } from '../telemetry.ts'
import { logsOf } from './logs.ts'
import { metricsOf } from './metrics.ts'
import { type Own, withOwn } from './own-rows.ts'
import type { Shop } from './requests.ts'
import { sessionsOf } from './sessions.ts'
import { tracesOf } from './traces.ts'

/**
 * Connects the sources of a stack to the generated telemetry of a shop, in which the next query sees a changed incident.
 * `ownOf` returns additional columns of the table of a source.
 */
export function observeShop(
  sources: readonly Source[],
  telemetry: Telemetry,
  shop: Shop,
  ownOf: (source: Source) => Own | undefined = () => undefined,
): void {
  const revision = () => JSON.stringify(shop.incidents())
  for (const source of sources) {
    const { id, kind } = source
    const own = ownOf(source)
    if (kind === 'promql' || (shop.logs === 0 && !own)) continue
    const open = shop.logs === 0 ? () => nothing : observed[kind](shop)
    telemetry.generate(
      id,
      kind,
      own ? { open: withOwn(open, own, shop.seed), revision, columns: own.columns } : { open, revision },
    )
  }
}

function* nothing(): Arrivals {}

const observed = { log: logsOf, trace: tracesOf, session: sessionsOf, metric: metricsOf }
