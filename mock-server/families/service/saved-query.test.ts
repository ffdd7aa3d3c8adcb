import { expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

it('has a unique name, is replaced as a whole, and is deleted unless a user owns it', async () => {
  const { send, serviceId } = openCloud()
  const path = `/services/${serviceId}/saved-queries`
  const body = { name: 'n', sql: 'SELECT {a:UInt8}', database: 'default', parameters: { a: '1' } }
  const { status, result } = await send('POST', path, body)
  expect([status, result]).toEqual([201, { id: result.id, ...body }])
  expect((await send('POST', path, body)).status).toBe(409)
  expect((await send('PUT', `${path}/${result.id}`, { ...body, parameters: undefined })).result.parameters).toEqual({})
  const { body: list } = await send('GET', `${path}?limit=1`)
  expect(list).toMatchObject({ limit: 1, totalCount: 2, nextCursor: expect.any(String) })
  expect(Object.keys(list.result[0])).toEqual(['id', 'name', 'database'])
  expect((await send('DELETE', `${path}/${list.result[0].id}`)).status).toBe(409)
  expect((await send('DELETE', `${path}/${result.id}`)).status).toBe(200)
  expect((await send('GET', `${path}/${result.id}`)).status).toBe(404)
})
