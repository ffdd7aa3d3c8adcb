import type { Form } from '../../fixtures/contract/index.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { skipForMissing } from '../engine/paths.ts'
import { findObject, idOf, isObject } from '../engine/recognise.ts'
import type { RequestOrSkip, RunContext } from '../engine/step.ts'
import type { References } from '../engine/target/target.ts'

/** The bodies that the suite sends, with ids from the target or from lists. */

export const referencesOf = (context: RunContext, form: Form): References =>
  (form === 'selfHosted' ? context.target.selfHosted?.references : context.target.cloud?.references) ?? {}

/** The source that the target names, else the first log source of the list, else its first source. */
export function sourceId(context: RunContext, form: Form): string | undefined {
  const references = referencesOf(context, form)
  const named = references.sourceId ?? references.sources?.log
  if (named) return named
  const list = listIn(context.exchange(`${form}:source.list-before`), 'source') ?? []
  return idOf(list.find(source => source.kind === 'log') ?? list[0], 'source')
}

/** The webhook for an alert: the one that the target names, else the first of the list, else that of an existing alert. */
export function webhookId(context: RunContext, form: Form): string | undefined {
  const named = referencesOf(context, form).webhookId
  if (named) return named
  const listed = idOf(listIn(context.exchange(`${form}:webhook.list-before`), 'webhook')?.[0], 'webhook')
  if (listed) return listed
  for (const alert of listIn(context.exchange(`${form}:alert.list-before`), 'alert') ?? []) {
    if (isObject(alert.channel) && typeof alert.channel.webhookId === 'string') return alert.channel.webhookId
  }
  return undefined
}

/** A dashboard and a tile for an alert: those that `step` created, else those that the target names, else listed ones. */
export function findTile(
  context: RunContext,
  form: Form,
  step: string,
): { dashboardId: string; tileId: string } | undefined {
  const id = context.created(step)
  const dashboard = findObject(context.exchange(step)?.json, 'dashboard')
  const tile = Array.isArray(dashboard?.tiles) ? idOf(dashboard.tiles[0], 'tile') : undefined
  if (id && tile) return { dashboardId: id, tileId: tile }
  const references = referencesOf(context, form)
  if (references.dashboardId && references.tileId)
    return { dashboardId: references.dashboardId, tileId: references.tileId }
  for (const known of listIn(context.exchange(`${form}:dashboard.list-before`), 'dashboard') ?? []) {
    const dashboardId = idOf(known, 'dashboard')
    const tileId = Array.isArray(known.tiles) ? idOf(known.tiles[0], 'tile') : undefined
    if (dashboardId && tileId) return { dashboardId, tileId }
  }
  return undefined
}

/** An update with `tileId` keeps the tile and its alerts. */
export function dashboardBody(context: RunContext, form: Form, name: string, tileId?: string): object {
  const source = sourceId(context, form)
  const select = [{ aggFn: 'count', where: '', whereLanguage: 'lucene' }]
  const tile = {
    ...(tileId ? { id: tileId } : {}),
    name: 'Events',
    x: 0,
    y: 0,
    w: 6,
    h: 3,
    config: { displayType: 'line', sourceId: source, select },
  }
  return { name, tiles: source ? [tile] : [] }
}

/** A count of events that is never reached, so that the alert never fires and its webhook is never called. */
const NEVER_REACHED = 1e15

/** An alert with the nine fields of §2.4; undefined if its tile or webhook is not known. */
export function alertBody(
  context: RunContext,
  form: Form,
  name: string,
  dashboardStep: string,
): Record<string, unknown> | undefined {
  const tile = findTile(context, form, dashboardStep)
  const webhook = webhookId(context, form)
  if (!tile || !webhook) return undefined
  return {
    ...tile,
    threshold: NEVER_REACHED,
    interval: '1h',
    source: 'tile',
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: webhook },
    name,
    // Has the mark, too, since the name may be left out or changed.
    message: `Sent by ${name}; safe to delete.`,
  }
}

export const skipWithoutReferences = (context: RunContext, form: Form, dashboardStep: string): RequestOrSkip =>
  skipForMissing(
    [
      ...(findTile(context, form, dashboardStep)
        ? []
        : ['dashboardId', 'tileId'].map(id => `${form}.references.${id}`)),
      ...(webhookId(context, form) ? [] : [`${form}.references.webhookId`]),
    ].map(field => field.replace(/^managed/, 'cloud')),
  )

export const skipWithoutSource: RequestOrSkip = skipForMissing(['selfHosted.references.sourceId'])

/** By unit of time: the step that sends a chart query in it. §2.5 does not say which unit is expected. */
export const chartQuerySteps = {
  milliseconds: 'selfHosted:chart.query',
  seconds: 'selfHosted:chart.query-in-seconds',
  microseconds: 'selfHosted:chart.query-in-microseconds',
  nanoseconds: 'selfHosted:chart.query-in-nanoseconds',
} as const
export type TimeUnit = keyof typeof chartQuerySteps

const perSecond: Record<TimeUnit, number> = { seconds: 1, milliseconds: 1e3, microseconds: 1e6, nanoseconds: 1e9 }

export function acceptedUnit(context: Pick<RunContext, 'exchange'>): TimeUnit | undefined {
  return (Object.keys(chartQuerySteps) as TimeUnit[]).find(unit => isSuccess(context.exchange(chartQuerySteps[unit])))
}

/** A query for 24 hours, by the hour (§2.5). It ends at least an hour ago, so that late events do not change its count. */
export function chartBody(context: RunContext, unit: TimeUnit = acceptedUnit(context) ?? 'milliseconds') {
  const source = sourceId(context, 'selfHosted')
  if (!source) return undefined
  /** Seconds. */
  const end = Math.floor(context.now / 3_600_000) * 3600 - 3600
  return {
    startTime: (end - 86_400) * perSecond[unit],
    endTime: end * perSecond[unit],
    granularity: '1h',
    series: [{ sourceId: source, aggFn: 'count', where: '', groupBy: [] }],
  }
}

/** Fields to filter and group by: those that the source names, then those of OpenTelemetry and of the vendor's samples. */
export function chartFields(context: RunContext): readonly string[] {
  const source = (listIn(context.exchange('selfHosted:source.list-before'), 'source') ?? []).find(
    one => idOf(one, 'source') === sourceId(context, 'selfHosted'),
  )
  const named = [source?.severityTextExpression, source?.serviceNameExpression].filter(
    (field): field is string => typeof field === 'string' && /^\w+$/.test(field),
  )
  return [...new Set([...named, 'SeverityText', 'level', 'service'])]
}

/** Query parameters for the 24 hours before the run. */
export const lastDay = ({ now }: RunContext) => ({
  from_date: new Date(now - 86_400_000).toISOString(),
  to_date: new Date(now).toISOString(),
})
