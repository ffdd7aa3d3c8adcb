import { expect, it } from 'vitest'
import { minimalService, openWithService } from '../../testing/open-service.ts'

it('is set, read, replaced and deleted', async () => {
  const { ask } = await openWithService()
  expect(await ask('GET', '/upgradeWindow')).toMatchObject({ status: 404, error: 'NOT_FOUND' })
  const set = await ask('PUT', '/upgradeWindow', { weekday: 3, startHourUtc: 12 })
  expect(set.result).toEqual({ weekday: 3, startHourUtc: 12, duration: 6 })
  await ask('PUT', '/upgradeWindow', { weekday: 0, startHourUtc: 0 })
  expect((await ask('GET', '/upgradeWindow')).result).toEqual({ weekday: 0, startHourUtc: 0, duration: 6 })
  expect((await ask('DELETE', '/upgradeWindow')).status).toBe(200)
  expect((await ask('GET', '/upgradeWindow')).status).toBe(404)
  expect((await ask('DELETE', '/upgradeWindow')).status).toBe(404)
})

it.each([
  [{ weekday: 7, startHourUtc: 0 }, 'weekday: Value must be <= 6 <number:7>'],
  [{ weekday: 1, startHourUtc: 5 }, 'startHourUtc: Value must be a multiple of 6 <number:5>'],
  [{ weekday: 1 }, 'startHourUtc: Required'],
])('is refused with %j', async (body, sentence) => {
  const { ask } = await openWithService()
  expect(await ask('PUT', '/upgradeWindow', body)).toMatchObject({
    status: 400,
    error: `BAD_REQUEST: request body.${sentence}`,
  })
})

it('is shared by a warehouse, and only the primary can set it', async () => {
  const { ask, send, created } = await openWithService()
  const { dataWarehouseId } = created.service
  const second = (await send('POST', '/services', { ...minimalService, dataWarehouseId })).result.service
  const path = `/services/${second.id}/upgradeWindow`
  await ask('PUT', '/upgradeWindow', { weekday: 3, startHourUtc: 12 })
  expect((await send('GET', path)).result.weekday).toBe(3)
  const error = 'BAD_REQUEST: cannot set upgrade window on a secondary service'
  expect(await send('PUT', path, { weekday: 1, startHourUtc: 0 })).toMatchObject({ status: 400, error })
  expect((await send('DELETE', path)).status).toBe(400)
})

it('is created and removed through the control plane', async () => {
  const { ask, mock, created } = await openWithService()
  const place = { within: created.service.id }
  mock.records.create('upgradeWindow', { weekday: 5, startHourUtc: 18 }, place)
  expect((await ask('GET', '/upgradeWindow')).result).toEqual({ weekday: 5, startHourUtc: 18, duration: 6 })
  mock.records.remove('upgradeWindow', 'upgradeWindow', place)
  expect((await ask('GET', '/upgradeWindow')).status).toBe(404)
})
