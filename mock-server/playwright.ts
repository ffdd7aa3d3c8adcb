import { test as playwright } from '@playwright/test'
import type { FetchMock, FetchMockOptions } from './faces/create-mock.ts'
import { routeToMock } from './faces/playwright.ts'
import {
  type CloudApi,
  createTestWorld,
  type SelfHostedApi,
  type TestEnvironment,
  type TestWorld,
} from './faces/test-world.ts'

export { expect } from '@playwright/test'

/** The fixtures of a test that `test` defines. */
export interface MockFixtures {
  /**
   * The options of each test's mock: `test.use({ mockOptions: { seed: 7 } })`. The mock also answers the requests of pages
   * to the API at the addresses in `bases`: `test.use({ mockOptions: { bases: { cloud: 'https://api.example.com' } } })`.
   */
  mockOptions: FetchMockOptions
  /** The mock of this test: `mock.stub({…})`, `mock.at('2026-03-01')`, `mock.calls()`. */
  mock: FetchMock
  /** The cloud API of this test's mock on a port of its own: `cloud.baseUrl`, `cloud.keyId`. */
  cloud: CloudApi
  /** The self-hosted API of this test's mock on a port of its own: `selfHosted.baseUrl`, `selfHosted.apiKey`. */
  selfHosted: SelfHostedApi
  /** Variables of `process.env` while the test runs: none by default. Playwright's workers run one test at a time. */
  env: TestEnvironment
  /** The world of this test, whose mock is created on first use. */
  testWorld: TestWorld
  /** Sets the environment where `env` asks for it. */
  environment: undefined
}

/** The `test` of the installed Playwright, with a fresh and isolated world for each test that uses one. */
export const test = playwright.extend<MockFixtures>({
  mockOptions: [{}, { option: true }],
  env: [false, { option: true }],
  testWorld: async ({ mockOptions }, use, info) => {
    const world = createTestWorld(mockOptions, info.titlePath.join(' > '))
    await use(world)
    const body = info.status === info.expectedStatus ? undefined : world.describe()
    if (body !== undefined) await info.attach('world.json', { body, contentType: 'application/json' })
    await world.close()
  },
  mock: async ({ testWorld }, use) => {
    await use(testWorld.mock())
  },
  cloud: async ({ testWorld }, use) => {
    await use((await testWorld.apis()).cloud)
  },
  selfHosted: async ({ testWorld }, use) => {
    await use((await testWorld.apis()).selfHosted)
  },
  environment: [
    async ({ env, testWorld }, use) => {
      const restoreEnvironment = env ? await testWorld.setEnvironment(env) : () => {}
      await use(undefined)
      restoreEnvironment()
    },
    { auto: true },
  ],
  context: async ({ context, testWorld, mockOptions }, use) => {
    if (mockOptions.bases) await routeToMock(context, testWorld.mock())
    await use(context)
    // A call that is still pending does not fail the test.
    await context.unrouteAll({ behavior: 'ignoreErrors' })
  },
})
