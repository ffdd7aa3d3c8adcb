import { describe, expect, it } from 'vitest'
import { minimalService, openWithService } from '../../testing/open-service.ts'

describe('the scaling of a service', () => {
  it('changes only the fields of an update', async () => {
    const { ask, activities } = await openWithService()
    const { result } = await ask('PATCH', '/replicaScaling', { minReplicaMemoryGb: 8, idleScaling: true })
    expect(result).toMatchObject({
      minReplicaMemoryGb: 8,
      maxReplicaMemoryGb: 120,
      minTotalMemoryGb: 24,
      numReplicas: 3,
      idleTimeoutMinutes: 15,
      currentScaling: { effectiveMinReplicaMemoryGb: 8, effectiveMaxReplicas: 3 },
    })
    expect((await ask('GET')).result).toEqual(result)
    expect((await activities('api'))[0]).toBe('service_update_autoscaling_memory')
    await ask('PATCH', '/replicaScaling', { numReplicas: 5, idleTimeoutMinutes: 30 })
    expect((await activities('api')).slice(0, 2)).toEqual([
      'service_update_autoscaling_idling',
      'service_update_autoscaling_replicas',
    ])
  })

  it('divides the former total memory by three replicas', async () => {
    const { ask } = await openWithService({ numReplicas: 2 })
    const { result } = await ask('PATCH', '/scaling', { minTotalMemoryGb: 24, maxTotalMemoryGb: 96 })
    expect(result).toMatchObject({
      minReplicaMemoryGb: 8,
      maxReplicaMemoryGb: 32,
      maxTotalMemoryGb: 96,
      numReplicas: 2,
    })
  })

  it('converts equal minReplicas and maxReplicas to numReplicas', async () => {
    const { ask } = await openWithService()
    const { result } = await ask('PATCH', '/replicaScaling', { minReplicas: 4, maxReplicas: 4 })
    expect(result).toMatchObject({ numReplicas: 4, autoscalingMode: 'vertical' })
    expect(result).not.toHaveProperty('minReplicas')
  })

  it.each([
    ['/replicaScaling', { minReplicaMemoryGb: 10 }, 'minReplicaMemoryGb: Value must be a multiple of 4 <number:10>'],
    ['/replicaScaling', { maxReplicaMemoryGb: 360 }, 'maxReplicaMemoryGb: Value must be <= 356 <number:360>'],
    ['/replicaScaling', { maxReplicaMemoryGb: 8 }, 'maxReplicaMemoryGb: Value must be >= 16 <number:8>'],
    ['/replicaScaling', { numReplicas: 0 }, 'numReplicas: Value must be >= 1 <number:0>'],
    ['/replicaScaling', { idleTimeoutMinutes: 4 }, 'idleTimeoutMinutes: Value must be >= 5 <number:4>'],
    ['/replicaScaling', { minReplicas: 2 }, 'maxReplicas: Expected minReplicas and maxReplicas'],
    [
      '/replicaScaling',
      { numReplicas: 2, minReplicas: 2, maxReplicas: 2 },
      'numReplicas: Expected either numReplicas, or minReplicas and maxReplicas <number:2>',
    ],
    ['/scaling', { minTotalMemoryGb: 30 }, 'minTotalMemoryGb: Value must be a multiple of 12 <number:30>'],
  ])('is refused by PATCH %s %j', async (below, body, sentence) => {
    const { ask, created } = await openWithService()
    expect(await ask('PATCH', below, body)).toMatchObject({
      status: 400,
      error: `BAD_REQUEST: request body.${sentence}`,
    })
    expect((await ask('GET')).result).toEqual(created.service)
  })

  it('is horizontal only in an organization with that feature, and with replicas of one size', async () => {
    const { ask, mock, organizationId } = await openWithService()
    const horizontal = { autoscalingMode: 'horizontal', minReplicas: 2, maxReplicas: 6 }
    mock.records.update('organization', organizationId, { features: [] })
    expect(await ask('PATCH', '/replicaScaling', horizontal)).toMatchObject({
      status: 403,
      error: expect.stringMatching(/^FORBIDDEN: /),
    })
    mock.records.update('organization', organizationId, { features: ['horizontal-autoscaling'] })
    expect((await ask('PATCH', '/replicaScaling', horizontal)).error).toMatch(/maxReplicaMemoryGb: Expected .* 16/)
    const { result } = await ask('PATCH', '/replicaScaling', { ...horizontal, maxReplicaMemoryGb: 16 })
    expect(result).toMatchObject({ ...horizontal, replicaMemoryGb: 16, currentScaling: { effectiveMaxReplicas: 6 } })
    for (const absent of ['numReplicas', 'minTotalMemoryGb']) expect(result).not.toHaveProperty(absent)
    const back = await ask('PATCH', '/replicaScaling', { autoscalingMode: 'vertical', numReplicas: 2 })
    expect(back.result).toMatchObject({ numReplicas: 2, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16 })
  })

  it('requires at least two replicas for a primary with secondaries', async () => {
    const { ask, send, created } = await openWithService()
    const { dataWarehouseId } = created.service
    await send('POST', '/services', { ...minimalService, dataWarehouseId, numReplicas: 1 })
    expect((await ask('PATCH', '/replicaScaling', { numReplicas: 1 })).status).toBe(400)
    expect((await ask('PATCH', '/replicaScaling', { numReplicas: 2 })).status).toBe(200)
  })

  it('restarts the idle timeout when the timeout is changed', async () => {
    const { ask, state, wait } = await openWithService({ idleScaling: false })
    wait(120 + 3600)
    await ask('PATCH', '/replicaScaling', { idleScaling: true, idleTimeoutMinutes: 5 })
    wait(299)
    expect(await state()).toBe('running')
    wait(1)
    expect(await state()).toBe('idle')
  })
})
