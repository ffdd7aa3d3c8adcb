import type { Edition } from '../../../fixtures/contract/index.ts'
import { refused } from '../../words/refusal.ts'
import type { Tile, TileConfig } from '../../words/resources.ts'

const watchable: ReadonlySet<string> = new Set(['line', 'stacked_bar', 'stacked_line', 'number'])

/**
 * Whether alerts of a tile outlive an update of it. The older edition asks only tiles of raw SQL, and neither edition asks
 * any other tile when an alert is made.
 */
export const keepsAlerts = ({ config }: Tile, edition: Edition) =>
  watchable.has(config.displayType) || (edition === '2.24' && config.configType !== 'sql')

const intervalInSql = /\$__(timeInterval(_ms)?|interval_s)\b|\{\s*interval(Seconds|Milliseconds)\s*:/

/** Refuses an alert on a query that the database could not ask window by window. */
export function refuseUnwatchableSql(config: TileConfig) {
  if (config.configType !== 'sql') return
  if (!watchable.has(config.displayType)) {
    throw refused('Alerts on Raw SQL tiles are only supported for Line, Stacked Bar, or Number display types')
  }
  if (config.displayType !== 'number' && !intervalInSql.test(config.sqlTemplate ?? '')) {
    throw refused('Raw SQL alert query is invalid: SQL used for alerts must include an interval parameter or macro.')
  }
}
