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
    const ownPath = `${path}/${answer.result?.id}`
    return { ...answer, ownPath, getStatus: async () => (await cloud.send('GET', ownPath)).result?.status }
  }
  return { ...cloud, path, make }
}

describe('a reverse private endpoint', () => {
  it('waits for acceptance where its type requires that', async () => {
    const { make, wait } = open()
    const { getStatus, result } = await make(vpc)
    expect(result).toMatchObject({ ...vpc, status: 'Provisioning', customPrivateDnsMappings: [], privateDnsNames: [] })
    expect(result.endpointId).toMatch(/^vpce-0[0-9a-f]{16}$/)
    wait(30)
    expect(await getStatus()).toBe('PendingAcceptance')
    wait(60)
    expect(await getStatus()).toBe('Ready')
    const other = await make(msk)
    wait(30)
    expect(await other.getStatus()).toBe('Ready')
  })

  it('to a Kafka cluster answers the DNS names of the brokers', async () => {
    const { privateDnsNames, privateDnsMappings, dnsNames } = (await open().make(msk)).result
    const brokers = [1, 2, 3].map(n =>
      expect.stringMatching(
        new RegExp(`^b-${n}\\.iam\\.shop\\.[0-9a-f]{6}\\.c2\\.kafka\\.us-east-1\\.amazonaws\\.com$`),
      ),
    )
    expect(privateDnsNames).toEqual(brokers)
    expect(privateDnsMappings[0]).toEqual({ privateDnsName: privateDnsNames[0], internalDnsName: dnsNames[0] })
  })

  it('lists the DNS targets of its resource, and accepts only their ids in DNS mappings', async () => {
    const { make, send } = open()
    const resource = { vpcResourceConfigurationId: 'rcfg-1', vpcResourceShareArn: 'arn:aws:ram:x' }
    const { ownPath, result } = await make({ description: 'DB', type: 'VPC_RESOURCE', ...resource })
    const [internalDnsName] = result.dnsNames
    expect(result.dnsTargets).toEqual([{ id: 'rcfg-1', kind: 'RESOURCE_CONFIGURATION', internalDnsName }])
    const mapTo = (targetId: string) =>
      send('PATCH', ownPath, { customPrivateDnsMappings: [{ privateDnsName: 'a.example', targetId }] })
    expect((await mapTo('rcfg-1')).result.customPrivateDnsMappings[0].targetId).toBe('rcfg-1')
    expect((await mapTo('rcfg-2')).status).toBe(400)
  })

  it('stays rejected', async () => {
    const { make, mock, wait } = open()
    const { getStatus, result } = await make(vpc)
    mock.records.update('reversePrivateEndpoint', result.id, { status: 'Rejected' })
    wait(3600)
    expect(await getStatus()).toBe('Rejected')
  })

  it('can change only its DNS names, which are unique in the service', async () => {
    const { make, send } = open()
    const { ownPath, result } = await make({ ...vpc, ...names('a.example', '*.b.example') })
    expect((await send('PATCH', ownPath, names('c.example'))).result).toEqual({ ...result, ...names('c.example') })
    expect((await send('PATCH', ownPath, {})).result).toMatchObject(names('c.example'))
    expect((await send('PATCH', ownPath, names())).result.customPrivateDnsMappings).toEqual([])
    expect((await send('PATCH', ownPath, { description: 'x' })).error).toBe(
      "request body property can't be validated: description",
    )
    await send('PATCH', ownPath, names('c.example'))
    expect((await make({ ...vpc, ...names('c.example') })).status).toBe(400)
    expect((await make({ ...vpc, ...names('d.example', 'd.example') })).status).toBe(400)
    expect((await make({ ...msk, ...names('d.example') })).status).toBe(400)
  })

  it('is not created without the fields that its type requires', async () => {
    const { make } = open()
    const { mskAuthentication: _, ...lacking } = msk
    expect((await make(lacking)).error).toBe('BAD_REQUEST: request body.mskAuthentication: Required with MSK_MULTI_VPC')
  })

  it('is deleted after some seconds', async () => {
    const { make, send, wait } = open()
    const { ownPath, getStatus } = await make(vpc)
    expect((await send('DELETE', ownPath)).status).toBe(200)
    expect(await getStatus()).toBe('Deleting')
    wait(30)
    expect((await send('GET', ownPath)).status).toBe(404)
  })

  it('is used by a Kafka pipe, which is refused with an unknown endpoint id', async () => {
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
