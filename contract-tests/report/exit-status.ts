import { failsRun, isGated, type Report } from './report.ts'
import { isUnjudged } from './unjudged.ts'

export interface Gates {
  /** Which drift fails the run: none, breaking differences, or every difference. */
  readonly drift?: 'warn' | 'error' | 'strict'
}

/**
 * 0: every must rule was judged, and all rules of the level `failOn` of the report and of graver ones hold, but for what the
 * target file lists under `notOffered`, what a read-only run may not send, and what never arose. 1: such a rule is broken, one
 * that is known to be broken holds, or there is drift that is gated. 2: the run ended early, a form
 * was given up after its first look, such a rule got no answer, a must rule could not be judged for want of something in the
 * target file, or nothing was judged at all. Of recorded traffic it is asked that one must rule was judged.
 */
export function exitStatus(report: Report, { drift = 'warn' }: Gates = {}): 0 | 1 | 2 {
  const broken = report.rules.some(rule => failsRun(report, rule))
  const drifted =
    drift === 'strict'
      ? report.drift.length > 0
      : drift === 'error' && report.drift.some(({ kind }) => kind === 'breaking')
  if (broken || drifted) return 1
  const unanswered = report.rules.some(({ outcome, level }) => outcome === 'errored' && isGated(level, report.failOn))
  if (report.cut || report.ended || unanswered || report.rules.some(isUnjudged)) return 2
  const judged = report.rules.filter(({ outcome }) => outcome !== 'not-applicable' && outcome !== 'errored')
  return judged.some(({ level }) => !report.recording || level === 'must') ? 0 : 2
}
