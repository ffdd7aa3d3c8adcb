import type { alert } from '../../fixtures/contract/alert.ts'
import type { backup } from '../../fixtures/contract/backup/backup.ts'
import type { dashboard } from '../../fixtures/contract/dashboard.ts'
import type { AnyOf, ObjectOf, ValuesOf } from '../../fixtures/contract/index.ts'
import type { savedSearch } from '../../fixtures/contract/saved-search.ts'
import type { service } from '../../fixtures/contract/service/resources.ts'
import type { source } from '../../fixtures/contract/source.ts'
import type { dashboardFilter, savedFilterValue, tileConfig } from '../../fixtures/contract/tile.ts'
import type { webhook } from '../../fixtures/contract/webhook.ts'

/**
 * The records of an observability stack, as they are stored. They are immutable: a write replaces the whole record. Fields
 * that only the newer edition shows are stored in both, and left out of the older edition's answers.
 */

/** A source of any kind, with the fields of all kinds. */
export type Source = AnyOf<typeof source, 'record'>

/** The configuration of a tile of any display type, normalised: answers contain exactly this. */
export type TileConfig = AnyOf<typeof tileConfig, 'record'>
export type SelectItem = Extract<
  ObjectOf<typeof tileConfig, 'record'>,
  { displayType: 'line'; select: unknown }
>['select'][number]
type DashboardRecord = ObjectOf<typeof dashboard, 'record'>
export type Tile = Omit<DashboardRecord['tiles'][number], 'config'> & { readonly config: TileConfig }
/** A filter of a dashboard of any kind. */
export type Filter = AnyOf<typeof dashboardFilter, 'record'>
export type Dashboard = Omit<DashboardRecord, 'tiles' | 'filters' | 'savedFilterValues'> & {
  readonly tiles: readonly Tile[]
  readonly filters: readonly Filter[]
  readonly savedFilterValues: readonly AnyOf<typeof savedFilterValue, 'record'>[]
}

/** A webhook, or e-mail addresses. */
export type Channel = AnyOf<typeof alert.fields.channel, 'record'>

export type Alert = Omit<AnyOf<typeof alert, 'record'>, 'channel' | 'channels' | 'displayName' | 'tags'> & {
  /** At least one. The older edition knows only the first. */
  readonly channels: readonly Channel[]
  /** Display name and tags as sent. If one is absent, answers show that of what the alert watches. */
  readonly displayName?: string | null
  readonly tags?: readonly string[] | null
  /** The end of the last evaluated window, in epoch milliseconds; not in answers. */
  readonly evaluatedUntil?: number
  /**
   * The groups whose last evaluation violated the threshold, and for how many in a row; not in answers. An alert without
   * groups has one, whose name is empty.
   */
  readonly groups?: Readonly<
    Record<
      string,
      { readonly state: 'ALERT' | 'PENDING'; readonly violatedAt: readonly number[]; readonly hasFired?: true }
    >
  >
  /** The last evaluated windows, with value and state of the worst group; not in answers. */
  readonly windows?: readonly (readonly [start: number, end: number, value: number, state: AlertState])[]
}
export type AlertState = AnyOf<typeof alert, 'record'>['state']
export type ThresholdType = Alert['thresholdType']

export type SavedSearch = ObjectOf<typeof savedSearch, 'record'>
export type Webhook = ObjectOf<typeof webhook, 'record'>

/** The lists of services and alerts that the console shows. */

type Service = ValuesOf<typeof service.fields>
type Backup = ValuesOf<typeof backup.fields>

/** An alert, what it watches, and its last windows: as recorded, and before that as the current rows say. */
export interface ListedAlert {
  readonly alert: Alert
  readonly watches: {
    readonly kind: 'tile' | 'search' | 'chart' | 'nothing'
    readonly name: string
    readonly dashboard?: string
  }
  readonly format?: unknown
  readonly channels: readonly string[]
  readonly windows: readonly AlertWindow[]
  readonly why?: string
}

export interface AlertWindow {
  readonly start: number
  readonly end: number
  readonly value: number | null
  readonly state: AlertState
}

export type ServiceState = Service['state']
export type Command = 'start' | 'stop' | 'awake'

/** A state of a service and its start in epoch milliseconds. */
export interface StateChange {
  readonly state: ServiceState
  readonly at: number
}

export interface ListedService extends Pick<Service, 'id' | 'name' | 'provider' | 'region' | 'state'> {
  /** The states of the shown period. The first may have begun earlier, the last is the current one. */
  readonly history: readonly StateChange[]
  /** The next state if no command is sent. */
  readonly next?: { readonly state: ServiceState | 'gone'; readonly at: number } | undefined
  /** The state after each possible command. */
  readonly moves: Readonly<Partial<Record<Command, ServiceState>>>
  readonly backups: readonly Required<Pick<Backup, 'id' | 'status' | 'startedAt'>>[]
}

/** `GET /control/services/{organization}` */
export interface ListedServices {
  readonly now: number
  readonly from: number
  readonly total: number
  readonly services: readonly ListedService[]
}
