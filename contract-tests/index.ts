import { type Conformance, createConformance } from './conformance.ts'
import { openLedger } from './harness/ledger-file.ts'
import { createSupertestClient } from './harness/supertest-client.ts'
import { createVerify, type VerifyFunction } from './library.ts'

/** The conformance suite as a library. */
export type { ConformanceOptions } from './conformance.ts'
export { judgeDocument } from './document/judge-document.ts'
export { judgeHar } from './har/judge-har.ts'
export type { Client, Incoming, Outgoing } from './harness/client.ts'
export { exitStatus, type Gates } from './harness/exit-status.ts'
export { createFetchClient } from './harness/fetch-client.ts'
export type { Drift, ExchangeReport, Report, RuleReport, Summary } from './harness/report/report.ts'
export { type ListedRule, rules, type Selection } from './harness/rules.ts'
export { parseTarget, type TargetFile, UsageError } from './harness/target.ts'
export type { VerifyOptions } from './library.ts'
export { createSupertestClient }

/**
 * Judges a deployment: sends what the selected rules read, judges, deletes what it created, and answers with the report. Whatever
 * a deployment does is in the report; the promise is rejected with a UsageError when the target cannot be used.
 */
export const verify: VerifyFunction = createVerify({ createClient: createSupertestClient, openLedger })

/**
 * Registers every check of the suite with the caller's test runner, a group a section and a test a rule. The requests are
 * sent once, by the first test that runs. A broken must or should rule fails its test with what was expected and what came, and a
 * must rule that could not be judged because the target lacks something fails its test with what to add.
 */
export const conformance: Conformance = createConformance(verify)
