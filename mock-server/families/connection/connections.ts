import type { Connection } from '../../words/resources.ts'
import type { Handlers, Request } from '../family.ts'
import { accept } from '../observability/accept.ts'
import { findRecord } from '../observability/find-record.ts'
import { createWriter } from '../observability/serialise.ts'
import { type ConnectionBody, changedConnection, newConnection } from './connection-body.ts'

const write = createWriter<Connection>(({ password, ...connection }) => connection)

/** An empty password keeps the former one; the other optional fields are kept when left out and cleared by an empty value. */
function mergeFields(body: ConnectionBody, before?: Connection) {
  const { name, host, username } = body
  const { hyperdxSettingPrefix = before?.hyperdxSettingPrefix, prometheusEndpoint = before?.prometheusEndpoint } = body
  return {
    ...{ name, host, username, password: body.password || before?.password || '' },
    ...(hyperdxSettingPrefix && { hyperdxSettingPrefix }),
    ...(prometheusEndpoint && { prometheusEndpoint }),
  }
}

const find = (request: Request, id?: string) => findRecord(request, request.stack.connections, 'Connection', id)

export const handlers = {
  'connection.list': ({ stack, edition }) => ({ kind: 'list', json: write.all(stack.connections, edition) }),
  'connection.create': request => {
    const { body } = accept(request, { body: newConnection })
    const createdAt = new Date(request.now).toISOString()
    const connection = { id: request.world.newObjectId(), ...mergeFields(body), createdAt, updatedAt: createdAt }
    request.stack.connections.create(connection)
    return write.answer(connection, request.edition)
  },
  'connection.get': request => write.answer(find(request), request.edition),
  'connection.update': request => {
    const { body, id } = accept(request, { body: changedConnection, id: true })
    const before = find(request, id)
    const { createdAt } = before
    const connection = { id, ...mergeFields(body, before), createdAt, updatedAt: new Date(request.now).toISOString() }
    request.stack.connections.replace(connection)
    return write.answer(connection, request.edition)
  },
  'connection.delete': request => {
    request.stack.connections.remove(find(request).id)
    return { kind: 'bare', json: '{}' }
  },
} as const satisfies Handlers
