import type { Edition } from '../../../fixtures/contract/index.ts'
import type { WindowRow } from '../../telemetry/evaluate-windows.ts'
import { bucketOf } from '../../telemetry/query/granularity.ts'
import type { Alert, AlertState } from '../../words/resources.ts'
import { meetsCondition } from './condition.ts'
import { type Run, windowLength } from './schedule.ts'

/**
 * One run of the task: it compares the values of windows, by group, with the threshold, and derives states and
 * notifications. The group of an ungrouped alert is nameless, as is that of a grouped one without any rows.
 */

/** What an alert remembers of a group whose last evaluation violated its threshold. */
export interface GroupMemory {
  readonly state: 'ALERT' | 'PENDING'
  /** How many runs have violated the threshold in a row. */
  readonly violations: number
}

/** The groups whose last evaluation violated the threshold, by name. */
export type Memory = Readonly<Record<string, GroupMemory>>

/** The value of a group in a window, with the state that follows. The window is named by its start. */
export interface WindowValue {
  readonly group: string
  readonly start: number
  readonly value: number
  readonly state: AlertState
}

/** A reason to notify: a group that fires, or that has been resolved. */
export interface Change {
  readonly group: string
  readonly state: 'ALERT' | 'OK'
  readonly value: number
  readonly start: number
  /** The values of the group's columns, by name. */
  readonly attributes: Readonly<Record<string, string>>
}

export interface Outcome {
  readonly state: AlertState
  readonly memory: Memory
  readonly changes: readonly Change[]
  readonly windows: readonly WindowValue[]
}

/** The windows of a run: `rowsOf` has the rows of a window by its start, which may lie before the start of the run. */
export interface Windows {
  readonly isGrouped: boolean
  rowsOf(start: number): readonly WindowRow[]
}

/** A group in one run. */
interface GroupRun {
  state: AlertState
  /** Whether a window has fired, although a later one may have been fine. */
  hasFired: boolean
  readonly violated: Change[]
  last?: { readonly value: number; readonly start: number }
}

const noMemory: Memory = {}

export function evaluateRun(
  alert: Alert,
  run: Run,
  { isGrouped, rowsOf }: Windows,
  edition: Edition,
  memory = noMemory,
) {
  const length = windowLength(alert)
  const required = edition === '2.24' ? 1 : (alert.numConsecutiveWindows ?? 1)
  const groups = new Map<string, GroupRun>()
  const windows: WindowValue[] = []
  const isZeroViolation = meetsCondition(0, alert)

  const groupOf = (name: string) => {
    let group = groups.get(name)
    if (!group) {
      group = { state: 'OK', hasFired: false, violated: [] }
      groups.set(name, group)
    }
    return group
  }
  const compare = (name: string, start: number, value: number, row?: WindowRow) => {
    const group = groupOf(name)
    const isViolation = row ? meetsCondition(value, alert) : isZeroViolation
    if (isViolation) {
      group.hasFired = (memory[name]?.violations ?? 0) + 1 >= required
      group.state = group.hasFired ? 'ALERT' : 'PENDING'
      group.violated.push({ group: name, state: 'ALERT', value, start, attributes: row?.attributes ?? {} })
    } else if (row && edition !== '2.24') {
      // A window without rows leaves the state as it is; in 2.24 every later window does.
      group.state = 'OK'
    }
    group.last = { value, start }
    windows.push({ group: name, start, value, state: isViolation ? group.state : 'OK' })
  }
  const fillWithZero = (name: string) => {
    for (let start = bucketOf(run.start, length); start < run.end; start += length) compare(name, start, 0)
  }

  for (let start = bucketOf(run.start, length); start < run.end; start += length) {
    const rows = rowsOf(start)
    if (rows.length === 0 && !isGrouped) compare('', start, 0)
    for (const row of edition === '2.24' ? rows : lastOfEachGroup(rows)) {
      // The group is evaluated, but nothing is compared.
      if (row.value === undefined) groupOf(row.group)
      else compare(row.group, start, row.value, row)
    }
  }
  if (isGrouped) {
    const lastStart = bucketOf(run.end - 1, length)
    for (const name in memory) if (!groups.has(name) && !isZeroViolation) compare(name, lastStart, 0)
    if (groups.size === 0) fillWithZero('')
  }
  return { ...conclude(groups, run, edition, memory), windows }
}

/** Rows that differ in numeric columns alone have one group, which has the value of the last of them. */
function lastOfEachGroup(rows: readonly WindowRow[]): Iterable<WindowRow> {
  if (rows.length < 2) return rows
  return new Map(rows.map(row => [row.group, row])).values()
}

function conclude(groups: ReadonlyMap<string, GroupRun>, run: Run, edition: Edition, memory: Memory) {
  const changes: Change[] = []
  const next: Record<string, GroupMemory> = { ...memory }
  let overall: AlertState = 'OK'
  for (const [name, { state, hasFired, violated, last }] of groups) {
    const before = memory[name]
    if (state === 'OK') delete next[name]
    else next[name] = { state: state as GroupMemory['state'], violations: (before?.violations ?? 0) + 1 }
    if (state === 'ALERT' || overall === 'OK') overall = state
    if (hasFired) changes.push(...(edition === '2.24' ? violated : violated.slice(-1)))
    if (state === 'OK' && (before?.state === 'ALERT' || hasFired)) {
      const { value, start } = last ?? { value: 0, start: run.end }
      changes.push({ group: name, state: 'OK', value, start, attributes: {} })
    }
  }
  return { state: overall, memory: next, changes }
}
