import type { Edition } from '../../../fixtures/contract/index.ts'
import { isSql, type Watched } from '../../telemetry/evaluate-sql.ts'
import type { RowsByStart, Series } from '../../telemetry/evaluate-windows.ts'
import { bucketOf } from '../../telemetry/query/granularity.ts'
import { hour, minute } from '../../words/durations.ts'
import { type AlertNotification, lostWebhook } from '../../words/notification.ts'
import type { Alert } from '../../words/resources.ts'
import type { Stack } from '../stack/stack.ts'
import { meetsCondition } from './condition.ts'
import { type AlertWindow, evaluateRun, type Memory, type Outcome } from './evaluate-run.ts'
import { makeNotification } from './notification.ts'
import { memoryLength, type Run, runAt, runsBetween, windowLength } from './schedule.ts'
import { findWatchTarget, groupingOf, type WatchTarget } from './watched.ts'

/** The windows of a query: `isOneByOne` as in `WindowsQuery`. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly length: number
  readonly isOneByOne: boolean
}

/**
 * Computes a series over the windows of a span. Throws if the query fails, and returns undefined while an external engine
 * has not answered yet, or if there is nothing to compare: the alert then stays due.
 */
export type QueryWindows = (series: Watched, span: Span) => RowsByStart | undefined

/**
 * When the task runs: once at a time, or at each full minute after `from` and up to `to`. The clock is on its way to `goal`:
 * what would be forgotten until then is not recorded.
 */
export type Period = { readonly at: number } | { readonly from: number; readonly to: number; readonly goal: number }

export interface EvaluationContext {
  readonly stack: Stack
  readonly edition: Edition
  readonly query: QueryWindows
  /** Generates the rows of a series in steps, because one step would take a fifth of a second for a day. */
  prepare(series: Series, span: Span): Iterable<void>
}

/**
 * Evaluates the alerts of a stack as the task of a deployment does, and writes their states. Yields after each alert, with
 * the notifications of that alert, which the caller sends.
 */
export function* evaluateAlerts(period: Period, context: EvaluationContext): Generator<readonly AlertNotification[]> {
  const { alerts } = context.stack
  const ids = alerts.list().map(({ id }) => id)
  for (const _ of generateRows(alerts.list(), period, context)) yield noNotifications
  for (const id of ids) {
    // Between two steps, other clients may change or delete an alert.
    const alert = alerts.get(id)
    if (alert) yield evaluateAlert(alert, period, context)
  }
}

/** Generates the rows that alerts read, hour by hour: the requests of an hour show in several sources. */
function* generateRows(
  alerts: readonly Alert[],
  period: Period,
  { stack, edition, prepare }: EvaluationContext,
): Generator<void> {
  const series = new Map<string, { readonly series: Series; readonly span: Span }>()
  for (const alert of alerts) {
    const { dashboardId, tileId, savedSearchId, chartConfig, interval, evaluatedUntil } = alert
    const key = JSON.stringify([dashboardId, tileId, savedSearchId, chartConfig, interval, evaluatedUntil])
    const runs = series.has(key) ? [] : runsOf(alert, period)
    const watched = runs.length > 0 ? findWatchTarget(alert, stack, edition) : ''
    if (typeof watched === 'string' || !watched.series || isSql(watched.series)) continue
    const span = { start: runs[0]!.start, end: runs.at(-1)!.end, length: windowLength(alert), isOneByOne: false }
    series.set(key, { series: watched.series, span })
    yield
  }
  let [start, end] = [Number.POSITIVE_INFINITY, 0]
  for (const { span } of series.values()) [start, end] = [Math.min(start, span.start), Math.max(end, span.end)]
  for (let from = start; from < end; from += hour) {
    for (const { series: one, span } of series.values()) {
      const part = { ...span, start: Math.max(span.start, from), end: Math.min(span.end, from + hour) }
      if (part.start < part.end) yield* prepare(one, part)
    }
  }
}

function runsOf(alert: Alert, period: Period): readonly Run[] {
  if (!('at' in period)) return runsBetween(alert, period.from, period.to)
  const run = runAt(alert, period.at)
  return run ? [run] : []
}

const noNotifications: readonly AlertNotification[] = []

function evaluateAlert(alert: Alert, period: Period, context: EvaluationContext): readonly AlertNotification[] {
  const runs = runsOf(alert, period)
  const last = runs.at(-1)
  if (!last) return noNotifications
  const { stack, edition } = context
  const write = (at: number, changed: Partial<Alert>) =>
    stack.alerts.replace({ ...alert, ...changed, updatedAt: new Date(at).toISOString() })
  try {
    const watched = findWatchTarget(alert, stack, edition)
    // Deployments leave an alert alone that watches nothing.
    if (typeof watched === 'string' || !watched.series) return noNotifications
    const rows = readRuns(alert, watched.series, runs, 'at' in period, context)
    if (!rows) return noNotifications
    const recordedFrom = 'at' in period ? last.start : period.goal - (maxRecorded + 1) * windowLength(alert)
    const { outcome, notifications, windows } = evaluateRuns(alert, watched, { runs, rows, recordedFrom }, context)
    // One for each notification of the last run.
    const lost = notifications.filter(({ until }) => until === last.end).flatMap(() => lostWebhooks(alert, stack))
    const executionErrors = lost.map(id => ({
      timestamp: new Date(last.at).toISOString(),
      type: 'WEBHOOK_ERROR' as const,
      message: lostWebhook(id, edition),
    }))
    write(last.at, {
      state: outcome.state,
      groups: Object.keys(outcome.memory).length > 0 ? outcome.memory : undefined,
      evaluatedUntil: last.end,
      windows: [...(alert.windows ?? []), ...windows].slice(-maxRecorded),
      executionErrors,
    })
    return notifications
  } catch (error) {
    // A failed query is tried again each minute.
    const at = 'at' in period ? period.at : Math.max(last.at, Math.floor(period.to / minute) * minute)
    const message = error instanceof Error ? error.message : String(error)
    write(at, { executionErrors: [{ timestamp: new Date(at).toISOString(), type: 'QUERY_ERROR', message }] })
    return noNotifications
  }
}

/** The ids of the channels whose webhook has vanished. */
const lostWebhooks = ({ channels }: Alert, { webhooks }: Stack) =>
  channels.flatMap(({ webhookId }) =>
    webhookId === undefined || webhooks.get(webhookId.toLowerCase()) ? [] : [webhookId],
  )

type RowsOfRun = (run: Run) => RowsByStart

/** Reads the windows of all runs: in one query, except for a run that catches up with several windows. */
function readRuns(
  alert: Alert,
  series: Watched,
  runs: readonly Run[],
  isSingleRun: boolean,
  { query }: EvaluationContext,
): RowsOfRun | undefined {
  const length = windowLength(alert)
  const isOneWindow = ({ start, end }: Run) => end - start === length && !isSingleRun
  const byRun = new Map<Run, RowsByStart>()
  for (const run of runs) {
    if (isOneWindow(run)) continue
    const { start, end } = run
    const rows = query(series, { start, end, length, isOneByOne: false })
    if (!rows) return undefined
    byRun.set(run, rows)
  }
  const single = runs.filter(isOneWindow)
  if (single.length === 0) return run => byRun.get(run)!
  const rows = query(series, { start: single[0]!.start, end: single.at(-1)!.end, length, isOneByOne: true })
  return rows && (run => byRun.get(run) ?? rows)
}

/** How many windows of an alert are recorded. */
export const maxRecorded = 96

const noRows: readonly never[] = []

interface RunsToEvaluate {
  readonly runs: readonly Run[]
  readonly rows: RowsOfRun
  /** Runs that begin before this time are only evaluated if something may follow from them. */
  readonly recordedFrom: number
}

function evaluateRuns(
  alert: Alert,
  watched: WatchTarget,
  { runs, rows: rowsOfRun, recordedFrom }: RunsToEvaluate,
  { stack, edition }: EvaluationContext,
) {
  const grouping = groupingOf(watched.series)
  const length = windowLength(alert)
  const silencedUntil = alert.silenced === undefined ? 0 : Date.parse(alert.silenced.until)
  const notifications: AlertNotification[] = []
  const windows: AlertWindow[] = []
  let memory = memoryOf(alert, runs[0]!.at)
  let outcome: Pick<Outcome, 'state' | 'memory'> = { state: 'OK', memory }
  let rows: RowsByStart | undefined
  let violations: readonly number[] | undefined
  for (const run of runs) {
    const rowsOfThis = rowsOfRun(run)
    if (rowsOfThis !== rows) {
      rows = rowsOfThis
      violations = grouping.isSingle || meetsCondition(0, alert) ? undefined : findViolations(rows, alert)
    }
    const known = rows
    const from = bucketOf(run.start, length)
    const isQuiet =
      violations && Object.keys(memory).length === 0 && !violations.some(start => start >= from && start < run.end)
    if (isQuiet && run.start < recordedFrom) {
      outcome = { state: 'OK', memory }
      continue
    }
    const isCut = run.end - run.start === length
    const rowsOf = (start: number) =>
      known.get(isCut ? Math.max(start, run.start) : start) ?? known.get(start) ?? noRows
    const evaluated = evaluateRun(alert, run, { ...grouping, rowsOf }, edition, memory)
    outcome = evaluated
    memory = evaluated.memory
    windows.push(...evaluated.windows)
    if (silencedUntil > run.at) continue
    for (const change of evaluated.changes)
      notifications.push(makeNotification(change, { alert, watched, run, stack, edition }))
  }
  return { outcome, notifications, windows }
}

/** The windows with a row that violates the threshold. */
const findViolations = (rows: RowsByStart, alert: Alert) =>
  [...rows].flatMap(([start, rows]) =>
    rows.some(({ value }) => value !== undefined && meetsCondition(value, alert)) ? [start] : [],
  )

/** A state that was written from outside, such as by a scenario, counts as that of the nameless group. */
function memoryOf({ groups, state }: Alert, at: number): Memory {
  if (!groups) return state === 'ALERT' || state === 'PENDING' ? { '': { state, violatedAt: [] } } : {}
  const known = Object.entries(groups).filter(([, { violatedAt }]) => (violatedAt.at(-1) ?? at) >= at - memoryLength)
  return Object.fromEntries(known)
}
