import { minute } from '../../words/durations.ts'
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

/** The end of the last full window, on the grid of the interval that the schedule shifts; none before the schedule starts. */
export function lastWindowEnd(alert: Alert, now: number): number | undefined {
  const start = alert.scheduleStartAt == null ? undefined : Date.parse(alert.scheduleStartAt)
  if (start !== undefined && now < start) return undefined
  const anchor = start ?? (alert.scheduleOffsetMinutes ?? 0) * minute
  const length = windowLength(alert)
  return anchor + Math.floor((now - anchor) / length) * length
}

/** The alerts of a stack whose window has ended since they were evaluated last, each with the end of that window. */
export const listDueAlerts = (alerts: readonly Alert[], now: number): readonly { alert: Alert; end: number }[] =>
  alerts.flatMap(alert => {
    const end = lastWindowEnd(alert, now)
    return end === undefined || end === alert.evaluatedUntil ? [] : [{ alert, end }]
  })
