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

/** What a test that is made by `test` finds in its argument. */
export interface MockFixtures {
  /**
   * What the mock of each test is made of: `test.use({ mockOptions: { seed: 7 } })`. What pages ask of the addresses in
   * `bases`, the mock answers: `test.use({ mockOptions: { bases: { cloud: 'https://api.example.com' } } })`.
   */
  mockOptions: FetchMockOptions
  /** The mock of this test: `mock.stub({…})`, `mock.at('2026-03-01')`, `mock.calls()`. */
  mock: FetchMock
  /** The cloud API of this test's mock on a port of its own: `cloud.baseUrl`, `cloud.keyId`. */
  cloud: CloudApi
  /** The self-hosted API of this test's mock on a port of its own: `selfHosted.baseUrl`, `selfHosted.apiKey`. */
  selfHosted: SelfHostedApi
  /** What `process.env` of the test has while it runs: nothing by default. Playwright's workers run one test at a time. */
  env: TestEnvironment
  /** The mock of this test before it is made. */
  testWorld: TestWorld
  /** Sets the environment where `env` asks for it. */
  environment: undefined
}

/** Playwright's `test`, of the copy that is installed, with a fresh and isolated world for each test that asks for one. */
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
      const putBack = env ? await testWorld.setEnvironment(env) : () => {}
      await use(undefined)
      putBack()
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
