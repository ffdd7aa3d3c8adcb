import { describe, expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

const endpoint = (id: string) => ({ id, cloudProvider: 'aws', region: 'us-east-1' })

describe('an organization', () => {
  it('is renamed with an activity, and keeps omitted fields', async () => {
    const { send, activities } = openCloud()
    const { result: before } = await send('GET', '')
    expect((await send('PATCH', '', { name: before.name })).result).toEqual(before)
    expect((await send('PATCH', '', { name: 'Acme' })).result).toEqual({ ...before, name: 'Acme' })
    expect((await send('GET', '')).result).toEqual({ ...before, name: 'Acme' })
    expect(await activities('api')).toEqual(['organization_update_name'])
  })

  it('removes private endpoints before it adds others', async () => {
    const { send } = openCloud()
    const change = async (privateEndpoints: object) =>
      (await send('PATCH', '', { privateEndpoints })).result.privateEndpoints.map(({ id }: { id: string }) => id)
    expect(await change({ add: [endpoint('one'), endpoint('two')] })).toEqual(['one', 'two'])
    expect(await change({ add: [endpoint('one')], remove: [endpoint('one'), endpoint('none')] })).toEqual([
      'two',
      'one',
    ])
  })

  it('with core dumps disabled refuses them for its services', async () => {
    const { send, serviceId } = openCloud()
    await send('PATCH', '', { enableCoreDumps: false })
    expect((await send('PATCH', `/services/${serviceId}`, { enableCoreDumps: true })).status).toBe(400)
  })

  it('has private endpoint services only in the regions of its services', async () => {
    const { send, serviceId } = openCloud()
    const { provider, region } = (await send('GET', `/services/${serviceId}`)).result
    const ask = (query: string) => send('GET', `/privateEndpointConfig?${query}`)
    const { result } = await ask(`cloud_provider=${provider}&region_id=${region}`)
    const { result: own } = await send('GET', `/services/${serviceId}/privateEndpointConfig`)
    expect(result).toEqual({ endpointServiceId: own.endpointServiceId })
    expect(await ask('cloud_provider=aws&region_id=ap-south-1')).toMatchObject({
      status: 400,
      error: 'BAD_REQUEST: organization has no created instances in aws ap-south-1',
    })
    expect((await ask('region=us-east-1')).error).toBe('BAD_REQUEST: Unknown parameter: region')
    expect((await ask('cloud_provider=ibm')).error).toBe(
      'BAD_REQUEST: query.cloud_provider: Expected one of aws, gcp, azure <string:"ibm">; query.region_id: Required',
    )
  })

  it.each([
    [{ colour: 'red' }, "request body property can't be validated: colour"],
    [{ name: '' }, 'BAD_REQUEST: request body.name: Expected at least 1 characters <string:"">'],
    [{ privateEndpoints: { add: [{}] } }, /^BAD_REQUEST: request body\.privateEndpoints\.add\.0\.id: Required/],
  ])('is not changed by %j', async (body, error) => {
    const { send } = openCloud()
    const { result: before } = await send('GET', '')
    const refused = await send('PATCH', '', body)
    expect(refused.status).toBe(400)
    expect(refused.error).toMatch(error)
    expect((await send('GET', '')).result).toEqual(before)
  })
})

describe('quotas', () => {
  it('count the services and the replicas of the largest warehouse', async () => {
    const { send } = openCloud()
    const usage = async (code: string) => (await send('GET', `/quotas/${code}`)).result.usage
    const services = await usage('services-per-organization')
    expect((await send('GET', '/services')).result).toHaveLength(services)
    await send('POST', '/services', { name: 'a', provider: 'aws', region: 'us-east-1', numReplicas: 19 })
    expect(await usage('services-per-organization')).toBe(services + 1)
    expect(await usage('replicas-per-warehouse')).toBe(19)
  })

  it('are the same in the list and by their codes, and other codes are unknown', async () => {
    const { send } = openCloud()
    const { result } = await send('GET', '/quotas')
    expect(result).toHaveLength(4)
    for (const quota of result) expect((await send('GET', `/quotas/${quota.quotaCode}`)).result).toEqual(quota)
    expect((await send('GET', '/quotas/nothing')).status).toBe(404)
  })
})
