import { Refused } from './place.ts'
import type { Document, DocumentsByKind } from './world.ts'

type Body = Readonly<Record<string, unknown>>
type Test = (value: unknown) => boolean

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)
const isText: Test = value => typeof value === 'string'
const isNumber: Test = value => typeof value === 'number'
const isList: Test = value => Array.isArray(value)
const isTile: Test = tile => isObject(tile) && ['x', 'y', 'w', 'h'].every(side => isNumber(tile[side]))

const dashboardFields: Readonly<Record<string, Test>> = {
  name: value => isText(value) && value !== '',
  tiles: value => Array.isArray(value) && value.every(isTile),
  tags: isList,
  filters: isList,
  savedQuery: value => value === null || isText(value),
  savedQueryLanguage: value => value === null || isText(value),
  savedFilterValues: isList,
}

/** Accepts only the values that the specification shows: hours, tiles, `above`, webhooks. */
const alertFields: Readonly<Record<string, Test>> = {
  dashboardId: isText,
  tileId: isText,
  threshold: isNumber,
  interval: value => /^[1-9]\d*h$/.test(String(value)),
  source: value => value === 'tile',
  thresholdType: value => value === 'above',
  channel: value => isObject(value) && value.type === 'webhook' && isText(value.webhookId),
  name: isText,
  message: isText,
}

interface Terms {
  readonly fields: Readonly<Record<string, Test>>
  readonly required: readonly string[]
  /** The managed form refuses unknown fields; the self-hosted one drops them. */
  readonly strict: boolean
}

function acceptFields(body: unknown, { fields, required, strict }: Terms): Body {
  if (!isObject(body)) throw new Refused('invalid-body', 'an object is expected')
  const known = Object.entries(body).filter(([name, value]) => {
    const test = fields[name]
    if (test && !test(value)) throw new Refused('invalid-body', `${name} cannot be taken`)
    if (!test && strict) throw new Refused('invalid-body', `${name} is no property of this document`)
    return test
  })
  for (const name of required) if (body[name] === undefined) throw new Refused('invalid-body', `${name} is missing`)
  return Object.fromEntries(known)
}

/** Tiles that name a tile of the dashboard keep its id; all others get one. */
export function acceptDashboard(body: unknown, strict: boolean, old: Body | undefined, nextId: () => string): Body {
  const fields = acceptFields(body, { fields: dashboardFields, required: strict || !old ? ['name'] : [], strict })
  const kept = (old?.tiles ?? []) as readonly Body[]
  const tiles = fields.tiles as readonly Body[] | undefined
  const withIds = tiles?.map(tile => ({ ...tile, id: kept.find(({ id }) => id === tile.id)?.id ?? nextId() }))
  return { tiles: [], ...(strict ? {} : old), ...fields, ...(withIds && { tiles: withIds }) }
}

/** A creation and a replacement need all nine fields. The dashboard, the tile and the webhook must exist. */
export function acceptAlert(
  body: unknown,
  strict: boolean,
  old: Body | undefined,
  documents: DocumentsByKind,
  webhookId: string,
): Body {
  const required = strict || !old ? Object.keys(alertFields) : []
  const alert = { ...(strict ? {} : old), ...acceptFields(body, { fields: alertFields, required, strict }) } as Body
  const dashboard = documents.dashboards.find((one: Document) => one.id === alert.dashboardId && !one.deleted)
  const tiles = (dashboard?.fields.tiles ?? []) as readonly Body[]
  if (!tiles.some(tile => tile.id === alert.tileId)) throw new Refused('invalid-body', 'there is no such tile')
  if ((alert.channel as Body).webhookId !== webhookId) throw new Refused('invalid-body', 'there is no such webhook')
  return alert
}

export type TimeUnit = 'milliseconds' | 'seconds' | 'microseconds' | 'nanoseconds'
const perSecond: Record<TimeUnit, number> = { seconds: 1, milliseconds: 1e3, microseconds: 1e6, nanoseconds: 1e9 }

/** True for an epoch of this century in the unit. */
const isEpochIn =
  (unit: TimeUnit): Test =>
  value =>
    isNumber(value) && Number(value) / perSecond[unit] > 1e9 && Number(value) / perSecond[unit] < 4e9

/** A chart query: hours only, `count` only, a filter of `field:value` terms or none, times in one unit or in any. */
export function acceptChartQuery(body: unknown, sourceId: string, unit?: TimeUnit): Body {
  const hours: Test = value => /^[1-9]\d*h$/.test(String(value))
  const isTime = unit ? isEpochIn(unit) : isNumber
  const fields = { startTime: isTime, endTime: isTime, granularity: hours, series: isList }
  const query = acceptFields(body, { fields, required: Object.keys(fields), strict: false })
  const series = query.series as readonly unknown[]
  if (series.length === 0) throw new Refused('invalid-body', 'series is empty')
  for (const one of series) {
    if (!isObject(one) || !isList(one.groupBy) || !isText(one.where))
      throw new Refused('invalid-body', 'a series is odd')
    if (one.aggFn !== 'count') throw new Refused('invalid-body', 'aggFn: only count is offered')
    if (one.where !== '' && !/^[\w.]+:[^\s()]+( [\w.]+:[^\s()]+)*$/.test(String(one.where)))
      throw new Refused('invalid-body', 'where cannot be read')
    if (one.sourceId !== sourceId) throw new Refused('unknown-source', 'there is no such source')
  }
  return query
}
