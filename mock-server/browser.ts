/** The entry point of the package in a browser: the same mock, without the faces that need Node. */

export { createMock, type FetchMock, type FetchMockOptions } from './faces/create-mock.ts'
export { createFetch, type FetchBases } from './faces/fetch.ts'
export { createMswHandlers, type MswBases } from './faces/msw.ts'
export { WorldConflict } from './mock/callers.ts'
export type * from './mock/mock.ts'
export { RecordRefused } from './mock/records.ts'
