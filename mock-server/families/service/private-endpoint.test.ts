import { expect, it } from 'vitest'
import { minimalService, openWithService } from '../../testing/open-service.ts'

it('is registered for the organization, and stays registered when the service removes it', async () => {
  const { ask, send, activities } = await openWithService()
  const body = { id: 'vpce-0123456789abcdef0', description: 'office' }
  const endpoint = { ...body, cloudProvider: 'aws', region: 'us-east-1' }
  expect((await ask('POST', '/privateEndpoint', body)).result).toEqual(endpoint)
  expect((await activities('api'))[0]).toBe('service_update_private_endpoints')
  const registered = async () => (await send('GET', '')).result.privateEndpoints
  expect(await registered()).toEqual([endpoint])
  expect((await ask('GET')).result).toMatchObject({
    privateEndpointIds: [body.id],
    availablePrivateEndpointIds: [body.id],
  })
  const { result } = await ask('PATCH', '', { privateEndpointIds: { remove: [body.id] } })
  expect(result).toMatchObject({ privateEndpointIds: [], availablePrivateEndpointIds: [body.id] })
  expect(await registered()).toEqual([endpoint])
})

it.each([
  ['aws', 'us-east-1', /^com\.amazonaws\.vpce\.us-east-1\.vpce-svc-/, /^\w{10}\.us-east-1\.vpce\.aws\./],
  ['gcp', 'us-east1', /^projects\/.*\/us-east1\/serviceAttachments\//, /^\w{10}\.us-east1\.p\.gcp\./],
  ['azure', 'eastus', /\.eastus\.azure\.privatelinkservice$/, /^\w{10}\.eastus\.privatelink\.azure\./],
])(
  'on %s has one endpoint service for the region %s, and a host name for each service',
  async (provider, region, service, host) => {
    const { ask, send } = await openWithService({ provider, region })
    const { result } = await ask('GET', '/privateEndpointConfig')
    expect(result).toEqual({
      endpointServiceId: expect.stringMatching(service),
      privateDnsHostname: expect.stringMatching(host),
    })
    const other = (await send('POST', '/services', { ...minimalService, provider, region })).result.service
    const { result: otherConfig } = await send('GET', `/services/${other.id}/privateEndpointConfig`)
    expect(otherConfig.endpointServiceId).toBe(result.endpointServiceId)
    expect(otherConfig.privateDnsHostname).not.toBe(result.privateDnsHostname)
  },
)
