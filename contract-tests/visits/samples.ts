import type { Form } from '../../fixtures/contract/index.ts'
import { isSuccess } from '../engine/exchange.ts'
import { listIn } from '../engine/pages.ts'
import { lack } from '../engine/paths.ts'
import { findObject, idOf, isObject } from '../engine/recognise.ts'
import type { Draft, RunContext } from '../engine/step.ts'
import type { References } from '../engine/target/target.ts'

/** The bodies that the suite sends, made of what the target names or reading found. */

export const referencesOf = (context: RunContext, form: Form): References =>
  (form === 'selfHosted' ? context.target.selfHosted?.references : context.target.cloud?.references) ?? {}

/** Named by the target, else a log source of the list, else its first. */
export function sourceId(context: RunContext, form: Form): string | undefined {
  const references = referencesOf(context, form)
  const named = references.sourceId ?? references.sources?.log
  if (named) return named
  const list = listIn(context.exchange(`${form}:source.list-before`), 'source') ?? []
  return idOf(list.find(source => source.kind === 'log') ?? list[0], 'source')
}

/** The webhook of an alert: named by the target, else from a list, else from an existing alert. */
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

/** A dashboard and a tile for an alert: created by `step`, else named by the target, else listed. */
export function tileOf(
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

/** With `tileId` an update keeps the tile, and the alerts on it. */
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

/** No count of events is that high, so that the alert never fires and its webhook is never called. */
const UNREACHABLE = 1e15

/** The nine fields of §2.4; undefined when a reference is missing. The threshold is never reached. */
export function alertBody(
  context: RunContext,
  form: Form,
  name: string,
  dashboardStep: string,
): Record<string, unknown> | undefined {
  const tile = tileOf(context, form, dashboardStep)
  const webhook = webhookId(context, form)
  if (!tile || !webhook) return undefined
  return {
    ...tile,
    threshold: UNREACHABLE,
    interval: '1h',
    source: 'tile',
    thresholdType: 'above',
    channel: { type: 'webhook', webhookId: webhook },
    name,
    // It carries the mark, in case the name is left out or not kept.
    message: `Sent by ${name}; safe to delete.`,
  }
}

export const noBody = (context: RunContext, form: Form, dashboardStep: string): Draft =>
  lack(
    [
      ...(tileOf(context, form, dashboardStep) ? [] : ['dashboardId', 'tileId'].map(id => `${form}.references.${id}`)),
      ...(webhookId(context, form) ? [] : [`${form}.references.webhookId`]),
    ].map(field => field.replace(/^managed/, 'cloud')),
  )

export const noSource: Draft = lack(['selfHosted.references.sourceId'])

/** The units that a deployment may read the times of a query in (§2.5 does not say), each with its step. */
export const chartQueries = {
  milliseconds: 'selfHosted:chart.query',
  seconds: 'selfHosted:chart.query-in-seconds',
  microseconds: 'selfHosted:chart.query-in-microseconds',
  nanoseconds: 'selfHosted:chart.query-in-nanoseconds',
} as const
export type TimeUnit = keyof typeof chartQueries

const perMillisecond: Record<TimeUnit, number> = { milliseconds: 1, seconds: 1, microseconds: 1e3, nanoseconds: 1e6 }
const inUnit = (milliseconds: number, unit: TimeUnit) =>
  unit === 'seconds' ? milliseconds / 1000 : milliseconds * perMillisecond[unit]

export function acceptedUnit(context: Pick<RunContext, 'exchange'>): TimeUnit | undefined {
  return (Object.keys(chartQueries) as TimeUnit[]).find(unit => isSuccess(context.exchange(chartQueries[unit])))
}

/** A query of a day by the hour (§2.5). It ends an hour ago, so that late events do not change its count. */
export function chartBody(context: RunContext, unit: TimeUnit = acceptedUnit(context) ?? 'milliseconds') {
  const source = sourceId(context, 'selfHosted')
  if (!source) return undefined
  const end = Math.floor(context.now / 3_600_000) * 3_600_000 - 3_600_000
  return {
    startTime: inUnit(end - 86_400_000, unit),
    endTime: inUnit(end, unit),
    granularity: '1h',
    series: [{ sourceId: source, aggFn: 'count', where: '', groupBy: [] }],
  }
}

/** Fields to filter and group by: the source's own, OpenTelemetry's, and those of the vendor's samples. */
export function chartFields(context: RunContext): readonly string[] {
  const source = (listIn(context.exchange('selfHosted:source.list-before'), 'source') ?? []).find(
    one => idOf(one, 'source') === sourceId(context, 'selfHosted'),
  )
  const named = [source?.severityTextExpression, source?.serviceNameExpression].filter(
    (field): field is string => typeof field === 'string' && /^\w+$/.test(field),
  )
  return [...new Set([...named, 'SeverityText', 'level', 'service'])]
}
