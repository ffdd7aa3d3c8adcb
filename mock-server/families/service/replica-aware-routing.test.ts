import { expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

it('is enabled for each protocol alone, if the organization has the feature', async () => {
  const { send, mock, serviceId, organizationId } = openCloud()
  const path = `/services/${serviceId}/replicaAwareRouting`
  expect((await send('GET', path)).result).toEqual({ httpEnabled: false, nativeEnabled: false })
  expect((await send('PATCH', path, { httpEnabled: true })).status).toBe(400)
  mock.records.update('organization', organizationId, { features: ['replica-aware-routing'] })
  expect((await send('PATCH', path, { httpEnabled: true })).result).toEqual({ httpEnabled: true, nativeEnabled: false })
  expect((await send('GET', path)).result.httpEnabled).toBe(true)
  expect((await send('PATCH', path, {})).status).toBe(400)
})
