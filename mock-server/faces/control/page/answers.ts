/** The answers of the control plane to the console: types for the handlers and for the page. */
import type { Form, Rule } from '../../../../fixtures/contract/index.ts'
import type { Answer, JournalEntry } from '../../../mock/mock.ts'
import type { Range } from '../../../telemetry/query/plan.ts'
import type { Alert, Dashboard, Tile } from '../../../words/resources.ts'
import type { Size } from '../../../world/size.ts'

export type {
  AlertWindow,
  Command,
  ListedAlert,
  ListedService,
  ListedServices,
  ServiceState,
  StateChange,
} from '../../../words/resources.ts'

export interface About {
  readonly version?: string | undefined
  /** The views that are available; all by default. */
  readonly views?: readonly string[]
  readonly hostname: string
  /** Options of the mock, such as the name of a baseline. */
  readonly startedWith: Readonly<Record<string, string>>
  readonly seed: number
  readonly size: Size
  readonly start: string
  readonly segment?: string | undefined
  readonly choices: readonly ListedChoice[]
  readonly rules: readonly ListedRule[]
  readonly canVerify: boolean
  /** Descriptions of the available scenarios. */
  readonly scenarios: Readonly<Record<string, string>>
  readonly scenario: string
  readonly operations: readonly string[]
}

/** A gap in one form, with its default and the current choice. */
export interface ListedChoice {
  readonly id: string
  readonly form: Form
  readonly section: string
  readonly question: string
  /** The reason for the default. */
  readonly reason: string
  readonly defaultChoice: string | undefined
  readonly choice: string | undefined
  readonly choices: readonly string[]
}

export interface ListedRule extends Rule {
  readonly id: string
  /** A group of operations of the cloud API. */
  readonly group?: string | undefined
}

/** The answer to a call that the control plane sent for the page (`POST /control/send`); status 0 if it received no complete answer. */
export interface SendResult extends Pick<Answer, 'status' | 'headers' | 'body' | 'cause'> {
  readonly ms: number
}

/** A call of the journal of a proxy, and the answer of a mock to the same request (`POST /control/mock`). */
export interface MockComparison {
  readonly call: JournalEntry
  /** The path of the call, with the ids of the mock. */
  readonly path: string
  readonly sent: SendResult
}

export type NumberFormat = Readonly<Record<string, unknown>>

/** The computed content of a tile. */
export type Drawing = TileContent & { readonly format?: NumberFormat }

export type TileContent =
  | {
      readonly as: 'line' | 'bars'
      /** Epoch seconds, the start of each bucket. */
      readonly times: readonly number[]
      readonly series: readonly { readonly name: string; readonly values: readonly (number | null)[] }[]
      readonly areGroups: boolean
      /** The number of series that are not drawn. */
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

/** The columns of a row that are not empty; times as ISO 8601. */
export type TelemetryRow = Readonly<Record<string, unknown>>

/** `GET /control/found/{stack}/{kind}` */
export interface TelemetryRows {
  readonly range: Range
  readonly rows: readonly TelemetryRow[]
  /** Counts over time, by severity or status. */
  readonly drawing: Drawing
}

/** `GET /control/traces/{stack}/{trace}`, the earliest first. */
export interface TraceRows {
  readonly spans: readonly TelemetryRow[]
  readonly logs: readonly TelemetryRow[]
}

/** A value of a parameter, such as an id, and a description, such as the name and state of a service. */
export interface ParameterChoice {
  readonly value: string
  readonly description: string
}

export interface ExampleParameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  /** Absent if no record has such an id, or if the parameter is optional and has no example. */
  readonly value?: string | undefined
  readonly choices: readonly ParameterChoice[]
}

/** `GET /control/requests/{operation}`: a request with ids of this world. */
export interface ExampleRequest {
  readonly parameters: readonly ExampleParameter[]
  readonly body?: unknown
  /** Possible ids in the body, by field name. */
  readonly choices?: Readonly<Record<string, readonly ParameterChoice[]>>
  /** A body in another format than JSON. */
  readonly text?: { readonly type: string; readonly body: string }
}

/** `GET /control/verify`: the state of the last run. */
export interface Progress {
  readonly is: 'idle' | 'running' | 'done' | 'failed'
  readonly done: number
  readonly total: number
  readonly step: string
  readonly why?: string
  readonly startedAt?: string
  readonly summary?: unknown
}

/** What `POST /control/reset` and `POST /control/worlds` answer besides a target file. */
export interface ArrangedWorld {
  /** What the captured scenario of the world has and the world does not serve, as sentences; absent if there is nothing. */
  readonly leftOut?: readonly string[]
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

/** `GET /control/about` of a proxy. */
export interface ProxyAbout {
  readonly program: 'proxy'
  readonly version: string
  readonly views: readonly string[]
  /** The name in the target file. */
  readonly name?: string | undefined
  /** Where calls of a listener come in, and where they go to. */
  readonly passes: readonly { readonly form: 'cloud' | 'selfHosted'; readonly from: string; readonly to: string }[]
}
