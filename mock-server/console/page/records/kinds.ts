import { everywhere } from '../control.ts'

/** A kind of records that the page lists and changes. Its name is that of its collection in the control plane. */
export interface Kind {
  readonly title: string
  /** What one of them is called, and the first part of its operations' ids. */
  readonly one: string
  /** What its records lie in. */
  readonly in: 'everywhere' | 'organization' | 'service' | 'stack'
  readonly columns: readonly string[]
  /** True where they lie in the deployment as a whole, and name their organization. */
  readonly namesOrganization?: true
  /** Filled into the form of a new one. */
  readonly usual?: object
  /** What to do where there are none, beyond creating one. */
  readonly advice?: string
}

const anywhere = { source: '0.0.0.0/0', description: 'Anywhere' }

export const kinds = {
  organizations: {
    title: 'Organizations',
    one: 'organization',
    in: 'everywhere',
    columns: ['name', 'id', 'createdAt'],
  },
  members: {
    title: 'Members',
    one: 'member',
    in: 'organization',
    columns: ['name', 'email', 'role', 'joinedAt', 'userId'],
    advice: 'No API makes one: a person is invited, and joins. Here one is arranged.',
  },
  invitations: {
    title: 'Invitations',
    one: 'invitation',
    in: 'organization',
    columns: ['email', 'role', 'createdAt', 'expireAt', 'id'],
    usual: { email: '', role: 'developer' },
  },
  keys: {
    title: 'Keys',
    one: 'key',
    in: 'organization',
    namesOrganization: true,
    columns: ['name', 'state', 'roles', 'keySuffix', 'expireAt', 'usedAt', 'id'],
    // From no address at all a key is of no use.
    usual: { name: '', roles: ['developer'], ipAccessList: [anywhere] },
  },
  roles: { title: 'Roles', one: 'role', in: 'organization', columns: ['name', 'type', 'createdAt', 'id'] },
  services: {
    title: 'Services',
    one: 'service',
    in: 'organization',
    columns: ['name', 'provider', 'region', 'state', 'id'],
    usual: { name: '', provider: 'aws', region: 'us-east-1' },
  },
  backups: {
    title: 'Backups',
    one: 'backup',
    in: 'service',
    columns: ['backupName', 'status', 'type', 'startedAt', 'sizeInBytes', 'id'],
    advice: 'They are made by the clock, as the backup configuration says. Put it forward, or arrange one.',
  },
  clickPipes: {
    title: 'Pipes',
    one: 'clickPipe',
    in: 'service',
    columns: ['name', 'state', 'createdAt', 'updatedAt', 'id'],
  },
  postgres: {
    title: 'Postgres',
    one: 'postgres',
    in: 'organization',
    columns: ['name', 'state', 'provider', 'region', 'size', 'postgresVersion', 'id'],
    usual: { name: '', provider: 'aws', region: 'us-east-1' },
  },
  dashboards: { title: 'Dashboards', one: 'dashboard', in: 'stack', columns: ['name', 'tags', 'tiles', 'id'] },
  alerts: {
    title: 'Alerts',
    one: 'alert',
    in: 'stack',
    columns: ['name', 'state', 'source', 'thresholdType', 'threshold', 'interval', 'id'],
    usual: { name: '', source: 'tile', thresholdType: 'above', interval: '5m', channel: { type: 'webhook' } },
    advice: 'An alert watches a tile of a dashboard, and tells a webhook.',
  },
  savedSearch: {
    title: 'Saved searches',
    one: 'savedSearch',
    in: 'stack',
    columns: ['name', 'where', 'sourceId', 'id'],
  },
  sources: { title: 'Sources', one: 'source', in: 'stack', columns: ['name', 'kind', 'from', 'id'] },
  webhooks: { title: 'Webhooks', one: 'webhook', in: 'stack', columns: ['name', 'service', 'url', 'id'] },
} as const satisfies Readonly<Record<string, Kind>>

export type KindName = keyof typeof kinds

export interface ListedRecord {
  readonly id: string
  readonly [field: string]: unknown
}

/** Where records lie. */
export interface Place {
  readonly organization: string
  /** A service, or for what lies in a stack: the self-hosted one. */
  readonly service: string
}

/** What the control plane is asked for: the records of a kind in a place. */
export const scopeOf = (kind: Kind, { organization, service }: Place): string =>
  ({ everywhere, organization: kind.namesOrganization ? everywhere : organization, service, stack: service })[kind.in]

/** What one record of a kind is called in a sentence: `click pipe`. */
export const singular = ({ one }: Pick<Kind, 'one'>): string =>
  one.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

export const nameOfRecord = ({ id, name, email, backupName }: ListedRecord): string =>
  [name, email, backupName].map(text => (typeof text === 'string' ? text : '')).find(text => text !== '') ?? id
