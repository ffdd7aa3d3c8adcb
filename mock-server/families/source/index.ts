import { source } from '../../../fixtures/contract/source.ts'
import { presenterOf } from '../../fields/view.ts'
import { refused } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import type { BodyOf, Family, HandlersOf, Request } from '../family.ts'
import { idCheck, serveDocuments } from '../stack/documents.ts'
import { sourceRules } from './body-rules.ts'
import { sources } from './model.ts'

export const models = [sources]
export const bodies: Family['bodies'] = { source: sourceRules }

const present = presenterOf(source)
const { find, get, list, create, replace, remove } = serveDocuments(sources, 'Source', (record, { edition }) =>
  present(record, edition),
)
type SourceBody = BodyOf<'source.create'>

/**
 * A source from an accepted body: lists that were left out are empty, and intervals are short. The vendor's document has no
 * null that fits an answer where a whole object is null.
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
