import type { Fields } from '../../../fixtures/contract/index.ts'
import { source } from '../../../fixtures/contract/source.ts'
import type { BodyRules } from '../../fields/judge.ts'
import { sentencesOf, typeOfEnumeration, writeSentence } from '../../fields/sentences.ts'
import { presenterOf } from '../../fields/view.ts'
import { refused } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import type { BodyOf, Family, HandlersOf, Request } from '../family.ts'
import { idCheck, serveDocuments } from '../stack/documents.ts'
import { planStack } from '../stack/stack-plan.ts'

export const sources: Model<Source, 'source'> = {
  name: 'source',
  within: 'stack',
  isNumerous: true,
  inEmptyWorld: () => true,
  record: recordSchema(source.fields, {}, source.oneOf),
  seed: (stackId, from) => planStack(stackId, from).sources,
}

const sentences = sentencesOf('selfHosted', '2.36')
const traceSource = 'Correlated Trace Source is required'
const requireOfView = (what: string) => `Materialized View ${what} is required`

/** The sentences of deployments for sources. Only the newer edition can create and update sources. */
const sourceRules: BodyRules = {
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
    // Only sessions require it.
    'traceSourceId type': (field, value) => (field.min ? traceSource : writeSentence(sentences.type, field, value)),
    'useTextIndexForImplicitColumn type': typeOfEnumeration,
    'highlightedTraceAttributeExpressions.sqlExpression min': 'Attribute SQL Expression is required',
    'highlightedRowAttributeExpressions.sqlExpression min': 'Attribute SQL Expression is required',
    'materializedViews.databaseName min': requireOfView('Database'),
    'materializedViews.tableName min': requireOfView('Table'),
    'materializedViews.timestampColumn min': requireOfView('Timestamp column'),
    'materializedViews.aggregatedColumns min': 'At least one aggregated column is required',
    'materializedViews.aggregatedColumns.mvColumn min': requireOfView('Column'),
    'metadataMaterializedViews.kvRollupTable min': 'KV rollup table name is required',
    'filterSettings.databaseName min': 'Database is required',
    'filterSettings.tableName min': 'Table is required',
  },
  checks: {
    metricTables: (tables: object, reportIssue) => {
      if (!Object.values(tables).some(Boolean)) reportIssue('At least one metric table must be specified')
    },
    // Called for the list, and for each column.
    'materializedViews.aggregatedColumns': (column, reportIssue) => {
      if (Array.isArray(column)) return
      if (column.aggFn !== 'count' && !column.sourceColumn) reportIssue(requireOfView('Source Column'))
    },
  },
}

export const models = [sources]
export const bodies: Family['bodies'] = { source: sourceRules }

const presentOwn = presenterOf(source)
/** The optional expressions of the vendor's document, by the kind of the source. */
const expressions: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(source.oneOf.variants as Readonly<Record<string, Fields>>).map(([kind, fields]) => [
    kind,
    Object.keys(fields).filter(name => {
      const { optional, basis } = fields[name]!
      return name.endsWith('Expression') && optional && basis !== 'observed'
    }),
  ]),
)

const answersEmpty = ({ form, choice }: Request) => form === 'managed' && choice('source/unset-expressions') === 'empty'
const { find, get, list, create, replace, remove } = serveDocuments(
  sources,
  'Source',
  (record, request) => {
    const shown = presentOwn(record, request.edition)
    if (!answersEmpty(request)) return shown
    const filled: Record<string, unknown> = { ...shown }
    for (const name of expressions[record.kind] ?? []) filled[name] ??= ''
    return filled
  },
  request => (answersEmpty(request) ? `${request.edition} empty` : request.edition),
)
type SourceBody = BodyOf<'source.create'>

/**
 * Makes a source from an accepted body: lists that were left out are empty, and intervals are short. Objects that are null
 * are left out, because the vendor's document does not allow null for them in answers.
 */
function makeSource(body: SourceBody, id: string): Source {
  if (body.kind !== 'log' && body.kind !== 'trace')
    return { querySettings: [], ...body, disabled: body.disabled ?? false, id }
  const { metadataMaterializedViews: metadata, filterSettings } = body
  return {
    querySettings: [],
    highlightedTraceAttributeExpressions: [],
    highlightedRowAttributeExpressions: [],
    ...body,
    materializedViews: (body.materializedViews ?? []).map(view => ({
      ...view,
      minGranularity: shorten(view.minGranularity),
    })),
    metadataMaterializedViews: metadata ? { ...metadata, granularity: shorten(metadata.granularity) } : undefined,
    filterSettings: filterSettings ?? undefined,
    disabled: body.disabled ?? false,
    id,
  }
}

/** `15 minute` becomes `15m`. */
const shorten = (interval: string) => interval.replace(/ (.).*/, '$1')

function refuseBrokenConnection({ connection }: SourceBody, request: Request) {
  if (!idCheck(request)(connection)) throw refused('connection must be a valid connection id')
  if (!request.stack.connections.get(connection.toLowerCase())) {
    throw refused('connection must be an existing connection id')
  }
}

export const handlers: HandlersOf<'source'> = {
  'source.list': list,
  'source.create': request => {
    refuseBrokenConnection(request.body, request)
    return create(request, makeSource(request.body, request.world.newObjectId()))
  },
  'source.get': get,
  'source.update': request => {
    refuseBrokenConnection(request.body, request)
    return replace(request, makeSource(request.body, find(request).id))
  },
  'source.delete': request => remove(request, find(request)),
}
