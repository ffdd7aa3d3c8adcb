import type { alert } from '../../fixtures/contract/alert.ts'
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

/** At least one channel; the first is the one that the older edition knows. */
export type Alert = Omit<AnyOf<typeof alert, 'record'>, 'channel' | 'displayName' | 'tags'> & {
  /** As sent: without them, answers show those of what the alert watches. */
  readonly displayName?: string | null
  readonly tags?: readonly string[] | null
  /** The end of the window that it was last evaluated for, in epoch milliseconds; it is not answered. */
  readonly evaluatedUntil?: number
  /** Of a grouped alert, the groups that are not `OK`; not answered. */
  readonly groups?: Readonly<Record<string, 'ALERT' | 'PENDING'>>
}
export type AlertState = Alert['state']
export type ThresholdType = Alert['thresholdType']
export type ExecutionError = NonNullable<Alert['executionErrors']>[number]
