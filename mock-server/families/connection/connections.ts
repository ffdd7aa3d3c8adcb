import { connection } from '../../../fixtures/contract/connection.ts'
import { presenterOf } from '../../fields/view.ts'
import type { BodyOf, Handlers, Request } from '../family.ts'
import { findRecord } from '../stack/find-record.ts'
import { createWriter } from '../stack/serialise.ts'
import type { Connection } from './model.ts'

const write = createWriter<Connection>(presenterOf(connection))

/** An empty password keeps the former one; the other optional fields are kept when left out and cleared by an empty value. */
function mergeFields(body: BodyOf<'connection.update'>, before?: Connection) {
  const { name, host, username } = body
  const { hyperdxSettingPrefix: prefix = before?.hyperdxSettingPrefix } = body
  const { isPrometheusEndpoint = before?.isPrometheusEndpoint } = body
  return {
    name,
    host,
    username,
    password: body.password || before?.password || '',
    ...(prefix && { hyperdxSettingPrefix: prefix }),
    ...(isPrometheusEndpoint !== undefined && { isPrometheusEndpoint }),
  }
}

const find = (request: Request) => findRecord(request, request.stack.connections, 'Connection')

export const handlers = {
  'connection.list': ({ stack, edition }) => ({ kind: 'list', json: write.all(stack.connections, edition) }),
  'connection.create': request => {
    const createdAt = new Date(request.now).toISOString()
    const id = request.world.newObjectId()
    const connection = { id, ...mergeFields(request.body), createdAt, updatedAt: createdAt }
    request.stack.connections.create(connection)
    return write.answer(connection, request.edition)
  },
  'connection.get': request => write.answer(find(request), request.edition),
  'connection.update': request => {
    const before = find(request)
    const { id, createdAt } = before
    const updatedAt = new Date(request.now).toISOString()
    const connection = { id, ...mergeFields(request.body, before), createdAt, updatedAt }
    request.stack.connections.replace(connection)
    return write.answer(connection, request.edition)
  },
  'connection.delete': request => {
    request.stack.connections.remove(find(request).id)
    return { kind: 'bare', json: '{}' }
  },
} as const satisfies Handlers
