import { type ExpressionUse, inferColumns } from '../../telemetry/columns/infer-columns.ts'
import { columnsOfKind, type TelemetryKind, timeColumnOf } from '../../telemetry/query/columns-of-kind.ts'
import type { Expression } from '../../telemetry/query/expression.ts'
import { planFilter, type Where } from '../../telemetry/query/plan.ts'
import { parseSqlList } from '../../telemetry/query/sql.ts'
import { bodyOfKind, dialectOf, filtersOf, type QueryChoices } from '../../telemetry/source-terms.ts'
import type { SourceExtras } from '../../telemetry/story/source-extras.ts'
import type { SelectItem, Source } from '../../words/resources.ts'
import type { World } from '../../world/world.ts'
import { alerts } from '../alert/index.ts'
import { dashboards } from '../dashboard/index.ts'
import { savedSearches } from '../saved-search/index.ts'

/** The dialect of the newer edition also reads captured queries of the older one. */
const newest: QueryChoices = { edition: '2.36', choice: () => undefined }

/** A chart, a filter or a search, with the fields that query its source. */
interface Query extends Readonly<Record<string, unknown>> {
  readonly sourceId?: unknown
}

/** Infers the columns and metrics that a captured source has besides those of its kind, from its fields and queries. */
export function inferExtras(world: World, stackId: string, source: Source): SourceExtras | undefined {
  if (source.kind === 'promql') return undefined
  const { kind, id } = source
  const dialect = dialectOf(source, newest)
  const isOfSource = (query: Query | undefined): query is Query => query?.sourceId === id
  const searches = world.list(savedSearches, stackId).filter(isOfSource)
  const queries = [...queriesOf(world, stackId).filter(isOfSource), ...searches] as readonly Query[]
  const items = queries.flatMap(({ select }) => (Array.isArray(select) ? (select as Partial<SelectItem>[]) : []))
  const filters = [
    ...[...queries, ...items].map(whereOf),
    // Without the filter of the source, which follows once.
    ...searches.flatMap(search => filtersOf({ id } as Source, search.filters)),
    ...filtersOf(source),
  ]
  const texts = [source.defaultTableSelectExpression, source.knownColumnsListExpression, source.orderByExpression]
  const lists = queries.flatMap(({ select, groupBy, orderBy, expression }) => [select, groupBy, orderBy, expression])
  const uses: ExpressionUse[] = [
    ...Object.entries(source).flatMap(([name, text]) => {
      const like = columnOf(kind, name)
      return like === undefined ? [] : readList(text).map(expression => ({ expression, like }))
    }),
    ...items.flatMap(({ aggFn = '', valueExpression, metricName }) => {
      // Other aggregate functions take numbers.
      const as = /^(?:count_distinct|any)$/.test(aggFn) ? {} : ({ as: 'number' } as const)
      return metricName === undefined ? readList(valueExpression).map(expression => ({ expression, ...as })) : []
    }),
    ...filters.flatMap(where => readCondition(() => planFilter(where, dialect))),
    ...[...texts, ...lists].flatMap(readList).map(expression => ({ expression })),
  ]
  const metrics = new Map<string, readonly string[]>()
  for (const { metricType = '', metricName } of items)
    if (metricName) metrics.set(metricType, [...new Set([...(metrics.get(metricType) ?? []), metricName])])
  const extras = { ...inferColumns(kind, uses), metrics }
  return extras.columns.size + extras.contents.length + metrics.size > 0 ? extras : undefined
}

/** The charts of dashboards and alerts, and the filters of dashboards. */
function queriesOf(world: World, stackId: string): readonly (Query | undefined)[] {
  const boards = world.list(dashboards, stackId)
  const ofAlerts = world.list(alerts, stackId)
  return [
    ...boards.flatMap(({ tiles, filters = [] }) => [...tiles.map(({ config }) => config), ...filters]),
    ...ofAlerts.map(({ chartConfig }) => chartConfig),
  ] as readonly (Query | undefined)[]
}

const whereOf = ({ where, whereLanguage }: Query): Where => ({
  text: typeof where === 'string' ? where : '',
  ...(typeof whereLanguage === 'string' && { language: whereLanguage }),
})

/** The usual column behind a field of a source: `spanIdExpression` names the column that is usually `SpanId`. */
function columnOf(kind: TelemetryKind, field: string): string | undefined {
  const [, name] = /^(\w+)Expression$/.exec(field) ?? []
  if (name === undefined) return undefined
  if (/timestampValue$/i.test(name)) return timeColumnOf(kind)
  if (name === 'body' || name === 'implicitColumn') return bodyOfKind[kind]
  const eventAttributes = kind === 'trace' ? 'SpanAttributes' : 'LogAttributes'
  const column = name === 'eventAttributes' ? eventAttributes : `${name[0]!.toUpperCase()}${name.slice(1)}`
  return Object.hasOwn(columnsOfKind[kind], column) ? column : undefined
}

/** The expressions of a text; none if it is unreadable. */
function readList(text: unknown): readonly Expression[] {
  try {
    return typeof text === 'string' && text.trim() !== '' ? parseSqlList(text.replace(/\s+(?:asc|desc)\b/gi, '')) : []
  } catch {
    return []
  }
}

function readCondition(read: () => Expression | undefined): readonly ExpressionUse[] {
  try {
    const expression = read()
    return expression ? [{ expression, as: 'condition' }] : []
  } catch {
    return []
  }
}
