import type { Source } from '../../words/resources.ts'
import type { Telemetry, TimedRows } from '../telemetry.ts'
import { logsOf } from './logs.ts'
import { metricsOf } from './metrics.ts'
import type { Shop } from './requests.ts'
import { sessionsOf } from './sessions.ts'
import { type SourceExtras, withExtras } from './source-extras.ts'
import { tracesOf } from './traces.ts'

/**
 * Generates the telemetry of a shop for the sources of a stack. A changed incident shows in the next query.
 * `extrasOf` returns the additional columns of the table of a source.
 */
export function generateShopTelemetry(
  sources: readonly Source[],
  telemetry: Telemetry,
  shop: Shop,
  extrasOf: (source: Source) => SourceExtras | undefined = () => undefined,
): void {
  const revision = () => JSON.stringify(shop.incidents())
  for (const source of sources) {
    const { id, kind } = source
    const extras = extrasOf(source)
    if (kind === 'promql' || (shop.logs === 0 && !extras)) continue
    const open = shop.logs === 0 ? () => noRows : generatorOfKind[kind](shop)
    telemetry.generate(
      id,
      kind,
      extras ? { open: withExtras(open, extras, shop.seed), revision, columns: extras.columns } : { open, revision },
    )
  }
}

function* noRows(): TimedRows {}

const generatorOfKind = { log: logsOf, trace: tracesOf, session: sessionsOf, metric: metricsOf }
