import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type OperationId, operations } from '../../fixtures/contract/index.ts'
import { openCloud } from '../testing/open-cloud.ts'

/**
 * Requests that are made of the example values of the vendor's document: each is accepted, and what is answered has every value
 * as it was sent, but for credentials, which no answer shows.
 */
interface Request {
  readonly operation: OperationId
  readonly body: Readonly<Record<string, unknown>>
}

const file = new URL('../../fixtures/documents/documented-requests.json', import.meta.url)
const requests: readonly Request[] = JSON.parse(readFileSync(file, 'utf8'))

const secrets = ['credentials', 'connectionString', 'serviceAccountKey']

const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !secrets.includes(name))
  return Object.fromEntries(entries.map(([name, own]) => [name, shown(own)]))
}

/** Where an answer has what was sent in another place or type. */
const expected: Partial<
  Record<OperationId, (body: Request['body'], before: { readonly tags: readonly unknown[] }) => object>
> = {
  // An entry answers a fixed number of replicas as the least and the most of them.
  'scalingSchedule.upsert': ({ entries }) => ({
    entries: (entries as readonly Request['body'][]).map(({ numReplicas, ...entry }) =>
      numReplicas === undefined ? entry : { ...entry, minReplicas: numReplicas, maxReplicas: numReplicas },
    ),
  }),
  // Of the network of an infrastructure, the list shows nothing.
  'byocInfrastructure.create': ({ regionId, displayName }) => ({ regionId, displayName }),
  'service.create': ({ endpoints, ...body }) => ({ service: { ...body, ...withMysql(endpoints) } }),
  'service.update': ({ endpoints, tags }, before) => {
    const { add = [] } = tags as { readonly add?: readonly unknown[] }
    return { ...withMysql(endpoints), tags: [...before.tags, ...add] }
  },
  // Settings are answered as texts.
  'postgresConfig.update': ({ pgConfig }) => ({
    pgConfig: Object.fromEntries(Object.entries(pgConfig as object).map(([name, value]) => [name, String(value)])),
  }),
  'postgres.create': ({ pgConfig: _, ...body }) => body,
}

const withMysql = (endpoints: unknown) =>
  endpoints === undefined ? {} : { endpoints: expect.arrayContaining([expect.objectContaining({ protocol: 'mysql' })]) }

describe('a request of the example values of the document', () => {
  it.each(requests.map((request, at) => [request.operation, at, request] as const))(
    'is accepted and answered as it was sent: %s (%i)',
    async (operation, _, { body }) => {
      const { mock, send, serviceId: first, organizationId } = openCloud({ as: 'clickhouse-cloud' })
      // Pipes need a service that runs; one that shares no warehouse scales freely.
      const alone = mock.records.list('service').find(({ state }) => state === 'stopped')!.id as string
      const serviceId = operation.startsWith('service.') ? alone : first
      const [pipe] = mock.records.list('clickPipe').filter(({ source }) => 'kafka' in (source as object))
      const [postgres] = mock.records.list('postgres')
      const ids: Record<string, unknown> = { serviceId, clickPipeId: pipe!.id, postgresId: postgres!.id }
      const { method, paths } = operations[operation]
      const below = paths.cloud!.replace('/v1/organizations/{organizationId}', '')
      const path = below.replace(/\{(\w+)\}/g, (_, name) => String(ids[name]))
      const before = mock.records.get('service', serviceId, { within: organizationId })
      const { error, status, result } = await send(method, path, body)
      expect([status, error]).toEqual([expect.toBeOneOf([200, 201]), undefined])
      const sent = shown(body) as Request['body']
      expect(result).toMatchObject(expected[operation]?.(sent, before as never) ?? sent)
    },
  )
})
