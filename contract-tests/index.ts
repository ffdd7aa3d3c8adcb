import { type Conformance, createConformance } from './conformance.ts'
import { createSupertestClient } from './engine/clients/supertest-client.ts'
import { openLedger } from './engine/ledger-file.ts'
import { createVerify, type VerifyFunction } from './library.ts'

/** The conformance suite as a library. `verify` and `conformance` override the versions for browsers. */
export * from './browser.ts'
export { type ComparisonOptions, compareDocuments } from './run/document/compare-documents.ts'
export { type AnswerJudge, createAnswerJudge } from './run/document/judge-answers.ts'
export { judgeHar } from './run/har/judge-har.ts'
export { createSupertestClient }

/**
 * Judges a deployment: sends the requests that the selected rules need, judges the answers, deletes what it created,
 * and returns the report. Failures of the deployment are in the report; the promise is rejected with a UsageError if
 * the target cannot be used.
 */
export const verify: VerifyFunction = createVerify({ createClient: createSupertestClient, openLedger })

/**
 * Registers every rule as a test with the caller's test runner, in a group for each section. The requests are sent
 * once, by the first test that runs. A broken must or should rule (`failOn`) fails its test with what was expected and
 * what came. A must rule that could not be judged because the target lacks something fails its test with what to add.
 */
export const conformance: Conformance = createConformance(verify)
