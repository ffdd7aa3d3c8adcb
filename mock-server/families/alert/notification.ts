import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'
import type { Edition } from '../../../fixtures/contract/index.ts'
import { type AlertNotification, type Mention, mentionHelper } from '../../words/notification.ts'
import type { Alert, Source, Webhook } from '../../words/resources.ts'
import { uiOrigin } from '../../words/ui-origin.ts'
import type { Stack } from '../stack/stack.ts'
import { describeLines, describeValue } from './condition.ts'
import type { Change } from './evaluate-run.ts'
import { readSamples } from './sample-rows.ts'
import { intervalMinutes, type Run, windowLength } from './schedule.ts'
import { groupingOf, type WatchTarget } from './watched.ts'

interface Subject {
  readonly alert: Alert
  readonly watched: WatchTarget
  readonly run: Run
  readonly stack: Stack
  readonly edition: Edition
}

interface Content extends Subject {
  readonly change: Change
  readonly end: number
}

/** A hash of a text, in forty hexadecimal digits. */
const digest = (text: string) => bytesToHex(sha256(text)).slice(0, 40)

export function makeNotification(change: Change, subject: Subject): AlertNotification {
  const { alert, watched, run, stack, edition } = subject
  const { state, group, start } = change
  const end = start + windowLength(alert)
  const content = { ...subject, change, end }
  const { isGrouped } = groupingOf(watched.series)
  const eventKey = (webhook: Webhook) => `${alert.id} ${webhook.id} ${isGrouped} ${group}`
  return {
    alertId: alert.id,
    edition,
    group,
    at: run.at,
    until: run.end,
    webhooks: alert.channels.flatMap(({ webhookId = '' }) => stack.webhooks.get(webhookId.toLowerCase()) ?? []),
    mentionable: () => stack.webhooks.list(),
    eventId: webhook => digest(eventKey(webhook)),
    idempotencyKey: webhook => digest(`${eventKey(webhook)} ${state} ${start} ${end}`),
    readSamples: () =>
      watched.kind === 'search' && state === 'ALERT' ? readSamples(watched, { start, end }, subject) : '',
    renderEvent(fill = leaveTemplates, samples = '') {
      const values = templateValues(content)
      const mentions: Mention[] = []
      return {
        title: writeTitle(content, template => fill(template, values)),
        body: writeBody(content, samples, (template, parts) =>
          fill(template, { ...values, ...parts }, ({ channel, id }) =>
            mentions.push({ channel, id: fill(id, values) }),
          ),
        ),
        link: writeLink(content),
        state,
        startTime: start,
        endTime: end,
        mentions,
      }
    },
  }
}

/** The values for the templates in the name and message of an alert. */
function templateValues({ alert, watched, change, end, edition }: Content) {
  const { group, value, start, attributes } = change
  return {
    alert: { ...alertForTemplates(alert), ...(edition === '2.24' && { channels: undefined }) },
    value,
    group,
    attributes: edition === '2.24' ? {} : nest(attributes),
    granularity: `${intervalMinutes[alert.interval]} minute`,
    isGroupedAlert: groupingOf(watched.series).isGrouped,
    startTime: longDate(start),
    endTime: longDate(end),
    ...(watched.kind !== 'search' && watched.series?.source && { source: documentOf(watched.series.source) }),
  }
}

/** A source as the database keeps it. */
const documentOf = ({ id, ...source }: Source) => ({ ...source, _id: id })

const fieldsForTemplates = [
  ...['id', 'channels', 'dashboardId', 'groupBy', 'interval', 'message', 'name', 'savedSearchId', 'silenced', 'source'],
  ...['threshold', 'thresholdMax', 'thresholdType', 'tileId', 'scheduleOffsetMinutes', 'scheduleStartAt'],
] as const

/** What templates see of an alert. */
const alertForTemplates = (alert: Alert) => ({
  ...Object.fromEntries(fieldsForTemplates.map(name => [name, alert[name as keyof Alert]])),
  channel: alert.channels[0],
})

/** Makes `{ http: { method: 'GET' } }` of `{ 'http.method': 'GET' }`, because a template reads a dot as a step. */
function nest(values: Readonly<Record<string, string>>): object {
  const nested: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(values)) {
    const steps = name.split('.')
    let at = nested
    for (const step of steps.slice(0, -1)) {
      if (typeof at[step] !== 'object')
        Object.defineProperty(at, step, { value: {}, enumerable: true, configurable: true })
      at = at[step] as Record<string, unknown>
    }
    Object.defineProperty(at, steps.at(-1)!, { value, enumerable: true, configurable: true })
  }
  return nested
}

function writeTitle(
  { alert, watched, change: { state, value } }: Content,
  write: (template: string) => string,
): string {
  const sign = state === 'ALERT' ? '🚨' : '✅'
  if (alert.name) return `${sign} ${write(alert.name)}`
  if (watched.kind === 'search') return `${sign} Alert for "${watched.savedSearch.name}" - ${value} lines found`
  if (watched.kind === 'chart') return `${sign} Alert for "${watched.name}" - ${describeValue(value, alert)}`
  const { dashboard, tile } = watched
  return `${sign} Alert for "${tile.name}" in "${dashboard.name}" - ${describeValue(value, alert)}`
}

/** The parts of a body that are no templates, so that groups and rows are never read as such. */
type Parts = Readonly<Record<'__start__' | '__rows__', string>>

/** Writes the body as one template, because the blocks of a message depend on the line breaks around it. */
function writeBody(
  { alert, watched, change, end, edition }: Content,
  samples: string,
  write: (template: string, parts: Parts) => string,
): string {
  const { state, group, value, start } = change
  const time = `Time Range (UTC): [${shortDate(start)} - ${shortDate(end)})`
  // Deployments add each channel to the message as a mention, and take it out again, but not the blank before it.
  const channels = alert.channels.flatMap(({ webhookId }) => (webhookId === undefined ? [] : callOfMention()))
  const text = [translateMentions(alert.message ?? ''), ...channels].join(' ')
  const message = channels.length > 0 ? text.trimStart() : text
  const __start__ =
    state === 'OK'
      ? `${group && `Group: "${group}" - `}The alert has been resolved.\n${time}`
      : `${group && `Group: "${group}"`}\n${watched.kind === 'search' ? describeLines(value, alert) : describeValue(value, alert)}\n${time}`
  const __rows__ = state === 'ALERT' && watched.kind === 'search' ? `\n\`\`\`\n${samples}\n\`\`\`` : ''
  const parts = { __start__, __rows__ }
  // In 2.24, groups and rows are read as templates, too.
  return write(
    edition === '2.24' ? `${__start__}\n${message}${__rows__}` : `{{{__start__}}}\n${message}{{{__rows__}}}`,
    parts,
  )
}

/** Writes a body without a template engine: the templates of its alert stay as they are. */
const leaveTemplates = (template: string, values: object) =>
  template.replace(/\{\{(?:\{(__\w+__)\}|__mention__[^}]*)\}\}/g, (_, part?: string) =>
    part === undefined ? '' : (values as Parts)[part as keyof Parts],
  )

/** A call of the helper; without arguments it is that of a channel. */
const callOfMention = (...names: readonly string[]) =>
  `{{${[mentionHelper, ...names.map(name => `"${name}"`)].join(' ')}}}`

/** Makes a call of the helper of each mention, such as `@webhook-NAME`. */
function translateMentions(message: string): string {
  return message.replace(/(?:^|\s)@([\w.{}@-]+)/g, (match, name: string) => {
    const [channel = '', ...rest] = name.split('-')
    return `${match.startsWith(' ') ? ' ' : ''}${callOfMention(channel, rest.join('-'))}`
  })
}

const units: Readonly<Record<string, string>> = { m: 'minute', h: 'hour', d: 'day' }
const granularityOf = ({ interval }: Alert) => `${Number.parseInt(interval, 10)} ${units[interval.slice(-1)]}`

/** The link to a tile shows seven more windows on both sides. */
const windowsAround = 7

function writeLink({ alert, watched, change: { start }, end, edition }: Content): string {
  if (watched.kind === 'search') {
    const search = new URLSearchParams({ from: String(start), to: String(end), isLive: 'false' })
    return `${uiOrigin}/search/${watched.savedSearch.id}?${search}`
  }
  if (watched.kind === 'chart') return `${uiOrigin}/alerts`
  const around = windowsAround * windowLength(alert)
  const search = new URLSearchParams({
    from: String(start - around),
    granularity: granularityOf(alert),
    to: String(end + around),
    ...(edition !== '2.24' && { highlightedTileId: watched.tile.id }),
  })
  return `${uiOrigin}/dashboards/${watched.dashboard.id}?${search}`
}

const timeFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
})

/** A time as `Dec 1 10:00:00 AM`. */
function shortDate(time: number): string {
  const parts = Object.fromEntries(timeFormat.formatToParts(time).map(({ type, value }) => [type, value]))
  return `${parts.month} ${parts.day} ${parts.hour}:${parts.minute}:${parts.second} ${parts.dayPeriod}`
}

/** A time as `Tue Dec 01 2026 10:00:00 GMT+0000 (Coordinated Universal Time)`, in whatever zone the mock runs. */
function longDate(time: number): string {
  const [weekday, day, month, year, clock] = new Date(time).toUTCString().split(/,? /)
  return `${weekday} ${month} ${day} ${year} ${clock} GMT+0000 (Coordinated Universal Time)`
}
