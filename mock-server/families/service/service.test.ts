import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { openCloud } from '../../testing/open-cloud.ts'
import { minimalService, openWithService } from '../../testing/open-service.ts'

const conflict = (state: string) =>
  `CONFLICT: Only instance in one of the following states: 'provisioning','starting','awaking','idle','stopped','degraded','failed' can be terminated. Current state: '${state}'`

describe('a service', () => {
  it('is created, runs, is stopped, and is deleted', async () => {
    const { state, command, wait, send, path, activities } = await openWithService()
    expect(await state()).toBe('provisioning')
    wait(120)
    expect(await state()).toBe('running')
    expect(await send('DELETE', path)).toMatchObject({ status: 409, error: conflict('running') })
    expect((await command('stop')).result.state).toBe('stopping')
    expect(await send('DELETE', path)).toMatchObject({ status: 409, error: conflict('stopping') })
    wait(30)
    expect(await state()).toBe('stopped')
    expect((await send('DELETE', path)).status).toBe(200)
    expect(await state()).toBe('terminating')
    wait(180)
    expect(await send('GET', path)).toMatchObject({ status: 404, error: `NOT_FOUND: ${path.split('/')[2]}` })
    expect((await send('DELETE', path)).status).toBe(404)
    const written = await activities()
    expect(written.slice(0, 4)).toEqual(['service_delete', 'service_stop', 'service_running', 'service_create'])
    // The activity service_idle is of a seeded service.
    expect(await activities('system')).toEqual(['service_running', 'service_idle'])
  })

  it('is deleted only some seconds after it stopped, by choice', async () => {
    const choices = { cloud: { 'service/delete-after-stop': 'refused for seconds' } }
    const { state, command, wait, send, path } = await openWithService({}, { choices })
    wait(120)
    await command('stop')
    wait(30)
    expect(await state()).toBe('stopped')
    expect(await send('DELETE', path)).toMatchObject({ status: 409, error: conflict('stopping') })
    wait(10)
    expect((await send('DELETE', path)).status).toBe(200)
  })

  it('idles after its timeout, and is woken', async () => {
    const { state, command, wait, activities } = await openWithService({ idleTimeoutMinutes: 5 })
    wait(120 + 5 * 60)
    expect(await state()).toBe('idle')
    expect((await command('start')).result.state).toBe('idle')
    expect((await command('awake')).result.state).toBe('awaking')
    wait(20)
    expect(await state()).toBe('running')
    expect((await activities('system')).slice(0, 3)).toEqual(['service_running', 'service_idle', 'service_running'])
  })

  it('is started, not woken, after it was stopped', async () => {
    const { state, command, wait } = await openWithService({ idleScaling: false })
    expect((await command('stop')).result.state).toBe('stopping')
    wait(30)
    expect(await command('awake')).toMatchObject({ status: 400, error: 'BAD_REQUEST' })
    expect((await command('stop')).result.state).toBe('stopped')
    expect((await command('start')).result.state).toBe('starting')
    wait(60)
    expect(await state()).toBe('running')
    wait(86_400)
    expect(await state()).toBe('running')
  })

  it('changes its states in order of time, also when the clock jumps by days', async () => {
    const { wait, mock, send } = await openWithService()
    wait(3 * 86_400)
    const { result } = await send('GET', '/activities')
    expect(result.slice(0, 3).map(({ type, createdAt }: Record<string, string>) => [type, createdAt])).toEqual([
      ['service_idle', '2026-06-01T12:17:00.000Z'],
      ['service_running', '2026-06-01T12:02:00.000Z'],
      ['service_create', '2026-06-01T12:00:00.000Z'],
    ])
    expect(mock.clock.now()).toBe(Date.UTC(2026, 5, 4, 12))
  })

  it('shows a password only when it is created or generates a new password', async () => {
    const { created, path, send } = await openWithService()
    expect(created.password).toMatch(/^\w{16}$/)
    const made = await send('PATCH', `${path}/password`, {})
    expect(made.result.password).toMatch(/^\w{16}$/)
    expect(made.result.password).not.toBe(created.password)
    const sent = await send('PATCH', `${path}/password`, {
      newPasswordHash: 'a'.repeat(44),
      newDoubleSha1Hash: 'a'.repeat(40),
    })
    expect(sent).toMatchObject({ status: 200, result: {} })
    expect(sent.result).not.toHaveProperty('password')
    for (const read of [await send('GET', path), await send('GET', '/services')]) {
      expect(JSON.stringify(read.result)).not.toMatch(/password/)
    }
  })

  it('has the fields that were sent, and defaults for the others', async () => {
    const { created } = await openWithService({
      numReplicas: 2,
      minTotalMemoryGb: 24,
      maxTotalMemoryGb: 48,
      tags: [{ key: 'Team', value: 'Data' }],
      endpoints: [{ protocol: 'mysql', enabled: true }],
      privatePreviewTermsChecked: true,
      isReadonly: false,
    })
    expect(created.service).toMatchObject({
      ...minimalService,
      numReplicas: 2,
      minReplicaMemoryGb: 8,
      maxReplicaMemoryGb: 16,
      maxTotalMemoryGb: 48,
      idleScaling: true,
      idleTimeoutMinutes: 15,
      isPrimary: true,
      tags: [{ key: 'Team', value: 'Data' }],
      createdAt: '2026-06-01T12:00:00Z',
      currentScaling: { effectiveMinReplicas: 2, effectiveMaxReplicaMemoryGb: 16 },
    })
    expect(created.service.endpoints.map(({ port }: { port: number }) => port)).toEqual([9440, 8443, 3306])
    expect(created.service).not.toHaveProperty('changesAt')
    expect(created.service).not.toHaveProperty('backupId')
  })

  it('keeps the fields that an update omits, and removes list entries before it adds others', async () => {
    const { created, path, send, activities } = await openWithService({
      ipAccessList: [{ source: '10.0.0.1', description: 'office' }, { source: '10.0.0.2' }],
    })
    const changed = await send('PATCH', path, {
      name: 'renamed',
      ipAccessList: { add: [{ source: '10.0.0.1' }], remove: [{ source: '10.0.0.1' }, { source: '10.9.9.9' }] },
      endpoints: [],
    })
    expect(changed.result).toEqual({
      ...created.service,
      name: 'renamed',
      ipAccessList: [{ source: '10.0.0.2' }, { source: '10.0.0.1' }],
    })
    expect((await send('GET', path)).result).toEqual(changed.result)
    expect((await activities('api')).slice(0, 2)).toEqual(['service_update_ip_access_list', 'service_update_name'])
  })

  it.each([
    [{ name: 'x' }, 'BAD_REQUEST: request body.provider: Required; request body.region: Required'],
    [{ ...minimalService, numReplicas: 0 }, 'BAD_REQUEST: request body.numReplicas: Value must be >= 1 <number:0>'],
    [{ ...minimalService, colour: 'red' }, "request body property can't be validated: colour"],
    [
      { ...minimalService, tags: [{ key: 'a b' }] },
      'BAD_REQUEST: request body.tags.0.key: Expected a match of ^[a-zA-Z0-9._-]+$ <string:"a b">',
    ],
  ])('is not created with %j', async (body, error) => {
    const { send } = openCloud()
    expect(await send('POST', '/services', body)).toMatchObject({ status: 400, error })
  })

  it('is refused an unknown property without a code or, by choice, with one; the cause says on which basis', async () => {
    const body = { ...minimalService, colour: 'red' }
    const sentence = "request body property can't be validated: colour"
    const gap = 'error/unknown-property-code'
    const first = await openCloud().send('POST', '/services', body)
    expect([first.error, first.cause]).toMatchObject([sentence, { rule: gap, choice: 'no', basis: 'inferred' }])
    const second = await openCloud({ choices: { cloud: { [gap]: 'yes' } } }).send('POST', '/services', body)
    expect([second.error, second.cause]).toMatchObject([`BAD_REQUEST: ${sentence}`, { rule: gap, choice: 'yes' }])
  })

  it('shares the warehouse of its primary, which then can be neither stopped nor idle', async () => {
    const { created, send, wait, command, state } = await openWithService()
    const { dataWarehouseId } = created.service
    const second = await send('POST', '/services', { ...minimalService, dataWarehouseId, isReadonly: true })
    expect(second.result.service).toMatchObject({ dataWarehouseId, isPrimary: false, isReadonly: true })
    expect(await command('stop')).toMatchObject({ status: 400 })
    wait(86_400)
    expect(await state()).toBe('running')
    expect((await send('GET', `/services/${second.result.service.id}/backupConfiguration`)).status).toBe(400)
  })

  it('is filtered by its tags', async () => {
    const { send, created } = await openWithService({ tags: [{ key: 'Team', value: 'Data' }] })
    const findIds = async (filter: string) => {
      const { result } = await send('GET', `/services?filter=${encodeURIComponent(filter)}`)
      return result.map(({ id }: { id: string }) => id)
    }
    const { result, cause } = await send('GET', '/services?filter=Team=Shop')
    expect(result.length).toBeGreaterThan(1)
    expect(cause).toMatchObject({ rule: 'service/filter-without-prefix', choice: 'ignored', basis: 'observed' })
    expect(await findIds('tag:Team')).toEqual([created.service.id])
    expect(await findIds('tag:Team=Data')).toEqual([created.service.id])
    expect(await findIds('tag:Team=Shop')).toEqual([])
  })

  it('has an observability stack once it runs, which has only sources and is deleted with the service', async () => {
    const { path, send, wait, command, mock } = await openWithService()
    const below = (resource: string) => send('GET', `${path}/observability/${resource}`)
    expect(await below('sources')).toMatchObject({
      status: 403,
      error: 'FORBIDDEN: ClickStack has not been setup for this service',
    })
    wait(120)
    expect((await below('sources')).result).toHaveLength(4)
    expect((await below('dashboards')).result).toEqual([])
    expect((await below('alerts')).result).toEqual([])
    await command('stop')
    wait(40)
    await send('DELETE', path)
    wait(180)
    const { records } = mock.state() as { records: Record<string, Record<string, unknown>> }
    expect(Object.keys(records.source!)).not.toContain(path.split('/')[2])
    expect(Object.keys(records.backupConfiguration!)).not.toContain(path.split('/')[2])
  })

  it('continues from a saved state', async () => {
    const { mock, path, organizationId, wait, state } = await openWithService()
    wait(60)
    const other = createMock({ now: mock.clock.now(), freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    expect(other.state()).toEqual(mock.state())
    other.moveClock(other.clock.now() + 60_000)
    const { keyId, keySecret } = other.target({ cloud: 'http://cloud.test' }).cloud!
    const call = { method: 'GET', path: `/v1/organizations/${organizationId}${path}`, query: '', body: '' }
    const headers = { authorization: `Basic ${btoa(`${keyId}:${keySecret}`)}` }
    const { body } = await other.answer({ ...call, headers }, 'cloud')
    expect(JSON.parse(body).result.state).toBe('running')
    expect(await state()).toBe('provisioning')
  })
})
