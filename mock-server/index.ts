/** A stateful mock of the cloud management and observability API: as plain calls, over HTTP, and in MSW. */

export * from './browser.ts'
export { createMock } from './faces/create-mock-in-node.ts'
export { createKoaApp, type KoaApp } from './faces/koa.ts'
export { type Listening, PortRefused, type RunningMock, startMock } from './faces/serve.ts'
export { type ConnectSqlOptions, connectSql } from './sql/connect.ts'
export { type ConnectOptions, connectTelemetry } from './telemetry/clickhouse/connect.ts'
export { TelemetryUnavailable as TelemetryRefused } from './telemetry/external-engine.ts'
export { SqlRefused } from './words/sql.ts'
