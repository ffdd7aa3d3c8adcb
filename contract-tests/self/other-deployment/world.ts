import { createHash } from 'node:crypto'

/** The content of this deployment when it starts. Ids and times are counted, so that two starts give the same answers. */

export const prefix = 'gateway'
export const segment = 'telemetry-stack'

// A secret may hold colons, and a bearer token everything that RFC 6750 allows.
export const firstKey = { keyId: 'ck.7Q+first', keySecret: 's3:cr:et/=one' } as const
export const secondKey = { keyId: 'ck.7Q+second', keySecret: 's3:cr:et/=two' } as const
export const apiKey = 'pak~Zm9v.YmFy-_+/1=='
export const ingestionKey = 'pak~Zm9v.YmFy-_+/2=='

export const ids = {
  organization: '3d6f0a8e-7c1b-4e5d-9a2f-b0c4d8e1f6a7',
  secondOrganization: '9b1c2d3e-4f5a-4b6c-8d7e-0f1a2b3c4d5e',
  service: 'c0ffee00-1dea-4bad-8f00-dadadadadada',
  backup: 'deadbeef-0bad-4f00-a11d-5eedfacecafe',
} as const

export const organization = {
  id: ids.organization,
  name: 'Night shift',
  createdAt: '2019-07-01T01:59:59.5+02:00',
  motto: null,
  privateEndpoints: [],
  enableCoreDumps: false,
} as const

const roleId = '1f2e3d4c-5b6a-4798-8a9b-0c1d2e3f4a5b'
const own = { tenantId: `organization/${ids.organization}`, ownerId: `organization/${ids.organization}` }

export const seededRole = {
  id: roleId,
  ...own,
  name: 'Night crew',
  type: 'system',
  actors: [],
  policies: [],
  rank: 1,
  createdAt: '2019-07-01T01:59:59.5+02:00',
  updatedAt: '2020-02-29T00:00:00.123456789-09:30',
} as const

export const seededKey = {
  id: '7a6b5c4d-3e2f-4a1b-9c8d-0e9f8a7b6c5d',
  name: 'deploys',
  state: 'enabled',
  roles: [],
  keySuffix: 'irst',
  assignedRoles: [],
  ipAccessList: [{ source: '0.0.0.0/0' }],
  createdAt: '2019-07-01T00:00:00Z',
  colour: null,
} as const

type Fields = Readonly<Record<string, unknown>>

const ada = { userId: 'saml|idp-7|ada', name: 'Ada Lovelace', email: 'ADA.Lovelace+ops@Example.ORG' }
const brian = { userId: '42', name: '', email: "brian.o'brien@mail.example.museum" }

export const members: Readonly<Record<string, readonly Fields[]>> = {
  [ids.organization]: [
    { ...ada, joinedAt: '2019-07-01T01:59:59.5+02:00', role: 'admin', locale: null },
    { ...brian, joinedAt: '2016-12-31T23:59:60Z', role: 'developer' },
    {
      joinedAt: '2020-02-29T00:00:00.123456789-09:30',
      role: 'developer',
      email: 'x@xn--bcher-kva.example',
      userId: 'C4A1B2D3-0000-1000-8000-00805F9B34FB',
    },
    { role: 'admin', name: '李小龍 🐉', userId: 'usr_9f', groups: [] },
  ],
  [ids.secondOrganization]: [
    { ...brian, role: 'admin', joinedAt: '2024-12-31T23:30:00.001-00:45' },
    { ...ada, role: 'developer', joinedAt: '2021-03-28T03:00:00+02:00' },
    { userId: 'usr_a0', role: 'developer', email: 'z_z@example.co.uk', joinedAt: '2021-11-11T11:11:11Z' },
  ],
}

export const backups: Readonly<Record<string, Fields>> = {
  [ids.backup]: {
    sizeInBytes: 0,
    // One nanosecond more than a quarter of a second, in two time zones.
    startedAt: '2025-03-30T03:00:00.5+02:00',
    finishedAt: '2025-03-30T01:00:00.750000001Z',
    durationInSeconds: 0.250000001,
    bucket: { bucketPath: '', bucketProvider: 'MINIO', region: null },
    checksum: null,
  },
  '0a0b0c0d-0e0f-4a1b-8c1d-1e1f2a2b2c2d': {
    startedAt: '2025-03-31T00:00:00-01:00',
    sizeInBytes: 9007199254740991,
    durationInSeconds: 86400.5,
    backupName: '',
  },
}

/** A dashboard or an alert. Deleted ones are only marked, as many deployments do. */
export interface Document {
  readonly id: string
  readonly fields: Fields
  readonly changedAt: string
  readonly seeded: boolean
  readonly deleted: boolean
}

export type DocumentsByKind = Record<'dashboards' | 'alerts', readonly Document[]>

/** Ids, request ids and times, all counted from the start. */
export function startCounting() {
  let count = 0
  const digest = () => createHash('sha256').update(`other ${++count}`).digest()
  return {
    /** Opaque, in the alphabet of base64, so that a path must encode it. */
    nextId: (kind: string) => `${kind}_9F/${digest().toString('base64').slice(0, 10)}=`,
    nextRequestId: () => {
      const [a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest().toString('hex'))!.slice(1)
      return `${a}-${b}-4${c}-${'89AB'[count % 4]}${d}-${e}`.toUpperCase()
    },
    nextMoment: () => `2025-06-01T0${count % 10}:00:00.${String(count).padEnd(1 + (count % 9), '3')}+02:00`,
  }
}

export type Count = ReturnType<typeof startCounting>

export const webhookIds = { managed: 'hook_9F/cloud+1=', selfHosted: 'hook_9F/open+1=' } as const
export const sourceId = 'src_9F/logs+1='
export const tileId = 'tile_9F/seed+1='
export const dashboardId = 'dash_9F/seed+1='
export const alertId = 'alrt_9F/seed+1='

/** The dashboard and the alert that both observability forms have at the start. */
export function seedDocuments(webhookId: string): DocumentsByKind {
  const born = { changedAt: '2025-01-01T00:00:00.0+01:00', seeded: true, deleted: false }
  const tile = { id: tileId, name: 'Errors', x: 0, y: 0, w: 12, h: 4 }
  return {
    dashboards: [{ ...born, id: dashboardId, fields: { name: 'Seeded', tiles: [tile] } }],
    alerts: [
      {
        ...born,
        id: alertId,
        fields: {
          dashboardId,
          tileId,
          threshold: -1.5,
          interval: '12h',
          source: 'tile',
          thresholdType: 'above',
          channel: { type: 'webhook', webhookId },
          name: 'Seeded alert',
          message: '',
        },
      },
    ],
  }
}
