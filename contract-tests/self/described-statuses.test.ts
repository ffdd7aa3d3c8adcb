import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import { verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** The OpenAPI description of the mock has every status that a run of the suite gets. */

interface Described {
  readonly paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>
}

describe.each([[{}], [{ as: 'self-hosted-2.36' }], [{ as: 'clickhouse-cloud' }]] as const)(
  'a mock with %j',
  options => {
    it('describes every status with which it answers', { timeout: 120_000 }, async () => {
      const mock = createMock({ logs: 10_000, ...options })
      const described = new Map<string, string[]>(
        (['cloud', 'selfHosted'] as const).flatMap(host =>
          Object.values((mock.describe(host) as Described).paths).flatMap(methods =>
            Object.values(methods).map(({ operationId, responses }) => [
              `${host} ${operationId}`,
              Object.keys(responses),
            ]),
          ),
        ),
      )
      const undescribed = new Set<string>()
      let answered = 0
      mock.onCall(({ host, form, operation, response }) => {
        if (operation === undefined || response.status < 200 || [204, 304, 405].includes(response.status)) return
        answered++
        const id = `${host} ${form === 'managed' ? 'managed.' : ''}${operation}`
        if (!described.get(id)?.includes(String(response.status))) undescribed.add(`${id} ${response.status}`)
      })
      await verify({ target: directTarget(mock), client: createDirectClient(mock) })
      expect([...undescribed]).toEqual([])
      expect(answered).toBeGreaterThan(500)
    })
  },
)
