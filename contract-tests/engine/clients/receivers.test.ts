import { expect, it, onTestFinished } from 'vitest'
import { createReceivers } from './receivers.ts'

const listen = '127.0.0.1:19010'

it('keeps what arrives, the newest first, cuts long bodies, and shows no header that may be secret', async () => {
  const receivers = createReceivers()
  onTestFinished(receivers.close)
  expect((await receivers.read(listen)).text).toBe('[]')
  const post = (body: string) =>
    fetch(`http://${listen}/any`, { method: 'POST', headers: { 'x-token': 'hush', 'idempotency-key': 'k' }, body })
  expect((await post('first')).status).toBe(200)
  await post('x'.repeat(100_000))
  // A look from outside neither counts nor shows anything.
  expect(await (await fetch(`http://${listen}/received`)).text()).toBe('')
  const { text } = await receivers.read(listen)
  const [last, first] = JSON.parse(text)
  expect(first.request).toMatchObject({ method: 'POST', body: 'first', headers: { 'idempotency-key': 'k' } })
  expect(last.request.body).toBe('x'.repeat(16 * 1024))
  expect(JSON.parse(text)).toHaveLength(2)
  expect(text).not.toContain('hush')
})

it('says why it cannot listen', async () => {
  const [one, other] = [createReceivers(), createReceivers()]
  onTestFinished(one.close)
  onTestFinished(other.close)
  await one.read(listen)
  await expect(other.read(listen)).rejects.toThrow('address already in use 127.0.0.1:19010')
})
