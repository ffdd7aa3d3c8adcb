import { unknownId } from '../../words/refusal.ts'
import type { Connection } from '../../words/resources.ts'
import type { Handler, Handlers, Request } from '../family.ts'
import { accept } from '../observability/accept.ts'
import { createWriter } from '../observability/serialise.ts'
import { type ConnectionBody, changedConnection, newConnection } from './connection-body.ts'

const write = createWriter<Connection>(({ password, ...connection }) => connection)

const answer = (connection: Connection, { edition }: Request) =>
  ({ kind: 'object', json: write.one(connection, edition) }) as const

const list: Handler = ({ stack, edition }) => ({ kind: 'list', json: write.all(stack.connections, edition) })

const create: Handler = request => {
  const { body } = accept(request, { body: newConnection })
  const createdAt = new Date(request.now).toISOString()
  const connection = { id: request.world.newObjectId(), ...mergeFields(body), createdAt, updatedAt: createdAt }
  request.stack.connections.create(connection)
  return answer(connection, request)
}

const find = (request: Request, id: string) => {
  const connection = request.stack.connections.get(id)
  if (!connection) throw unknownId('Connection')
  return connection
}

const get: Handler = request => answer(find(request, accept(request, { id: true }).id), request)

const update: Handler = request => {
  const { body, id } = accept(request, { body: changedConnection, id: true })
  const before = find(request, id)
  const { createdAt } = before
  const connection = { id, ...mergeFields(body, before), createdAt, updatedAt: new Date(request.now).toISOString() }
  request.stack.connections.replace(connection)
  return answer(connection, request)
}

/** An empty password keeps the former one; the other optional fields are kept when left out and cleared by an empty value. */
function mergeFields(body: ConnectionBody, before?: Connection) {
  const { name, host, username } = body
  const { hyperdxSettingPrefix = before?.hyperdxSettingPrefix, prometheusEndpoint = before?.prometheusEndpoint } = body
  return {
    name,
    host,
    username,
    password: body.password || before?.password || '',
    ...(hyperdxSettingPrefix && { hyperdxSettingPrefix }),
    ...(prometheusEndpoint && { prometheusEndpoint }),
  }
}

const remove: Handler = request => {
  const { id } = accept(request, { id: true })
  find(request, id)
  request.stack.connections.remove(id)
  return { kind: 'bare', json: '{}' }
}

export const handlers = {
  'connection.list': list,
  'connection.create': create,
  'connection.get': get,
  'connection.update': update,
  'connection.delete': remove,
} as const satisfies Handlers
