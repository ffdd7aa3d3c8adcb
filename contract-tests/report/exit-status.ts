import { failsRun, isGated, type Report } from './report.ts'
import { isUnjudged } from './unjudged.ts'

export interface Gates {
  /** The drift that fails a run: none, breaking differences, or all. */
  readonly drift?: 'warn' | 'error' | 'strict'
}

/**
 * 0: every must rule was judged, and all rules of the report's level `failOn` and above hold. Not required are rules
 * that the target file lists under `notOffered`, that a read-only run may not try, or whose condition never arose. 1:
 * such a rule is broken, a rule that is listed as known to be broken holds, or drift is gated. 2: the run ended early,
 * a form was given up after its first request, such a rule got no answer, a must rule lacked something in the target
 * file, or nothing was judged. Recorded traffic needs one judged must rule.
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
