import type { Source } from '../../words/resources.ts'
import type { Arrivals, Telemetry } from '../telemetry.ts'
import { logsOf } from './logs.ts'
import { metricsOf } from './metrics.ts'
import { filled, type Own } from './own-rows.ts'
import type { Shop } from './requests.ts'
import { sessionsOf } from './sessions.ts'
import { tracesOf } from './traces.ts'

/**
 * Connects the sources of a stack to the generated telemetry of a shop. A new or changed incident shows in the next
 * query. `ownOf` says what the table of a source has beside the columns of its kind.
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
    telemetry.follow(
      id,
      kind,
      own ? { open: filled(open, own, shop.seed), revision, columns: own.columns } : { open, revision },
    )
  }
}

function* nothing(): Arrivals {}

const observed = { log: logsOf, trace: tracesOf, session: sessionsOf, metric: metricsOf }
