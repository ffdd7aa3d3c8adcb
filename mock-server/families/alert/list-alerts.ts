import type { Edition } from '../../../fixtures/contract/index.ts'
import { evaluateWatched, type Watched } from '../../telemetry/evaluate-sql.ts'
import { hour } from '../../words/durations.ts'
import type { Alert, AlertWindow, ListedAlert } from '../../words/resources.ts'
import { selfHosted } from '../../world/world.ts'
import type { QueriedStack } from '../family.ts'
import { evaluateRun, type Memory, type AlertWindow as Recorded } from './evaluate-run.ts'
import { lastWindowEnd, windowLength } from './schedule.ts'
import { findWatchTarget, groupingOf } from './watched.ts'

/** The number of windows that fit in two days, but at most 96 and at least three. */
const countWindows = (length: number) => Math.min(96, Math.max(3, Math.floor((48 * hour) / length)))

/** The alerts of a stack, with their last windows. */
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

/**
 * The recorded windows. Those between the creation of the alert and the first recorded one are computed from the current
 * rows, as if the task had run at the end of each.
 */
async function readWindows(alert: Alert, series: Watched, queried: QueriedStack, edition: Edition, now: number) {
  const length = windowLength(alert)
  const last = lastWindowEnd(alert, now)
  if (last === undefined) return []
  const recorded = (alert.windows ?? []).map(named)
  const wanted = last - countWindows(length) * length
  const created = Math.floor(Date.parse(alert.createdAt ?? '') / length) * length - length
  const first = Number.isNaN(created) ? wanted : Math.max(wanted, created)
  const end = recorded[0]?.start ?? last
  const earlier = first < end ? await computeWindows(alert, series, queried, edition, { first, end }) : []
  return [...earlier, ...recorded.filter(({ start }) => start >= wanted)]
}

async function computeWindows(
  alert: Alert,
  series: Watched,
  { stack: { telemetry }, choices }: QueriedStack,
  edition: Edition,
  { first, end }: { readonly first: number; readonly end: number },
): Promise<AlertWindow[]> {
  const length = windowLength(alert)
  const query = { telemetry, series, start: first, end, length, isOneByOne: true, choices, edition }
  const rows = await evaluateWatched(query)
  if (!rows) return []
  const windows: Recorded[] = []
  let memory: Memory | undefined
  for (let start = first; start < end; start += length) {
    const run = { at: start + length, start, end: start + length }
    const rowsOf = (bucket: number) => rows.get(Math.max(bucket, start)) ?? []
    const outcome = evaluateRun(alert, run, { ...groupingOf(series), rowsOf }, edition, memory)
    memory = outcome.memory
    windows.push(...outcome.windows)
  }
  return windows.map(named)
}

const named = ([start, end, value, state]: Recorded) => ({ start, end, value, state })
