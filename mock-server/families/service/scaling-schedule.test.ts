import { describe, expect, it } from 'vitest'
import { openWithService } from '../../testing/open-service.ts'

/** The clock starts on Monday, 1 June 2026, at 12:00 UTC. */
const entry = { name: 'Office', weekdays: [1, 2, 3, 4, 5], startHourUtc: 13, endHourUtc: 17 }
const schedule = (...entries: object[]) => ({ entries: entries.map(more => ({ ...entry, ...more })) })

describe('the schedule of a service', () => {
  it('is created, read, replaced and deleted', async () => {
    const { ask } = await openWithService()
    expect(await ask('GET', '/scalingSchedule')).toMatchObject({ status: 404, error: 'NOT_FOUND' })
    const created = await ask('POST', '/scalingSchedule', schedule({ numReplicas: 5 }))
    expect(created.result).toMatchObject({
      entries: [{ ...entry, autoscalingMode: 'vertical', minReplicas: 5, maxReplicas: 5, isActiveNow: false }],
      baseConfig: { minReplicaMemoryGb: 16, maxReplicaMemoryGb: 120, minReplicas: 3, idleTimeoutMinutes: 15 },
    })
    expect((await ask('GET', '/scalingSchedule')).result).toEqual(created.result)
    expect((await ask('GET')).result.scalingSchedule).toEqual(created.result)
    const replaced = await ask('POST', '/scalingSchedule', schedule({ name: 'Other' }))
    expect(replaced.result.entries).toMatchObject([{ name: 'Other' }])
    expect((await ask('DELETE', '/scalingSchedule')).status).toBe(200)
    expect((await ask('GET', '/scalingSchedule')).status).toBe(404)
    expect((await ask('DELETE', '/scalingSchedule')).status).toBe(404)
    expect((await ask('GET')).result).not.toHaveProperty('scalingSchedule')
  })

  it('applies during its hours', async () => {
    const { ask, wait } = await openWithService()
    const { result } = await ask('POST', '/scalingSchedule', schedule({ numReplicas: 5, idleScaling: false }))
    const [{ id }] = result.entries
    const getCurrentScaling = async () => (await ask('GET')).result.currentScaling
    expect(await getCurrentScaling()).toMatchObject({ effectiveMaxReplicas: 3, effectiveIdleScaling: true })
    expect(await getCurrentScaling()).not.toHaveProperty('activeEntryId')
    wait(3600)
    expect(await getCurrentScaling()).toMatchObject({
      effectiveMaxReplicas: 5,
      effectiveIdleScaling: false,
      activeEntryId: id,
    })
    expect((await ask('GET')).result.numReplicas).toBe(3)
    expect((await ask('GET', '/scalingSchedule')).result).toMatchObject({
      activeEntryId: id,
      entries: [{ isActiveNow: true }],
    })
    wait(4 * 3600)
    expect(await getCurrentScaling()).toMatchObject({ effectiveMaxReplicas: 3 })
  })

  it('continues past midnight, from Saturday to Sunday', async () => {
    const { ask, wait } = await openWithService()
    await ask('POST', '/scalingSchedule', schedule({ weekdays: [6], startHourUtc: 23, endHourUtc: 1, numReplicas: 5 }))
    const replicas = async () => (await ask('GET')).result.currentScaling.effectiveMaxReplicas
    wait(5 * 86_400 + 11 * 3600 - 1)
    expect(await replicas()).toBe(3)
    wait(1)
    expect(await replicas()).toBe(5)
    wait(2 * 3600 - 1)
    expect(await replicas()).toBe(5)
    wait(1)
    expect(await replicas()).toBe(3)
  })

  it('keeps a service from idling while an entry disables idling', async () => {
    const { ask, wait, state, activities } = await openWithService({ idleTimeoutMinutes: 90 })
    await ask('POST', '/scalingSchedule', schedule({ idleScaling: false }))
    wait(5 * 3600 - 1)
    expect(await state()).toBe('running')
    wait(1)
    expect(await state()).toBe('idle')
    expect((await activities('system'))[0]).toBe('service_idle')
  })

  it.each([
    [schedule({ endHourUtc: 13 }), 'entries.0.endHourUtc: Expected another hour than startHourUtc <number:13>'],
    [schedule({}, { startHourUtc: 16, endHourUtc: 18 }), 'entries.1.weekdays: Entries must not overlap'],
    [schedule({ minReplicaMemoryGb: 16 }), 'entries.0.maxReplicaMemoryGb: Expected both bounds of the memory, or none'],
    [schedule({ weekdays: [] }), 'entries.0.weekdays: Expected at least 1 items'],
    [schedule({ startHourUtc: 24 }), 'entries.0.startHourUtc: Value must be <= 23'],
    [schedule(...Array.from({ length: 11 }, () => ({}))), 'entries: Expected at most 10 items'],
  ])('is refused with %j', async (body, sentence) => {
    const { ask } = await openWithService()
    const { status, error } = await ask('POST', '/scalingSchedule', body)
    expect([status, error]).toEqual([400, expect.stringContaining(`BAD_REQUEST: request body.${sentence}`)])
    expect((await ask('GET', '/scalingSchedule')).status).toBe(404)
  })

  it('is kept in a saved state', async () => {
    const { ask, mock } = await openWithService()
    await ask('POST', '/scalingSchedule', schedule({}))
    const before = JSON.stringify(mock.state())
    mock.load(JSON.parse(before))
    expect(JSON.stringify(mock.state())).toBe(before)
    expect((await ask('GET', '/scalingSchedule')).status).toBe(200)
  })
})

describe('a schedule without entries', () => {
  it('clears the existing entries, as documented', async () => {
    const { ask } = await openWithService()
    await ask('POST', '/scalingSchedule', schedule({}))
    expect((await ask('POST', '/scalingSchedule', schedule())).result).toEqual({ entries: [], baseConfig: {} })
    expect((await ask('GET', '/scalingSchedule')).status).toBe(404)
  })

  it('is refused by choice', async () => {
    const { ask } = await openWithService({}, { choices: { cloud: { 'scalingSchedule/no-entries': 'refused' } } })
    await ask('POST', '/scalingSchedule', schedule({}))
    expect((await ask('POST', '/scalingSchedule', schedule())).status).toBe(400)
    expect((await ask('GET', '/scalingSchedule')).status).toBe(200)
  })
})
