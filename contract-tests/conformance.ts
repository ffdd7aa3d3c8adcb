import { checkTarget, refuseNames } from './harness/check-target.ts'
import type { Client } from './harness/client.ts'
import type { Report } from './harness/report/report.ts'
import { titleOf } from './harness/report/terminal.ts'
import { rules } from './harness/rules.ts'
import { type TargetFile, UsageError } from './harness/target.ts'
import { type VerifyOptions, verify } from './harness/verify.ts'

/** What `conformance` takes: the target, and the two functions of the caller's test runner. */
export interface ConformanceOptions extends Partial<Omit<VerifyOptions, 'target'>> {
  /** The target, or a function that starts one; it is called once, before the first test judges. */
  readonly target: TargetFile | (() => TargetFile | Promise<TargetFile>)
  readonly describe: (title: string, register: () => void) => unknown
  readonly test: (title: string, run: (context: TestContext) => Promise<void>, timeout?: number) => unknown
  /** Default: supertest; in a browser, fetch. */
  readonly client?: Client
}

/** The part of vitest's test context that is used; with another runner, what does not apply passes. */
interface TestContext {
  skip?: (note?: string) => void
}

const LONGEST_RUN = 600_000

/** A target without a form would have every rule skipped, which looks like success. */
function takeTarget(value: unknown): TargetFile {
  try {
    refuseNames(value)
    return checkTarget(value)
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`the target cannot be used: ${error.message}`) : error
  }
}

export type Conformance = (options: ConformanceOptions) => void

/** Makes `conformance` with the client that it uses by default. */
export const createConformance =
  (createClient: () => Client): Conformance =>
  ({ target, describe, test, client, ...options }) => {
    let running: Promise<Report> | undefined
    const run = async () => {
      const found = typeof target === 'function' ? await target() : target
      return verify({ ...options, target: takeTarget(found), client: client ?? createClient() })
    }
    for (const section of new Set(rules.map(rule => rule.section))) {
      describe(titleOf(section), () => {
        for (const { id, level, says } of rules.filter(rule => rule.section === section)) {
          test(
            `${level} ${id}: ${says}`,
            async context => {
              running ??= run()
              const outcomes = (await running).rules.filter(rule => rule.id === id)
              const wrong = outcomes.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
              if (wrong.length > 0)
                throw new Error(wrong.map(({ form, outcome, detail }) => `${outcome} in ${form}: ${detail}`).join('\n'))
              if (outcomes.every(({ outcome }) => outcome === 'not-applicable')) {
                context?.skip?.(outcomes[0]?.detail ?? 'this target does not have the form')
              }
            },
            LONGEST_RUN,
          )
        }
      })
    }
  }
