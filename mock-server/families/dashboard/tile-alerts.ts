import type { Edition } from '../../../fixtures/contract/index.ts'
import { refused } from '../../words/refusal.ts'
import type { Tile, TileConfig } from '../../words/resources.ts'

const typesWithAlerts: ReadonlySet<string> = new Set(['line', 'stacked_bar', 'stacked_line', 'number'])

/**
 * Whether the alerts of a tile are kept when its dashboard is updated. Edition 2.24 checks the display type of tiles with raw
 * SQL only. When an alert is created, both editions check only those.
 */
export const canKeepAlerts = ({ config }: Tile, edition: Edition) =>
  typesWithAlerts.has(config.displayType) || (edition === '2.24' && config.configType !== 'sql')

const intervalInSql = /\$__(timeInterval(_ms)?|interval_s)\b|\{\s*interval(Seconds|Milliseconds)\s*:/

/** Refuses an alert on raw SQL that cannot be evaluated for each window of the alert. */
export function refuseSqlWithoutAlerts(config: TileConfig) {
  if (config.configType !== 'sql') return
  if (!typesWithAlerts.has(config.displayType)) {
    throw refused('Alerts on Raw SQL tiles are only supported for Line, Stacked Bar, or Number display types')
  }
  if (config.displayType !== 'number' && !intervalInSql.test(config.sqlTemplate ?? '')) {
    throw refused('Raw SQL alert query is invalid: SQL used for alerts must include an interval parameter or macro.')
  }
}
