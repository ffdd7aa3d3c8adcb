import { expect, it } from 'vitest'
import { authorization, openCloud } from '../../testing/open-cloud.ts'

it('answers the record of the calling key with its current name, and 401 after the key is disabled', async () => {
  const { mock, send, organizationId } = openCloud()
  const ask = async (as: string) => {
    const call = { method: 'GET', path: '/v1/whoami', query: '', headers: { authorization: as }, body: '' }
    const answer = await mock.answer(call, 'cloud')
    return { status: answer.status, result: JSON.parse(answer.body).result }
  }
  const everywhere = [{ source: '0.0.0.0/0' }]
  const { key, keyId, keySecret } = (await send('POST', '/keys', { name: 'CI', ipAccessList: everywhere })).result
  const own = authorization({ keyId, keySecret })
  expect((await ask(own)).result).toEqual({ actorType: 'apiKey', keyId: key.id, name: 'CI', organizationId })
  await send('PATCH', `/keys/${key.id}`, { name: 'Nightly' })
  expect((await ask(own)).result.name).toBe('Nightly')
  await send('PATCH', `/keys/${key.id}`, { state: 'disabled' })
  expect((await ask(own)).status).toBe(401)
})
