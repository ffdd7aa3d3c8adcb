import { refused } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import type { Handlers, Request } from '../family.ts'
import { accept } from '../observability/accept.ts'
import { findRecord } from '../observability/find-record.ts'
import { idCheck } from '../observability/object-id.ts'
import { createWriter } from '../observability/serialise.ts'
import { type SourceBody, sourceBody, sourceProperties } from './source-body.ts'

const write = createWriter<Source>(({ disabled, section, ...source }, edition) =>
  edition === '2.24' ? source : { ...source, section, disabled: disabled ?? false },
)

/** A source from an accepted body: lists that were left out are empty. */
function makeSource(body: SourceBody, id: string): Source {
  const hasRows = body.kind === 'log' || body.kind === 'trace'
  const rows = {
    highlightedTraceAttributeExpressions: [],
    highlightedRowAttributeExpressions: [],
    materializedViews: [],
  }
  return { querySettings: [], ...(hasRows && rows), ...body, id }
}

function refuseBrokenConnection({ connection }: SourceBody, request: Request) {
  if (!idCheck(request)(connection)) throw refused('connection must be a valid connection id')
  if (!request.stack.connections.get(connection.toLowerCase())) {
    throw refused('connection must be an existing connection id')
  }
}

export const handlers = {
  'source.list': ({ stack, edition }) => ({ kind: 'list', json: write.all(stack.sources, edition) }),
  'source.create': request => {
    const { body } = accept(request, { body: sourceBody, properties: sourceProperties })
    refuseBrokenConnection(body, request)
    const source = makeSource(body, request.world.newObjectId())
    request.stack.sources.create(source)
    return write.answer(source, request.edition)
  },
  'source.get': request => write.answer(findRecord(request, request.stack.sources, 'Source'), request.edition),
  'source.update': request => {
    const { body, id } = accept(request, { body: sourceBody, properties: sourceProperties, id: true })
    const { sources } = request.stack
    refuseBrokenConnection(body, request)
    findRecord(request, sources, 'Source', id)
    const source = makeSource(body, id)
    sources.replace(source)
    return write.answer(source, request.edition)
  },
  'source.delete': request => {
    const { sources } = request.stack
    sources.remove(findRecord(request, sources, 'Source').id)
    return { kind: 'deleted' }
  },
} as const satisfies Handlers
