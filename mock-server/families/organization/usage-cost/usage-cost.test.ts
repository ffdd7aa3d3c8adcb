import { describe, expect, it } from 'vitest'
import { createMock } from '../../../mock/mock.ts'
import { openCloud, start } from '../../../testing/open-cloud.ts'

/** In seconds. */
const hours = 3600

interface Row {
  readonly date: string
  readonly entityType: string
  readonly entityId: string
  readonly entityName: string
  readonly dataWarehouseId: string
  readonly serviceId: string | null
  readonly metrics: Record<string, number>
  readonly totalCHC: number
  readonly locked: boolean
}

function open() {
  const cloud = openCloud()
  const cost = async (from: string, to = from, more = ''): Promise<{ grandTotalCHC: number; costs: Row[] }> =>
    (await cloud.send('GET', `/usageCost?from_date=${from}&to_date=${to}${more}`)).result
  return {
    ...cloud,
    // Advances the clock without evaluating alerts, which would slow the test.
    wait: (seconds: number) => cloud.mock.clock.advance(seconds * 1000),
    cost,
    computeOf: async (serviceId: string, date: string) =>
      (await cost(date)).costs.find(row => row.serviceId === serviceId)?.metrics.computeCHC,
    create: async () =>
      (await cloud.send('POST', '/services', { name: 'new', provider: 'aws', region: 'us-east-1', idleScaling: false }))
        .result.service.id as string,
  }
}

describe('usage cost', () => {
  it('has a row for each warehouse and service on each day, and the rows add up to the total', async () => {
    const { cost, mock } = open()
    const { grandTotalCHC, costs } = await cost('2026-05-01', '2026-05-31')
    const services = mock.records.list('service')
    const warehouses = new Set(services.map(({ dataWarehouseId }) => dataWarehouseId))
    expect(costs).toHaveLength(31 * (warehouses.size + services.length))
    const types = ['datawarehouse', 'service', 'service', 'datawarehouse', 'service']
    expect(costs.slice(0, types.length).map(({ entityType }) => entityType)).toEqual(types)
    expect(costs[0]!.entityName).toBe(`${costs[1]!.entityName} warehouse`)
    expect(costs.reduce((sum, { totalCHC }) => sum + totalCHC, 0)).toBeCloseTo(grandTotalCHC, 6)
    for (const { metrics, totalCHC } of costs)
      expect(Object.values(metrics).reduce((sum, chc) => sum + chc, 0)).toBeCloseTo(totalCHC, 6)
    expect(new Set(costs.map(({ date }) => date))).toHaveLength(31)
  })

  it('has the fields of deployments, in their order', async () => {
    const { cost } = open()
    const [row] = (await cost('2026-05-01')).costs
    expect(Object.keys(row!)).toEqual([
      ...['date', 'dataWarehouseId', 'serviceId', 'entityType', 'entityId', 'entityName', 'organizationTier'],
      ...['locked', 'metrics', 'totalCHC', 'discount'],
    ])
    expect(row).toMatchObject({ serviceId: null, entityId: row!.dataWarehouseId, locked: true })
  })

  it('is zero before the organization began and after today, and grows during the day', async () => {
    const { cost, wait } = open()
    const nothing = { grandTotalCHC: 0, costs: [] }
    expect(await cost('2020-01-01', '2020-01-31')).toEqual(nothing)
    expect(await cost('2026-06-02', '2026-06-30')).toEqual(nothing)
    const noon = await cost('2026-06-01')
    wait(6 * hours)
    expect((await cost('2026-06-01')).grandTotalCHC).toBeGreaterThan(noon.grandTotalCHC)
    expect(noon.costs[0]!.locked).toBe(false)
  })

  it('is zero while a service is stopped, and about half for half a day', async () => {
    const { computeOf, create, send, wait } = open()
    const id = await create()
    wait(48 * hours)
    const fullDay = await computeOf(id, '2026-06-02')
    await send('PATCH', `/services/${id}/state`, { command: 'stop' })
    wait(60 * hours)
    expect(await computeOf(id, '2026-06-04')).toBe(0)
    const half = (await computeOf(id, '2026-06-03'))!
    expect(half).toBeGreaterThan(0.2 * fullDay!)
    expect(half).toBeLessThan(0.8 * fullDay!)
    expect(await computeOf(id, '2026-06-02')).toBe(fullDay)
  })

  it('keeps the past rows of a service that was renamed, resized or deleted', async () => {
    const { mock, cost, create, send, wait } = open()
    const id = await create()
    const own = async (day: string) => (await cost(day)).costs.filter(row => row.serviceId === id)
    wait(48 * hours)
    wait(48 * hours)
    const before = await own('2026-06-02')
    expect(before).toMatchObject([{ entityName: 'new', metrics: { computeCHC: expect.any(Number) } }])
    await send('PATCH', `/services/${id}`, { name: 'renamed' })
    mock.records.update('service', id, { numReplicas: 6 })
    wait(48 * hours)
    expect(await own('2026-06-02')).toEqual(before)
    const [after] = await own('2026-06-06')
    expect(after!.entityName).toBe('renamed')
    expect(after!.metrics.computeCHC).toBeGreaterThan(1.3 * before[0]!.metrics.computeCHC!)
    await send('PATCH', `/services/${id}/state`, { command: 'stop' })
    wait(hours)
    await send('DELETE', `/services/${id}`)
    wait(48 * hours)
    expect((await send('GET', `/services/${id}`)).status).toBe(404)
    expect((await own('2026-06-06')).length).toBe(1)
    expect(await own('2026-06-09')).toEqual([])
  })

  it('of backups follows a change of their retention from then on', async () => {
    const { cost, send, serviceId, wait } = open()
    const costOf = async (day: string) => {
      const { costs } = await cost(day)
      const { dataWarehouseId } = costs.find(row => row.serviceId === serviceId)!
      return costs.find(row => row.entityId === dataWarehouseId)!.metrics.backupCHC!
    }
    const before = await costOf('2026-05-31')
    await send('PATCH', `/services/${serviceId}/backupConfiguration`, { backupRetentionPeriodInHours: 24 })
    wait(48 * hours)
    expect(await costOf('2026-05-31')).toBe(before)
    expect(await costOf('2026-06-02')).toBeLessThan(before / 2)
  })

  it('is filtered by the tags of services', async () => {
    const { cost, send, serviceId } = open()
    await send('PATCH', `/services/${serviceId}`, { tags: { add: [{ key: 'Team', value: 'Data' }] } })
    const { costs } = await cost('2026-05-01', '2026-05-01', '&filter=tag:Team=Data')
    expect(costs.map(({ entityType }) => entityType)).toEqual(['datawarehouse', 'service'])
    expect((await cost('2026-05-01', '2026-05-01', '&filter=tag:Team=Sales')).costs).toEqual([])
  })

  it.each([
    ['from_date=2026-05-01&to_date=2026-06-01', 'to_date must be at most 30 days after from_date'],
    ['from_date=2026-05-02&to_date=2026-05-01', 'to_date must not be before from_date'],
    ['from_date=2026-05-01T00:00:00Z&to_date=2026-05-02', '2026-05-01T00:00:00Z'],
    ['from_date=2026-02-30&to_date=2026-03-01', '2026-02-30'],
    ['from_date=2026-05-01', 'query.to_date: Required'],
  ])('is refused for %s', async (query, error) => {
    const { send } = open()
    expect(await send('GET', `/usageCost?${query}`)).toMatchObject({ status: 400, error: `BAD_REQUEST: ${error}` })
  })

  it('is kept in a saved state', async () => {
    const { mock, cost, serviceId, send, wait, organizationId } = open()
    await send('PATCH', `/services/${serviceId}/state`, { command: 'stop' })
    wait(24 * hours)
    const other = createMock({ now: start, freeze: true })
    other.load(JSON.parse(JSON.stringify(mock.state())))
    other.clock.set(mock.clock.now())
    expect(other.records.list('meter', { within: organizationId })).toEqual(
      mock.records.list('meter', { within: organizationId }),
    )
    expect((await cost('2026-06-01')).costs).not.toEqual([])
  })
})
