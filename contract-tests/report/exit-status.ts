import { isStale, type Report } from './report.ts'
import { isUnjudged } from './unjudged.ts'

export interface Gates {
  /** A broken should or documented rule fails the run too. */
  readonly strict?: boolean
  /** Which drift fails the run: none, breaking differences, or every difference. */
  readonly drift?: 'warn' | 'error' | 'strict'
}

/**
 * 0: every must rule was judged and holds, but for what the target file lists under `notOffered`, what a read-only run may
 * not send, and what never arose. 1: a must rule is broken, or there is drift that is gated. 2: the run ended early, a form
 * was given up after its first look, a must rule got no answer or could not be judged for want of something in the target
 * file, or nothing was judged at all. Of recorded traffic it is asked that one must rule was judged.
 */
export function exitStatus(report: Report, { strict = false, drift = 'warn' }: Gates = {}): 0 | 1 | 2 {
  const counts = (level: string) => level === 'must' || (strict && level !== 'observe')
  const broken = report.rules.some(rule => (rule.outcome === 'broken' && counts(rule.level)) || isStale(rule))
  const drifted =
    drift === 'strict'
      ? report.drift.length > 0
      : drift === 'error' && report.drift.some(({ kind }) => kind === 'breaking')
  if (broken || drifted) return 1
  const unanswered = report.rules.some(({ outcome, level }) => outcome === 'errored' && counts(level))
  if (report.cut || report.ended || unanswered || report.rules.some(isUnjudged)) return 2
  const judged = report.rules.filter(({ outcome }) => outcome !== 'not-applicable' && outcome !== 'errored')
  return judged.some(({ level }) => !report.recording || level === 'must') ? 0 : 2
}
