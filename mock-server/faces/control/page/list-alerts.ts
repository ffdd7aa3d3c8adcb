import { lastWindowEnd, nameGroups, readGroups, windowLength } from '../../../families/alert/alert-evaluation.ts'
import { findWatchTarget, type Series } from '../../../families/alert/watched.ts'
import { evaluateTile } from '../../../telemetry/evaluate-tile.ts'
import { bucketOf } from '../../../telemetry/query/granularity.ts'
import { hour } from '../../../words/durations.ts'
import type { Alert, AlertState } from '../../../words/resources.ts'
import type { AlertWindow, ListedAlert } from './answers.ts'
import type { QueriedStack } from './draw-tile.ts'

/** The number of windows that fit in two days, but at most 96 and at least three. */
const countWindows = (length: number) => Math.min(96, Math.max(3, Math.floor((48 * hour) / length)))

/** The alerts of a stack. Their history is computed from the current rows, not recorded. */
export const listAlerts = (queried: QueriedStack, now: number): Promise<readonly ListedAlert[]> =>
  Promise.all(queried.stack.alerts.list().map(alert => describeAlert(alert, queried, now)))

async function describeAlert(alert: Alert, queried: QueriedStack, now: number): Promise<ListedAlert> {
  const { stack } = queried
  const channels = alert.channels.map(
    ({ webhookId = '', emailRecipients }) =>
      emailRecipients?.join(', ') ?? stack.webhooks.get(webhookId)?.name ?? 'a deleted webhook',
  )
  const watched = findWatchTarget(alert, stack)
  if (typeof watched === 'string')
    return { alert, watches: { kind: 'nothing', name: watched }, channels, windows: [], why: watched }
  const watches =
    watched.kind === 'tile'
      ? { kind: watched.kind, name: watched.tile.name, dashboard: watched.dashboard.name }
      : { kind: watched.kind, name: watched.kind === 'search' ? watched.savedSearch.name : watched.name }
  const format = watched.kind === 'tile' ? watched.tile.config.numberFormat : undefined
  try {
    const windows = await readWindows(alert, watched.series, queried, now)
    return { alert, watches, format, channels, windows }
  } catch (error) {
    return { alert, watches, channels, windows: [], why: error instanceof Error ? error.message : String(error) }
  }
}

async function readWindows(
  alert: Alert,
  series: Series,
  { stack: { telemetry }, choices }: QueriedStack,
  now: number,
): Promise<AlertWindow[]> {
  const length = windowLength(alert)
  const last = lastWindowEnd(alert, now)
  if (last === undefined) return []
  const isGrouped = Boolean(series.groupBy)
  const first = last - countWindows(length) * length
  const read = async (start: number, end: number, granularity?: Alert['interval']) =>
    evaluateTile({ ...series, telemetry, start, end: end - 1, granularity, choices })
  const byEnd = new Map<number, { readonly group: readonly string[]; readonly value: number }[]>()
  if (bucketOf(last, length) === last) {
    // The windows are the buckets of a chart, so that one query reads them all.
    for (const row of await read(first, last, alert.interval)) {
      const end = row.time + length
      byEnd.set(end, [...(byEnd.get(end) ?? []), row])
    }
  } else {
    for (let end = first + length; end <= last; end += length) byEnd.set(end, [...(await read(end - length, end))])
  }
  const window = (end: number) => nameGroups(byEnd.get(end) ?? [], isGrouped)
  const windows: AlertWindow[] = []
  for (let end = first + length; end <= last; end += length) {
    const readings = [...readGroups(alert, end, window).values()]
    const worst = readings.toSorted((a, b) => severity[b.state] - severity[a.state] || b.value - a.value)[0]
    windows.push({ start: end - length, end, value: worst?.value ?? null, state: worst?.state ?? 'OK' })
  }
  return windows
}

const severity: Readonly<Record<AlertState, number>> = {
  ALERT: 2,
  PENDING: 1,
  OK: 0,
  INSUFFICIENT_DATA: 0,
  DISABLED: 0,
}
