import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'
import type { Alert, ThresholdType } from '../../words/resources.ts'
import { uiOrigin } from '../../words/ui-origin.ts'
import type { Webhook } from '../webhook/index.ts'
import type { WatchTarget } from './watched.ts'

/** The values for the template of a webhook. Times are epoch milliseconds. */
export interface AlertEvent {
  readonly title: string
  readonly body: string
  readonly link: string
  readonly state: 'ALERT' | 'OK'
  readonly startTime: number
  readonly endTime: number
  /** Identifies alert, webhook and group, so a firing and its resolution have the same one. */
  readonly eventId: string
}

/** One delivery to a webhook. */
export interface Delivery {
  readonly alertId: string
  readonly webhook: Webhook
  /** Forty hexadecimal digits for the header `Idempotency-Key`, different for each change of state. */
  readonly idempotencyKey: string
  /** `render` renders the alert's name and message, which are Handlebars templates; without it they are left as they are. */
  renderEvent(render?: (template: string, values: object) => string): AlertEvent
}

interface StateChange {
  readonly alert: Alert
  readonly watched: WatchTarget
  readonly state: 'ALERT' | 'OK'
  readonly group: string
  /** The value that was compared. */
  readonly value: number
  /** The window in epoch milliseconds, from `start` up to, but not including, `end`. */
  readonly start: number
  readonly end: number
}

/** A hash of a text, in forty hexadecimal digits. */
const digest = (text: string) => bytesToHex(sha256(text)).slice(0, 40)

export function makeDelivery(change: StateChange, webhook: Webhook): Delivery {
  const { alert, state, group, start, end } = change
  const eventKey = `${alert.id} ${webhook.id} ${group}`
  return {
    alertId: alert.id,
    webhook,
    idempotencyKey: digest(`${eventKey} ${state} ${end}`),
    renderEvent(render = template => template) {
      const write = (template: string) => render(template, templateValues(change))
      return {
        title: writeTitle(change, write),
        body: writeBody(change, write),
        link: writeLink(change),
        state,
        startTime: start,
        endTime: end,
        eventId: digest(eventKey),
      }
    },
  }
}

type RenderTemplate = (template: string) => string

/** The values for the templates in the name and message of an alert. */
function templateValues({ alert, watched, state, group, value, start, end }: StateChange) {
  const { id, name, threshold, thresholdMax, thresholdType, interval } = alert
  return {
    state,
    group,
    value,
    threshold,
    thresholdMax,
    thresholdType,
    interval,
    startTime: start,
    endTime: end,
    alert: { id, name },
    ...(watched.kind === 'tile' && { dashboard: pickIdAndName(watched.dashboard), tile: pickIdAndName(watched.tile) }),
    ...(watched.kind === 'search' && { savedSearch: pickIdAndName(watched.savedSearch) }),
  }
}

const pickIdAndName = ({ id, name }: { readonly id: string; readonly name: string }) => ({ id, name })

function writeTitle({ alert, watched, state, value }: StateChange, write: RenderTemplate): string {
  const sign = state === 'ALERT' ? '🚨' : '✅'
  if (alert.name !== null) return `${sign} ${write(alert.name)}`
  if (watched.kind === 'search') return `${sign} Alert for "${watched.savedSearch.name}" - ${value} lines found`
  if (watched.kind === 'chart') return `${sign} Alert for "${watched.name}" - ${describeValue(value, alert)}`
  const { dashboard, tile } = watched
  return `${sign} Alert for "${tile.name}" in "${dashboard.name}" - ${describeValue(value, alert)}`
}

function writeBody({ alert, watched, group, value, start, end }: StateChange, write: RenderTemplate): string {
  const time = (moment: number) => new Date(moment).toISOString().slice(0, 19).replace('T', ' ')
  return [
    group && `Group: "${group}"`,
    watched.kind === 'search' ? describeLines(value, alert) : describeValue(value, alert),
    `Time Range (UTC): [${time(start)} - ${time(end)})`,
    alert.message === null ? '' : write(alert.message),
  ].join('\n')
}

const units: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day' }

function writeLink({ alert, watched, start, end }: StateChange): string {
  if (watched.kind === 'search') {
    const search = new URLSearchParams({ from: String(start), to: String(end), isLive: 'false' })
    return `${uiOrigin}/search/${watched.savedSearch.id}?${search}`
  }
  if (watched.kind === 'chart') return `${uiOrigin}/alerts`
  const { dashboard, tile } = watched
  const search = new URLSearchParams({
    from: String(start),
    granularity: `${Number.parseInt(alert.interval, 10)} ${units[alert.interval.slice(-1)]}`,
    to: String(end),
    highlightedTileId: tile.id,
  })
  return `${uiOrigin}/dashboards/${dashboard.id}?${search}`
}

type Limits = Pick<Alert, 'threshold' | 'thresholdMax' | 'thresholdType'>

type Comparison = (value: number, threshold: number, max: number) => boolean

const comparisons: Readonly<Record<ThresholdType, readonly [Comparison, phrase: string, opposite: ThresholdType]>> = {
  above: [(value, threshold) => value >= threshold, 'meets or exceeds', 'below'],
  above_exclusive: [(value, threshold) => value > threshold, 'exceeds', 'below_or_equal'],
  below: [(value, threshold) => value < threshold, 'falls below', 'above'],
  below_or_equal: [(value, threshold) => value <= threshold, 'falls to or below', 'above_exclusive'],
  equal: [(value, threshold) => value === threshold, 'equals', 'not_equal'],
  not_equal: [(value, threshold) => value !== threshold, 'does not equal', 'equal'],
  between: [(value, threshold, max) => value >= threshold && value <= max, 'falls between', 'not_between'],
  not_between: [(value, threshold, max) => value < threshold || value > max, 'falls outside', 'between'],
}

export function meetsCondition(value: number, { threshold, thresholdMax, thresholdType }: Limits): boolean {
  const [holds] = comparisons[thresholdType]
  return holds(value, threshold, thresholdMax ?? threshold)
}

/** Compares a value with the limits in words: `7 meets or exceeds 5`. */
export const describeValue = (value: number, limits: Limits): string =>
  `${value} ${describeComparison(value, limits)} ${describeThreshold(limits)}`

/** Compares the number of rows of a search with the limits in words. */
const describeLines = (value: number, limits: Limits): string =>
  `${value} lines found, which ${describeComparison(value, limits)} the threshold of ${describeThreshold(limits)} lines`

function describeComparison(value: number, limits: Limits): string {
  const [, phrase, opposite] = comparisons[limits.thresholdType]
  return meetsCondition(value, limits) ? phrase : comparisons[opposite][1]
}

const describeThreshold = ({ threshold, thresholdMax, thresholdType }: Limits) =>
  thresholdType === 'between' || thresholdType === 'not_between'
    ? `${threshold} and ${thresholdMax}`
    : String(threshold)
