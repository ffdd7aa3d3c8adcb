import { everywhere } from '../control.ts'

/** A kind of records that the page lists and changes. The control plane has its collection under the same name. */
export interface Kind {
  readonly title: string
  /** The name of one record, and the first part of the operation ids. */
  readonly singular: string
  readonly in: 'everywhere' | 'organization' | 'service' | 'stack'
  readonly columns: readonly string[]
  /** True if one collection has the records of all organizations, each with its `organizationId`. */
  readonly hasOrganizationId?: true
  /** The initial values of a new record. */
  readonly initial?: object
  /** How records of this kind are created: shown with an empty list, and in the form if no operation creates them. */
  readonly advice?: string
}

const anywhere = { source: '0.0.0.0/0', description: 'Anywhere' }

export const kinds = {
  organizations: {
    title: 'Organizations',
    singular: 'organization',
    in: 'everywhere',
    columns: ['name', 'id', 'createdAt'],
  },
  members: {
    title: 'Members',
    singular: 'member',
    in: 'organization',
    columns: ['name', 'email', 'role', 'joinedAt', 'userId'],
    advice: 'No operation of the API creates members: people are invited, and join. You can add one here.',
  },
  invitations: {
    title: 'Invitations',
    singular: 'invitation',
    in: 'organization',
    columns: ['email', 'role', 'createdAt', 'expireAt', 'id'],
    initial: { email: '', role: 'developer' },
  },
  keys: {
    title: 'Keys',
    singular: 'key',
    in: 'organization',
    hasOrganizationId: true,
    columns: ['name', 'state', 'roles', 'keySuffix', 'expireAt', 'usedAt', 'id'],
    // With an empty access list, every call with the key would be refused.
    initial: { name: '', roles: ['developer'], ipAccessList: [anywhere] },
  },
  roles: { title: 'Roles', singular: 'role', in: 'organization', columns: ['name', 'type', 'createdAt', 'id'] },
  services: {
    title: 'Services',
    singular: 'service',
    in: 'organization',
    columns: ['name', 'provider', 'region', 'state', 'id'],
    initial: { name: '', provider: 'aws', region: 'us-east-1' },
  },
  backups: {
    title: 'Backups',
    singular: 'backup',
    in: 'service',
    columns: ['backupName', 'status', 'type', 'startedAt', 'sizeInBytes', 'id'],
    advice: 'Backups start at the times of the backup configuration. Move the clock forward, or add one here.',
  },
  clickPipes: {
    title: 'Pipes',
    singular: 'clickPipe',
    in: 'service',
    columns: ['name', 'state', 'createdAt', 'updatedAt', 'id'],
  },
  postgres: {
    title: 'Postgres',
    singular: 'postgres',
    in: 'organization',
    columns: ['name', 'state', 'provider', 'region', 'size', 'postgresVersion', 'id'],
    initial: { name: '', provider: 'aws', region: 'us-east-1' },
  },
  dashboards: { title: 'Dashboards', singular: 'dashboard', in: 'stack', columns: ['name', 'tags', 'tiles', 'id'] },
  alerts: {
    title: 'Alerts',
    singular: 'alert',
    in: 'stack',
    columns: ['name', 'state', 'source', 'thresholdType', 'threshold', 'interval', 'id'],
    initial: { name: '', source: 'tile', thresholdType: 'above', interval: '5m', channel: { type: 'webhook' } },
    advice: 'An alert watches a tile of a dashboard, and notifies a webhook.',
  },
  savedSearch: {
    title: 'Saved searches',
    singular: 'savedSearch',
    in: 'stack',
    columns: ['name', 'where', 'sourceId', 'id'],
  },
  sources: { title: 'Sources', singular: 'source', in: 'stack', columns: ['name', 'kind', 'from', 'id'] },
  webhooks: { title: 'Webhooks', singular: 'webhook', in: 'stack', columns: ['name', 'service', 'url', 'id'] },
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

/** The place of the records of a kind, in the notation of the control plane. */
export const scopeOf = (kind: Kind, { organization, service }: Place): string =>
  ({ everywhere, organization: kind.hasOrganizationId ? everywhere : organization, service, stack: service })[kind.in]

/** The name of one record in a sentence: `click pipe`. */
export const nameInSentence = ({ singular }: Pick<Kind, 'singular'>): string =>
  singular.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

export const nameOfRecord = ({ id, name, email, backupName }: ListedRecord): string =>
  [name, email, backupName].map(text => (typeof text === 'string' ? text : '')).find(text => text !== '') ?? id
