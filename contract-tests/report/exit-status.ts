import { failsRun, isUsed, type Report, type RuleReport } from './report.ts'
import { isPrevented, isUnjudged } from './unjudged.ts'

export interface Gates {
  /** The drift that fails a run: none, breaking differences, or all. With `--used-by`, only what touches the use counts. */
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
 *   or above was kept from being judged by the environment, a must rule lacked something in the target file, or nothing was judged. For recorded
 *   traffic, one must rule has to be judged, and one body has to be read.
 */
export function exitStatus(report: Report, { drift = 'warn' }: Gates = {}): 0 | 1 | 2 {
  const hasBroken = report.rules.some(rule => failsRun(report, rule))
  const concerning = report.drift.filter(isUsed)
  const hasDrift =
    drift === 'strict' ? concerning.length > 0 : drift === 'error' && concerning.some(({ kind }) => kind === 'breaking')
  if (hasBroken || hasDrift) return 1
  const isOpen = report.rules.some(rule => isUnjudged(rule) || isPrevented(report, rule))
  if (report.cut || report.ended || isOpen) return 2
  if (hasJudgedNothing(report)) return 2
  return !report.recording || report.rules.some(rule => rule.level === 'must' && isJudged(rule)) ? 0 : 2
}

const isJudged = ({ outcome }: RuleReport) => outcome !== 'not-applicable' && outcome !== 'errored'

/** True if no rule has a verdict, or no body of a recording could be read. */
export const hasJudgedNothing = ({ rules, recording }: Report): boolean =>
  recording?.judged === 0 || !rules.some(isJudged)
