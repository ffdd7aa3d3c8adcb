import { expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

it('a query API endpoint has a URL and defaults, is replaced as a whole, and is no serviceQueryEndpoint', async () => {
  const { mock, send, serviceId } = openCloud()
  const path = `/services/${serviceId}/query-api-endpoints`
  const apiKeyIds = [mock.records.list('key')[0]!.id as string]
  const body = { name: 'n', sql: 'SELECT 1', database: 'default', apiKeyIds, roles: ['sql_console_admin'] }
  const { status, result } = await send('POST', path, { ...body, parameters: { a: '1' } })
  expect(status).toBe(201)
  expect(result).toMatchObject({ ...body, parameters: { a: '1' }, allowedOrigins: [], ownerType: 'queryApiEndpoint' })
  expect(result.url).toContain(`/run/${result.id}`)
  const replaced = (await send('PUT', `${path}/${result.id}`, { ...body, sql: 'SELECT 2' })).result
  expect(replaced).toEqual({ ...result, sql: 'SELECT 2', parameters: {} })
  const { body: list } = await send('GET', path)
  expect(Object.keys(list)).toEqual(['status', 'requestId', 'result', 'limit', 'totalCount', 'nextCursor'])
  expect(list.result.at(-1)).not.toHaveProperty('sql')
  const { id } = (await send('GET', `/services/${serviceId}/serviceQueryEndpoint`)).result
  expect(list.result.map((one: { id: string }) => one.id)).not.toContain(id)
  expect((await send('DELETE', `${path}/${result.id}`)).status).toBe(200)
  expect((await send('GET', `${path}/${result.id}`)).status).toBe(404)
  const [ofUser] = list.result
  expect(ofUser.ownerType).toBe('user')
  expect((await send('PUT', `${path}/${ofUser.id}`, body)).status).toBe(409)
  for (const wrong of [
    { sql: ' ' },
    { apiKeyIds: [] },
    { roles: [] },
    { apiKeyIds: [result.id] },
    { parameters: { a: 1 } },
  ])
    expect((await send('POST', path, { ...body, ...wrong })).status, JSON.stringify(wrong)).toBe(400)
})
