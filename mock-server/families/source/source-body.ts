import { z } from 'zod/v3'
import { aggregates } from '../../telemetry/columns/aggregate.ts'
import type { Source } from '../../words/resources.ts'
import { perTerms, type Terms } from '../observability/terms.ts'
import { enumeration } from '../observability/vocabulary.ts'

const needed = (message: string) => z.string().min(1, message)
/** Written out or short, and always answered short. */
const interval = z.preprocess(
  value =>
    typeof value === 'string' ? value.replace(/^(\d+)([smhd])$/, (_, count, unit) => `${count} ${units[unit]}`) : value,
  z
    .string()
    .regex(/^\d+ (second|minute|hour|day)$/)
    .transform(text => text.replace(/ (.).*/, '$1')),
)
const units: Record<string, string> = { s: 'second', m: 'minute', h: 'hour', d: 'day' }

/** What self-hosted deployments refuse as null, and the managed form takes as if it were left out: its document has nulls. */
function schemasOf({ isManaged }: Pick<Terms, 'isManaged'>) {
  const orNothing = <T extends z.ZodTypeAny>(schema: T) =>
    isManaged ? schema.nullish().transform(value => value ?? undefined) : schema.optional()
  const text = isManaged ? z.string().nullish() : z.string().optional()

  const common = {
    name: needed('Name is required'),
    section: z.string().max(256).optional(),
    connection: needed('Server Connection is required'),
    from: z.object({ databaseName: needed('Database is required'), tableName: needed('Table is required') }),
    disabled: isManaged ? z.boolean().nullish() : z.boolean().optional(),
    querySettings: z
      .array(z.object({ setting: z.string().min(1), value: z.string().min(1) }))
      .max(10)
      .optional(),
    timestampValueExpression: needed('Timestamp Column is required'),
  }

  const highlighted = z.array(
    z.object({
      sqlExpression: needed('Attribute SQL Expression is required'),
      luceneExpression: text,
      alias: text,
    }),
  )

  const aggregatedColumn = z
    .object({
      sourceColumn: text,
      aggFn: z.enum([...aggregates, 'histogram']),
      mvColumn: needed('Materialized View Column is required'),
    })
    .refine(
      ({ aggFn, sourceColumn }) => aggFn === 'count' || sourceColumn,
      'Materialized View Source Column is required',
    )

  const materializedView = z.object({
    databaseName: needed('Materialized View Database is required'),
    tableName: needed('Materialized View Table is required'),
    dimensionColumns: z.string(),
    minGranularity: interval,
    minDate: z.string().datetime().nullish(),
    timestampColumn: needed('Materialized View Timestamp column is required'),
    aggregatedColumns: z.array(aggregatedColumn).min(1, 'At least one aggregated column is required'),
  })

  const filterSettings = z.object({
    databaseName: needed('Database is required'),
    tableName: needed('Table is required'),
    columns: z.array(z.object({ name: z.string().min(1), label: z.string().min(1) })).max(10),
  })

  /** What sources of rows have in common: logs and traces. */
  const rows = {
    serviceNameExpression: text,
    serviceVersionExpression: text,
    eventAttributesExpression: text,
    resourceAttributesExpression: text,
    displayedTimestampValueExpression: text,
    metricSourceId: text,
    implicitColumnExpression: text,
    knownColumnsListExpression: text,
    highlightedTraceAttributeExpressions: highlighted.optional(),
    highlightedRowAttributeExpressions: highlighted.optional(),
    materializedViews: z.array(materializedView).optional(),
    metadataMaterializedViews: orNothing(
      z.object({
        keyRollupTable: z.string().nullish(),
        kvRollupTable: needed('KV rollup table name is required'),
        granularity: interval,
      }),
    ),
    // Self-hosted deployments do not know them.
    ...(isManaged && { filterSettings: orNothing(filterSettings) }),
    orderByExpression: text,
    useTextIndexForImplicitColumn: isManaged ? textIndex.nullish() : textIndex.optional(),
  }

  const log = z.object({
    ...common,
    kind: z.literal('log'),
    defaultTableSelectExpression: needed('Default Select Expression is required'),
    severityTextExpression: text,
    bodyExpression: text,
    traceSourceId: text,
    traceIdExpression: text,
    spanIdExpression: text,
    tableFilterExpression: text,
    ...rows,
  })

  const trace = z.object({
    ...common,
    kind: z.literal('trace'),
    defaultTableSelectExpression: needed('Default Select Expression is required'),
    durationExpression: needed('Duration Expression is required'),
    durationPrecision: z.number().min(0).max(9).default(3),
    traceIdExpression: needed('Trace ID Expression is required'),
    spanIdExpression: needed('Span ID Expression is required'),
    parentSpanIdExpression: needed('Parent span ID expression is required'),
    spanNameExpression: needed('Span Name Expression is required'),
    spanKindExpression: needed('Span Kind Expression is required'),
    sampleRateExpression: text,
    logSourceId: z.string().nullish(),
    sessionSourceId: text,
    statusCodeExpression: text,
    statusMessageExpression: text,
    spanEventsValueExpression: text,
    spanLinksValueExpression: text,
    ...rows,
  })

  const session = z.object({
    ...common,
    kind: z.literal('session'),
    traceSourceId: z
      .string({ message: 'Correlated Trace Source is required' })
      .min(1, 'Correlated Trace Source is required'),
    resourceAttributesExpression: text,
  })

  const metric = z.object({
    ...common,
    kind: z.literal('metric'),
    from: z.object({ databaseName: needed('Database is required'), tableName: z.string() }),
    metricTables: z
      .object({ gauge: text, histogram: text, sum: text, summary: text, 'exponential histogram': text })
      .refine(tables => Object.values(tables).some(Boolean), 'At least one metric table must be specified'),
    resourceAttributesExpression: needed('Resource Attributes is required'),
    serviceNameExpression: text,
    logSourceId: text,
    seriesTable: text,
  })

  const promql = z.object({ ...common, kind: z.literal('promql') })
  return [log, trace, session, metric, promql] as const
}

export type SourceBody = Pick<Source, 'name' | 'kind' | 'connection' | 'from'> & Readonly<Record<string, unknown>>

const textIndex = enumeration(['auto', 'enabled', 'disabled'])

/** The body of a source; writing sources is of the newer edition only. */
export const sourceBody = perTerms(
  terms => z.discriminatedUnion('kind', schemasOf(terms)) as unknown as z.ZodType<SourceBody, z.ZodTypeDef, unknown>,
)

export const sourceProperties: ReadonlySet<string> = new Set([
  'id',
  ...schemasOf({ isManaged: true }).flatMap(({ shape }) => Object.keys(shape)),
])
