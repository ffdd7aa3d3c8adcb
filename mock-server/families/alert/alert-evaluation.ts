import { minute } from '../../words/durations.ts'
import type { Alert, AlertState, ExecutionError } from '../../words/resources.ts'
import type { Stack } from '../stack/stack.ts'
import { type Delivery, makeDelivery, meetsCondition } from './alert-event.ts'
import { findWatchTarget, type Series, type WatchTarget } from './watched.ts'

/**
 * Computes a series over a window from `start` to before `end`, in epoch milliseconds. Throws if the query fails, and
 * returns undefined while an external engine has not answered yet: the alert then stays due.
 */
export type WindowQuery = (series: Series, start: number, end: number) => readonly WatchedValue[] | undefined

/** A change of the state of an alert, or of one group of a grouped one. */
interface Transition {
  readonly alert: Alert
  readonly group: string
  readonly from: AlertState
  readonly to: AlertState
  readonly value: number
  readonly startTime: number
  readonly endTime: number
  /** Sent on firing and on resolution to each channel whose webhook exists, unless the alert is silenced. */
  readonly deliveries: readonly Delivery[]
}

/**
 * Evaluates every alert whose window has ended since the last call, writes its new state, and returns what changed. The
 * first call for an alert looks at the last full window. Delivery is left to the caller.
 */
export function evaluateAlerts(stack: Stack, now: number, query: WindowQuery): readonly Transition[] {
  const transitions: Transition[] = []
  for (const alert of stack.alerts.list()) {
    const end = lastWindowEnd(alert, now)
    if (end === undefined || end === alert.evaluatedUntil) continue
    const evaluated = evaluate(alert, end, { stack, now, query })
    if (!evaluated) continue
    const { transitions: changes, ...outcome } = evaluated
    transitions.push(...changes)
    // An alert that was never evaluated has no list of errors.
    const isClean = outcome.executionErrors.length === 0 && alert.executionErrors?.length === 0
    const hasChanged = outcome.state !== alert.state || !isClean
    const changed = hasChanged ? { ...outcome, updatedAt: new Date(now).toISOString() } : { groups: outcome.groups }
    stack.alerts.replace({ ...alert, ...changed, evaluatedUntil: end })
  }
  return transitions
}

interface EvaluationContext {
  readonly stack: Stack
  readonly now: number
  readonly query: WindowQuery
}

interface Outcome {
  readonly state: AlertState
  readonly executionErrors: readonly ExecutionError[]
  readonly groups: Alert['groups']
  readonly transitions: readonly Transition[]
}

/** Thrown through `readGroups` while the values of a window are pending. */
const notYet = Symbol('not yet')

/** Undefined while the values of a window are pending. */
function evaluate(alert: Alert, end: number, context: EvaluationContext): Outcome | undefined {
  const { stack, now, query } = context
  const fail = (type: ExecutionError['type'], message: string): Outcome => ({
    state: alert.state,
    groups: alert.groups,
    executionErrors: [{ timestamp: new Date(now).toISOString(), type, message }],
    transitions: [],
  })
  const watched = findWatchTarget(alert, stack)
  if (typeof watched === 'string') return fail('INVALID_ALERT', watched)
  const { series } = watched
  const isGrouped = Boolean(series.groupBy)
  const readWindow = (windowEnd: number) => {
    const values = query(series, windowEnd - windowLength(alert), windowEnd)
    if (!values) throw notYet
    return nameGroups(values, isGrouped)
  }
  let readings: ReadonlyMap<string, Reading>
  try {
    readings = readGroups(alert, end, readWindow)
  } catch (error) {
    if (error === notYet) return undefined
    return fail('QUERY_ERROR', error instanceof Error ? error.message : String(error))
  }
  return applyReadings({ alert, watched, end }, readings, context)
}

interface Subject {
  readonly alert: Alert
  readonly watched: WatchTarget
  readonly end: number
}

/** The groups that are not `OK`. The single group of an ungrouped alert has the state of the alert. */
const listUnresolvedGroups = ({ state, groups = {} }: Alert, { series }: WatchTarget): Map<string, AlertState> =>
  new Map(state === 'OK' ? [] : series.groupBy ? Object.entries(groups) : [['', state]])

function applyReadings(subject: Subject, readings: ReadonlyMap<string, Reading>, context: EvaluationContext): Outcome {
  const { alert, watched, end } = subject
  const groups = listUnresolvedGroups(alert, watched)
  const transitions: Transition[] = []
  for (const group of new Set([...groups.keys(), ...readings.keys()])) {
    const from = groups.get(group) ?? 'OK'
    const { state: to, value } = readings.get(group) ?? { state: 'OK', value: 0 }
    if (to === 'OK') groups.delete(group)
    else groups.set(group, to)
    if (from === to) continue
    const times = { startTime: end - windowLength(alert), endTime: end }
    const transition = { alert, group, from, to, value, ...times }
    transitions.push({ ...transition, deliveries: listDeliveries(subject, transition, context) })
  }
  const states = [...groups.values()]
  const state = states.includes('ALERT') ? 'ALERT' : states.includes('PENDING') ? 'PENDING' : 'OK'
  const kept = watched.series.groupBy && groups.size > 0 ? (Object.fromEntries(groups) as Alert['groups']) : undefined
  return { state, executionErrors: [], groups: kept, transitions }
}

type TransitionData = Omit<Transition, 'deliveries'>

function listDeliveries(
  subject: Subject,
  { from, to, group, value, startTime: start }: TransitionData,
  { stack, now }: EvaluationContext,
) {
  const { alert } = subject
  const isSilenced = alert.silenced !== undefined && Date.parse(alert.silenced.until) > now
  const isFiringOrResolution = to === 'ALERT' || (to === 'OK' && from === 'ALERT')
  if (isSilenced || !isFiringOrResolution) return []
  const change = { ...subject, state: to === 'ALERT' ? to : 'OK', group, value, start } as const
  return alert.channels
    .flatMap(({ webhookId = '' }) => stack.webhooks.get(webhookId.toLowerCase()) ?? [])
    .map(webhook => makeDelivery(change, webhook))
}

/** A value that an alert compares, and its group; `[]` for an ungrouped alert. */
export interface WatchedValue {
  readonly group: readonly string[]
  readonly value: number
}

/** The state that an alert derives from the value of a group. */
interface Reading {
  readonly state: AlertState
  readonly value: number
}

/** Reads the values by group of the window that ends at `end`. */
type ReadWindow = (end: number) => ReadonlyMap<string, number>

/** The values by group name. An ungrouped alert without rows has the value zero; a group without rows is absent. */
export function nameGroups(values: readonly WatchedValue[], isGrouped: boolean): ReadonlyMap<string, number> {
  if (values.length === 0 && !isGrouped) return new Map([['', 0]])
  return new Map(values.map(({ group, value }) => [group.join(', '), value]))
}

export function readGroups(alert: Alert, end: number, readWindow: ReadWindow): ReadonlyMap<string, Reading> {
  const hasLasted = createHasLasted(alert, end, readWindow)
  const read = (group: string, value: number): AlertState =>
    !meetsCondition(value, alert) ? 'OK' : hasLasted(group) ? 'ALERT' : 'PENDING'
  return new Map([...readWindow(end)].map(([group, value]) => [group, { value, state: read(group, value) }]))
}

/** A larger number of consecutive windows counts as this: each evaluation queries all of them. */
const maxWindows = 100

/**
 * Makes a function that tells whether a group met the condition in every earlier window that the alert requires. In a
 * window that ended before the alert was created, no group did.
 */
function createHasLasted(alert: Alert, end: number, readWindow: ReadWindow) {
  const earlier: ReadonlyMap<string, number>[] = []
  const createdAt = Date.parse(alert.createdAt)
  return (group: string) => {
    for (let back = 1; back < Math.min(alert.numConsecutiveWindows ?? 1, maxWindows); back++) {
      const windowEnd = end - back * windowLength(alert)
      if (windowEnd <= createdAt) return false
      earlier[back] ??= readWindow(windowEnd)
      const value = earlier[back]?.get(group)
      if (value === undefined || !meetsCondition(value, alert)) return false
    }
    return true
  }
}

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

/** The end of the last full window, aligned to the start or the offset of the schedule; undefined before the start. */
export function lastWindowEnd(alert: Alert, now: number): number | undefined {
  const start = alert.scheduleStartAt == null ? undefined : Date.parse(alert.scheduleStartAt)
  if (start !== undefined && now < start) return undefined
  const anchor = start ?? (alert.scheduleOffsetMinutes ?? 0) * minute
  const length = windowLength(alert)
  return anchor + Math.floor((now - anchor) / length) * length
}
