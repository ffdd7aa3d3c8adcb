import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { serviceQueryEndpoint } from '../../../fixtures/contract/service/query-endpoint.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongField } from '../../faults/rewrite.ts'
import { Refusal, refused } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { recordSchema } from '../../world/record.ts'
import { answerObject, type Handlers, put, recordAt, serve } from '../family.ts'
import { keys } from '../key/model.ts'
import { serviceOf, services } from './model.ts'

type QueryEndpoint = ValuesOf<typeof serviceQueryEndpoint.fields, 'record'>

export const queryEndpoints: Model<QueryEndpoint, 'serviceQueryEndpoint'> = {
  name: 'serviceQueryEndpoint',
  within: services,
  isSingleton: true,
  record: recordSchema(serviceQueryEndpoint.fields),
  *seed(serviceId, { seed, world, isNew }) {
    const [key] = world.list(keys)
    if (isNew || !key || serviceOf(world, serviceId)?.isPrimary !== true) return
    const id = createRandom(seedOf(seed, 'query endpoint', serviceId)).uuid()
    yield { id, openApiKeys: [key.id], roles: ['sql_console_read_only'], allowedOrigins: '' }
  },
}
export const models = [queryEndpoints]

const { find, get, remove } = serve(queryEndpoints, serviceQueryEndpoint.fields)

export const handlers = {
  'serviceQueryEndpoint.get': get,
  'serviceQueryEndpoint.upsert': request => {
    const isProvisioning = recordAt(request, services).state === 'provisioning'
    if (isProvisioning && request.decide('serviceQueryEndpoint/while-provisioning') === '500')
      throw new Refusal('failed', 'Internal error', { gap: 'serviceQueryEndpoint/while-provisioning' })
    const all = request.in(queryEndpoints)
    const { roles = [], openApiKeys = [], allowedOrigins = '' } = request.body as Omit<QueryEndpoint, 'id'>
    const isForeign = (id: string) => request.in(keys).get(id)?.organizationId !== request.ids.organizationId
    const wrongId = openApiKeys.find(isForeign)
    if (wrongId !== undefined) throw refused(`OpenAPI key ${wrongId} does not belong to the organization`)
    const { id = request.world.newUuid() } = all.get('serviceQueryEndpoint') ?? {}
    const endpoint = { id, openApiKeys, roles, allowedOrigins }
    put(all, queryEndpoints, endpoint)
    return answerObject(endpoint)
  },
  'serviceQueryEndpoint.delete': request => remove(request, find(request)),
} as const satisfies Handlers

export const faults = {
  'serviceQueryEndpoint/set-is-got': wrongField('serviceQueryEndpoint.get', 'allowedOrigins', '*'),
} as const satisfies Faults
