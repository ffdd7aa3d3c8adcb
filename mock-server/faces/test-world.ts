import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TargetFile } from '../mock/mock.ts'
import type { FetchMock, FetchMockOptions } from './create-mock.ts'
import { createMockForTest } from './create-mock-in-node.ts'
import { createFetch } from './fetch.ts'
import { type RunningMock, serve } from './serve.ts'

/** The addresses of the APIs of a test, with the credentials and ids of its world. */
export type CloudApi = NonNullable<TargetFile['cloud']>
export type SelfHostedApi = NonNullable<TargetFile['selfHosted']>

/** Both APIs of a test, each on its own port. */
interface TestApis {
  readonly cloud: CloudApi
  readonly selfHosted: SelfHostedApi
}

/**
 * Variables of `process.env` while a test runs: `true` for those that clients of the API read, or names with fields of the
 * target file, such as `{ API_URL: 'selfHosted.baseUrl' }`.
 */
export type TestEnvironment = boolean | Readonly<Record<string, string>>

/** The mock of one test, created by the first call of `mock`. The first call of `apis` opens its ports. */
export interface TestWorld {
  mock(): FetchMock
  apis(): Promise<TestApis>
  /** Sets the variables, and returns a function that restores the earlier values. */
  setEnvironment(variables: TestEnvironment): Promise<() => void>
  /** The snapshot of the world and its newest calls, as JSON; undefined if the test used no mock. */
  describe(): string | undefined
  close(): Promise<void>
}

/** `test` is the whole name of the test. */
export function createTestWorld(options: FetchMockOptions, test?: string): TestWorld {
  let mock: FetchMock | undefined
  let running: Promise<RunningMock> | undefined
  const open = () => {
    mock ??= createMockForTest(options, test)
    return mock
  }
  const apis = async (): Promise<TestApis> => {
    const opened = open()
    running ??= serve(opened, { consolePort: false })
    const { target } = await running
    const { cloud, selfHosted } = target()
    // The target names the ports from now on: the fetch function must answer these addresses, too.
    const addresses = { cloud: cloud.baseUrl, selfHosted: selfHosted.baseUrl }
    Object.assign(opened, { fetch: createFetch(opened, [opened.bases, addresses], options.recordReads) })
    return { cloud, selfHosted }
  }
  return {
    mock: open,
    apis,
    async setEnvironment(variables) {
      const values = valuesOf(variables, await apis())
      const before = Object.keys(values).map(name => [name, process.env[name]] as const)
      Object.assign(process.env, values)
      return () => {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name]
          else process.env[name] = value
        }
      }
    },
    describe: () => mock && JSON.stringify({ snapshot: mock.snapshot(), calls: mock.calls(maxCalls) }, null, 2),
    async close() {
      await (await running)?.close()
    },
  }
}

/** The number of calls in the file of a failed test. */
const maxCalls = 500

/** The variables of the Terraform provider, the command line and the self-hosted ClickStack. */
const standardVariables: Readonly<Record<string, string>> = {
  CLICKHOUSE_API_URL: 'cloud.baseUrl/v1',
  CLICKHOUSE_ORG_ID: 'cloud.organizationId',
  CLICKHOUSE_CLOUD_API_KEY: 'cloud.keyId',
  CLICKHOUSE_CLOUD_API_SECRET: 'cloud.keySecret',
  CLICKHOUSE_CLOUD_QUERY_HOST: 'cloud.baseUrl',
  CLICKSTACK_SERVICE_ID: 'cloud.serviceId',
  CLICKSTACK_ENDPOINT: 'selfHosted.baseUrl',
  CLICKSTACK_API_KEY: 'selfHosted.apiKey',
}

function valuesOf(variables: TestEnvironment, apis: TestApis): Readonly<Record<string, string>> {
  if (variables === false) return {}
  return Object.fromEntries(
    Object.entries(variables === true ? standardVariables : variables).map(([name, reference]) => {
      const [, api = '', field = '', path = ''] = /^(\w+)\.(\w+)(\/.*)?$/.exec(reference) ?? []
      const value = (apis as unknown as Record<string, Record<string, unknown>>)[api]?.[field]
      if (typeof value === 'string') return [name, value + path]
      throw new Error(
        `set the environment of a test: ${name}: Expected what a target file has, such as cloud.baseUrl or selfHosted.apiKey, received ${JSON.stringify(reference)}`,
      )
    }),
  )
}

/** Writes the world of a failed test into a file, and returns its path. */
export function keepWorld(described: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'stack-parity-')), 'world.json')
  writeFileSync(path, described)
  return path
}
