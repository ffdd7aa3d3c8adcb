import { expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

const day = 86_400

it('is eaten by what the services cost, the first to expire first, and drops out when it expires', async () => {
  const { send, mock } = openCloud()
  const ask = async () => (await send('GET', '/creditBalances')).result
  const before = await ask()
  const sum = (all: { remainingCredits: number }[]) => all.reduce((total, one) => total + one.remainingCredits, 0)
  expect(before.totalRemainingCredits).toBeCloseTo(sum(before.balances), 4)
  const prepaid = before.balances.filter(({ type }: { type: string }) => type === 'prepaid')
  const { result } = await send('GET', '/activeBalances?limit=1')
  expect(result.prepaidBalances).toEqual([
    expect.objectContaining({ id: prepaid[0].id, remainingPrepaidCredits: prepaid[0].remainingCredits }),
  ])
  expect(result.totalRemainingPrepaidCredits).toBeCloseTo(sum(prepaid), 4)
  const at = mock.clock.now()
  mock.clock.advance(5 * day * 1000)
  const { grandTotalCHC } = (
    await send('GET', `/usageCost?from_date=${new Date(at).toISOString().slice(0, 10)}&to_date=2026-06-06`)
  ).result
  const after = await ask()
  expect(before.totalRemainingCredits - after.totalRemainingCredits).toBeGreaterThan(grandTotalCHC / 2)
  mock.clock.advance(400 * day * 1000)
  expect(await ask()).toEqual({ totalRemainingCredits: 0, balances: [] })
})
