import { inferColumns, type Use } from '../../telemetry/columns/infer-columns.ts'
import { columnsOfKind, type TelemetryKind, timeColumnOf } from '../../telemetry/query/columns-of-kind.ts'
import type { Expression } from '../../telemetry/query/expression.ts'
import { planFilter, type Where } from '../../telemetry/query/plan.ts'
import { parseSqlList } from '../../telemetry/query/sql.ts'
import { bodyOfKind, dialectOf } from '../../telemetry/source-terms.ts'
import type { Own } from '../../telemetry/story/own-rows.ts'
import type { SelectItem, Source } from '../../words/resources.ts'
import type { World } from '../../world/world.ts'
import { alerts } from '../alert/model.ts'
import { dashboards } from '../dashboard/model.ts'
import { filtersOf } from '../saved-search/filters.ts'
import { savedSearches } from '../saved-search/model.ts'

/** What a query asks of its source. */
interface Query {
  readonly items?: readonly Partial<SelectItem>[]
  readonly wheres?: readonly Where[]
  /** Lists of SQL expressions. */
  readonly lists?: readonly unknown[]
}

/** What the table of a source of a deployment has beside the columns of its kind: what the source and the queries of its stack name. */
export function ownOfSource(world: World, stackId: string, source: Source): Own | undefined {
  if (source.kind === 'promql') return undefined
  const { kind } = source
  const dialect = dialectOf(source, { edition: '2.36', freeText: true, shortNames: true })
  const queries = queriesOf(world, stackId, source)
  const items = queries.flatMap(({ items = [] }) => items)
  const filters = [...queries.flatMap(({ wheres = [] }) => wheres), ...items.map(whereOf), ...filtersOf(source)]
  const texts = [source.defaultTableSelectExpression, source.knownColumnsListExpression, source.orderByExpression]
  const uses: Use[] = [
    ...Object.entries(source).flatMap(([name, text]) => {
      const like = columnOf(kind, name)
      return like === undefined ? [] : readList(text).map(expression => ({ expression, like }))
    }),
    ...items.flatMap(({ aggFn = '', valueExpression, metricName }) =>
      metricName === undefined
        ? readList(valueExpression).map(
            (expression): Use =>
              /^(?:count_distinct|any)$/.test(aggFn) ? { expression } : { expression, as: 'number' },
          )
        : [],
    ),
    ...filters.flatMap(where => readCondition(() => planFilter(where, dialect))),
    ...[...texts, ...queries.flatMap(({ lists = [] }) => lists)].flatMap(readList).map(expression => ({ expression })),
  ]
  const metrics = new Map<string, readonly string[]>()
  for (const { metricType = '', metricName } of items)
    if (metricName) metrics.set(metricType, [...new Set([...(metrics.get(metricType) ?? []), metricName])])
  const own = { ...inferColumns(kind, uses), metrics }
  return own.columns.size + own.contents.length + metrics.size > 0 ? own : undefined
}

function queriesOf(world: World, stackId: string, { id }: Source): readonly Query[] {
  const boards = world.in(dashboards, stackId).list()
  const searches = world.in(savedSearches, stackId).list()
  const charts = [
    ...boards.flatMap(({ tiles }) => tiles.map(({ config }) => config)),
    ...world
      .in(alerts, stackId)
      .list()
      .map(({ chartConfig }) => chartConfig),
  ] as readonly (Readonly<Record<string, unknown>> | undefined)[]
  return [
    ...charts.flatMap((config): readonly Query[] => {
      if (config?.sourceId !== id) return []
      const { select, groupBy, orderBy } = config
      const isOfItems = Array.isArray(select)
      return [
        {
          ...(isOfItems && { items: select as readonly SelectItem[] }),
          wheres: [whereOf(config)],
          lists: [groupBy, orderBy, ...(isOfItems ? [] : [select])],
        },
      ]
    }),
    ...boards.flatMap(({ filters = [] }) =>
      filters.flatMap((filter): readonly Query[] => {
        const { sourceId, expression, where, whereLanguage } = filter as Readonly<Record<string, unknown>>
        return sourceId === id ? [{ lists: [expression], wheres: [whereOf({ where, whereLanguage })] }] : []
      }),
    ),
    ...searches
      .filter(({ sourceId }) => sourceId === id)
      .map(search => ({
        lists: [search.select, search.orderBy],
        wheres: [whereOf(search), ...filtersOf({ id } as Source, search.filters)],
      })),
  ]
}

const whereOf = ({ where, whereLanguage }: Readonly<Record<string, unknown>>): Where => ({
  text: typeof where === 'string' ? where : '',
  ...(typeof whereLanguage === 'string' && { language: whereLanguage }),
})

/** The column of the kind that a field of a source names: `spanIdExpression` names what is `SpanId` elsewhere. */
function columnOf(kind: TelemetryKind, field: string): string | undefined {
  const [, name] = /^(\w+)Expression$/.exec(field) ?? []
  if (name === undefined) return undefined
  if (/timestampValue$/i.test(name)) return timeColumnOf(kind)
  if (name === 'body' || name === 'implicitColumn') return bodyOfKind[kind]
  const column =
    name === 'eventAttributes'
      ? kind === 'trace'
        ? 'SpanAttributes'
        : 'LogAttributes'
      : `${name[0]!.toUpperCase()}${name.slice(1)}`
  return Object.hasOwn(columnsOfKind[kind], column) ? column : undefined
}

/** What cannot be read was not read by the deployment either. */
function readList(text: unknown): readonly Expression[] {
  try {
    return typeof text === 'string' && text.trim() !== '' ? parseSqlList(text.replace(/\s+(?:asc|desc)\b/gi, '')) : []
  } catch {
    return []
  }
}

function readCondition(read: () => Expression | undefined): readonly Use[] {
  try {
    const expression = read()
    return expression ? [{ expression, as: 'condition' }] : []
  } catch {
    return []
  }
}
