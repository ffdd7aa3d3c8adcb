/** What the control plane answers at the addresses that exist for this page; its functions are checked against it. */
import type { Form, Rule } from '../../../../fixtures/contract/index.ts'
import type { Backup } from '../../../families/backup/seed.ts'
import type { Service } from '../../../families/service/model.ts'
import type { Answer, JournalEntry } from '../../../mock/mock.ts'
import type { Range } from '../../../telemetry/query/plan.ts'
import type { Alert, AlertState, Dashboard, Tile } from '../../../words/resources.ts'
import type { Size } from '../../../world/size.ts'

/** `GET /control/about` */
export interface About {
  readonly version?: string | undefined
  /** The views that there is something to show in, where that is not all. */
  readonly views?: readonly string[]
  readonly hostname: string
  /** What the mock was started with: the name of a baseline, a seed of gaps. */
  readonly startedWith: Readonly<Record<string, string>>
  readonly seed: number
  readonly size: Size
  readonly start: string
  readonly segment?: string | undefined
  readonly choices: readonly ListedChoice[]
  readonly rules: readonly ListedRule[]
  readonly canVerify: boolean
  /** The scenarios that a world can begin as, with what each is. */
  readonly scenarios: Readonly<Record<string, string>>
  /** What this world began as. */
  readonly scenario: string
  readonly operations: readonly string[]
}

/** The answer to a question that the specification leaves open, in one form. */
export interface ListedChoice {
  readonly id: string
  readonly form: Form
  readonly section: string
  readonly asks: string
  readonly because: string
  readonly usual: string | undefined
  readonly takes: string | undefined
  /** What can be chosen. */
  readonly choices: readonly string[]
}

export interface ListedRule extends Rule {
  readonly id: string
  /** The group of the cloud API that it is about. */
  readonly group?: string | undefined
}

/** `POST /control/send`: its status is 0 when no whole answer came. */
export interface Sent extends Pick<Answer, 'status' | 'headers' | 'body' | 'cause'> {
  readonly ms: number
}

/** `POST /control/mock`, of a proxy: a call of its journal, and what a mock answers to the same. */
export interface SentToMock {
  readonly call: JournalEntry
  /** Its path in the world of the mock. */
  readonly path: string
  readonly sent: Sent
}

/** How numbers are written, as tiles define it. */
export type NumberFormat = Readonly<Record<string, unknown>>

/** What a tile shows, counted and ready to be drawn. */
export type Drawing = Drawn & { readonly format?: NumberFormat }

export type Drawn =
  | {
      readonly as: 'line' | 'bars'
      /** Epoch seconds, the start of each bucket. */
      readonly times: readonly number[]
      readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
      /** Whether the series are the groups of one, such as services. */
      readonly areGroups: boolean
      /** How many series are left out. */
      readonly left: number
    }
  | { readonly as: 'number'; readonly value: number | null }
  | { readonly as: 'shares'; readonly shares: readonly { readonly name: string; readonly value: number }[] }
  | { readonly as: 'table'; readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] }
  | { readonly as: 'markdown'; readonly text: string }
  | { readonly as: 'nothing'; readonly why: string }

/** `GET /control/drawings/{stack}/{dashboard}` */
export interface DrawnDashboard {
  readonly range: Range
  readonly dashboard: Omit<Dashboard, 'tiles'> & { readonly tiles: readonly (Tile & { readonly drawing: Drawing })[] }
  readonly alerts: readonly Alert[]
}

/** A row with all its columns that hold something, by name; times as ISO 8601. */
export type FoundRow = Readonly<Record<string, unknown>>

/** `GET /control/found/{stack}/{kind}` */
export interface FoundRows {
  readonly range: Range
  readonly rows: readonly FoundRow[]
  /** How many there are at each time, by severity or status. */
  readonly drawing: Drawing
}

/** `GET /control/traces/{stack}/{trace}`: the spans of a trace, the earliest first, and its log lines. */
export interface FoundTrace {
  readonly spans: readonly FoundRow[]
  readonly logs: readonly FoundRow[]
}

/** An alert, what it watches, and how its last windows went by the rows that are there now. */
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

/** One window of an alert: the value that is farthest from quiet among its groups, and what it meant. */
export interface AlertWindow {
  readonly start: number
  readonly end: number
  readonly value: number | null
  readonly state: AlertState
}

export type ServiceState = Service['state']
export type Command = 'start' | 'stop' | 'awake'

/** A state that a service took on, and when, in epoch milliseconds. */
export interface ServiceMoment {
  readonly state: ServiceState
  readonly at: number
}

export interface ShownService extends Pick<Service, 'id' | 'name' | 'provider' | 'region' | 'state'> {
  /** What it was over the time that is shown; the first may have begun before that, the last one lasts. */
  readonly history: readonly ServiceMoment[]
  /** What comes by the clock alone. */
  readonly next?: { readonly state: ServiceState | 'gone'; readonly at: number } | undefined
  /** What each command leads to, of those that would do something. */
  readonly moves: Readonly<Partial<Record<Command, ServiceState>>>
  /** The last ones, the newest first. */
  readonly backups: readonly Pick<Backup, 'id' | 'status' | 'startedAt'>[]
}

/** `GET /control/services/{organization}` */
export interface ShownServices {
  readonly now: number
  /** How far the histories reach back. */
  readonly from: number
  readonly total: number
  readonly services: readonly ShownService[]
}

/** A value that a parameter can have, and what it stands for, such as the name and the state of a service. */
export interface OfferedValue {
  readonly value: string
  readonly description: string
}

export interface OfferedParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  /** Absent where nothing exists that it could name, or it may be left out. */
  readonly value?: string | undefined
  readonly choices: readonly OfferedValue[]
}

/** `GET /control/requests/{operation}`: ids of what exists, and a body that refers to it. */
export interface OfferedRequest {
  readonly parameters: readonly OfferedParameter[]
  readonly body?: unknown
  /** Ids that fields of the body can have, by the names of the fields. */
  readonly choices?: Readonly<Record<string, readonly OfferedValue[]>>
  /** A body that is no JSON. */
  readonly text?: { readonly type: string; readonly body: string }
}

/** `GET /control/verify`: the state of the run that was asked for last. */
export interface Progress {
  readonly is: 'idle' | 'running' | 'done' | 'failed'
  readonly done: number
  readonly total: number
  readonly step: string
  /** Why it failed. */
  readonly why?: string
  readonly startedAt?: string
  readonly summary?: unknown
}

/** `GET /control/worlds` */
export interface ListedWorld {
  readonly id: string
  readonly name?: string | undefined
  readonly seed: number
  readonly openedAt: string
  readonly ageMs: number
  readonly lastCallAt: string | null
  readonly calls: number
}
