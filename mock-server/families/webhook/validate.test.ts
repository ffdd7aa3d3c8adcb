import { expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

it('reports the issues of a webhook of the managed form without creating it', async () => {
  const { send, serviceId } = openCloud({ as: 'clickhouse-cloud' })
  const path = `/services/${serviceId}/clickstack/webhooks`
  const count = async () => (await send('GET', path)).result.length
  const before = await count()
  const validate = async (body: object) => (await send('POST', `${path}/validate`, body)).result
  const good = { name: 'On call', service: 'generic', url: 'https://example.com/hook' }
  expect(await validate(good)).toEqual({ valid: true, errors: [], normalized: good })
  const { valid, errors, normalized } = await validate({ name: 'On call', service: 'fax', url: 'https://example.com' })
  expect([valid, errors.map((one: { path: string }) => one.path), normalized]).toEqual([false, ['service'], null])
  expect((await validate({ ...good, service: 'slack' })).errors).toMatchObject([{ path: 'url' }])
  expect(await count()).toBe(before)
})
