import type { Field, Fields } from '../../../fixtures/contract/index.ts'
import { schemas } from './schemas.ts'

const channel = { type: 'webhook', webhookId: '6578c0475b00697201000007' }
const alert = {
  dashboardId: '6578c0475b00697201000009',
  tileId: '6578c0475b0069720100000a',
  threshold: 50,
  interval: '1h',
  source: 'tile',
  thresholdType: 'above',
  channel,
  name: 'Errors',
  message: 'Errors rise.',
}
const tile = {
  name: 'Errors by service',
  x: 0,
  y: 0,
  w: 12,
  h: 4,
  config: {
    displayType: 'line',
    sourceId: '6578c0475b00697201000003',
    groupBy: 'ServiceName',
    select: [{ aggFn: 'count', where: 'SeverityText:ERROR' }],
  },
}
const dashboard = { name: 'Shop', tiles: [tile], tags: ['production'] }

/** Examples that tell more than their fields do. The ids are those of nobody. */
const told: Readonly<Record<string, object>> = {
  Member: {
    userId: 'b0b7df7d-6e00-4794-8780-3a7a5240a05c',
    name: 'Ada Byron',
    email: 'ada.byron@example.com',
    role: 'developer',
    joinedAt: '2025-04-15T06:10:23.522Z',
  },
  Backup: {
    id: '0e6c9d17-81a6-421c-bc54-d6f84e9be7a7',
    serviceId: '609b25e6-ec7c-4a4c-87a1-b00c5e8ac7df',
    startedAt: '2026-01-15T23:29:35Z',
    finishedAt: '2026-01-15T23:37:46Z',
    sizeInBytes: 69045817345,
    durationInSeconds: 491,
    backupName: 'nightly-2026-01-15',
    bucket: {
      bucketProvider: 'AWS',
      bucketPath: 'https://backups.s3.amazonaws.com/nightly',
      iamRoleArn: 'arn:aws:iam::957102927053:role/BackupWriter',
      iamRoleSessionName: 'backup-writer',
    },
  },
  DashboardBody: dashboard,
  Dashboard: {
    id: '6578c0475b00697201000009',
    ...dashboard,
    tiles: [{ id: '6578c0475b0069720100000a', ...tile }],
    filters: [],
    savedQuery: null,
    savedQueryLanguage: null,
    savedFilterValues: [],
  },
  AlertBody: alert,
  Alert: {
    id: '6578c0475b00697201000017',
    ...alert,
    state: 'OK',
    teamId: '6578c0475b00697201000001',
    createdAt: '2026-01-15T23:29:35.478Z',
    updatedAt: '2026-01-15T23:29:35.478Z',
  },
  Source: {
    id: '6578c0475b00697201000003',
    name: 'Logs',
    kind: 'log',
    connection: '6578c0475b00697201000002',
    from: { databaseName: 'default', tableName: 'otel_logs' },
    timestampValueExpression: 'Timestamp',
  },
  Webhook: {
    id: '6578c0475b00697201000007',
    name: 'On call',
    service: 'generic',
    url: 'https://hooks.example.com/on-call',
    body: '{"text":"{{title}}"}',
    createdAt: '2026-01-15T23:29:35.478Z',
    updatedAt: '2026-01-15T23:29:35.478Z',
  },
  ChartQuery: {
    startTime: 1767571200000,
    endTime: 1767578400000,
    granularity: '1h',
    series: [
      { sourceId: '6578c0475b00697201000003', aggFn: 'count', where: 'SeverityText:ERROR', groupBy: ['ServiceName'] },
    ],
  },
  ChartRow: { ts_bucket: 1767571200000, group: ['api'], 'series_0.data': '6' },
}

/** An example of a shape: one that is told above, else one that follows from its fields. */
export const exampleOf = (name: string): object => told[name] ?? exampleOfFields(schemas[name]?.fields ?? {})

const exampleOfFields = (fields: Fields): object =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, exampleOfField(field)]))

function exampleOfField({ type, values, format, least = 0, fields, items, example }: Field): unknown {
  if (example !== undefined) return example
  if (values) return values[0]
  switch (type) {
    case 'string':
      return format ? formats[format] : 'text'.padEnd(least, '.')
    case 'number':
      return least
    case 'boolean':
      return true
    case 'array':
      return items ? [exampleOfField(items)] : []
    case 'object':
      return exampleOfFields(fields ?? {})
  }
}

const formats = {
  uuid: '609b25e6-ec7c-4a4c-87a1-b00c5e8ac7df',
  email: 'ada.byron@example.com',
  date: '2026-01-15',
  'date-time': '2026-01-15T23:29:35Z',
} as const
