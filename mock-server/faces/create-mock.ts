import { createMock as createCore, type Mock, type MockOptions, type TargetFile } from '../core/mock.ts'
import { createFetch, type FetchBases, usualBases } from './fetch.ts'

/** What a mock that is called in process is made of; everything has a default. */
export interface FetchMockOptions extends MockOptions {
  /** Where the two APIs seem to be, one of them or both. Default: `http://cloud.localhost` and `http://self-hosted.localhost`. */
  readonly bases?: FetchBases
}

/** A mock that is reached in process: by its own `fetch`, or by MSW at the same addresses. */
export interface FetchMock extends Mock {
  /** Where the two APIs seem to be. */
  readonly bases: FetchBases
  /** Answers requests to these addresses, without a port; for code that takes a fetch function. */
  readonly fetch: typeof globalThis.fetch
  /** The addresses, credentials and ids of this mock at its own bases: both APIs. */
  target(): TargetFile & Required<Pick<TargetFile, 'cloud' | 'selfHosted'>>
  /** The same at other addresses. */
  target(bases: Parameters<Mock['target']>[0]): TargetFile
}

/** Makes a mock with a world of its own, or throws a sentence about an option that it does not have or a value that will not do. */
export function createMock({ bases = usualBases, ...options }: FetchMockOptions = {}): FetchMock {
  const mock = createCore(options)
  mock.setBases(bases)
  // At its own bases both APIs are there, which the type of a target at any bases cannot say.
  const target = mock.target as FetchMock['target']
  return Object.assign(mock, { bases, fetch: createFetch(mock, bases), target })
}
