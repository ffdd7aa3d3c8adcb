import { expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

const body = {
  regionId: 'eu-central-1',
  accountId: '957102927053',
  availabilityZoneSuffixes: ['a'],
  vpcCidrRange: '10.0.0.0/16',
}

it('sets up infrastructure of a customer, shows it with the organization, and takes it away', async () => {
  const { send, wait } = openCloud()
  const { result } = await send('POST', '/byocInfrastructure', body)
  expect(result).toMatchObject({ state: 'infra-provisioning', cloudProvider: 'aws', accountName: body.accountId })
  wait(20 * 60)
  const path = `/byocInfrastructure/${result.id}`
  const renamed = (await send('PATCH', path, { displayName: 'Frankfurt' })).result
  expect(renamed).toEqual({ ...result, state: 'infra-ready', displayName: 'Frankfurt' })
  expect((await send('GET', '')).result.byocConfig).toEqual([renamed])
  expect((await send('DELETE', path)).status).toBe(200)
  expect((await send('GET', '')).result.byocConfig[0].state).toBe('infra-terminated')
  expect((await send('DELETE', path)).status).toBe(404)
  wait(60 * 60)
  expect((await send('GET', '')).result.byocConfig).toBeUndefined()
})

it('keeps infrastructure that a service runs on', async () => {
  const { send, mock, serviceId } = openCloud()
  const { result } = await send('POST', '/byocInfrastructure', body)
  mock.records.update('service', serviceId!, { byocId: result.id })
  expect((await send('DELETE', `/byocInfrastructure/${result.id}`)).error).toContain(
    `The service ${serviceId} runs on it`,
  )
  expect((await send('POST', '/byocInfrastructure', { ...body, vpcCidrRange: 'wide' })).status).toBe(400)
})
