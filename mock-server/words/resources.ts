import type { AnyOf } from '../../fixtures/contract/index.ts'
import type { source } from '../../fixtures/contract/source.ts'

/**
 * The records of an observability stack, as they are stored. They are immutable: a write replaces the whole record. Fields
 * that only the newer edition shows are stored in both, and left out of the older edition's answers.
 */

/** A source of any kind, with the fields of all. */
export type Source = AnyOf<typeof source, 'record'>

export type DisplayType =
  | 'line'
  | 'stacked_bar'
  | 'table'
  | 'number'
  | 'pie'
  | 'bar'
  | 'heatmap'
  | 'search'
  | 'event_patterns'
  | 'markdown'

export interface SelectItem {
  readonly aggFn: string
  readonly valueExpression: string
  readonly where: string
  readonly whereLanguage: string
  readonly alias?: string
  readonly level?: number
  readonly metricName?: string
  readonly metricType?: string
  readonly [field: string]: unknown
}

/** What a tile shows, after all normalisations: exactly what is answered. */
export interface TileConfig {
  readonly displayType: DisplayType
  /** `sql` for raw SQL; absent for a tile of the builder. */
  readonly configType?: 'sql'
  readonly sourceId?: string
  readonly connectionId?: string
  readonly sqlTemplate?: string
  /** A list of series, or the columns of a search. */
  readonly select?: readonly SelectItem[] | string
  readonly groupBy?: string
  readonly where?: string
  readonly whereLanguage?: string
  readonly asRatio?: boolean
  readonly markdown?: string
  readonly [field: string]: unknown
}

export interface Tile {
  readonly id: string
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
  readonly name: string
  readonly containerId?: string
  readonly tabId?: string
  readonly config: TileConfig
}

export interface Dashboard {
  readonly id: string
  readonly name: string
  readonly tiles: readonly Tile[]
  readonly tags: readonly string[]
  readonly filters: readonly Filter[]
  readonly savedQuery: string | null
  readonly savedQueryLanguage: string | null
  readonly savedFilterValues: readonly object[]
  readonly containers?: readonly object[]
}

export interface Filter {
  readonly id: string
  readonly type: 'QUERY_EXPRESSION'
  readonly name: string
  readonly expression: string
  readonly sourceId: string
  readonly [field: string]: unknown
}

export type AlertState = 'OK' | 'ALERT' | 'PENDING' | 'INSUFFICIENT_DATA' | 'DISABLED'
export type AlertInterval = '1m' | '5m' | '15m' | '30m' | '1h' | '6h' | '12h' | '1d'
export type ThresholdType =
  | 'above'
  | 'below'
  | 'above_exclusive'
  | 'below_or_equal'
  | 'equal'
  | 'not_equal'
  | 'between'
  | 'not_between'

export interface Channel {
  readonly type: 'webhook'
  readonly webhookId: string
  readonly [field: string]: unknown
}

export interface Alert {
  readonly id: string
  readonly name: string | null
  readonly message: string | null
  readonly note: string | null
  readonly threshold: number
  readonly thresholdMax?: number
  readonly thresholdType: ThresholdType
  readonly interval: AlertInterval
  readonly numConsecutiveWindows: number | null
  readonly scheduleOffsetMinutes?: number
  /** Null when it was cleared on purpose, which is answered as null. */
  readonly scheduleStartAt?: string | null
  readonly source: 'tile' | 'saved_search'
  readonly state: AlertState
  /** At least one; the first is the one that the older edition knows. */
  readonly channels: readonly Channel[]
  readonly teamId: string
  readonly dashboardId?: string
  readonly tileId?: string
  readonly savedSearchId?: string
  readonly groupBy?: string
  readonly silenced?: { readonly by?: string; readonly at: string; readonly until: string }
  readonly executionErrors?: readonly ExecutionError[]
  /** The end of the window that it was last evaluated for, in epoch milliseconds; it is not answered. */
  readonly evaluatedUntil?: number
  /** Of a grouped alert, the groups that are not `OK`; not answered. */
  readonly groups?: Readonly<Record<string, 'ALERT' | 'PENDING'>>
  readonly createdAt: string
  readonly updatedAt: string
}

export interface ExecutionError {
  readonly timestamp: string
  readonly type: 'QUERY_ERROR' | 'QUERY_TIMEOUT' | 'WEBHOOK_ERROR' | 'INVALID_ALERT' | 'UNKNOWN'
  readonly message: string
}
