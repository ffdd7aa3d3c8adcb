import type { TargetFile } from './engine/target/target.ts'
import type { VerifyFunction, VerifyOptions } from './library.ts'
import { titleOf } from './report/outline.ts'
import { DEFAULT_FAIL_ON, isFailLevel, type Report } from './report/report.ts'
import { adviceOn, findUnjudged } from './report/unjudged.ts'
import { rules } from './rules/select.ts'

/** What `conformance` takes: the target, and the two functions of the caller's test runner. */
export interface ConformanceOptions extends Partial<Omit<VerifyOptions, 'target'>> {
  /** The target, or a function that starts one; it is called once, before the first test judges. */
  readonly target: TargetFile | (() => TargetFile | Promise<TargetFile>)
  readonly describe: (title: string, register: () => void) => unknown
  readonly test: (title: string, run: (context: TestContext) => Promise<void>, timeout?: number) => unknown
}

/** The part of vitest's test context that is used. With runners that have no `skip`, rules that do not apply pass. */
interface TestContext {
  skip?: (note?: string) => void
}

const MAX_RUN_MS = 600_000

export type Conformance = (options: ConformanceOptions) => void

export const createConformance =
  (verify: VerifyFunction): Conformance =>
  ({ target, describe, test, ...options }) => {
    let running: Promise<Report> | undefined
    const run = async () => {
      return verify({ ...options, target: typeof target === 'function' ? await target() : target })
    }
    for (const section of new Set(rules.map(rule => rule.section))) {
      describe(titleOf(section), () => {
        for (const { id, level, sentence } of rules.filter(rule => rule.section === section)) {
          test(
            `${level} ${id}: ${sentence}`,
            async context => {
              running ??= run()
              const outcomes = (await running).rules.filter(rule => rule.id === id)
              const unkept = outcomes.filter(({ outcome }) => outcome === 'broken' || outcome === 'errored')
              const failing = unkept.filter(({ level }) => isFailLevel(level, options.failOn ?? DEFAULT_FAIL_ON))
              const failures = [
                ...failing.map(({ form, outcome, detail }) => `${outcome} in ${form}: ${detail}`),
                ...findUnjudged({ rules: outcomes }).map(
                  group => `not judged in ${group.rules[0]!.form}: ${group.rules[0]!.detail}; ${adviceOn(group)}`,
                ),
              ]
              if (failures.length > 0) throw new Error(failures.join('\n'))
              const [first] = unkept
              if (first) context?.skip?.(`does not fail the run: ${first.outcome}, ${first.detail}`)
              if (outcomes.every(({ outcome }) => outcome === 'not-applicable')) {
                context?.skip?.(outcomes[0]?.detail ?? 'this target does not have the form')
              }
            },
            MAX_RUN_MS,
          )
        }
      })
    }
  }
