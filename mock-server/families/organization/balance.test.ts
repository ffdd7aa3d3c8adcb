import { expect, it } from 'vitest'
import { openCloud } from '../../testing/open-cloud.ts'

/** In seconds. */
const day = 86_400

it('is reduced by the cost of services, the soonest to expire first, and is not listed after it expires', async () => {
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

it('is not charged for costs that an expired balance has paid', async () => {
  const { send, mock } = openCloud()
  const spent: number[] = []
  for (let days = 0; days < 14; days++) {
    const { balances } = (await send('GET', '/creditBalances')).result
    const { amountSpent } = balances.find(({ totalAmount }: { totalAmount: number }) => totalAmount === 5_000)
    spent.push(amountSpent)
    mock.clock.advance(day * 1000)
  }
  const daily = spent.slice(1).map((amount, index) => amount - spent[index]!)
  expect(Math.max(...daily)).toBeLessThan(2 * Math.min(...daily))
})
