import { failsRun, isFailLevel, type Report } from './report.ts'
import { isUnjudged } from './unjudged.ts'

export interface Gates {
  /** The drift that fails a run: none, breaking differences, or all. */
  readonly drift?: 'warn' | 'error' | 'strict'
}

/**
 * The exit status of a report.
 *
 * - 0: every must rule was judged, and all rules of the level `failOn` and above hold. Rules do not count if the target
 *   file lists their operation under `notOffered`, if a read-only run may not try them, or if their condition never arose.
 * - 1: a rule of the level `failOn` or above is broken, a rule that is listed as known to be broken holds, or there is
 *   drift of the kind that `drift` names.
 * - 2, unless 1 applies: the run ended early, a form was given up after its first request, a rule of the level `failOn`
 *   or above got no answer, a must rule lacked something in the target file, or nothing was judged. For recorded
 *   traffic, one must rule has to be judged.
 */
export function exitStatus(report: Report, { drift = 'warn' }: Gates = {}): 0 | 1 | 2 {
  const hasBroken = report.rules.some(rule => failsRun(report, rule))
  const hasDrift =
    drift === 'strict'
      ? report.drift.length > 0
      : drift === 'error' && report.drift.some(({ kind }) => kind === 'breaking')
  if (hasBroken || hasDrift) return 1
  const hasUnanswered = report.rules.some(
    ({ outcome, level }) => outcome === 'errored' && isFailLevel(level, report.failOn),
  )
  if (report.cut || report.ended || hasUnanswered || report.rules.some(isUnjudged)) return 2
  const judged = report.rules.filter(({ outcome }) => outcome !== 'not-applicable' && outcome !== 'errored')
  return judged.some(({ level }) => !report.recording || level === 'must') ? 0 : 2
}
