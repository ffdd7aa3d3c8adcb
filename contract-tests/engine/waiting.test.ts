import { expect, it } from 'vitest'
import { createPoll } from './waiting.ts'

function watch() {
  let passed = 0
  const wait = async (milliseconds: number) => {
    passed += milliseconds
  }
  const until = createPoll({ wait, first: 1000, maxUnanswered: 30_000 })
  return { until, passed: () => passed }
}

it('waits no more once enough time was spent on what never came', async () => {
  const { until, passed } = watch()
  const never = () =>
    until(
      async () => 'nothing',
      () => false,
      30,
    )
  expect(await never()).toBe('nothing')
  const spent = passed()
  expect(spent).toBeGreaterThanOrEqual(30_000)
  for (let time = 0; time < 5; time++) await never()
  expect(passed()).toBe(spent)
})

it('goes on waiting as long as what is waited for comes', async () => {
  const { until, passed } = watch()
  for (let time = 0; time < 5; time++) {
    const from = passed()
    await until(
      async () => passed() - from,
      since => since > 20_000,
      30,
    )
  }
  expect(passed()).toBeGreaterThan(100_000)
})
