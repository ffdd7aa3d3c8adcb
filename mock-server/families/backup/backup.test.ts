import { describe, expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { openCloud, start } from '../../testing/open-cloud.ts'

/** In seconds. */
const hours = 3600

interface Backup {
  readonly id: string
  readonly status: string
  readonly startedAt: string
  readonly finishedAt?: string
  readonly durationInSeconds: number
  readonly type: string
  readonly bucket?: object
}

/** A cloud with a service that was created at the start. */
async function open() {
  const cloud = openCloud()
  const { result } = await cloud.send('POST', '/services', { name: 'new', provider: 'aws', region: 'us-east-1' })
  const service = `/services/${result.service.id}`
  return {
    ...cloud,
    // Advances the clock without evaluating alerts, which would slow the test.
    wait: (seconds: number) => cloud.mock.clock.advance(seconds * 1000),
    service,
    createdId: result.service.id as string,
    list: async (of = service): Promise<Backup[]> => (await cloud.send('GET', `${of}/backups`)).result,
    configure: (body: object) => cloud.send('PATCH', `${service}/backupConfiguration`, body),
  }
}

const listStartHours = (list: readonly Backup[]) => list.map(({ startedAt }) => startedAt.slice(0, 13))

describe('backups', () => {
  it('are made once a day, are first in progress and then done, and are listed newest first', async () => {
    const { list, wait } = await open()
    expect(await list()).toEqual([])
    wait(24 * hours + 60)
    const [first] = await list()
    expect(first).toMatchObject({ status: 'in_progress', durationInSeconds: 60, type: 'full' })
    expect(first).not.toHaveProperty('finishedAt')
    wait(hours)
    const [done] = await list()
    expect(done).toMatchObject({ id: first!.id, status: 'done' })
    expect(Date.parse(done!.finishedAt!)).toBe(Date.parse(done!.startedAt) + done!.durationInSeconds * 1000)
    wait(24 * hours)
    expect(listStartHours(await list())).toEqual(['2026-06-03T12', '2026-06-02T12'])
  })

  it('follow a changed period, retention and start time from the time of the change', async () => {
    const { list, wait, configure } = await open()
    await configure({ backupPeriodInHours: 6, backupRetentionPeriodInHours: 48 })
    wait(100 * hours)
    expect(listStartHours(await list())).toHaveLength(8)
    await configure({ backupPeriodInHours: 24, backupRetentionPeriodInHours: 24, backupStartTime: '03:00' })
    wait(48 * hours)
    expect(listStartHours(await list())).toEqual(['2026-06-07T03', '2026-06-06T03'])
    await configure({ backupPeriodInHours: 48 })
    wait(49 * hours)
    expect(listStartHours(await list())[0]).toBe('2026-06-09T03')
  })

  it('are the same for the same seed, regardless of clock steps and of reads in between', async () => {
    const [often, once] = [await open(), await open()]
    for (let day = 0; day < 9; day++) {
      often.wait(24 * hours)
      await often.list()
    }
    once.wait(9 * 24 * hours)
    expect(await once.list()).toEqual(await often.list())
  })

  it('are made only of the primary service of a warehouse', async () => {
    const { send, list, wait, service } = await open()
    const { dataWarehouseId } = (await send('GET', service)).result
    const body = { name: 'second', provider: 'aws', region: 'us-east-1', dataWarehouseId }
    const { id } = (await send('POST', '/services', body)).result.service
    wait(72 * hours)
    expect(await list(`/services/${id}`)).toEqual([])
  })

  it('that are seeded stay for weeks, and after a jump of centuries only the last ones are made', async () => {
    const { mock, send, serviceId, wait, list } = await open()
    const { backupId } = mock.target({ cloud: '' }).cloud!
    const path = `/services/${serviceId}/backups/${backupId}`
    const before = await send('GET', path)
    wait(20 * 24 * hours)
    expect(await send('GET', path)).toMatchObject({ result: before.result })
    mock.clock.set(Date.UTC(2400, 0))
    expect((await send('GET', path)).status).toBe(404)
    expect((await list(`/services/${serviceId}`)).length).toBeLessThan(50)
  })

  it('keep the status error or in_progress that the control plane arranged', async () => {
    const { mock, createdId, list, wait } = await open()
    const within = { within: createdId }
    const { id } = mock.records.create('backup', { status: 'error' }, within)
    mock.records.create('backup', { status: 'in_progress' }, within)
    wait(hours)
    const listed = await list()
    expect(listed.find(one => one.id === id)).toMatchObject({ status: 'error', finishedAt: expect.anything() })
    expect(listed.find(one => one.id !== id)).toMatchObject({ status: 'in_progress' })
  })

  it('continue from a saved state', async () => {
    const { mock, list, wait, createdId, organizationId } = await open()
    wait(24 * hours + 60)
    await list()
    const other = createMock({ now: start, freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    for (const one of [mock, other]) one.clock.set(start + 100 * hours * 1000)
    expect(other.records.list('backup', { within: createdId })).toEqual(
      mock.records.list('backup', { within: createdId }),
    )
    expect(other.records.list('backup', { within: createdId })).toHaveLength(2)
    expect(organizationId).toBe(other.target({ cloud: '' }).cloud!.organizationId)
  })
})
