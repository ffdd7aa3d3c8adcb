import type { SetupServer } from 'msw/node'
import * as runner from 'vitest'
import { usageCollector } from './faces/collect-usage.ts'
import type { FetchMock, FetchMockOptions } from './faces/create-mock.ts'
import { createMock } from './faces/create-mock-in-node.ts'
import type { SqlMock, SqlService } from './faces/sql/sql-mock.ts'
import {
  type CloudApi,
  createTestWorld,
  keepWorld,
  type SelfHostedApi,
  type TestEnvironment,
  type TestWorld,
} from './faces/test-world.ts'
import type { ConnectSqlOptions } from './sql/connect.ts'

/** The fixtures of a test that `test` defines. */
export interface MockFixtures {
  /** The options of each test's mock: `test.extend({ mockOptions: { seed: 7 } })`. */
  mockOptions: FetchMockOptions
  /** A mock of this test's own, in process and without a port: `mock.fetch`, `mock.target()`, `mock.setFaults([…])`. */
  mock: FetchMock
  /** The cloud API of this test's mock on a port of its own, for code that takes an address: `cloud.baseUrl`, `cloud.keyId`. */
  cloud: CloudApi
  /** The self-hosted API of this test's mock on a port of its own: `selfHosted.baseUrl`, `selfHosted.apiKey`. */
  selfHosted: SelfHostedApi
  /**
   * Variables of `process.env` while a test runs: none by default; `test.extend({ env: true })` sets those that the clients
   * of the API read. There is one environment for all tests of a process, so concurrent tests are refused.
   */
  env: TestEnvironment
  /** One mock for all tests of the file, in the state in which the previous test left it; `mockOptions` do not apply. */
  sharedMock: FetchMock
  /**
   * MSW's server with the mock of this test, listening while the test runs: the global `fetch`, `http` and what is built on
   * them reach `mock` at its bases, and everything else passes. It is global, so it is not for concurrent tests.
   */
  server: SetupServer
  /** The engine that answers the SQL of `service`: `chdb`, or the address of a ClickHouse. By default that of `STACK_PARITY_SQL`. */
  sqlEngine: string | (ConnectSqlOptions & { readonly engine: string })
  /** A service of this test's own that runs and answers SQL: `service.url`, `service.password`. Its tables are dropped at the end. */
  service: SqlService
  /** The mock that has the services of all tests of a file. */
  sqlMock: SqlMock
  /** Writes the usage that `STACK_PARITY_USAGE` asks for after the last test of the file. */
  savedUsage: undefined
  /** The world of this test, whose mock is created on first use. */
  testWorld: TestWorld
  /** Sets the environment where `env` asks for it. */
  environment: undefined
}

export type { SqlService }

/** The `test` of the installed Vitest, with a fresh and isolated world for each test that uses one. */
export const test = runner.test.extend<MockFixtures>({
  mockOptions: {},
  env: false,
  sqlEngine: [process.env.STACK_PARITY_SQL || 'chdb', { scope: 'file' }],
  sqlMock: [
    async ({ sqlEngine }, use) => {
      const { startSqlMock } = await import('./faces/sql/sql-mock.ts')
      const mock = await startSqlMock(sqlEngine)
      await use(mock)
      await mock.close()
    },
    { scope: 'file' },
  ],
  service: async ({ sqlMock }, use) => {
    const { service, drop } = sqlMock.open()
    await use(service)
    await drop()
  },
  savedUsage: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads what a fixture needs from its pattern.
    async ({}, use) => {
      await use(undefined)
      usageCollector()?.save()
    },
    { scope: 'file' },
  ],
  testWorld: async ({ mockOptions, task, savedUsage: _ }, use) => {
    const world = createTestWorld(mockOptions, nameOf(task))
    try {
      await use(world)
      if (task.result?.state === 'fail') await attach(task, world)
    } finally {
      await world.close()
    }
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
    async ({ env, testWorld, task }, use) => {
      if (!env) return use(undefined)
      if (task.concurrent) {
        throw new Error(
          `set the environment of a test: "${task.name}" is concurrent, and there is one process.env for all tests: take addresses and credentials from the fixtures cloud and selfHosted, or leave out concurrent`,
        )
      }
      const restoreEnvironment = await testWorld.setEnvironment(env)
      try {
        await use(undefined)
      } finally {
        restoreEnvironment()
      }
    },
    { auto: true },
  ],
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

/** The file of a test, and the names of its suites and of itself. */
function nameOf(task: runner.RunnerTestCase): string {
  const names = [task.name]
  for (let { suite } = task; suite; suite = suite.suite) names.unshift(suite.name)
  return [task.file.name, ...names.filter(Boolean)].join(' > ')
}

async function listen(mock: FetchMock): Promise<SetupServer> {
  const [{ setupServer }, { createMswHandlers }] = await Promise.all([import('msw/node'), import('./msw.ts')]).catch(
    () => {
      throw new Error('start MSW: the package msw is not installed. Run: npm install --save-dev msw')
    },
  )
  const server = setupServer(...createMswHandlers(mock))
  server.listen({ onUnhandledRequest: 'bypass' })
  return server
}

/** Attaches the world of a failed test to its result, and prints the path of its file: Vitest before 4.0.11 attaches nothing. */
async function attach(task: runner.RunnerTestCase, world: TestWorld): Promise<void> {
  const described = world.describe()
  if (described === undefined) return
  const attachment = { path: keepWorld(described), contentType: 'application/json' }
  const { recordArtifact } = runner as Partial<typeof runner>
  await recordArtifact?.(task, { type: 'stack-parity:world', attachments: [attachment] })
  process.stderr.write(`The world of "${task.name}", with its calls: ${attachment.path}\n`)
}

declare module 'vitest' {
  interface TestArtifactRegistry {
    readonly 'stack-parity:world': runner.TestArtifactBase & { readonly type: 'stack-parity:world' }
  }
}
