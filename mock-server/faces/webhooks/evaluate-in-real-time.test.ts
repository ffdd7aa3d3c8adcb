import { expect, it } from 'vitest'
import { createMock } from '../../mock/mock.ts'
import { evaluateInRealTime } from './evaluate-in-real-time.ts'

const baseDeliverer = { close() {} }

it.each([
  ['an alert that cannot be evaluated', 'evaluation', async () => {}],
  ['a delivery that fails', 'delivery', () => Promise.reject(new Error('it broke'))],
])('evaluateInRealTime warns once of %s, and continues with the other worlds', async (_, where, deliver) => {
  const mock = createMock()
  const warnings: string[] = []
  const fail = () => Promise.reject(new Error('it broke'))
  mock.worlds.open()
  const delivered: unknown[] = []
  const stop = evaluateInRealTime(
    { ...mock, ...(where === 'evaluation' && { inSlices: { ...mock.inSlices, evaluateAlerts: fail } }) },
    {
      ...baseDeliverer,
      deliver: world => {
        delivered.push(world)
        return deliver()
      },
    },
    sentence => void warnings.push(sentence),
  )
  await expect.poll(() => warnings).toEqual(['evaluate alerts: it broke'])
  expect(delivered).toContain(mock.worlds.all()[0])
  stop()
})
