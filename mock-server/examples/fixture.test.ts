import type { AlertBody } from 'stack-parity/types'
import { test } from 'stack-parity/vitest'
import { expect } from 'vitest'
import { deleteAlert, ensureAlert, listFiring } from './alerts-client.js'

test('creates an alert once', async ({ mock }) => {
  const { references, ...deployment } = mock.target().selfHosted!
  const { dashboardId, tileId, webhookId } = references
  const alert: AlertBody = {
    dashboardId,
    tileId,
    name: 'Too many errors',
    source: 'tile',
    interval: '1h',
    threshold: 10,
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId },
  }
  const created = await ensureAlert({ ...deployment, fetch: mock.fetch }, alert)
  const again = await ensureAlert({ ...deployment, fetch: mock.fetch }, alert)
  expect(again.id).toBe(created.id)
  expect(mock.calls().map(({ request }) => request.method)).toEqual(['GET', 'POST', 'GET'])
})

// Another seed is another world, with other ids and other credentials.
const inAnotherWorld = test.extend({ mockOptions: { seed: 7 } })

inAnotherWorld('lists the firing alerts', async ({ mock }) => {
  const deployment = { ...mock.target().selfHosted!, fetch: mock.fetch }
  expect(await listFiring(deployment)).toContain('Declined payments')
})

test('throws the sentence of a refusal', async ({ mock }) => {
  const deployment = { ...mock.target().selfHosted!, fetch: mock.fetch }
  await expect(deleteAlert(deployment, 'nonsense')).rejects.toThrow(
    'DELETE /api/v2/alerts/{id}: Params validation failed',
  )
})

test('fails when the deployment fails', async ({ mock }) => {
  const deployment = { ...mock.target().selfHosted!, fetch: mock.fetch }
  mock.setChaos({ errorRate: 1 })
  await expect(listFiring(deployment)).rejects.toThrow('Something went wrong')
})
