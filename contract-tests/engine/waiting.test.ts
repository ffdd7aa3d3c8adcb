import { expect, it } from 'vitest'
import type { Client } from './clients/client.ts'
import { trustMock } from './target/own-mock.ts'
import { createPoll, waitOptionsFor } from './waiting.ts'

function startPoll() {
  let passed = 0
  const wait = async (milliseconds: number) => {
    passed += milliseconds
  }
  const poll = createPoll({ wait, firstPauseMs: 1000, maxUnansweredMs: 30_000 })
  return { poll, passed: () => passed }
}

it('a poll waits no more after 30 seconds of unsuccessful waiting', async () => {
  const { poll, passed } = startPoll()
  const pollInVain = () =>
    poll(
      async () => 'nothing',
      () => false,
      30,
    )
  expect(await pollInVain()).toBe('nothing')
  const spent = passed()
  expect(spent).toBeGreaterThanOrEqual(30_000)
  for (let time = 0; time < 5; time++) await pollInVain()
  expect(passed()).toBe(spent)
})

it('a poll does not count the waiting that succeeds', async () => {
  const { poll, passed } = startPoll()
  for (let time = 0; time < 5; time++) {
    const start = passed()
    await poll(
      async () => passed() - start,
      elapsed => elapsed > 20_000,
      30,
    )
  }
  expect(passed()).toBeGreaterThan(100_000)
})

it('a wait on a mock of ours advances the clock of the world of its target', async () => {
  const paths: string[] = []
  const client = {
    send: async ({ path }: { readonly path: string }) => {
      paths.push(path)
      return { status: 200 }
    },
  } as unknown as Client
  const target = { control: { baseUrl: 'http://localhost:8080' } }
  for (const id of [undefined, 'job 1'])
    await waitOptionsFor(trustMock({ ...target, ...(id !== undefined && { id }) }), client, async () => {}).wait(1000)
  expect(paths).toEqual(['/control/clock', '/control/clock?world=job%201'])
})
