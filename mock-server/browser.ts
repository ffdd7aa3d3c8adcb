/** The door of the package in a browser: the same mock, without the face that needs Node. */

export type {
  AlertEvent,
  Baseline,
  BaselineName,
  Bases,
  Because,
  Chaos,
  Choices,
  Clock,
  Delivery,
  DeliveryOutcome,
  Host,
  JournalEntry,
  Mock,
  MockOptions,
  MockWorld,
  RecordPlace,
  Records,
  RuleId,
  TargetFile,
  Trouble,
  WorldOptions,
  Worlds,
} from './core/mock.ts'
export { RecordRefused } from './core/records.ts'
export { createMock, type FetchMock, type FetchMockOptions } from './faces/create-mock.ts'
export { createFetch, type FetchBases } from './faces/fetch.ts'
export { createMswHandlers, type MswBases } from './faces/msw.ts'
export type { Answer, Call } from './words/call.ts'
