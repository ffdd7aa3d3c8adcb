/** The door of the package in a browser: the same mock, without the faces that need Node. */

export { WorldConflict } from './core/callers.ts'
export type * from './core/mock.ts'
export { RecordRefused } from './core/records.ts'
export { createMock, type FetchMock, type FetchMockOptions } from './faces/create-mock.ts'
export { createFetch, type FetchBases } from './faces/fetch.ts'
export { createMswHandlers, type MswBases } from './faces/msw.ts'
