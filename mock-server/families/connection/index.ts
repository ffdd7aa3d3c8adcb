import { connection } from '../../../fixtures/contract/connection.ts'
import type { ObjectOf } from '../../../fixtures/contract/index.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongField } from '../../faults/rewrite.ts'
import { invalidInput } from '../../fields/sentences.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import type { BodyOf, Family, Handlers } from '../family.ts'
import { idAndTimes, serveDocuments } from '../stack/documents.ts'
import { planStack } from '../stack/stack-plan.ts'

export type Connection = ObjectOf<typeof connection, 'record'>

export const connections: Model<Connection, 'connection'> = {
  name: 'connection',
  within: 'stack',
  isNumerous: true,
  namedBy: ['connection'],
  inEmptyWorld: () => true,
  record: recordSchema(connection.fields),
  secrets: ['password'],
  seed: (stackId, from) => planStack(stackId, from).connections,
}

export const models = [connections]
export const bodies: Family['bodies'] = {
  connectionReplacement: { sentences: { 'hyperdxSettingPrefix type': invalidInput } },
}

const { find, get, list, create, replace } = serveDocuments(connections, 'Connection', connection)

/** An empty password and omitted fields keep the former values; an empty `hyperdxSettingPrefix` is removed. */
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

export const handlers = {
  'connection.list': list,
  'connection.create': request => create(request, { ...mergeFields(request.body), ...idAndTimes(request) }),
  'connection.get': get,
  'connection.update': request => {
    const before = find(request)
    return replace(request, { ...mergeFields(request.body, before), ...idAndTimes(request, before) })
  },
  'connection.delete': request => {
    request.in(connections).remove(find(request).id)
    return { kind: 'bare', json: '{}' }
  },
} as const satisfies Handlers

export const faults = {
  'connection/whole-is-kept': wrongField('connection.get', 'hyperdxSettingPrefix', 'another'),
} as const satisfies Faults
