import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock-server/index.ts'
import type { Client } from '../engine/clients/client.ts'
import { exitStatus } from '../report/exit-status.ts'
import { verify } from '../run/verify.ts'
import { createDirectClient, directTarget } from './direct-client.ts'

/** A 5xx instead of a success breaks a should rule, for every operation that the deployment offers. */

const answer = { status: 500, body: { error: 'The operation broke down.' } }

describe('an operation that answers with a 5xx', () => {
  it('breaks a should rule even when only the vendor documents it, and fails the run', async () => {
    const mock = createMock({ logs: 100 })
    mock.stub({ when: { operation: 'key.list' }, answer })
    const report = await verify({ target: directTarget(mock), client: createDirectClient(mock), rules: ['key/'] })
    const broken = report.rules.filter(({ outcome }) => outcome === 'broken')
    expect(broken.map(({ id, level }) => `${id} ${level}`)).toEqual(['key/list-answers should'])
    expect([exitStatus(report), exitStatus({ ...report, failOn: 'must' })]).toEqual([1, 0])
  })

  it('breaks no rule when the deployment does not offer it', async () => {
    const mock = createMock({ logs: 100 })
    for (const operation of ['key.list', 'key.get', 'key.create', 'key.update', 'key.delete'] as const)
      mock.stub({ when: { operation }, answer: { ...answer, status: 501 } })
    const report = await verify({ target: directTarget(mock), client: createDirectClient(mock), rules: ['key/'] })
    expect(report.rules.filter(({ outcome }) => outcome === 'broken')).toEqual([])
  })

  it('breaks the rule about an update when the get after the update fails', async () => {
    const mock = createMock({ logs: 100 })
    const client = createDirectClient(mock)
    let isUpdated = false
    const failing: Client = {
      ...client,
      async send(request) {
        const isGet = request.method === 'GET' && /\/api\/v2\/dashboards\/\w+$/.test(request.path)
        if (isGet && isUpdated) return { status: 500, headers: {}, text: '{"message":"down"}' }
        const received = await client.send(request)
        if (request.method === 'PUT' && received.status === 200) isUpdated = true
        return received
      },
    }
    const options = {
      target: directTarget(mock),
      client: failing,
      rules: ['dashboard/'],
      forms: ['selfHosted'] as const,
    }
    const { rules } = await verify(options)
    expect(rules.find(({ id }) => id === 'dashboard/get-answers')?.outcome).toBe('held')
    expect(rules.find(({ id }) => id === 'dashboard/updated-is-got')).toMatchObject({
      outcome: 'broken',
      detail: expect.stringMatching(/^expected success, got 500 \(GET \/api\/v2\/dashboards\/\w+\)$/),
    })
  })
})
