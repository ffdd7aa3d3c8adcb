import { type Conformance, createConformance } from './conformance.ts'
import { createFetchClient } from './engine/clients/fetch-client.ts'
import { createVerify, type VerifyFunction } from './library.ts'

/** The conformance suite for browsers; `index.ts` adds supertest, ledger files, documents and recorded traffic. */
export type { ConformanceOptions } from './conformance.ts'
export type { Client, Incoming, Outgoing } from './engine/clients/client.ts'
export { parseTarget, type TargetFile, UsageError } from './engine/target/target.ts'
export type { VerifyOptions } from './library.ts'
export { exitStatus, type Gates } from './report/exit-status.ts'
export type { Drift, ExchangeReport, Report, RuleReport, Summary } from './report/report.ts'
export { type ListedRule, rules, type Selection } from './rules/select.ts'
export { createFetchClient }

/**
 * Judges a deployment, deletes what it created, and returns the report. The promise is rejected with a UsageError if
 * the target cannot be used.
 */
export const verify: VerifyFunction = createVerify({ createClient: createFetchClient })

/** Registers every rule as a test with the caller's test runner. The requests are sent once, by the first test that runs. */
export const conformance: Conformance = createConformance(verify)
