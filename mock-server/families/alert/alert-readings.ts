import type { Alert, AlertState } from '../../words/resources.ts'
import { windowLength } from './alert-schedule.ts'
import { violates } from './threshold.ts'

/** The value that an alert compares, of one group of rows; an ungrouped alert has one value, with an empty group. */
export interface WatchedValue {
  readonly group: readonly string[]
  readonly value: number
}

/** What a group's value means for an alert. */
export interface Reading {
  readonly state: AlertState
  readonly value: number
}

/** The groups over a window that ends at the given moment. */
type Window = (end: number) => ReadonlyMap<string, number>

/** Without groups and without rows there is no value, which counts as zero; a group without rows is not there at all. */
export function nameGroups(values: readonly WatchedValue[], isGrouped: boolean): ReadonlyMap<string, number> {
  if (values.length === 0 && !isGrouped) return new Map([['', 0]])
  return new Map(values.map(({ group, value }) => [group.join(', '), value]))
}

export function readGroups(alert: Alert, end: number, window: Window): ReadonlyMap<string, Reading> {
  const hasLasted = recallWindows(alert, end, window)
  const read = (group: string, value: number): AlertState =>
    !violates(value, alert) ? 'OK' : hasLasted(group) ? 'ALERT' : 'PENDING'
  return new Map([...window(end)].map(([group, value]) => [group, { value, state: read(group, value) }]))
}

/** Nobody looks further back: each evaluation asks for every one of these windows, and a leap of the clock evaluates often. */
const mostWindows = 100

/** Whether a group was in violation in enough windows before the last one; windows from before the alert do not count. */
function recallWindows(alert: Alert, end: number, window: Window) {
  const earlier: ReadonlyMap<string, number>[] = []
  const createdAt = Date.parse(alert.createdAt)
  return (group: string) => {
    for (let back = 1; back < Math.min(alert.numConsecutiveWindows ?? 1, mostWindows); back++) {
      const windowEnd = end - back * windowLength(alert)
      if (windowEnd <= createdAt) return false
      earlier[back] ??= window(windowEnd)
      const value = earlier[back]?.get(group)
      if (value === undefined || !violates(value, alert)) return false
    }
    return true
  }
}
