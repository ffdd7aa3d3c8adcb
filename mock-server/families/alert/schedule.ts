import { day, minute } from '../../words/durations.ts'
import type { Alert } from '../../words/resources.ts'

export const intervalMinutes: Readonly<Record<Alert['interval'], number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '30m': 30,
  '1h': 60,
  '6h': 360,
  '12h': 720,
  '1d': 1440,
}

export const windowLength = ({ interval }: Alert) => intervalMinutes[interval] * minute

/**
 * The end of the last full window. Windows are aligned to the start or the offset of the schedule; undefined until the
 * first one has ended.
 */
export function lastWindowEnd(alert: Alert, now: number): number | undefined {
  const length = windowLength(alert)
  const start = alert.scheduleStartAt == null ? undefined : Date.parse(alert.scheduleStartAt)
  const anchor = start ?? (alert.scheduleOffsetMinutes ?? 0) * minute
  const end = anchor + Math.floor((now - anchor) / length) * length
  return start !== undefined && end < start + length ? undefined : end
}

/** One run of the task for an alert: at the time `at` it evaluates the windows between `start` and `end`. */
export interface Run {
  readonly at: number
  readonly start: number
  readonly end: number
}

/** After a pause, a run looks at no more windows than this, and never at more than a day. */
const maxWindows = 50

/** The longest span of windows that one run looks at. */
const maxSpan = (alert: Alert) => Math.min(maxWindows * windowLength(alert), day)

/** Deployments forget evaluations after this time. */
export const memoryLength = 7 * day

/** The run at a time; undefined if no window has ended since the last evaluation. */
export function runAt(alert: Alert, at: number, lastEvaluated = alert.evaluatedUntil): Run | undefined {
  const evaluatedUntil = lastEvaluated !== undefined && lastEvaluated < at - memoryLength ? undefined : lastEvaluated
  const end = lastWindowEnd(alert, at)
  if (end === undefined || (evaluatedUntil !== undefined && end <= evaluatedUntil)) return undefined
  const start = evaluatedUntil ?? end - windowLength(alert)
  const firstStart = alert.scheduleStartAt == null ? 0 : Date.parse(alert.scheduleStartAt)
  return { at, start: Math.max(start, end - maxSpan(alert), firstStart), end }
}

/** The runs at the full minutes after `from` and up to `to`. */
export function runsBetween(alert: Alert, from: number, to: number): readonly Run[] {
  const runs: Run[] = []
  const length = windowLength(alert)
  let { evaluatedUntil } = alert
  let at = Math.floor(from / minute) * minute + minute
  while (at <= to) {
    const run = runAt(alert, at, evaluatedUntil)
    if (run) {
      runs.push(run)
      evaluatedUntil = run.end
    }
    const next = (lastWindowEnd(alert, at) ?? Date.parse(alert.scheduleStartAt!)) + length
    at = Math.max(at + minute, Math.ceil(Math.max(next, evaluatedUntil ?? 0) / minute) * minute)
  }
  return runs
}
