/** A stateful mock of the cloud management and observability API: as plain calls, over HTTP, and in MSW. */

export type {
  AlertEvent,
  Baseline,
  BaselineName,
  Bases,
  Because,
  Chaos,
  Choices,
  Clock,
  Cors,
  CorsOptions,
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
export { createKoaApp, type KoaApp } from './faces/koa.ts'
export { createMswHandlers, type MswBases } from './faces/msw.ts'
export { type Listening, PortRefused, type RunningMock, startMock } from './faces/serve.ts'
export type { Answer, Call } from './words/call.ts'
