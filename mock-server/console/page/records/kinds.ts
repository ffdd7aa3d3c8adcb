import { everywhere } from '../control.ts'

/** A kind of records that the page lists and changes. The control plane has its collection under the same name. */
export interface Kind {
  readonly title: string
  /** The name of one record, and the first part of the operation ids. */
  readonly one: string
  readonly in: 'everywhere' | 'organization' | 'service' | 'stack'
  readonly columns: readonly string[]
  /** True where records of all organizations lie together, each with its `organizationId`. */
  readonly namesOrganization?: true
  /** The initial values of a new record. */
  readonly initial?: object
  /** Where the records of this kind come from, for an empty list. */
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
    initial: { email: '', role: 'developer' },
  },
  keys: {
    title: 'Keys',
    one: 'key',
    in: 'organization',
    namesOrganization: true,
    columns: ['name', 'state', 'roles', 'keySuffix', 'expireAt', 'usedAt', 'id'],
    // A key without an address refuses every call.
    initial: { name: '', roles: ['developer'], ipAccessList: [anywhere] },
  },
  roles: { title: 'Roles', one: 'role', in: 'organization', columns: ['name', 'type', 'createdAt', 'id'] },
  services: {
    title: 'Services',
    one: 'service',
    in: 'organization',
    columns: ['name', 'provider', 'region', 'state', 'id'],
    initial: { name: '', provider: 'aws', region: 'us-east-1' },
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
    initial: { name: '', provider: 'aws', region: 'us-east-1' },
  },
  dashboards: { title: 'Dashboards', one: 'dashboard', in: 'stack', columns: ['name', 'tags', 'tiles', 'id'] },
  alerts: {
    title: 'Alerts',
    one: 'alert',
    in: 'stack',
    columns: ['name', 'state', 'source', 'thresholdType', 'threshold', 'interval', 'id'],
    initial: { name: '', source: 'tile', thresholdType: 'above', interval: '5m', channel: { type: 'webhook' } },
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

export interface Place {
  readonly organization: string
  /** A service or a stack. */
  readonly service: string
}

/** The place of a kind's records, as the control plane names it. */
export const scopeOf = (kind: Kind, { organization, service }: Place): string =>
  ({ everywhere, organization: kind.namesOrganization ? everywhere : organization, service, stack: service })[kind.in]

/** The name of one record in a sentence: `click pipe`. */
export const singular = ({ one }: Pick<Kind, 'one'>): string =>
  one.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

export const nameOfRecord = ({ id, name, email, backupName }: ListedRecord): string =>
  [name, email, backupName].map(text => (typeof text === 'string' ? text : '')).find(text => text !== '') ?? id
