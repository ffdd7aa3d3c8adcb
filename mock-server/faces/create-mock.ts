import type { Usage } from '../../fixtures/usage.ts'
import { createUsage, type UsageRecorder } from '../core/usage/usage.ts'
import { createMock as createCore, type Mock, type MockOptions, type TargetFile } from '../mock/mock.ts'
import type { MockSettings } from '../mock/mock-world.ts'
import { usageCollector } from './collect-usage.ts'
import { createFetch, defaultBases, type FetchBases } from './fetch.ts'

/** The options of a mock in process; all have defaults. */
export interface FetchMockOptions extends MockOptions {
  /** The base addresses of the APIs. Default: `http://cloud.localhost` and `http://self-hosted.localhost`. */
  readonly bases?: FetchBases
  /**
   * Whether usage notes which fields of the answers of `fetch` the program reads: those that it never reads do not count.
   * Default: no, all fields count as read.
   */
  readonly recordReads?: boolean
}

/** A mock in process: it is called by its own `fetch`, or through MSW at the same addresses. */
export interface FetchMock extends Mock {
  /** The base addresses of the two APIs. */
  readonly bases: FetchBases
  /** Answers requests to these addresses, without a port; for code that takes a fetch function. */
  readonly fetch: typeof globalThis.fetch
  /** The addresses, credentials and ids of this mock at its own bases, for both APIs. */
  target(): TargetFile & Required<Pick<TargetFile, 'cloud' | 'selfHosted'>>
  /** The same for other base addresses. */
  target(bases: Parameters<Mock['target']>[0]): TargetFile
}

/**
 * Creates a mock with a world of its own. Throws an Error about an unknown option or an invalid value. Where the variable
 * `STACK_PARITY_USAGE` names a file, the calls are added to it.
 */
export const createMock = (options?: FetchMockOptions): FetchMock => createMockForTest(options)

/** The same for a test, by whose name its calls are added. */
export function createMockForTest(
  { bases = defaultBases, recordReads = false, ...options }: FetchMockOptions = {},
  test?: string,
): FetchMock {
  const collector = usageCollector()
  let watched: UsageRecorder | undefined
  const collect: MockSettings['collectUsage'] = (call, contract) => {
    collector?.add(call, contract, test)
    if (!recordReads) return
    watched ??= createUsage(contract)
    watched.addAnswer(call)
  }
  const mock = createCore(options, collector || recordReads ? collect : undefined)
  mock.setBases(bases)
  // At its own bases, both APIs are present; the type for arbitrary bases cannot express this.
  const target = mock.target as FetchMock['target']
  const usageOfJournal = mock.usage
  const usage = () => (watched ? withIgnored(usageOfJournal(), watched.read()) : usageOfJournal())
  return Object.assign(mock, { bases, fetch: createFetch(mock, bases, recordReads), target, usage })
}

/** Adds to the usage of the journal, which has no answers as the program sees them, what the program did not read of these. */
function withIgnored({ operations, ...usage }: Usage, watched: Usage): Usage {
  const entries = Object.entries(operations).map(([key, operation]) => {
    const { ignored } = watched.operations[key] ?? {}
    return [key, { ...operation, ...(ignored && { ignored }) }]
  })
  return { ...usage, operations: Object.fromEntries(entries) }
}
