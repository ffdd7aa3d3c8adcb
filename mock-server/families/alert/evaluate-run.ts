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
  /** The ends of the last runs that violated the threshold in a row. */
  readonly violatedAt: readonly number[]
  /** Whether a pending group has fired before, so that its resolution notifies. */
  readonly hasFired?: true
}

/** The groups whose last evaluation violated the threshold, by name. */
export type Memory = Readonly<Record<string, GroupMemory>>

/** A window, or the part of it that a run evaluates, with value and state of the worst group. */
export type AlertWindow = NonNullable<Alert['windows']>[number]

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
  readonly windows: readonly AlertWindow[]
}

/** The windows of a run: `rowsOf` has the rows of a window by its start, which may lie before the start of the run. */
export interface Windows {
  readonly isGrouped: boolean
  /** Whether there is one value for the whole run, in the window after it. */
  readonly isSingle?: boolean
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

const severity: Readonly<Record<AlertState, number>> = {
  ALERT: 2,
  PENDING: 1,
  OK: 0,
  INSUFFICIENT_DATA: 0,
  DISABLED: 0,
}

const noMemory: Memory = {}

export function evaluateRun(
  alert: Alert,
  run: Run,
  { isGrouped, isSingle = false, rowsOf }: Windows,
  edition: Edition,
  memory = noMemory,
): Outcome {
  const length = windowLength(alert)
  const firstStart = isSingle ? run.end : bucketOf(run.start, length)
  const end = isSingle ? run.end + length : run.end
  const record = (start: number, value: number, state: AlertState): AlertWindow =>
    isSingle
      ? [run.start, run.end, value, state]
      : [Math.max(start, run.start), Math.min(start + length, run.end), value, state]
  const hasNoMemory = Object.keys(memory).length === 0
  const required = edition === '2.24' ? 1 : (alert.numConsecutiveWindows ?? 1)
  const groups = new Map<string, GroupRun>()
  const windows = new Map<number, AlertWindow>()
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
      group.hasFired = countViolations(memory[name], run, required, length) >= required
      group.state = group.hasFired ? 'ALERT' : 'PENDING'
      group.violated.push({ group: name, state: 'ALERT', value, start, attributes: row?.attributes ?? {} })
    } else if (row && edition !== '2.24') {
      // A window without rows leaves the state as it is; in 2.24 every later window does.
      group.state = 'OK'
    }
    group.last = { value, start }
    const state = isViolation ? group.state : 'OK'
    const [, , otherValue, otherState] = windows.get(start) ?? []
    const difference = otherState ? severity[state] - severity[otherState] || value - otherValue! : 1
    if (difference > 0) windows.set(start, record(start, value, state))
  }

  for (let start = firstStart; start < end; start += length) {
    const rows = rowsOf(start)
    if (rows.length === 0 && (!isGrouped || isZeroViolation || hasNoMemory)) compare('', start, 0)
    for (const row of edition === '2.24' ? rows : worstOfEachGroup(rows, alert)) {
      if (row.value !== undefined) compare(row.group, start, row.value, row)
    }
  }
  if (isGrouped && !isZeroViolation) for (const name in memory) if (!groups.has(name)) compare(name, firstStart, 0)
  // Nothing was compared: the nameless group is fine.
  if (groups.size === 0) groupOf('')
  return { ...conclude(groups, run, edition, memory), windows: [...windows.values()] }
}

/** Counts the run and those before it that have violated the threshold, of the windows that are required in a row. */
function countViolations(before: GroupMemory | undefined, run: Run, required: number, length: number): number {
  const since = run.end - (required - 1) * length
  return 1 + (before?.violatedAt.filter(end => end >= since).length ?? 0)
}

/** Rows that differ in numeric columns alone have one group, which has the last value that violates, or else the last one. */
function worstOfEachGroup(rows: readonly WindowRow[], alert: Alert): Iterable<WindowRow> {
  if (rows.length < 2) return rows
  const worst = new Map<string, WindowRow>()
  for (const row of rows) {
    const before = worst.get(row.group)
    const isViolation = row.value !== undefined && meetsCondition(row.value, alert)
    if (row.value !== undefined && (isViolation || !before || !meetsCondition(before.value!, alert)))
      worst.set(row.group, row)
  }
  return worst.values()
}

/** How many violating runs are remembered: the threshold may be required for more windows later. */
const maxRemembered = 20

function conclude(
  groups: ReadonlyMap<string, GroupRun>,
  run: Run,
  edition: Edition,
  memory: Memory,
): Omit<Outcome, 'windows'> {
  const changes: Change[] = []
  const next: Record<string, GroupMemory> = { ...memory }
  let overall: AlertState = 'OK'
  for (const [name, { state, hasFired, violated, last }] of groups) {
    const before = memory[name]
    const wasFiring = before?.state === 'ALERT' || before?.hasFired
    if (state === 'OK') delete next[name]
    else
      next[name] = {
        state: state as GroupMemory['state'],
        violatedAt: [...(before?.violatedAt ?? []).slice(1 - maxRemembered), run.end],
        ...(state === 'PENDING' && wasFiring && { hasFired: true }),
      }
    if (state === 'ALERT' || overall === 'OK') overall = state
    if (hasFired) changes.push(...(edition === '2.24' ? violated : violated.slice(-1)))
    if (state === 'OK' && (wasFiring || hasFired)) {
      const { value, start } = last ?? { value: 0, start: run.end }
      changes.push({ group: name, state: 'OK', value, start, attributes: {} })
    }
  }
  return { state: overall, memory: next, changes }
}
