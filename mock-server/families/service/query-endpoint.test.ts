import { expect, it } from 'vitest'
import { openWithService } from '../../testing/open-service.ts'

it('is created, replaced under the same id, and deleted', async () => {
  const { ask, send } = await openWithService()
  const { result: keys } = await send('GET', '/keys')
  expect(await ask('GET', '/serviceQueryEndpoint')).toMatchObject({ status: 404, error: 'NOT_FOUND' })
  const body = { roles: ['sql_console_admin'], openApiKeys: [keys[0].id], allowedOrigins: '*' }
  const created = await ask('POST', '/serviceQueryEndpoint', body)
  expect(created.result).toEqual({ id: expect.any(String), ...body })
  expect((await ask('GET', '/serviceQueryEndpoint')).result).toEqual(created.result)
  const replaced = await ask('POST', '/serviceQueryEndpoint', { roles: [], openApiKeys: [] })
  expect(replaced.result).toEqual({ id: created.result.id, roles: [], openApiKeys: [], allowedOrigins: '' })
  expect((await ask('DELETE', '/serviceQueryEndpoint')).status).toBe(200)
  expect((await ask('GET', '/serviceQueryEndpoint')).status).toBe(404)
  expect((await ask('DELETE', '/serviceQueryEndpoint')).status).toBe(404)
})

it('refuses a key that the organization does not have, and keeps a key that is deleted later', async () => {
  const { ask, send } = await openWithService()
  const unknown = '6f2b1b0e-7d0c-4f43-8a55-0f4f4b1f2b11'
  expect(await ask('POST', '/serviceQueryEndpoint', { openApiKeys: [unknown] })).toMatchObject({
    status: 400,
    error: `BAD_REQUEST: OpenAPI key ${unknown} does not belong to the organization`,
  })
  const { result } = await send('POST', '/keys', { name: 'console' })
  await ask('POST', '/serviceQueryEndpoint', { openApiKeys: [result.key.id] })
  await send('DELETE', `/keys/${result.key.id}`)
  expect((await ask('GET', '/serviceQueryEndpoint')).result.openApiKeys).toEqual([result.key.id])
})
