import type { BodyRules } from '../../fields/judge.ts'
import { sentencesOf, typeOfEnumeration, writeSentence } from '../../fields/sentences.ts'

const usual = sentencesOf('selfHosted', '2.36')
const traceSource = 'Correlated Trace Source is required'
const view = (what: string) => `Materialized View ${what} is required`

/** The sentences of deployments for sources, which are written in the newer edition only. */
export const sourceRules: BodyRules = {
  sentences: {
    'name min': 'Name is required',
    'connection min': 'Server Connection is required',
    'from.databaseName min': 'Database is required',
    'from.tableName min': 'Table is required',
    'timestampValueExpression min': 'Timestamp Column is required',
    'defaultTableSelectExpression min': 'Default Select Expression is required',
    'durationExpression min': 'Duration Expression is required',
    'traceIdExpression min': 'Trace ID Expression is required',
    'spanIdExpression min': 'Span ID Expression is required',
    'parentSpanIdExpression min': 'Parent span ID expression is required',
    'spanNameExpression min': 'Span Name Expression is required',
    'spanKindExpression min': 'Span Kind Expression is required',
    'resourceAttributesExpression min': 'Resource Attributes is required',
    'traceSourceId required': traceSource,
    'traceSourceId min': traceSource,
    // Only sessions need it.
    'traceSourceId type': (field, value) => (field.min ? traceSource : writeSentence(usual.type, field, value)),
    'useTextIndexForImplicitColumn type': typeOfEnumeration,
    'highlightedTraceAttributeExpressions.sqlExpression min': 'Attribute SQL Expression is required',
    'highlightedRowAttributeExpressions.sqlExpression min': 'Attribute SQL Expression is required',
    'materializedViews.databaseName min': view('Database'),
    'materializedViews.tableName min': view('Table'),
    'materializedViews.timestampColumn min': view('Timestamp column'),
    'materializedViews.aggregatedColumns min': 'At least one aggregated column is required',
    'materializedViews.aggregatedColumns.mvColumn min': view('Column'),
    'metadataMaterializedViews.kvRollupTable min': 'KV rollup table name is required',
    'filterSettings.databaseName min': 'Database is required',
    'filterSettings.tableName min': 'Table is required',
  },
  checks: {
    metricTables: (tables: object, reportIssue) => {
      if (!Object.values(tables).some(Boolean)) reportIssue('At least one metric table must be specified')
    },
    'materializedViews.aggregatedColumns': (column, reportIssue) => {
      if (Array.isArray(column)) return
      if (column.aggFn !== 'count' && !column.sourceColumn) reportIssue(view('Source Column'))
    },
  },
}
