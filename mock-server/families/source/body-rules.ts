import type { BodyRules } from '../../fields/judge.ts'
import { sentencesOf, typeOfEnumeration, writeSentence } from '../../fields/sentences.ts'

const usual = sentencesOf('selfHosted', '2.36')
const traceSource = 'Correlated Trace Source is required'
const view = (what: string) => `Materialized View ${what} is required`

/** The sentences of deployments for sources, which are written in the newer edition only. */
export const sourceRules: BodyRules = {
  sentences: {
    'name least': 'Name is required',
    'connection least': 'Server Connection is required',
    'from.databaseName least': 'Database is required',
    'from.tableName least': 'Table is required',
    'timestampValueExpression least': 'Timestamp Column is required',
    'defaultTableSelectExpression least': 'Default Select Expression is required',
    'durationExpression least': 'Duration Expression is required',
    'traceIdExpression least': 'Trace ID Expression is required',
    'spanIdExpression least': 'Span ID Expression is required',
    'parentSpanIdExpression least': 'Parent span ID expression is required',
    'spanNameExpression least': 'Span Name Expression is required',
    'spanKindExpression least': 'Span Kind Expression is required',
    'resourceAttributesExpression least': 'Resource Attributes is required',
    'traceSourceId required': traceSource,
    'traceSourceId least': traceSource,
    // Only sessions need it.
    'traceSourceId type': (field, value) => (field.least ? traceSource : writeSentence(usual.type, field, value)),
    'useTextIndexForImplicitColumn type': typeOfEnumeration,
    'highlightedTraceAttributeExpressions.sqlExpression least': 'Attribute SQL Expression is required',
    'highlightedRowAttributeExpressions.sqlExpression least': 'Attribute SQL Expression is required',
    'materializedViews.databaseName least': view('Database'),
    'materializedViews.tableName least': view('Table'),
    'materializedViews.timestampColumn least': view('Timestamp column'),
    'materializedViews.aggregatedColumns least': 'At least one aggregated column is required',
    'materializedViews.aggregatedColumns.mvColumn least': view('Column'),
    'metadataMaterializedViews.kvRollupTable least': 'KV rollup table name is required',
    'filterSettings.databaseName least': 'Database is required',
    'filterSettings.tableName least': 'Table is required',
  },
  checks: {
    metricTables: (tables: object, complain) => {
      if (!Object.values(tables).some(Boolean)) complain('At least one metric table must be specified')
    },
    'materializedViews.aggregatedColumns': (column, complain) => {
      if (Array.isArray(column)) return
      if (column.aggFn !== 'count' && !column.sourceColumn) complain(view('Source Column'))
    },
  },
}
