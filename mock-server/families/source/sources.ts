import { refused, unknownId } from '../../words/refusal.ts'
import type { Source } from '../../words/resources.ts'
import type { Handler, Handlers, Request } from '../family.ts'
import { accept } from '../observability/accept.ts'
import { idCheck } from '../observability/object-id.ts'
import { createWriter } from '../observability/serialise.ts'
import { type SourceBody, sourceBody, sourceProperties } from './source-body.ts'

const write = createWriter<Source>(({ disabled, section, ...source }, edition) =>
  edition === '2.24' ? source : { ...source, section, disabled: disabled ?? false },
)

const answer = (source: Source, { edition }: Request) => ({ kind: 'object', json: write.one(source, edition) }) as const

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

const list: Handler = ({ stack, edition }) => ({ kind: 'list', json: write.all(stack.sources, edition) })

const create: Handler = request => {
  const { body } = accept(request, { body: sourceBody, properties: sourceProperties })
  refuseBrokenConnection(body, request)
  const source = makeSource(body, request.world.newObjectId())
  request.stack.sources.create(source)
  return answer(source, request)
}

const get: Handler = request => {
  const { id } = accept(request, { id: true })
  const source = request.stack.sources.get(id)
  if (!source) throw unknownId('Source')
  return answer(source, request)
}

const update: Handler = request => {
  const { body, id } = accept(request, { body: sourceBody, properties: sourceProperties, id: true })
  refuseBrokenConnection(body, request)
  if (!request.stack.sources.get(id)) throw unknownId('Source')
  const source = makeSource(body, id)
  request.stack.sources.replace(source)
  return answer(source, request)
}

const remove: Handler = request => {
  const { id } = accept(request, { id: true })
  if (!request.stack.sources.remove(id)) throw unknownId('Source')
  return { kind: 'deleted' }
}

export const handlers = {
  'source.list': list,
  'source.create': create,
  'source.get': get,
  'source.update': update,
  'source.delete': remove,
} as const satisfies Handlers
