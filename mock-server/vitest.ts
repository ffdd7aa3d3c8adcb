import type { SetupServer } from 'msw/node'
import { test as vitest } from 'vitest'
import { createMock, type FetchMock, type FetchMockOptions } from './faces/create-mock.ts'
import { createMswHandlers } from './faces/msw.ts'

/** What a test that is made by `test` finds in its context. */
export interface MockFixtures {
  /** What the mock of each test is made of: `test.extend({ mockOptions: { seed: 7 } })`. */
  mockOptions: FetchMockOptions
  /** A mock of this test's own, in process and without a port: `mock.fetch`, `mock.target()`, `mock.setFaults([…])`. */
  mock: FetchMock
  /** One mock for all tests of the file, in the state in which the test before left it; made without `mockOptions`. */
  sharedMock: FetchMock
  /**
   * MSW's server with the mock of this test, listening while the test runs: the global `fetch`, `http` and what is built on
   * them reach `mock` at its bases, and everything else passes. It is global, so it is not for concurrent tests.
   */
  server: SetupServer
}

/** Vitest's `test`, of the copy that is installed, with a fresh and isolated world for each test that asks for one. */
export const test = vitest.extend<MockFixtures>({
  mockOptions: {},
  mock: async ({ mockOptions }, use) => {
    await use(createMock(mockOptions))
  },
  sharedMock: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its pattern.
    async ({}, use) => {
      await use(createMock())
    },
    { scope: 'file' },
  ],
  server: async ({ mock }, use) => {
    const server = await listen(mock)
    try {
      await use(server)
    } finally {
      server.close()
    }
  },
})

export const it = test

async function listen(mock: FetchMock): Promise<SetupServer> {
  const { setupServer } = await import('msw/node').catch(() => {
    throw new Error('start MSW: the package msw is not installed. Run: npm install --save-dev msw')
  })
  const server = setupServer(...createMswHandlers(mock))
  server.listen({ onUnhandledRequest: 'bypass' })
  return server
}
