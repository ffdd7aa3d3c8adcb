import { describe, expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

const arn = 'arn:aws:kafka:us-east-1:957102927053:cluster/shop/1'
const msk = { description: 'Kafka', type: 'MSK_MULTI_VPC', mskClusterArn: arn, mskAuthentication: 'SASL_IAM' }
const vpc = { description: 'DB', type: 'VPC_ENDPOINT_SERVICE', vpcEndpointServiceName: 'com.amazonaws.vpce.x' }
const names = (...all: string[]) => ({ customPrivateDnsMappings: all.map(privateDnsName => ({ privateDnsName })) })

function open() {
  const cloud = openCloud()
  const path = `/services/${cloud.serviceId}/clickpipesReversePrivateEndpoints`
  const make = async (body: object) => {
    const answer = await cloud.send('POST', path, body)
    const own = `${path}/${answer.result?.id}`
    return { ...answer, own, is: async () => (await cloud.send('GET', own)).result?.status }
  }
  return { ...cloud, path, make }
}

describe('a reverse private endpoint', () => {
  it('waits for its other side where that has to accept it', async () => {
    const { make, wait } = open()
    const { is, result } = await make(vpc)
    expect(result).toMatchObject({ ...vpc, status: 'Provisioning', customPrivateDnsMappings: [], privateDnsNames: [] })
    expect(result.endpointId).toMatch(/^vpce-0[0-9a-f]{16}$/)
    wait(30)
    expect(await is()).toBe('PendingAcceptance')
    wait(60)
    expect(await is()).toBe('Ready')
    const other = await make(msk)
    wait(30)
    expect(await other.is()).toBe('Ready')
  })

  it('to a cluster of Kafka names its brokers, of which a pipe is made', async () => {
    const { privateDnsNames, privateDnsMappings, dnsNames } = (await open().make(msk)).result
    const brokers = [1, 2, 3].map(n =>
      expect.stringMatching(
        new RegExp(`^b-${n}\\.iam\\.shop\\.[0-9a-f]{6}\\.c2\\.kafka\\.us-east-1\\.amazonaws\\.com$`),
      ),
    )
    expect(privateDnsNames).toEqual(brokers)
    expect(privateDnsMappings[0]).toEqual({ privateDnsName: privateDnsNames[0], internalDnsName: dnsNames[0] })
  })

  it('has the DNS targets of a resource, which names may stand for', async () => {
    const { make, send } = open()
    const resource = { vpcResourceConfigurationId: 'rcfg-1', vpcResourceShareArn: 'arn:aws:ram:x' }
    const { own, result } = await make({ description: 'DB', type: 'VPC_RESOURCE', ...resource })
    const [internalDnsName] = result.dnsNames
    expect(result.dnsTargets).toEqual([{ id: 'rcfg-1', kind: 'RESOURCE_CONFIGURATION', internalDnsName }])
    const aimedAt = (targetId: string) =>
      send('PATCH', own, { customPrivateDnsMappings: [{ privateDnsName: 'a.example', targetId }] })
    expect((await aimedAt('rcfg-1')).result.customPrivateDnsMappings[0].targetId).toBe('rcfg-1')
    expect((await aimedAt('rcfg-2')).status).toBe(400)
  })

  it('may be rejected, and stays so', async () => {
    const { make, mock, wait } = open()
    const { is, result } = await make(vpc)
    mock.records.update('reversePrivateEndpoint', result.id, { status: 'Rejected' })
    wait(3600)
    expect(await is()).toBe('Rejected')
  })

  it('changes its names alone, which are unique in the service', async () => {
    const { make, send } = open()
    const { own, result } = await make({ ...vpc, ...names('a.example', '*.b.example') })
    expect((await send('PATCH', own, names('c.example'))).result).toEqual({ ...result, ...names('c.example') })
    expect((await send('PATCH', own, {})).result).toMatchObject(names('c.example'))
    expect((await send('PATCH', own, names())).result.customPrivateDnsMappings).toEqual([])
    expect((await send('PATCH', own, { description: 'x' })).error).toBe(
      "request body property can't be validated: description",
    )
    await send('PATCH', own, names('c.example'))
    expect((await make({ ...vpc, ...names('c.example') })).status).toBe(400)
    expect((await make({ ...vpc, ...names('d.example', 'd.example') })).status).toBe(400)
    expect((await make({ ...msk, ...names('d.example') })).status).toBe(400)
  })

  it('is not created without what its type leads to', async () => {
    const { make } = open()
    const { mskAuthentication: _, ...lacking } = msk
    expect((await make(lacking)).error).toBe('BAD_REQUEST: request body.mskAuthentication: Required with MSK_MULTI_VPC')
  })

  it('is deleted some seconds later', async () => {
    const { make, send, wait } = open()
    const { own, is } = await make(vpc)
    expect((await send('DELETE', own)).status).toBe(200)
    expect(await is()).toBe('Deleting')
    wait(30)
    expect((await send('GET', own)).status).toBe(404)
  })

  it('is used by pipes of Kafka, which name no other', async () => {
    const { make, send, serviceId } = open()
    const { result } = await make(msk)
    const create = (id: string) =>
      send('POST', `/services/${serviceId}/clickpipes`, {
        name: 'x',
        source: {
          kafka: {
            type: 'msk',
            format: 'Avro',
            brokers: 'b',
            topics: 't',
            authentication: 'IAM_USER',
            reversePrivateEndpointIds: [id],
          },
        },
        destination: { database: 'd', table: 't', managedTable: true, columns: [] },
      })
    expect((await create(result.id)).result.source.kafka.reversePrivateEndpointIds).toEqual([result.id])
    expect((await create(serviceId!)).error).toBe(`BAD_REQUEST: Reverse private endpoint ${serviceId} not found`)
  })
})
