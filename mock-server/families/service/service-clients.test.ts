import { describe, expect, it } from 'vitest'
import { start } from '../../testing/open-cloud.ts'
import { minimalService, openWithService } from '../../testing/open-service.ts'

/** Requests as real clients send them, and what those clients need in the answers. */

describe('a service as its clients use it', () => {
  it('is refreshed by the Terraform provider with four reads', async () => {
    const { ask } = await openWithService()
    const [service, endpoint, backups, query] = await Promise.all(
      ['', '/privateEndpointConfig', '/backupConfiguration', '/serviceQueryEndpoint'].map(below => ask('GET', below)),
    )
    expect(service).toMatchObject({ status: 200, result: { isPrimary: true, iamRole: expect.stringMatching(/^arn:/) } })
    for (const size of ['minReplicaMemoryGb', 'maxReplicaMemoryGb', 'minTotalMemoryGb', 'numReplicas'])
      expect(service!.result[size] % 1).toBe(0)
    expect(endpoint!.result).toEqual({ endpointServiceId: expect.any(String), privateDnsHostname: expect.any(String) })
    expect(backups).toMatchObject({ status: 200, result: { backupPeriodInHours: 24 } })
    expect(query!.status).toBe(404)
  })

  it('is created, updated, stopped and deleted by alchemy', async () => {
    const { ask, send, state, command, wait, created } = await openWithService({
      idleScaling: true,
      idleTimeoutMinutes: 15,
      isReadonly: false,
      releaseChannel: 'default',
      minReplicaMemoryGb: 8,
      maxReplicaMemoryGb: 356,
      numReplicas: 3,
      privatePreviewTermsChecked: true,
      ipAccessList: [{ description: 'Anywhere', source: '0.0.0.0/0' }],
      endpoints: [{ protocol: 'mysql', enabled: true }],
      hasTransparentDataEncryption: false,
    })
    const protocols = ({ endpoints }: { endpoints: { protocol: string }[] }) =>
      endpoints.map(({ protocol }) => protocol)
    expect(protocols(created.service)).toEqual(['nativesecure', 'https', 'mysql'])
    const { result } = await ask('PATCH', '', {
      name: created.service.name,
      ipAccessList: { add: [{ source: '10.0.0.0/8' }], remove: [{ source: '0.0.0.0/0' }, { source: '192.0.2.1' }] },
      privateEndpointIds: { add: [], remove: [] },
      releaseChannel: 'fast',
      endpoints: [],
    })
    expect(result).toMatchObject({ ipAccessList: [{ source: '10.0.0.0/8' }], releaseChannel: 'fast' })
    expect(protocols(result)).toContain('mysql')
    expect(protocols((await ask('PATCH', '', { endpoints: [{ protocol: 'mysql', enabled: false }] })).result)).toEqual([
      'nativesecure',
      'https',
    ])
    // A service can be stopped before it runs.
    expect((await command('stop')).status).toBe(200)
    wait(40)
    expect(await state()).toBe('stopped')
    expect((await ask('DELETE')).status).toBe(200)
    wait(180)
    expect((await ask('DELETE')).status).toBe(404)
    expect((await send('GET', '/services')).result).toHaveLength(4)
  })

  it('joins a warehouse, keeps the primary from idling, and is deleted before the primary', async () => {
    const { ask, send, created, wait, state, command } = await openWithService({ idleTimeoutMinutes: 5 })
    const { dataWarehouseId } = created.service
    const joined = await send('POST', '/services', {
      ...minimalService,
      dataWarehouseId,
      numReplicas: 1,
      idleTimeoutMinutes: 5,
    })
    const second = `/services/${joined.result.service.id}`
    wait(3600)
    expect([await state(), (await send('GET', second)).result.state]).toEqual(['running', 'idle'])
    expect((await send('PATCH', `${second}/password`, {})).status).toBe(400)
    await send('PATCH', `${second}/state`, { command: 'stop' })
    wait(40)
    await command('stop')
    wait(40)
    expect(await ask('DELETE')).toMatchObject({ status: 409, error: expect.stringMatching(/^CONFLICT: .*secondary/) })
    expect((await send('DELETE', second)).status).toBe(200)
    expect((await ask('DELETE')).status).toBe(200)
  })

  it('is restored from a backup as a new service, in the region of the backup', async () => {
    const { send, serviceId, mock } = await openWithService()
    const { result: old } = await send('GET', `/services/${serviceId}`)
    const backup = mock.records.create('backup', { status: 'done' }, { within: serviceId })
    const body = { name: 'restored', provider: old.provider, region: old.region, backupId: backup.id }
    const { result } = await send('POST', '/services', body)
    expect(result.service).toMatchObject({ name: 'restored', state: 'provisioning', isPrimary: true })
    expect(result.service.dataWarehouseId).not.toBe(old.dataWarehouseId)
    expect(result.service).not.toHaveProperty('backupId')
    expect(await send('POST', '/services', { ...body, region: 'us-west-2' })).toMatchObject({
      status: 400,
      error: 'BAD_REQUEST: A backup is restored in the provider and region of its service',
    })
    const failed = mock.records.create('backup', { status: 'error' }, { within: serviceId })
    expect((await send('POST', '/services', { ...body, backupId: failed.id })).status).toBe(400)
    const unknown = '6f2b1b0e-7d0c-4f43-8a55-0f4f4b1f2b11'
    expect((await send('POST', '/services', { ...body, backupId: unknown })).status).toBe(404)
  })

  it.each([
    [{ region: 'eastus' }, 'region: Expected a region of aws <string:"eastus">'],
    [{ isReadonly: true }, 'isReadonly: Only a service that shares a warehouse can be read-only <boolean:true>'],
    [{ dataWarehouseId: 'none' }, 'dataWarehouseId: There is no such warehouse <string:"none">'],
    [{ byocId: 'b', minReplicaMemoryGb: 48 }, 'maxReplicaMemoryGb: Expected one of 48, 116, 172, 232 with byocId'],
    [
      { provider: 'gcp', region: 'us-east1', encryptionKey: 'k' },
      'encryptionKey: Only a service on aws can have a disk encryption key <string:"k">',
    ],
  ])('is not created with %j', async (more, sentence) => {
    const { send } = await openWithService()
    expect(await send('POST', '/services', { ...minimalService, ...more })).toMatchObject({
      status: 400,
      error: `BAD_REQUEST: request body.${sentence}`,
    })
  })

  it('that is arranged as degraded or failed stays so until a command or its deletion', async () => {
    const { mock, created, organizationId, state, command, wait, ask } = await openWithService()
    const { id } = created.service
    mock.records.update('service', id, { state: 'degraded' }, { within: organizationId })
    wait(86_400)
    expect(await state()).toBe('degraded')
    expect((await command('stop')).result.state).toBe('stopping')
    mock.records.update('service', id, { state: 'failed' }, { within: organizationId })
    wait(86_400)
    expect(await state()).toBe('failed')
    expect((await ask('DELETE')).status).toBe(200)
  })

  it('is one of four that are seeded: running, idle, in a shared warehouse, and stopped', async () => {
    const { send, serviceId } = await openWithService({}, { now: start })
    const { result } = await send('GET', '/services')
    const [production, staging, reporting, sandbox] = result
    expect(production).toMatchObject({ id: serviceId, state: 'running', isPrimary: true })
    expect(staging.state).toBe('idle')
    expect(reporting).toMatchObject({ isPrimary: false, dataWarehouseId: production.dataWarehouseId, state: 'running' })
    expect(sandbox.state).toBe('stopped')
    expect((await send('GET', `/services/${reporting.id}/backups/${serviceId}`)).status).toBe(404)
  })
})
