import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type OperationId, operations } from '../../fixtures/built-contract/index.ts'
import { openCloud } from '../testing/open-cloud.ts'

/**
 * Requests with the example values of the vendor's document: each is accepted, and its answer has every value that was sent,
 * except credentials, which no answer shows.
 */
interface Request {
  readonly operation: OperationId
  readonly body: Readonly<Record<string, unknown>>
}

const file = new URL('../../fixtures/documents/documented-requests.json', import.meta.url)
const requests: readonly Request[] = JSON.parse(readFileSync(file, 'utf8'))

const secrets = ['credentials', 'connectionString', 'serviceAccountKey']

const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([name]) => !secrets.includes(name))
  return Object.fromEntries(entries.map(([name, own]) => [name, withoutSecrets(own)]))
}

/** What an answer has, where it differs from the body that was sent. */
const expectedResults: Partial<
  Record<OperationId, (body: Request['body'], before: { readonly tags: readonly unknown[] }) => object>
> = {
  // An answer shows a fixed number of replicas as minimum and maximum.
  'scalingSchedule.upsert': ({ entries }) => ({
    entries: (entries as readonly Request['body'][]).map(({ numReplicas, ...entry }) =>
      numReplicas === undefined ? entry : { ...entry, minReplicas: numReplicas, maxReplicas: numReplicas },
    ),
  }),
  // The answer does not show the network of an infrastructure.
  'byocInfrastructure.create': ({ regionId, displayName }) => ({ regionId, displayName }),
  'service.create': ({ endpoints, ...body }) => ({ service: { ...body, ...withMysql(endpoints) } }),
  'service.update': ({ endpoints, tags }, before) => {
    const { add = [] } = tags as { readonly add?: readonly unknown[] }
    return { ...withMysql(endpoints), tags: [...before.tags, ...add] }
  },
  // An answer shows settings as strings.
  'postgresConfig.update': ({ pgConfig }) => ({
    pgConfig: Object.fromEntries(Object.entries(pgConfig as object).map(([name, value]) => [name, String(value)])),
  }),
  'postgres.create': ({ pgConfig: _, ...body }) => body,
}

const withMysql = (endpoints: unknown) =>
  endpoints === undefined ? {} : { endpoints: expect.arrayContaining([expect.objectContaining({ protocol: 'mysql' })]) }

describe('a request with the example values of the vendor', () => {
  it.each(requests.map((request, at) => [request.operation, at, request] as const))(
    'is accepted, and the answer has the values that were sent: %s (%i)',
    async (operation, _, { body }) => {
      const { mock, send, serviceId: primary, organizationId } = openCloud({ as: 'clickhouse-cloud' })
      // Pipes need a running service. Only a service that shares no warehouse can be scaled without limits.
      const unshared = mock.records.list('service').find(({ state }) => state === 'stopped')!.id as string
      const serviceId = operation.startsWith('service.') ? unshared : primary
      const [pipe] = mock.records.list('clickPipe').filter(({ source }) => 'kafka' in (source as object))
      const [postgres] = mock.records.list('postgres')
      const ids: Record<string, unknown> = { serviceId, clickPipeId: pipe!.id, postgresId: postgres!.id }
      const { method, paths } = operations[operation]
      const below = paths.cloud!.replace('/v1/organizations/{organizationId}', '')
      const path = below.replace(/\{(\w+)\}/g, (_, name) => String(ids[name]))
      const before = mock.records.get('service', serviceId, { within: organizationId })
      const { error, status, result } = await send(method, path, body)
      expect([status, error]).toEqual([expect.toBeOneOf([200, 201]), undefined])
      const sent = withoutSecrets(body) as Request['body']
      expect(result).toMatchObject(expectedResults[operation]?.(sent, before as never) ?? sent)
    },
  )
})
