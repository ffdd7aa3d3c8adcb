import { type Report, STALE_EXCEPTION } from './report/report.ts'

export interface Gates {
  /** A broken should rule fails the run too. */
  readonly strict?: boolean
  /** Which drift fails the run: none, breaking differences, or every difference. */
  readonly drift?: 'warn' | 'error' | 'strict'
}

/**
 * 0: every must rule that applies holds. 1: one is broken, or there is drift that is gated. 2: nothing could be judged, or
 * not every must rule could: what got no answer holds no rule.
 */
export function exitStatus(report: Report, { strict = false, drift = 'warn' }: Gates = {}): 0 | 1 | 2 {
  const counts = (level: string) => level === 'must' || (strict && level === 'should')
  const broken = report.rules.some(
    rule =>
      (rule.outcome === 'broken' && counts(rule.level)) || (rule.outcome === 'held' && rule.detail === STALE_EXCEPTION),
  )
  const drifted =
    drift === 'strict'
      ? report.drift.length > 0
      : drift === 'error' && report.drift.some(({ kind }) => kind === 'breaking')
  if (broken || drifted) return 1
  const judged = report.rules.some(
    ({ outcome }) => outcome === 'held' || outcome === 'broken' || outcome === 'known-broken' || outcome === 'observed',
  )
  const unjudged = report.rules.some(({ outcome, level }) => outcome === 'errored' && counts(level))
  const interrupted = report.cut?.includes('interrupted')
  return judged && !unjudged && !interrupted ? 0 : 2
}
