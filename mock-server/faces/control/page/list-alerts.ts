import type { Edition } from '../../../../fixtures/contract/index.ts'
import { evaluateRun, type Memory } from '../../../families/alert/evaluate-run.ts'
import { lastWindowEnd, windowLength } from '../../../families/alert/schedule.ts'
import { findWatchTarget } from '../../../families/alert/watched.ts'
import { evaluateWindows, type Series } from '../../../telemetry/evaluate-windows.ts'
import { hour } from '../../../words/durations.ts'
import type { Alert, AlertState } from '../../../words/resources.ts'
import { selfHosted } from '../../../world/world.ts'
import type { AlertWindow, ListedAlert } from './answers.ts'
import type { QueriedStack } from './draw-tile.ts'

/** The number of windows that fit in two days, but at most 96 and at least three. */
const countWindows = (length: number) => Math.min(96, Math.max(3, Math.floor((48 * hour) / length)))

/** The alerts of a stack. Their history is computed from the current rows, not recorded. */
export const listAlerts = (queried: QueriedStack, now: number): Promise<readonly ListedAlert[]> =>
  Promise.all(queried.stack.alerts.list().map(alert => describeAlert(alert, queried, now)))

/** The task of the managed form is always the newest. */
const editionOfTask = ({ stack, choices }: QueriedStack): Edition =>
  stack.id === selfHosted ? choices.edition : '2.36'

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
    if (!watched.series)
      return { alert, watches, channels, windows: [], why: 'Tiles of this kind are never evaluated.' }
    const windows = await readWindows(alert, watched.series, queried, editionOfTask(queried), now)
    return { alert, watches, format, channels, windows }
  } catch (error) {
    return { alert, watches, channels, windows: [], why: error instanceof Error ? error.message : String(error) }
  }
}

/** The windows as if the task had run at the end of each. */
async function readWindows(
  alert: Alert,
  series: Series,
  { stack: { telemetry }, choices }: QueriedStack,
  edition: Edition,
  now: number,
): Promise<AlertWindow[]> {
  const length = windowLength(alert)
  const last = lastWindowEnd(alert, now)
  if (last === undefined) return []
  const first = last - countWindows(length) * length
  const rows = await evaluateWindows({
    telemetry,
    series,
    start: first,
    end: last,
    length,
    isOneByOne: true,
    choices,
    edition,
  })
  const isGrouped = Boolean(series.groupBy?.trim())
  const windows: AlertWindow[] = []
  let memory: Memory | undefined
  for (let start = first; start < last; start += length) {
    const run = { at: start + length, start, end: start + length }
    const rowsOf = (bucket: number) => rows.get(Math.max(bucket, start)) ?? []
    const outcome = evaluateRun(alert, run, { isGrouped, rowsOf }, edition, memory)
    memory = outcome.memory
    const worst = outcome.windows.toSorted((a, b) => severity[b.state] - severity[a.state] || b.value - a.value)[0]
    windows.push({ start, end: run.end, value: worst?.value ?? null, state: worst?.state ?? 'OK' })
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
