import { expect, it } from 'vitest'
import { openCloud } from '../../../testing/open-cloud.ts'

const body = {
  regionId: 'eu-central-1',
  accountId: '957102927053',
  availabilityZoneSuffixes: ['a'],
  vpcCidrRange: '10.0.0.0/16',
}

it('is set up, renamed, shown with the organization, and deleted', async () => {
  const { send, wait } = openCloud()
  const { result } = await send('POST', '/byocInfrastructure', body)
  const { accountId } = body
  expect(result).toMatchObject({ state: 'infra-provisioning', cloudProvider: 'aws', accountName: accountId, accountId })
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

it('is not deleted while a service runs on it, and is refused with an invalid CIDR range', async () => {
  const { send, mock, serviceId } = openCloud()
  const { result } = await send('POST', '/byocInfrastructure', body)
  mock.records.update('service', serviceId!, { byocId: result.id })
  expect((await send('DELETE', `/byocInfrastructure/${result.id}`)).error).toContain(
    `The service ${serviceId} runs on it`,
  )
  expect((await send('POST', '/byocInfrastructure', { ...body, vpcCidrRange: 'wide' })).status).toBe(400)
})

it('shows its network, its progress as the clock advances, its tags and its private link', async () => {
  const { send, wait } = openCloud()
  const { id } = (await send('POST', '/byocInfrastructure', { ...body, tags: { team: 'shop' } })).result
  const path = `/byocInfrastructure/${id}`
  const statuses = async () =>
    (await send('GET', `${path}/progress`)).result.stages.map(({ status }: { status: string }) => status)
  expect((await send('GET', path)).result).toMatchObject({
    vpcCidrRange: '10.0.0.0/16',
    vpcAvailabilityZoneList: ['eu-central-1a'],
    isByoVpc: false,
  })
  expect(await statuses()).toEqual(['in_progress', 'not_started', 'not_started'])
  wait(10 * 60)
  expect(await statuses()).toEqual(['ready', 'in_progress', 'not_started'])
  wait(10 * 60)
  expect((await send('GET', `${path}/progress`)).result.status).toBe('ready')
  expect((await send('GET', `${path}/tags`)).result).toEqual({ tags: { team: 'shop' } })
  expect((await send('GET', `${path}/privateEndpointConfig`)).status).toBe(400)
  expect((await send('PATCH', path, { gcpPscSubnetId: 'psc' })).status).toBe(400)
  await send('PATCH', path, { enablePrivateLink: true, tags: {} })
  expect((await send('GET', path)).result.enablePrivateLink).toBe(true)
  expect((await send('GET', `${path}/tags`)).result).toEqual({ tags: {} })
  expect((await send('GET', `${path}/privateEndpointConfig`)).result.endpointName).toContain('vpce-svc')
})

it('is validated without being created, and fails the checks with an account without permissions', async () => {
  const { send } = openCloud()
  const validate = async (more: object) => send('POST', '/byocInfrastructure/validate', { ...body, ...more })
  expect((await validate({})).result).toMatchObject({ cloudProvider: 'aws', allPassed: true, supported: true })
  expect((await validate({ accountId: '000000000000' })).result).toMatchObject({ allPassed: false, anyPassed: false })
  const azure = { regionId: 'eastus', tenantId: 't', servicePrincipalClientId: 's' }
  expect((await validate(azure)).result).toMatchObject({ supported: false, checks: [] })
  const wrong = [
    { ...azure, tenantId: undefined },
    { vpcId: 'vpc-1', privateSubnetIds: ['s'] },
    { publicSubnetIds: ['s'] },
  ]
  for (const more of wrong) expect((await validate(more)).status, JSON.stringify(more)).toBe(400)
  expect(
    (await validate({ vpcCidrRange: undefined, vpcId: 'vpc-1', privateSubnetIds: ['s'] })).result.checks,
  ).toHaveLength(2)
  expect((await send('GET', '')).result.byocConfig).toBeUndefined()
})
