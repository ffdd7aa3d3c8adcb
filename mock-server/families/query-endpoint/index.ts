import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { serviceQueryEndpoint } from '../../../fixtures/contract/service/query-endpoint.ts'
import type { Faults } from '../../faults/fault.ts'
import { mistake } from '../../faults/rewrite.ts'
import { Refusal, refused } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { recordWith } from '../../world/record.ts'
import type { Handlers, Request } from '../family.ts'
import { keys } from '../key/model.ts'
import { answerObject } from '../records.ts'
import { services } from '../service/model.ts'

type QueryEndpoint = ValuesOf<typeof serviceQueryEndpoint.fields>

export const queryEndpoints: Model<QueryEndpoint, 'serviceQueryEndpoint'> = {
  name: 'serviceQueryEndpoint',
  within: services,
  one: true,
  record: recordWith(serviceQueryEndpoint.fields),
}
export const models = [queryEndpoints]

const stored = (request: Request) => request.in(queryEndpoints).get('serviceQueryEndpoint')
const none = () => new Refusal('unknownId', '')

export const handlers = {
  'serviceQueryEndpoint.get': request => {
    const endpoint = stored(request)
    if (!endpoint) throw none()
    return answerObject(endpoint)
  },
  'serviceQueryEndpoint.upsert': request => {
    const before = stored(request)
    const { roles = [], openApiKeys = [], allowedOrigins = '' } = request.body as Omit<QueryEndpoint, 'id'>
    const isForeign = (id: string) => request.in(keys).get(id)?.organizationId !== request.ids.organizationId
    const foreign = openApiKeys.find(isForeign)
    if (foreign !== undefined) throw refused(`OpenAPI key ${foreign} does not belong to the organization`)
    const endpoint = { id: before?.id ?? request.world.newUuid(), openApiKeys, roles, allowedOrigins }
    const all = request.in(queryEndpoints)
    if (before) all.replace(endpoint)
    else all.create(endpoint)
    return answerObject(endpoint)
  },
  'serviceQueryEndpoint.delete': request => {
    if (!request.in(queryEndpoints).remove('serviceQueryEndpoint')) throw none()
    return { kind: 'deleted' }
  },
} as const satisfies Handlers

export const faults = {
  'serviceQueryEndpoint/set-is-got': mistake('serviceQueryEndpoint.get', 'allowedOrigins', '*'),
} as const satisfies Faults
