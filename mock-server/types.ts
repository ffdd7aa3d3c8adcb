/**
 * The types of the API, as the contract has them: what requests carry and what answers hold. Written by
 * `npm run types`; do not change it by hand.
 */

/** A threshold on a tile of a dashboard, and the channel that is told. */
export interface Alert {
  /** Id, given by the server: 24 hexadecimal digits. */
  id: string
  /** State at the last evaluation. */
  state: 'OK' | 'ALERT' | 'PENDING' | 'INSUFFICIENT_DATA' | 'DISABLED'
  /** Team that the alert belongs to. */
  teamId: string
  /** What failed at the last evaluation. */
  executionErrors?: Record<string, unknown>[]
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
  /** Dashboard that the alert belongs to. */
  dashboardId: string
  /** Tile that the alert watches. */
  tileId: string
  /** Threshold value. */
  threshold: number
  /** How often it is evaluated. Only the hour-style value is shown; the others are those of deployments. */
  interval: '1m' | '5m' | '15m' | '30m' | '1h' | '6h' | '12h' | '1d'
  /** What the alert watches. Only `tile` is shown. */
  source: 'tile' | 'saved_search'
  /** Direction of the comparison. Only `above` is shown. */
  thresholdType:
    | 'above'
    | 'below'
    | 'above_exclusive'
    | 'below_or_equal'
    | 'equal'
    | 'not_equal'
    | 'between'
    | 'not_between'
  /** Who is told. */
  channel: {
    /** Kind of channel. Only `webhook` is shown. */
    type: 'webhook'
    /** Webhook that is called. */
    webhookId: string
  }
  /** Name of the alert. */
  name: string | null
  /** Message text of the alert. */
  message: string | null
}

/** A backup of a service. */
export interface Backup {
  /** Id of the backup. */
  id: string
  /** Id of the service the backup was made from. */
  serviceId: string
  /** Start of the backup. */
  startedAt: string
  /** End of the backup. */
  finishedAt?: string
  /** Size in bytes. */
  sizeInBytes: number
  /** Duration in seconds. */
  durationInSeconds: number
  /** Name of the backup. */
  backupName?: string
  /** Where the backup is stored. */
  bucket?: {
    /** Provider of the bucket. */
    bucketProvider?: string
    /** Path of the bucket (AWS, GCP). */
    bucketPath?: string
    /** Role that writes to the bucket (AWS). */
    iamRoleArn?: string
    /** Name of the role session (AWS). */
    iamRoleSessionName?: string
    /** Access key of the bucket (GCP). */
    accessKeyId?: string
    /** Container of the backup (AZURE). */
    containerName?: string
  }
  /** How far the backup is, as deployments say it. */
  status?: 'in_progress' | 'done' | 'error'
  /** Kind of backup, as deployments say it. */
  type?: 'full' | 'incremental'
}

/** A query of one or more series over a range of time. */
export interface ChartQuery {
  /** Start of the range, an epoch timestamp. */
  startTime: number
  /** End of the range, an epoch timestamp. */
  endTime: number
  /** Width of a bucket. Only the hour-style value is shown; the others are those of deployments. */
  granularity?:
    | '30s'
    | '1m'
    | '5m'
    | '10m'
    | '15m'
    | '30m'
    | '1h'
    | '2h'
    | '6h'
    | '12h'
    | '1d'
    | '2d'
    | '7d'
    | '30d'
    | 'auto'
  /** The series. */
  series: Array<{
    /** Source that is queried. */
    sourceId: string
    /** Aggregation. Only `count` is shown. */
    aggFn: 'avg' | 'count' | 'count_distinct' | 'last_value' | 'max' | 'min' | 'quantile' | 'sum' | 'any' | 'none'
    /** Filter in a field:value syntax. */
    where: string
    /** Grouping fields; may be empty. */
    groupBy: string[]
  }>
}

/** How a stack reaches the database of its telemetry. */
export interface Connection {
  /** Connection id. */
  id: string
  /** Connection name. */
  name: string
  /** Address of the database. */
  host: string
  /** User of the database. */
  username: string
  /** Prefix of query settings. */
  hyperdxSettingPrefix?: string
  /** Where PromQL is asked. */
  prometheusEndpoint?: string
}

/** A dashboard of tiles, each of which queries a source. */
export interface Dashboard {
  /** Id, given by the server: 24 hexadecimal digits. */
  id: string
  /** Name of the dashboard. */
  name: string
  /** Tiles on a grid 24 columns wide. */
  tiles: {
    /** Id of the tile, given by the server. */
    id: string
    /** Name of the tile. */
    name: string
    /** Column, 0 to 23. */
    x: number
    /** Row, from 0. */
    y: number
    /** Width, 1 to 24. */
    w: number
    /** Height, from 1. */
    h: number
    /** What the tile shows, by displayType. */
    config: Record<string, unknown>
  }[]
  /** Labels. */
  tags: string[]
  /** Filters offered above the dashboard. */
  filters: Record<string, unknown>[]
  /** Query that is kept with the dashboard. */
  savedQuery: string | null
  /** Language of the kept query. */
  savedQueryLanguage?: 'lucene' | 'sql' | null
  /** Filter values that are kept with the dashboard. */
  savedFilterValues: Record<string, unknown>[]
}

/** The body of a 400 of the cloud management API. */
export interface Refusal {
  /** The HTTP status of the answer. */
  status: number
  /** What went wrong, in detail. */
  error: string
  /** The id of the request. */
  requestId?: string
}

/** A person in an organization. */
export interface Member {
  /** Unique id of the user; the same in every organization. */
  userId: string
  /** Name from the personal profile. */
  name: string
  /** E-mail address from the personal profile. */
  email: string
  /** Role in this organization. */
  role: 'admin' | 'developer'
  /** When the member joined this organization. */
  joinedAt: string
}

/** A search with a name: a source, a filter, columns and an order. */
export interface SavedSearch {
  /** Id, given by the server. */
  id?: string
  /** Name of the search. */
  name: string
  /** Source whose rows are searched. */
  sourceId: string
  /** Columns with commas between them; empty for those of the source. */
  select?: string
  /** Filter of the rows. */
  where?: string
  /** Language of the filter; lucene when it is left out. */
  whereLanguage?: 'lucene' | 'sql'
  /** Order of the rows; empty for that of the source. */
  orderBy?: string
  /** Tags of the search. */
  tags?: string[]
  /** Further filters, all of which hold. */
  filters?: {
    /** Its language. */
    type?: 'sql'
    /** SQL predicate, such as `ServiceName IN (…)`. */
    condition: string
  }[]
  /** Team that the search belongs to. */
  teamId?: string
  /** When it was created. */
  createdAt?: string
  /** When it was last changed. */
  updatedAt?: string
}

/** A data source: a table of logs, traces, metrics or sessions. */
export interface Source {
  /** Id of the source. */
  id: string
  /** Name of the source. */
  name: string
  /** Kind of telemetry. */
  kind: 'log' | 'trace' | 'session' | 'metric'
  /** Connection that the source is read through. */
  connection: string
  /** Database and table. */
  from: Record<string, unknown>
  /** Column that holds the time. */
  timestampValueExpression: string
}

/** An address that is called when an alert changes its state. */
export interface Webhook {
  /** Id of the webhook. */
  id: string
  /** Name of the webhook. */
  name: string
  /** Kind of receiver. */
  service: 'slack' | 'generic' | 'incidentio'
  /** Address that is called. */
  url?: string
  /** What it is for. */
  description?: string
  /** Template of the body (generic only). */
  body?: string
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

/** The body of a refusal of the self-hosted API. */
export interface SelfHostedRefusal {
  /** What went wrong. */
  message: string
}

/** What a dashboard is created with, or replaced by. */
export interface DashboardBody {
  /** Name of the dashboard. */
  name: string
  /** Tiles on a grid 24 columns wide. */
  tiles: {
    /** Id of the tile, given by the server. */
    id?: string
    /** Name of the tile. */
    name: string
    /** Column, 0 to 23. */
    x: number
    /** Row, from 0. */
    y: number
    /** Width, 1 to 24. */
    w: number
    /** Height, from 1. */
    h: number
    /** What the tile shows, by displayType. */
    config?: Record<string, unknown>
  }[]
  /** Labels. */
  tags?: string[]
  /** Filters offered above the dashboard. */
  filters?: Record<string, unknown>[]
  /** Query that is kept with the dashboard. */
  savedQuery?: string | null
  /** Language of the kept query. */
  savedQueryLanguage?: 'lucene' | 'sql' | null
  /** Filter values that are kept with the dashboard. */
  savedFilterValues?: Record<string, unknown>[]
}

/** What an alert is created with, or replaced by. */
export interface AlertBody {
  /** Dashboard that the alert belongs to. */
  dashboardId: string
  /** Tile that the alert watches. */
  tileId: string
  /** Threshold value. */
  threshold: number
  /** How often it is evaluated. Only the hour-style value is shown; the others are those of deployments. */
  interval: '1m' | '5m' | '15m' | '30m' | '1h' | '6h' | '12h' | '1d'
  /** What the alert watches. Only `tile` is shown. */
  source: 'tile' | 'saved_search'
  /** Direction of the comparison. Only `above` is shown. */
  thresholdType:
    | 'above'
    | 'below'
    | 'above_exclusive'
    | 'below_or_equal'
    | 'equal'
    | 'not_equal'
    | 'between'
    | 'not_between'
  /** Who is told. */
  channel: {
    /** Kind of channel. Only `webhook` is shown. */
    type: 'webhook'
    /** Webhook that is called. */
    webhookId: string
  }
  /** Name of the alert. */
  name?: string | null
  /** Message text of the alert. */
  message?: string | null
}

/** One bucket of one group. A series without rows in it has no field; counts are strings of digits. */
export interface ChartRow {
  /** Start of the bucket, in epoch milliseconds. */
  ts_bucket: number
  /** Values of the grouping fields; empty when there are none. */
  group: Array<string | null>
  [field: `series_${number}.data`]: string | number | null | undefined
}

/** What every success of the cloud management API is, the managed form included. */
export interface Envelope<Result> {
  status: number
  /** A UUIDv4 of its own for every request. */
  requestId: string
  result: Result
}

/** What a success of the self-hosted API is. */
export interface Data<Result> {
  data: Result
}

export type Nothing = Record<string, never>

/** The operations of the cloud management API, the managed form included, by method and path. */
export interface CloudOperations {
  /** Answers with the machine-readable description of the API. */
  'GET /v1': {
    id: 'description.get'
    params: Nothing
    body: undefined
    answer: Envelope<Nothing>
    refusal: Refusal
  }
  /** Answers with one backup of a service. */
  'GET /v1/organizations/{organizationId}/services/{serviceId}/backups/{backupId}': {
    id: 'backup.get'
    params: { organizationId: string; serviceId: string; backupId: string }
    body: undefined
    answer: Envelope<Backup>
    refusal: Refusal
  }
  /** Lists all members of the organization. */
  'GET /v1/organizations/{organizationId}/members': {
    id: 'member.list'
    params: { organizationId: string }
    body: undefined
    answer: Envelope<Member[]>
    refusal: Refusal
  }
  /** Lists the alerts. */
  'GET /v1/organizations/{organizationId}/services/{serviceId}/observability/alerts': {
    id: 'alert.list'
    params: { organizationId: string; serviceId: string }
    body: undefined
    answer: Envelope<Alert[]>
    refusal: Refusal
  }
  /** Creates an alert. */
  'POST /v1/organizations/{organizationId}/services/{serviceId}/observability/alerts': {
    id: 'alert.create'
    params: { organizationId: string; serviceId: string }
    body: AlertBody
    answer: Envelope<Alert>
    refusal: Refusal
  }
  /** Answers with one alert. */
  'GET /v1/organizations/{organizationId}/services/{serviceId}/observability/alerts/{id}': {
    id: 'alert.get'
    params: { organizationId: string; serviceId: string; id: string }
    body: undefined
    answer: Envelope<Alert>
    refusal: Refusal
  }
  /** Replaces an alert. */
  'PUT /v1/organizations/{organizationId}/services/{serviceId}/observability/alerts/{id}': {
    id: 'alert.update'
    params: { organizationId: string; serviceId: string; id: string }
    body: AlertBody
    answer: Envelope<Alert>
    refusal: Refusal
  }
  /** Deletes an alert. */
  'DELETE /v1/organizations/{organizationId}/services/{serviceId}/observability/alerts/{id}': {
    id: 'alert.delete'
    params: { organizationId: string; serviceId: string; id: string }
    body: undefined
    answer: Envelope<Nothing>
    refusal: Refusal
  }
  /** Lists the dashboards. */
  'GET /v1/organizations/{organizationId}/services/{serviceId}/observability/dashboards': {
    id: 'dashboard.list'
    params: { organizationId: string; serviceId: string }
    body: undefined
    answer: Envelope<Dashboard[]>
    refusal: Refusal
  }
  /** Creates a dashboard. */
  'POST /v1/organizations/{organizationId}/services/{serviceId}/observability/dashboards': {
    id: 'dashboard.create'
    params: { organizationId: string; serviceId: string }
    body: DashboardBody
    answer: Envelope<Dashboard>
    refusal: Refusal
  }
  /** Answers with one dashboard. */
  'GET /v1/organizations/{organizationId}/services/{serviceId}/observability/dashboards/{id}': {
    id: 'dashboard.get'
    params: { organizationId: string; serviceId: string; id: string }
    body: undefined
    answer: Envelope<Dashboard>
    refusal: Refusal
  }
  /** Replaces a dashboard. */
  'PUT /v1/organizations/{organizationId}/services/{serviceId}/observability/dashboards/{id}': {
    id: 'dashboard.update'
    params: { organizationId: string; serviceId: string; id: string }
    body: DashboardBody
    answer: Envelope<Dashboard>
    refusal: Refusal
  }
  /** Deletes a dashboard and the alerts on it. */
  'DELETE /v1/organizations/{organizationId}/services/{serviceId}/observability/dashboards/{id}': {
    id: 'dashboard.delete'
    params: { organizationId: string; serviceId: string; id: string }
    body: undefined
    answer: Envelope<Nothing>
    refusal: Refusal
  }
  /** Lists the saved searches. */
  'GET /v1/organizations/{organizationId}/services/{serviceId}/observability/saved-searches': {
    id: 'savedSearch.list'
    params: { organizationId: string; serviceId: string }
    body: undefined
    answer: Envelope<SavedSearch[]>
    refusal: Refusal
  }
  /** Creates a saved search. */
  'POST /v1/organizations/{organizationId}/services/{serviceId}/observability/saved-searches': {
    id: 'savedSearch.create'
    params: { organizationId: string; serviceId: string }
    body: SavedSearch
    answer: Envelope<SavedSearch>
    refusal: Refusal
  }
  /** Answers with one saved search. */
  'GET /v1/organizations/{organizationId}/services/{serviceId}/observability/saved-searches/{id}': {
    id: 'savedSearch.get'
    params: { organizationId: string; serviceId: string; id: string }
    body: undefined
    answer: Envelope<SavedSearch>
    refusal: Refusal
  }
  /** Replaces a saved search: what is left out has its default again. */
  'PUT /v1/organizations/{organizationId}/services/{serviceId}/observability/saved-searches/{id}': {
    id: 'savedSearch.update'
    params: { organizationId: string; serviceId: string; id: string }
    body: SavedSearch
    answer: Envelope<SavedSearch>
    refusal: Refusal
  }
  /** Deletes a saved search, and the alerts on it. */
  'DELETE /v1/organizations/{organizationId}/services/{serviceId}/observability/saved-searches/{id}': {
    id: 'savedSearch.delete'
    params: { organizationId: string; serviceId: string; id: string }
    body: undefined
    answer: Envelope<Nothing>
    refusal: Refusal
  }
  /** Lists the sources. */
  'GET /v1/organizations/{organizationId}/services/{serviceId}/observability/sources': {
    id: 'source.list'
    params: { organizationId: string; serviceId: string }
    body: undefined
    answer: Envelope<Source[]>
    refusal: Refusal
  }
}

/** The operations of the self-hosted API, by method and path. */
export interface SelfHostedOperations {
  /** Lists the alerts. */
  'GET /api/v2/alerts': {
    id: 'alert.list'
    params: Nothing
    body: undefined
    answer: Data<Alert[]>
    refusal: SelfHostedRefusal
  }
  /** Creates an alert. */
  'POST /api/v2/alerts': {
    id: 'alert.create'
    params: Nothing
    body: AlertBody
    answer: Data<Alert>
    refusal: SelfHostedRefusal
  }
  /** Answers with one alert. */
  'GET /api/v2/alerts/{id}': {
    id: 'alert.get'
    params: { id: string }
    body: undefined
    answer: Data<Alert>
    refusal: SelfHostedRefusal
  }
  /** Replaces an alert. */
  'PUT /api/v2/alerts/{id}': {
    id: 'alert.update'
    params: { id: string }
    body: AlertBody
    answer: Data<Alert>
    refusal: SelfHostedRefusal
  }
  /** Deletes an alert. */
  'DELETE /api/v2/alerts/{id}': {
    id: 'alert.delete'
    params: { id: string }
    body: undefined
    answer: Nothing
    refusal: SelfHostedRefusal
  }
  /** Answers with the version of the API and the user of the access key. */
  'GET /api/v2': {
    id: 'root.get'
    params: Nothing
    body: undefined
    answer: Nothing
    refusal: SelfHostedRefusal
  }
  /** Says that the API server runs. */
  'GET /health': {
    id: 'health.get'
    params: Nothing
    body: undefined
    answer: Nothing
    refusal: SelfHostedRefusal
  }
  /** Computes series over the telemetry of sources. */
  'POST /api/v2/charts/series': {
    id: 'chart.query'
    params: Nothing
    body: ChartQuery
    answer: Data<ChartRow[]>
    refusal: SelfHostedRefusal
  }
  /** Lists the connections. */
  'GET /api/v2/connections': {
    id: 'connection.list'
    params: Nothing
    body: undefined
    answer: Data<Connection[]>
    refusal: SelfHostedRefusal
  }
  /** Creates a connection. */
  'POST /api/v2/connections': {
    id: 'connection.create'
    params: Nothing
    body: Connection
    answer: Data<Connection>
    refusal: SelfHostedRefusal
  }
  /** Answers with one connection. */
  'GET /api/v2/connections/{id}': {
    id: 'connection.get'
    params: { id: string }
    body: undefined
    answer: Data<Connection>
    refusal: SelfHostedRefusal
  }
  /** Replaces a connection. */
  'PUT /api/v2/connections/{id}': {
    id: 'connection.update'
    params: { id: string }
    body: Connection
    answer: Data<Connection>
    refusal: SelfHostedRefusal
  }
  /** Deletes a connection. */
  'DELETE /api/v2/connections/{id}': {
    id: 'connection.delete'
    params: { id: string }
    body: undefined
    answer: Nothing
    refusal: SelfHostedRefusal
  }
  /** Lists the dashboards. */
  'GET /api/v2/dashboards': {
    id: 'dashboard.list'
    params: Nothing
    body: undefined
    answer: Data<Dashboard[]>
    refusal: SelfHostedRefusal
  }
  /** Creates a dashboard. */
  'POST /api/v2/dashboards': {
    id: 'dashboard.create'
    params: Nothing
    body: DashboardBody
    answer: Data<Dashboard>
    refusal: SelfHostedRefusal
  }
  /** Answers with one dashboard. */
  'GET /api/v2/dashboards/{id}': {
    id: 'dashboard.get'
    params: { id: string }
    body: undefined
    answer: Data<Dashboard>
    refusal: SelfHostedRefusal
  }
  /** Replaces a dashboard. */
  'PUT /api/v2/dashboards/{id}': {
    id: 'dashboard.update'
    params: { id: string }
    body: DashboardBody
    answer: Data<Dashboard>
    refusal: SelfHostedRefusal
  }
  /** Deletes a dashboard and the alerts on it. */
  'DELETE /api/v2/dashboards/{id}': {
    id: 'dashboard.delete'
    params: { id: string }
    body: undefined
    answer: Nothing
    refusal: SelfHostedRefusal
  }
  /** Says what a creation would answer, and creates nothing. */
  'POST /api/v2/dashboards/validate': {
    id: 'dashboard.validate'
    params: Nothing
    body: DashboardBody
    answer: Nothing
    refusal: SelfHostedRefusal
  }
  /** Lists the saved searches. */
  'GET /api/v2/saved-searches': {
    id: 'savedSearch.list'
    params: Nothing
    body: undefined
    answer: Data<SavedSearch[]>
    refusal: SelfHostedRefusal
  }
  /** Creates a saved search. */
  'POST /api/v2/saved-searches': {
    id: 'savedSearch.create'
    params: Nothing
    body: SavedSearch
    answer: Data<SavedSearch>
    refusal: SelfHostedRefusal
  }
  /** Answers with one saved search. */
  'GET /api/v2/saved-searches/{id}': {
    id: 'savedSearch.get'
    params: { id: string }
    body: undefined
    answer: Data<SavedSearch>
    refusal: SelfHostedRefusal
  }
  /** Replaces a saved search: what is left out has its default again. */
  'PUT /api/v2/saved-searches/{id}': {
    id: 'savedSearch.update'
    params: { id: string }
    body: SavedSearch
    answer: Data<SavedSearch>
    refusal: SelfHostedRefusal
  }
  /** Deletes a saved search, and the alerts on it. */
  'DELETE /api/v2/saved-searches/{id}': {
    id: 'savedSearch.delete'
    params: { id: string }
    body: undefined
    answer: Nothing
    refusal: SelfHostedRefusal
  }
  /** Lists the sources. */
  'GET /api/v2/sources': {
    id: 'source.list'
    params: Nothing
    body: undefined
    answer: Data<Source[]>
    refusal: SelfHostedRefusal
  }
  /** Creates a source. */
  'POST /api/v2/sources': {
    id: 'source.create'
    params: Nothing
    body: Source
    answer: Data<Source>
    refusal: SelfHostedRefusal
  }
  /** Answers with one source. */
  'GET /api/v2/sources/{id}': {
    id: 'source.get'
    params: { id: string }
    body: undefined
    answer: Data<Source>
    refusal: SelfHostedRefusal
  }
  /** Replaces a source. */
  'PUT /api/v2/sources/{id}': {
    id: 'source.update'
    params: { id: string }
    body: Source
    answer: Data<Source>
    refusal: SelfHostedRefusal
  }
  /** Deletes a source. */
  'DELETE /api/v2/sources/{id}': {
    id: 'source.delete'
    params: { id: string }
    body: undefined
    answer: Nothing
    refusal: SelfHostedRefusal
  }
  /** Lists the webhooks. */
  'GET /api/v2/webhooks': {
    id: 'webhook.list'
    params: Nothing
    body: undefined
    answer: Data<Webhook[]>
    refusal: SelfHostedRefusal
  }
  /** Creates a webhook. */
  'POST /api/v2/webhooks': {
    id: 'webhook.create'
    params: Nothing
    body: Webhook
    answer: Data<Webhook>
    refusal: SelfHostedRefusal
  }
  /** Replaces a webhook. */
  'PUT /api/v2/webhooks/{id}': {
    id: 'webhook.update'
    params: { id: string }
    body: Webhook
    answer: Data<Webhook>
    refusal: SelfHostedRefusal
  }
  /** Deletes a webhook. */
  'DELETE /api/v2/webhooks/{id}': {
    id: 'webhook.delete'
    params: { id: string }
    body: undefined
    answer: Nothing
    refusal: SelfHostedRefusal
  }
}

/** All operations, by method and path. */
export interface Operations extends CloudOperations, SelfHostedOperations {}

/** The operations of a client's choice: `Params<'GET /api/v2/alerts'>`. */
export type Params<Of extends keyof Operations> = Operations[Of]['params']
export type Body<Of extends keyof Operations> = Operations[Of]['body']
export type Answer<Of extends keyof Operations> = Operations[Of]['answer']
export type Refused<Of extends keyof Operations> = Operations[Of]['refusal']
