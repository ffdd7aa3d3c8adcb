import type { Alert } from '../../words/resources.ts'
import type { Stack } from '../observability/stack.ts'
import { intervalMinutes } from './alert-body.ts'

const minute = 60_000

export const windowLength = ({ interval }: Alert) => intervalMinutes[interval] * minute

/** The end of the last full window, on the grid of the interval that the schedule shifts; none before the schedule starts. */
export function lastWindowEnd(alert: Alert, now: number): number | undefined {
  const start = alert.scheduleStartAt == null ? undefined : Date.parse(alert.scheduleStartAt)
  if (start !== undefined && now < start) return undefined
  const anchor = start ?? (alert.scheduleOffsetMinutes ?? 0) * minute
  const length = windowLength(alert)
  return anchor + Math.floor((now - anchor) / length) * length
}

interface Timetable {
  version: number
  lines: readonly Line[]
  /** The end of the window that each alert was last evaluated for. */
  readonly done: Map<string, number>
}

/** Alerts whose windows end together. */
interface Line {
  readonly alerts: Alert[]
  done?: number
}

const timetables = new WeakMap<Stack, Timetable>()

/**
 * Visits the alerts whose window has ended since the last visit; the visitor hands back the record as it is now. Alerts
 * that are not due are not touched one by one, but by the schedule that they share.
 */
export function visitDueAlerts(
  { stack, now }: { stack: Stack; now: number },
  visit: (alert: Alert, end: number) => Alert,
) {
  const timetable = readTimetable(stack)
  for (const line of timetable.lines) {
    const end = lastWindowEnd(line.alerts[0] as Alert, now)
    if (end === undefined || end === line.done) continue
    for (const [at, alert] of line.alerts.entries()) {
      if (timetable.done.get(alert.id) === end) continue
      timetable.done.set(alert.id, end)
      line.alerts[at] = visit(alert, end)
    }
    line.done = end
  }
  timetable.version = stack.alerts.version
}

function readTimetable(stack: Stack): Timetable {
  const { alerts } = stack
  const known = timetables.get(stack)
  if (known?.version === alerts.version) return known
  const lines = new Map<string, Line>()
  const done = new Map<string, number>()
  for (const alert of alerts.list()) {
    const key = `${alert.interval} ${alert.scheduleStartAt ?? alert.scheduleOffsetMinutes ?? 0}`
    const line = lines.get(key)
    if (line) line.alerts.push(alert)
    else lines.set(key, { alerts: [alert] })
    const end = known?.done.get(alert.id)
    if (end !== undefined) done.set(alert.id, end)
  }
  const timetable = { version: alerts.version, lines: [...lines.values()], done }
  timetables.set(stack, timetable)
  return timetable
}
