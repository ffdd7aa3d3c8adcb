import { source } from '../../../fixtures/contract/source.ts'
import { presenterOf } from '../../fields/view.ts'
import { refused } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import type { BodyOf, HandlersOf, Request } from '../family.ts'
import { findRecord } from '../stack/find-record.ts'
import { idCheck } from '../stack/object-id.ts'
import { createWriter } from '../stack/serialise.ts'

const write = createWriter<Source>(presenterOf(source))
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
  'source.list': ({ stack, edition }) => ({ kind: 'list', json: write.all(stack.sources, edition) }),
  'source.create': request => {
    const { body } = request
    refuseBrokenConnection(body, request)
    const source = makeSource(body, request.world.newObjectId())
    request.stack.sources.create(source)
    return write.answer(source, request.edition)
  },
  'source.get': request => write.answer(findRecord(request, request.stack.sources, 'Source'), request.edition),
  'source.update': request => {
    const { body } = request
    const { sources } = request.stack
    refuseBrokenConnection(body, request)
    const { id } = findRecord(request, sources, 'Source')
    const source = makeSource(body, id)
    sources.replace(source)
    return write.answer(source, request.edition)
  },
  'source.delete': request => {
    const { sources } = request.stack
    sources.remove(findRecord(request, sources, 'Source').id)
    return { kind: 'deleted' }
  },
}
