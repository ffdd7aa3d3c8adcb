import { expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { evaluateInRealTime } from './evaluate-in-real-time.ts'

const nothing = { close() {} }

it.each([
  ['an alert that cannot be evaluated', 'evaluation', async () => {}],
  ['a delivery that fails', 'delivery', () => Promise.reject(new Error('it broke'))],
])('survives %s, says it once, and goes on with the other worlds', async (_, where, deliver) => {
  const mock = createMock()
  const said: string[] = []
  const fail = () => {
    throw new Error('it broke')
  }
  mock.worlds.open()
  const delivered: unknown[] = []
  const stop = evaluateInRealTime(
    { ...mock, ...(where === 'evaluation' && { evaluateAlerts: fail }) },
    {
      ...nothing,
      deliver: world => {
        delivered.push(world)
        return deliver()
      },
    },
    sentence => void said.push(sentence),
  )
  await expect.poll(() => said).toEqual(['evaluate alerts: it broke'])
  expect(delivered).toContain(mock.worlds.all()[0])
  stop()
})
