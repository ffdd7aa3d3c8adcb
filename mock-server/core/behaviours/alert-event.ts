import type { Alert, Dashboard, Tile, Webhook } from '../resources.ts'
import { digest } from './digest.ts'
import { describeValue } from './threshold.ts'

/** What the template of a webhook may use. Times are epoch milliseconds. */
export interface AlertEvent {
  readonly title: string
  readonly body: string
  readonly link: string
  readonly state: 'ALERT' | 'OK'
  readonly startTime: number
  readonly endTime: number
  /** The same for the firing and for its resolution, of one alert, channel and group. */
  readonly eventId: string
}

export interface Delivery {
  readonly webhook: Webhook
  /** Forty hexadecimal digits, for the header of the same name; another for each event. */
  readonly idempotencyKey: string
  readonly event: AlertEvent
}

interface Occasion {
  readonly alert: Alert
  readonly dashboard: Dashboard
  readonly tile: Tile
  readonly state: 'ALERT' | 'OK'
  readonly group: string
  readonly value: number
  readonly start: number
  readonly end: number
}

/**
 * One delivery of an occasion. The alert's name and message are put in as they stand: where they are Handlebars templates,
 * the deliverer renders them.
 */
export function makeDelivery(occasion: Occasion, webhook: Webhook, frontendUrl: string): Delivery {
  const { alert, state, group, start, end } = occasion
  const thread = `${alert.id} ${webhook.id} ${group}`
  return {
    webhook,
    idempotencyKey: digest(`${thread} ${state} ${end}`),
    event: {
      title: writeTitle(occasion),
      body: writeBody(occasion),
      link: writeLink(occasion, frontendUrl),
      state,
      startTime: start,
      endTime: end,
      eventId: digest(thread),
    },
  }
}

function writeTitle({ alert, dashboard, tile, state, value }: Occasion): string {
  const sign = state === 'ALERT' ? '🚨' : '✅'
  return `${sign} ${alert.name ?? `Alert for "${tile.name}" in "${dashboard.name}" - ${describeValue(value, alert)}`}`
}

function writeBody({ alert, group, value, start, end }: Occasion): string {
  const time = (moment: number) => new Date(moment).toISOString().slice(0, 19).replace('T', ' ')
  return [
    group && `Group: "${group}"`,
    describeValue(value, alert),
    `Time Range (UTC): [${time(start)} - ${time(end)})`,
    alert.message ?? '',
  ].join('\n')
}

const units: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day' }

function writeLink({ alert, dashboard, tile, start, end }: Occasion, frontendUrl: string): string {
  const search = new URLSearchParams({
    from: String(start),
    granularity: `${Number.parseInt(alert.interval, 10)} ${units[alert.interval.slice(-1)]}`,
    to: String(end),
    highlightedTileId: tile.id,
  })
  return `${frontendUrl}/dashboards/${dashboard.id}?${search}`
}
