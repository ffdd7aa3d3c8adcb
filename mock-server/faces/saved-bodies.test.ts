import { describe, expect, it } from 'vitest'
import type { Form } from '../../fixtures/contract/index.ts'
import { createMock, type Mock, type MockOptions } from '../mock/mock.ts'
import { addCaller, readAll, writeAll, writeFixtures } from '../testing/write-bodies.ts'

const now = Date.UTC(2026, 5, 1, 12)

function open(options: MockOptions) {
  return createMock({ now, freeze: true, logs: 100, organizations: 1, services: 2, members: 2, ...options })
}

describe('a world in which calls wrote bodies of all operations', () => {
  it.each([
    ['self-hosted-2.24', (form: Form) => form === 'selfHosted', 5],
    ['self-hosted-2.36', (form: Form) => form === 'selfHosted', 15],
    ['clickhouse-cloud', (form: Form) => form !== 'selfHosted', 56],
  ] as const)(
    'is loaded whole, as %s',
    async (as, isServed, least) => {
      const mock = open({ as })
      addCaller(mock)
      const accepted = await writeAll(mock, isServed)
      if (as !== 'self-hosted-2.24') await writeFixtures(mock)
      expect(accepted.size).toBeGreaterThanOrEqual(least)
      // A loaded world has no lag.
      mock.advance('5m')
      const written = await readAll(mock)
      const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value))
      const state = copy(mock.state())
      const loads = [
        (next: Mock) => next.load(state),
        (next: Mock) => next.load(copy(mock.state('opened'))),
        (next: Mock) => next.restore(copy(mock.snapshot())),
      ]
      const next = open({ as })
      for (const load of loads) {
        load(next)
        expect(copy(next.state())).toEqual(state)
      }
      expect(await readAll(next)).toEqual(written)
    },
    30_000,
  )
})
