import { test as playwright } from '@playwright/test'
import type { FetchMock, FetchMockOptions } from './faces/create-mock.ts'
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
   * to the addresses in `bases`: `test.use({ mockOptions: { bases: { cloud: 'https://api.example.com' } } })`.
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
    const world = createTestWorld(mockOptions)
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
    for (const base of Object.values(mockOptions.bases ?? {})) {
      await context.route(
        ({ href }) => href === base || href.startsWith(`${base.replace(/\/$/, '')}/`),
        async route => {
          const request = route.request()
          const response = await testWorld.mock().fetch(request.url(), {
            method: request.method(),
            headers: await request.allHeaders(),
            body: request.postData(),
          })
          const headers = Object.fromEntries(response.headers)
          await route.fulfill({ status: response.status, headers, body: await response.text() })
        },
      )
    }
    await use(context)
  },
})
