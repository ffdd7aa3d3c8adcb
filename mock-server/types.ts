/**
 * The types of the API, as the contract has them: what requests carry and what answers hold. Written by
 * `npm run types`; do not change it by hand.
 */

/** What was done in an organization, by whom, from where. */
export interface Activity {
  /** Id of the activity: 24 hexadecimal digits. */
  id: string
  /** When it was done. */
  createdAt: string
  /** What was done. */
  type:
    | 'create_organization'
    | 'organization_update_name'
    | 'transfer_service_in'
    | 'transfer_service_out'
    | 'save_payment_method'
    | 'marketplace_subscription'
    | 'migrate_marketplace_billing_details_in'
    | 'migrate_marketplace_billing_details_out'
    | 'organization_update_tier'
    | 'organization_invite_create'
    | 'organization_invite_delete'
    | 'organization_member_join'
    | 'organization_member_add'
    | 'organization_member_leave'
    | 'organization_member_delete'
    | 'organization_member_update_role'
    | 'organization_member_update_roles'
    | 'organization_member_update_mfa_method'
    | 'organization_saml_connection_create'
    | 'organization_saml_connection_update'
    | 'user_login'
    | 'user_login_failed'
    | 'user_logout'
    | 'key_create'
    | 'key_delete'
    | 'openapi_key_update'
    | 'service_create'
    | 'service_start'
    | 'service_stop'
    | 'service_awaken'
    | 'service_idle'
    | 'service_running'
    | 'service_partially_running'
    | 'service_delete'
    | 'service_update_name'
    | 'service_update_ip_access_list'
    | 'service_update_autoscaling_memory'
    | 'service_update_autoscaling_idling'
    | 'service_update_password'
    | 'service_update_autoscaling_replicas'
    | 'service_update_max_allowable_replicas'
    | 'service_update_backup_configuration'
    | 'service_update_snapshot_configuration'
    | 'service_restore_backup'
    | 'service_update_release_channel'
    | 'service_update_gpt_usage_consent'
    | 'service_update_private_endpoints'
    | 'service_import_to_organization'
    | 'service_export_from_organization'
    | 'service_maintenance_start'
    | 'service_maintenance_end'
    | 'service_update_core_dump'
    | 'backup_delete'
  /** Who did it: a person, the support, the system by itself, or an API key. */
  actorType: 'user' | 'support' | 'system' | 'api'
  /** Id of the user or of the key. */
  actorId?: string
  /** The e-mail address of the user, or the name of the key. */
  actorDetails?: string
  /** Where a user or key called from. */
  actorIpAddress?: string
  /** Id of the organization. */
  organizationId: string
  /** The service that it was done to. */
  serviceId?: string
  /** The program that the caller used. */
  userAgent?: string
  /** The key that it was done to. */
  targetKeyId?: string
  /** What was changed of the key. */
  keyUpdateType?:
    | 'created'
    | 'deleted'
    | 'name-changed'
    | 'role-changed'
    | 'state-changed'
    | 'date-changed'
    | 'ip-access-list-changed'
    | 'org-role-changed'
    | 'default-service-role-changed'
    | 'service-role-changed'
    | 'roles-v2-changed'
}

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

/** When the backups of a service are made, and how long they are kept. */
export interface BackupConfiguration {
  /** Hours from one backup to the next; null in a request is the default, 24. */
  backupPeriodInHours?: number | null
  /** Hours that a backup is kept; null in a request is the default, 24. */
  backupRetentionPeriodInHours?: number | null
  /** The full hour of UTC at which backups begin, such as 13:00; null in a request takes it away. */
  backupStartTime?: string | null
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

/** An API key of an organization, without its secret. */
export interface Key {
  /** Id of the record, which stands in paths. */
  id: string
  /** Name of the key. */
  name: string
  /** Whether calls with the key are answered. */
  state: 'enabled' | 'disabled'
  /** What the key may do: an admin everything, a developer only read. */
  roles: Array<'admin' | 'developer' | 'query_endpoints'>
  /** Custom and system roles, in an organization that has moved to them. */
  assignedRoles: Array<{
    /** Id of the role. */
    roleId: string
    /** Name of the role. */
    roleName: string
    /** Kind of role. */
    roleType: 'system' | 'custom'
  }>
  /** The last four characters of the key id. */
  keySuffix: string
  /** When it was created. */
  createdAt: string
  /** When the key expires; null or absent: never. */
  expireAt?: string | null
  /** The minute of its last use; absent when it was never used. */
  usedAt?: string
  /** The addresses that may call with the key; from none, nobody may. */
  ipAccessList?: {
    /** An address, or a range such as 10.0.0.0/8. */
    source: string
    /** What it is for. */
    description?: string
  }[]
}

/** What a key is created with. */
export interface KeyBody {
  /** Name of the key. */
  name: string
  /** When the key expires; null or absent: never. */
  expireAt?: string | null
  /** Whether calls with the key are answered. */
  state?: 'enabled' | 'disabled'
  /** What the key may do: an admin everything, a developer only read. */
  roles?: Array<'admin' | 'developer' | 'query_endpoints'>
  /** Ids of roles, in an organization that has moved to them. */
  assignedRoleIds?: string[]
  /** The addresses that may call with the key; from none, nobody may. */
  ipAccessList?: {
    /** An address, or a range such as 10.0.0.0/8. */
    source: string
    /** What it is for. */
    description?: string
  }[]
  /** Hashes of an id and a secret that the caller keeps, in place of new ones. */
  hashData?: {
    /** SHA-256 of the key id, in base64. */
    keyIdHash: string
    /** Last four characters of the key id. */
    keyIdSuffix: string
    /** SHA-256 of the secret, in base64. */
    keySecretHash: string
  }
}

/** What is changed of a key; what is left out stays. */
export interface KeyChange {
  /** Name of the key. */
  name?: string
  /** When the key expires; null or absent: never. */
  expireAt?: string | null
  /** Whether calls with the key are answered. */
  state?: 'enabled' | 'disabled'
  /** What the key may do: an admin everything, a developer only read. */
  roles?: Array<'admin' | 'developer' | 'query_endpoints'>
  /** Ids of roles, in an organization that has moved to them. */
  assignedRoleIds?: string[]
  /** The addresses that may call with the key; from none, nobody may. */
  ipAccessList?: {
    /** An address, or a range such as 10.0.0.0/8. */
    source: string
    /** What it is for. */
    description?: string
  }[]
}

/** A key that was created, with its secret, which is shown this once. */
export interface CreatedKey {
  /** The key. */
  key: {
    /** Id of the record, which stands in paths. */
    id: string
    /** Name of the key. */
    name: string
    /** Whether calls with the key are answered. */
    state: 'enabled' | 'disabled'
    /** What the key may do: an admin everything, a developer only read. */
    roles: Array<'admin' | 'developer' | 'query_endpoints'>
    /** Custom and system roles, in an organization that has moved to them. */
    assignedRoles: Array<{
      /** Id of the role. */
      roleId: string
      /** Name of the role. */
      roleName: string
      /** Kind of role. */
      roleType: 'system' | 'custom'
    }>
    /** The last four characters of the key id. */
    keySuffix: string
    /** When it was created. */
    createdAt: string
    /** When the key expires; null or absent: never. */
    expireAt?: string | null
    /** The minute of its last use; absent when it was never used. */
    usedAt?: string
    /** The addresses that may call with the key; from none, nobody may. */
    ipAccessList?: {
      /** An address, or a range such as 10.0.0.0/8. */
      source: string
      /** What it is for. */
      description?: string
    }[]
  }
  /** The id by which the key authenticates; absent when hashes were sent. */
  keyId?: string
  /** The secret; absent when hashes were sent. */
  keySecret?: string
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

/** An organization: what members, keys and services belong to. */
export interface Organization {
  /** Id of the organization. */
  id: string
  /** When it was created. */
  createdAt: string
  /** Name of the organization. */
  name: string
  /** Private endpoints that are registered for it. */
  privateEndpoints: Array<{
    /** Id at the provider. */
    id: string
    /** What it is for. */
    description?: string
    /** Provider of the endpoint. */
    cloudProvider: 'gcp' | 'aws' | 'azure'
    /** Region of the endpoint. */
    region: string
  }>
  /** Infrastructure of the organization itself that services run on. */
  byocConfig?: Record<string, unknown>[]
  /** Whether services may write core dumps; when not, no service can. */
  enableCoreDumps: boolean
}

/** A search with a name: a source, a filter, columns and an order. */
export interface SavedSearch {
  /** Id, given by the server. */
  id: string
  /** Name of the search. */
  name: string
  /** Source whose rows are searched. */
  sourceId: string
  /** Columns with commas between them; empty for those of the source. */
  select: string
  /** Filter of the rows. */
  where: string
  /** Language of the filter; lucene when it is left out. */
  whereLanguage: 'lucene' | 'sql'
  /** Order of the rows; empty for that of the source. */
  orderBy: string
  /** Tags of the search. */
  tags: string[]
  /** Further filters, all of which hold. */
  filters: {
    /** Its language. */
    type?: 'sql'
    /** SQL predicate, such as `ServiceName IN (…)`. */
    condition: string
  }[]
  /** Team that the search belongs to. */
  teamId: string
  /** When it was created. */
  createdAt: string
  /** When it was last changed. */
  updatedAt: string
}

/** What a saved search is created with, or replaced by. */
export interface SavedSearchInput {
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
}

/** Which rows of a source are asked for. */
export interface SearchQuery {
  /** Source whose rows are searched. */
  sourceId: string
  /** Start of the range; 15 minutes before its end when it is left out. */
  startTime?: string
  /** End of the range; now when it is left out. */
  endTime?: string
  /** Filter of the rows. */
  where?: string
  /** Language of the filter; lucene when it is left out. */
  whereLanguage?: 'lucene' | 'sql'
  /** Columns with commas between them; those of the source when it is left out. */
  select?: string
  /** Order of the rows; the newest first when it is left out. */
  orderBy?: string
  /** How many rows at most; 100 when it is left out. */
  maxResults?: number
  /** How many rows are left out before. */
  offset?: number
}

/** A row: the columns that were asked for, by their names. */
export interface SearchRow {
  [name: string]: unknown
}

/** A service of an organization. */
export interface Service {
  /** Id of the service. */
  id: string
  /** Name of the service. */
  name: string
  /** What it is doing. */
  state:
    | 'starting'
    | 'stopping'
    | 'terminating'
    | 'softdeleting'
    | 'awaking'
    | 'partially_running'
    | 'provisioning'
    | 'running'
    | 'stopped'
    | 'terminated'
    | 'softdeleted'
    | 'degraded'
    | 'failed'
    | 'idle'
  /** Where it is reached. */
  endpoints: Array<{
    /** What is spoken there. */
    protocol: 'https' | 'nativesecure' | 'mysql'
    /** Host. */
    host: string
    /** Port. */
    port: number
    /** User name, of MySQL only. */
    username?: string | null
  }>
  /** When it was created. */
  createdAt: string
  /** Version of the database. */
  clickhouseVersion?: string
  /** Role that it acts as at the provider. */
  iamRole?: string
  /** Its private endpoints. */
  privateEndpointIds: string[]
  /** The private endpoints that it could have. */
  availablePrivateEndpointIds?: string[]
  /** Whether it is the first of its warehouse. */
  isPrimary?: boolean
  /** Memory of each replica, with horizontal scaling. */
  replicaMemoryGb?: number
  /** Key that its data is encrypted with. */
  transparentDataEncryptionKeyId?: string
  /** Role that may use that key. */
  encryptionRoleId?: string
  /** When it scales otherwise. */
  scalingSchedule?: Record<string, unknown>
  /** Whether it answers the Model Context Protocol. */
  mcpEnabled?: boolean
  /** Cloud provider. */
  provider: 'aws' | 'gcp' | 'azure'
  /** Region of the provider. */
  region:
    | 'ap-northeast-1'
    | 'ap-northeast-2'
    | 'ap-south-1'
    | 'ap-southeast-1'
    | 'ap-southeast-2'
    | 'ca-central-1'
    | 'eu-central-1'
    | 'eu-west-1'
    | 'eu-west-2'
    | 'il-central-1'
    | 'us-east-1'
    | 'us-east-2'
    | 'us-west-2'
    | 'us-east1'
    | 'us-central1'
    | 'europe-west2'
    | 'europe-west4'
    | 'asia-southeast1'
    | 'asia-northeast1'
    | 'eastus'
    | 'eastus2'
    | 'westus3'
    | 'germanywestcentral'
    | 'centralus'
  /** Tier of older plans. */
  tier?:
    | 'development'
    | 'production'
    | 'dedicated_high_mem'
    | 'dedicated_high_cpu'
    | 'dedicated_standard'
    | 'dedicated_standard_n2d_standard_4'
    | 'dedicated_standard_n2d_standard_8'
    | 'dedicated_standard_n2d_standard_32'
    | 'dedicated_standard_n2d_standard_128'
    | 'dedicated_standard_n2d_standard_32_16SSD'
    | 'dedicated_standard_n2d_standard_64_24SSD'
  /** Whether it idles when nobody asks it anything. */
  idleScaling?: boolean
  /** Minutes without a query until it idles. */
  idleTimeoutMinutes?: number
  /** Least memory of a replica. */
  minReplicaMemoryGb?: number
  /** Most memory of a replica. */
  maxReplicaMemoryGb?: number
  /** Three times the least memory of a replica; deprecated. */
  minTotalMemoryGb?: number
  /** Three times the most memory of a replica; deprecated. */
  maxTotalMemoryGb?: number
  /** Number of replicas. */
  numReplicas?: number
  /** Least number of replicas, with horizontal scaling. */
  minReplicas?: number
  /** Most replicas, with horizontal scaling. */
  maxReplicas?: number
  /** What scales: the memory of the replicas, or their number. */
  autoscalingMode?: 'vertical' | 'horizontal'
  /** The addresses that may query it. */
  ipAccessList?: {
    /** An address, or a range such as 10.0.0.0/8. */
    source: string
    /** What it is for. */
    description?: string
  }[]
  /** Id of the warehouse whose data it shares. */
  dataWarehouseId?: string
  /** Whether it only reads the data of its warehouse. */
  isReadonly?: boolean
  /** Profile of its machines. */
  profile?: 'v1-default' | 'v1-highmem-xs' | 'v1-highmem-s' | 'v1-highmem-m' | 'v1-highmem-l' | 'v1-highmem-xl'
  /** How early it is upgraded. */
  releaseChannel?: 'slow' | 'default' | 'fast'
  /** Whether its data is encrypted with a key of the customer. */
  hasTransparentDataEncryption?: boolean
  /** Labels. */
  tags?: {
    /** Its name. */
    key: string
    /** Its value. */
    value?: string
  }[]
  /** Whether it may write core dumps. */
  enableCoreDumps?: boolean
  /** Key of the customer, on AWS. */
  encryptionKey?: string
  /** Role that may use that key. */
  encryptionAssumedRoleIdentifier?: string
  /** Infrastructure of the customer that it runs on. */
  byocId?: string
  /** Rules that it keeps. */
  complianceType?: 'hipaa' | 'pci'
  /** How it scales now. */
  currentScaling: {
    /** What scales now. */
    effectiveAutoscalingMode?: 'vertical' | 'horizontal'
    /** Least memory of a replica now. */
    effectiveMinReplicaMemoryGb?: number
    /** Most memory of a replica now. */
    effectiveMaxReplicaMemoryGb?: number
    /** Least number of replicas now. */
    effectiveMinReplicas?: number
    /** Most replicas now. */
    effectiveMaxReplicas?: number
    /** Whether it idles now. */
    effectiveIdleScaling?: boolean
    /** Minutes without a query until it idles now. */
    effectiveIdleTimeoutMinutes?: number
    /** The entry of the schedule that is in force. */
    activeEntryId?: string
  }
}

/** What a service is created with. */
export interface ServiceBody {
  /** Name of the service. */
  name: string
  /** Cloud provider. */
  provider: 'aws' | 'gcp' | 'azure'
  /** Region of the provider. */
  region:
    | 'ap-northeast-1'
    | 'ap-northeast-2'
    | 'ap-south-1'
    | 'ap-southeast-1'
    | 'ap-southeast-2'
    | 'ca-central-1'
    | 'eu-central-1'
    | 'eu-west-1'
    | 'eu-west-2'
    | 'il-central-1'
    | 'us-east-1'
    | 'us-east-2'
    | 'us-west-2'
    | 'us-east1'
    | 'us-central1'
    | 'europe-west2'
    | 'europe-west4'
    | 'asia-southeast1'
    | 'asia-northeast1'
    | 'eastus'
    | 'eastus2'
    | 'westus3'
    | 'germanywestcentral'
    | 'centralus'
  /** Tier of older plans. */
  tier?:
    | 'development'
    | 'production'
    | 'dedicated_high_mem'
    | 'dedicated_high_cpu'
    | 'dedicated_standard'
    | 'dedicated_standard_n2d_standard_4'
    | 'dedicated_standard_n2d_standard_8'
    | 'dedicated_standard_n2d_standard_32'
    | 'dedicated_standard_n2d_standard_128'
    | 'dedicated_standard_n2d_standard_32_16SSD'
    | 'dedicated_standard_n2d_standard_64_24SSD'
  /** Whether it idles when nobody asks it anything. */
  idleScaling?: boolean
  /** Minutes without a query until it idles. */
  idleTimeoutMinutes?: number
  /** Least memory of a replica. */
  minReplicaMemoryGb?: number
  /** Most memory of a replica. */
  maxReplicaMemoryGb?: number
  /** Three times the least memory of a replica; deprecated. */
  minTotalMemoryGb?: number
  /** Three times the most memory of a replica; deprecated. */
  maxTotalMemoryGb?: number
  /** Number of replicas. */
  numReplicas?: number
  /** Least number of replicas, with horizontal scaling. */
  minReplicas?: number
  /** Most replicas, with horizontal scaling. */
  maxReplicas?: number
  /** What scales: the memory of the replicas, or their number. */
  autoscalingMode?: 'vertical' | 'horizontal'
  /** The addresses that may query it. */
  ipAccessList?: {
    /** An address, or a range such as 10.0.0.0/8. */
    source: string
    /** What it is for. */
    description?: string
  }[]
  /** Id of the warehouse whose data it shares. */
  dataWarehouseId?: string
  /** Whether it only reads the data of its warehouse. */
  isReadonly?: boolean
  /** Profile of its machines. */
  profile?: 'v1-default' | 'v1-highmem-xs' | 'v1-highmem-s' | 'v1-highmem-m' | 'v1-highmem-l' | 'v1-highmem-xl'
  /** How early it is upgraded. */
  releaseChannel?: 'slow' | 'default' | 'fast'
  /** Whether its data is encrypted with a key of the customer. */
  hasTransparentDataEncryption?: boolean
  /** Labels. */
  tags?: {
    /** Its name. */
    key: string
    /** Its value. */
    value?: string
  }[]
  /** Whether it may write core dumps. */
  enableCoreDumps?: boolean
  /** Key of the customer, on AWS. */
  encryptionKey?: string
  /** Role that may use that key. */
  encryptionAssumedRoleIdentifier?: string
  /** Infrastructure of the customer that it runs on. */
  byocId?: string
  /** Rules that it keeps. */
  complianceType?: 'hipaa' | 'pci'
  /** The backup that it is restored from. */
  backupId?: string
  /** Turns the MySQL endpoint on or off. */
  endpoints?: {
    /** Only mysql. */
    protocol: 'mysql'
    /** On or off. */
    enabled?: boolean
  }[]
  /** Its private endpoints. */
  privateEndpointIds?: string[]
  /** Whether the terms of a preview were read. */
  privatePreviewTermsChecked?: boolean
}

/** What is changed of a service; what is left out stays. */
export interface ServiceChange {
  /** Name of the service. */
  name?: string
  /** The addresses that may query it. */
  ipAccessList?: {
    /** What is added. */
    add?: {
      /** An address, or a range such as 10.0.0.0/8. */
      source: string
      /** What it is for. */
      description?: string
    }[]
    /** What is taken away, before anything is added. */
    remove?: {
      /** An address, or a range such as 10.0.0.0/8. */
      source: string
      /** What it is for. */
      description?: string
    }[]
  }
  /** Its private endpoints. */
  privateEndpointIds?: {
    /** What is added. */
    add?: string[]
    /** What is taken away, before anything is added. */
    remove?: string[]
  }
  /** How early it is upgraded. */
  releaseChannel?: 'slow' | 'default' | 'fast'
  /** Turns the MySQL endpoint on or off. */
  endpoints?: {
    /** Only mysql. */
    protocol: 'mysql'
    /** On or off. */
    enabled?: boolean
  }[]
  /** Key that its data is encrypted with. */
  transparentDataEncryptionKeyId?: string
  /** Labels. */
  tags?: {
    /** What is added. */
    add?: {
      /** Its name. */
      key: string
      /** Its value. */
      value?: string
    }[]
    /** What is taken away, before anything is added. */
    remove?: {
      /** Its name. */
      key: string
      /** Its value. */
      value?: string
    }[]
  }
  /** Whether it may write core dumps. */
  enableCoreDumps?: boolean
}

/** What a service is to do. */
export interface ServiceState {
  /** What it is to do. */
  command: 'start' | 'stop' | 'awake'
}

/** Hashes of a password that the caller keeps; without them a new one is made. */
export interface ServicePassword {
  /** SHA-256 of the password, in base64. */
  newPasswordHash?: string
  /** SHA-1 of its SHA-1, in hexadecimal digits. */
  newDoubleSha1Hash?: string
}

/** A password that was made, shown this once. */
export interface NewPassword {
  /** The password; absent when hashes were sent. */
  password?: string
}

/** A service that was created, with the password of its user `default`, which is shown this once. */
export interface CreatedService {
  /** The service. */
  service: {
    /** Id of the service. */
    id: string
    /** Name of the service. */
    name: string
    /** What it is doing. */
    state:
      | 'starting'
      | 'stopping'
      | 'terminating'
      | 'softdeleting'
      | 'awaking'
      | 'partially_running'
      | 'provisioning'
      | 'running'
      | 'stopped'
      | 'terminated'
      | 'softdeleted'
      | 'degraded'
      | 'failed'
      | 'idle'
    /** Where it is reached. */
    endpoints: Array<{
      /** What is spoken there. */
      protocol: 'https' | 'nativesecure' | 'mysql'
      /** Host. */
      host: string
      /** Port. */
      port: number
      /** User name, of MySQL only. */
      username?: string | null
    }>
    /** When it was created. */
    createdAt: string
    /** Version of the database. */
    clickhouseVersion?: string
    /** Role that it acts as at the provider. */
    iamRole?: string
    /** Its private endpoints. */
    privateEndpointIds: string[]
    /** The private endpoints that it could have. */
    availablePrivateEndpointIds?: string[]
    /** Whether it is the first of its warehouse. */
    isPrimary?: boolean
    /** Memory of each replica, with horizontal scaling. */
    replicaMemoryGb?: number
    /** Key that its data is encrypted with. */
    transparentDataEncryptionKeyId?: string
    /** Role that may use that key. */
    encryptionRoleId?: string
    /** When it scales otherwise. */
    scalingSchedule?: Record<string, unknown>
    /** Whether it answers the Model Context Protocol. */
    mcpEnabled?: boolean
    /** Cloud provider. */
    provider: 'aws' | 'gcp' | 'azure'
    /** Region of the provider. */
    region:
      | 'ap-northeast-1'
      | 'ap-northeast-2'
      | 'ap-south-1'
      | 'ap-southeast-1'
      | 'ap-southeast-2'
      | 'ca-central-1'
      | 'eu-central-1'
      | 'eu-west-1'
      | 'eu-west-2'
      | 'il-central-1'
      | 'us-east-1'
      | 'us-east-2'
      | 'us-west-2'
      | 'us-east1'
      | 'us-central1'
      | 'europe-west2'
      | 'europe-west4'
      | 'asia-southeast1'
      | 'asia-northeast1'
      | 'eastus'
      | 'eastus2'
      | 'westus3'
      | 'germanywestcentral'
      | 'centralus'
    /** Tier of older plans. */
    tier?:
      | 'development'
      | 'production'
      | 'dedicated_high_mem'
      | 'dedicated_high_cpu'
      | 'dedicated_standard'
      | 'dedicated_standard_n2d_standard_4'
      | 'dedicated_standard_n2d_standard_8'
      | 'dedicated_standard_n2d_standard_32'
      | 'dedicated_standard_n2d_standard_128'
      | 'dedicated_standard_n2d_standard_32_16SSD'
      | 'dedicated_standard_n2d_standard_64_24SSD'
    /** Whether it idles when nobody asks it anything. */
    idleScaling?: boolean
    /** Minutes without a query until it idles. */
    idleTimeoutMinutes?: number
    /** Least memory of a replica. */
    minReplicaMemoryGb?: number
    /** Most memory of a replica. */
    maxReplicaMemoryGb?: number
    /** Three times the least memory of a replica; deprecated. */
    minTotalMemoryGb?: number
    /** Three times the most memory of a replica; deprecated. */
    maxTotalMemoryGb?: number
    /** Number of replicas. */
    numReplicas?: number
    /** Least number of replicas, with horizontal scaling. */
    minReplicas?: number
    /** Most replicas, with horizontal scaling. */
    maxReplicas?: number
    /** What scales: the memory of the replicas, or their number. */
    autoscalingMode?: 'vertical' | 'horizontal'
    /** The addresses that may query it. */
    ipAccessList?: {
      /** An address, or a range such as 10.0.0.0/8. */
      source: string
      /** What it is for. */
      description?: string
    }[]
    /** Id of the warehouse whose data it shares. */
    dataWarehouseId?: string
    /** Whether it only reads the data of its warehouse. */
    isReadonly?: boolean
    /** Profile of its machines. */
    profile?: 'v1-default' | 'v1-highmem-xs' | 'v1-highmem-s' | 'v1-highmem-m' | 'v1-highmem-l' | 'v1-highmem-xl'
    /** How early it is upgraded. */
    releaseChannel?: 'slow' | 'default' | 'fast'
    /** Whether its data is encrypted with a key of the customer. */
    hasTransparentDataEncryption?: boolean
    /** Labels. */
    tags?: {
      /** Its name. */
      key: string
      /** Its value. */
      value?: string
    }[]
    /** Whether it may write core dumps. */
    enableCoreDumps?: boolean
    /** Key of the customer, on AWS. */
    encryptionKey?: string
    /** Role that may use that key. */
    encryptionAssumedRoleIdentifier?: string
    /** Infrastructure of the customer that it runs on. */
    byocId?: string
    /** Rules that it keeps. */
    complianceType?: 'hipaa' | 'pci'
    /** How it scales now. */
    currentScaling: {
      /** What scales now. */
      effectiveAutoscalingMode?: 'vertical' | 'horizontal'
      /** Least memory of a replica now. */
      effectiveMinReplicaMemoryGb?: number
      /** Most memory of a replica now. */
      effectiveMaxReplicaMemoryGb?: number
      /** Least number of replicas now. */
      effectiveMinReplicas?: number
      /** Most replicas now. */
      effectiveMaxReplicas?: number
      /** Whether it idles now. */
      effectiveIdleScaling?: boolean
      /** Minutes without a query until it idles now. */
      effectiveIdleTimeoutMinutes?: number
      /** The entry of the schedule that is in force. */
      activeEntryId?: string
    }
  }
  /** The password. */
  password: string
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

/** The team whose access key is used. */
export interface Team {
  /** Id of the team. */
  id: string
  /** Name of the team. */
  name: string
}

/** A user of a self-hosted deployment; not a member of an organization. */
export interface TeamMember {
  /** Id of the user. */
  id: string
  /** Address of the user. */
  email: string
  /** Name of the user. */
  name: string
  /** Whether it is the user of the access key. */
  isCurrentUser: boolean
}

/** An invitation that nobody has followed yet. */
export interface TeamInvitation {
  /** Id of the invitation. */
  id: string
  /** When it was made. */
  createdAt: string
  /** Who is invited. */
  email: string
  /** Name of who is invited. */
  name?: string
  /** Where the invitation is followed. */
  url: string
}

/** Who is invited. */
export interface TeamInvitationInput {
  /** Address that is invited. */
  email: string
  /** Name of who is invited. */
  name?: string
}

/** The invitation that was made, or was there before. */
export interface TeamInvitationReceipt {
  /** Who is invited, in lower case. */
  email: string
  /** Id of the invitation. */
  invitationId: string
  /** Nobody has followed it yet. */
  status: 'pending'
  /** Where the invitation is followed. */
  url: string
}

/** What the removal of a member or of an invitation answers. */
export interface TeamRemoval {
  /** Always true. */
  success: boolean
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
  /** Lists the activities of the organization, the newest first, all in one answer. */
  'GET /v1/organizations/{organizationId}/activities': {
    id: 'activity.list'
    params: { organizationId: string }
    body: undefined
    answer: Envelope<Activity[]>
    refusal: Refusal
  }
  /** Answers with one activity. */
  'GET /v1/organizations/{organizationId}/activities/{activityId}': {
    id: 'activity.get'
    params: { organizationId: string; activityId: string }
    body: undefined
    answer: Envelope<Activity>
    refusal: Refusal
  }
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
  /** Answers with the backup configuration of a service. */
  'GET /v1/organizations/{organizationId}/services/{serviceId}/backupConfiguration': {
    id: 'backupConfiguration.get'
    params: { organizationId: string; serviceId: string }
    body: undefined
    answer: Envelope<BackupConfiguration>
    refusal: Refusal
  }
  /** Changes what is sent of the backup configuration, and keeps the rest. */
  'PATCH /v1/organizations/{organizationId}/services/{serviceId}/backupConfiguration': {
    id: 'backupConfiguration.update'
    params: { organizationId: string; serviceId: string }
    body: BackupConfiguration
    answer: Envelope<BackupConfiguration>
    refusal: Refusal
  }
  /** Lists the keys of the organization, without their secrets. */
  'GET /v1/organizations/{organizationId}/keys': {
    id: 'key.list'
    params: { organizationId: string }
    body: undefined
    answer: Envelope<Key[]>
    refusal: Refusal
  }
  /** Creates a key, and shows its id and secret this once. */
  'POST /v1/organizations/{organizationId}/keys': {
    id: 'key.create'
    params: { organizationId: string }
    body: KeyBody
    answer: Envelope<CreatedKey>
    refusal: Refusal
  }
  /** Answers with a key, without its secret. */
  'GET /v1/organizations/{organizationId}/keys/{keyId}': {
    id: 'key.get'
    params: { organizationId: string; keyId: string }
    body: undefined
    answer: Envelope<Key>
    refusal: Refusal
  }
  /** Changes what is sent of a key, and keeps the rest. */
  'PATCH /v1/organizations/{organizationId}/keys/{keyId}': {
    id: 'key.update'
    params: { organizationId: string; keyId: string }
    body: KeyChange
    answer: Envelope<Key>
    refusal: Refusal
  }
  /** Deletes a key, other than the one that the call is made with. */
  'DELETE /v1/organizations/{organizationId}/keys/{keyId}': {
    id: 'key.delete'
    params: { organizationId: string; keyId: string }
    body: undefined
    answer: Envelope<Nothing>
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
  /** Lists the organizations of the key: exactly one. */
  'GET /v1/organizations': {
    id: 'organization.list'
    params: Nothing
    body: undefined
    answer: Envelope<Organization[]>
    refusal: Refusal
  }
  /** Answers with the organization. */
  'GET /v1/organizations/{organizationId}': {
    id: 'organization.get'
    params: { organizationId: string }
    body: undefined
    answer: Envelope<Organization>
    refusal: Refusal
  }
  /** Lists the services of the organization. */
  'GET /v1/organizations/{organizationId}/services': {
    id: 'service.list'
    params: { organizationId: string }
    body: undefined
    answer: Envelope<Service[]>
    refusal: Refusal
  }
  /** Creates a service, and shows its password this once. The service starts by itself. */
  'POST /v1/organizations/{organizationId}/services': {
    id: 'service.create'
    params: { organizationId: string }
    body: ServiceBody
    answer: Envelope<CreatedService>
    refusal: Refusal
  }
  /** Answers with a service. */
  'GET /v1/organizations/{organizationId}/services/{serviceId}': {
    id: 'service.get'
    params: { organizationId: string; serviceId: string }
    body: undefined
    answer: Envelope<Service>
    refusal: Refusal
  }
  /** Changes what is sent of a service, and keeps the rest. */
  'PATCH /v1/organizations/{organizationId}/services/{serviceId}': {
    id: 'service.update'
    params: { organizationId: string; serviceId: string }
    body: ServiceChange
    answer: Envelope<Service>
    refusal: Refusal
  }
  /** Deletes a service that does not run; it is gone some minutes later. */
  'DELETE /v1/organizations/{organizationId}/services/{serviceId}': {
    id: 'service.delete'
    params: { organizationId: string; serviceId: string }
    body: undefined
    answer: Envelope<Nothing>
    refusal: Refusal
  }
  /** Starts, stops or wakes a service, which takes its time. */
  'PATCH /v1/organizations/{organizationId}/services/{serviceId}/state': {
    id: 'service.state'
    params: { organizationId: string; serviceId: string }
    body: ServiceState
    answer: Envelope<Service>
    refusal: Refusal
  }
  /** Takes a new password, or makes one and shows it this once. */
  'PATCH /v1/organizations/{organizationId}/services/{serviceId}/password': {
    id: 'service.password'
    params: { organizationId: string; serviceId: string }
    body: ServicePassword
    answer: Envelope<NewPassword>
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
    body: SavedSearchInput
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
    body: SavedSearchInput
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
    body: SavedSearchInput
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
    body: SavedSearchInput
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
  /** Answers with rows of a source, and their number. */
  'POST /api/v2/search': {
    id: 'search.query'
    params: Nothing
    body: SearchQuery
    answer: Data<SearchRow[]>
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
  /** Answers with the team of the access key. */
  'GET /api/v2/team': {
    id: 'team.get'
    params: Nothing
    body: undefined
    answer: Data<Team>
    refusal: SelfHostedRefusal
  }
  /** Lists the members of the team. */
  'GET /api/v2/team/members': {
    id: 'teamMember.list'
    params: Nothing
    body: undefined
    answer: Data<TeamMember[]>
    refusal: SelfHostedRefusal
  }
  /** Removes a member from the team. */
  'DELETE /api/v2/team/member/{id}': {
    id: 'teamMember.delete'
    params: { id: string }
    body: undefined
    answer: Data<TeamRemoval>
    refusal: SelfHostedRefusal
  }
  /** Lists the invitations that nobody has followed yet. */
  'GET /api/v2/team/invitations': {
    id: 'teamInvitation.list'
    params: Nothing
    body: undefined
    answer: Data<TeamInvitation[]>
    refusal: SelfHostedRefusal
  }
  /** Invites an address; the same one again is answered with the invitation that is there. */
  'POST /api/v2/team/invitation': {
    id: 'teamInvitation.create'
    params: Nothing
    body: TeamInvitationInput
    answer: Data<TeamInvitationReceipt>
    refusal: SelfHostedRefusal
  }
  /** Takes an invitation back. */
  'DELETE /api/v2/team/invitation/{id}': {
    id: 'teamInvitation.delete'
    params: { id: string }
    body: undefined
    answer: Data<TeamRemoval>
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
