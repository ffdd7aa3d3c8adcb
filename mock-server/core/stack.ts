import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Alert, Connection, Dashboard, Source, Webhook } from '../words/resources.ts'

/**
 * Records of one kind in one scope, in order of creation. Records are immutable: a write replaces the whole record, so a
 * record may be serialised once and kept. Every call but `list` costs the same at a thousand records and at a million.
 */
export interface Collection<T extends { readonly id: string }> {
  readonly size: number
  /** Grows with every write; answers derived from the list may be kept while it stays the same. */
  readonly version: number
  get(id: string): T | undefined
  list(): readonly T[]
  /** `limit` records from `offset`, in order of creation. */
  page(offset: number, limit: number): readonly T[]
  create(record: T): void
  replace(record: T): void
  remove(id: string): boolean
}

/** Alerts are also found by the dashboard they watch, so that a cascade does not scan. */
export interface AlertCollection extends Collection<Alert> {
  ofDashboard(dashboardId: string): readonly Alert[]
}

/** One observability stack: the self-hosted deployment, or the managed stack of one service (§4.2, §4.3). */
export interface Stack {
  readonly id: string
  readonly teamId: string
  readonly dashboards: Collection<Dashboard>
  readonly alerts: AlertCollection
  readonly sources: Collection<Source>
  readonly webhooks: Collection<Webhook>
  readonly connections: Collection<Connection>
  readonly telemetry: Telemetry
}
