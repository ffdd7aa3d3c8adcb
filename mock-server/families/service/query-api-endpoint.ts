import type { Fields, ValuesOf } from '../../../fixtures/contract/index.ts'
import { listedQueryApiEndpoint, queryApiEndpoint } from '../../../fixtures/contract/service/query-api-endpoint.ts'
import type { Faults } from '../../faults/fault.ts'
import { answerWithoutWriting } from '../../faults/rewrite.ts'
import { conflict, refused } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { pick, recordSchema } from '../../world/record.ts'
import { type BodyOf, type Handlers, type Request, serve } from '../family.ts'
import { keys } from '../key/model.ts'
import { services } from './model.ts'

const { url: _, ...recordFields } = queryApiEndpoint.fields

type QueryApiEndpoint = ValuesOf<typeof recordFields, 'record'>

const sample = {
  name: 'Orders of today',
  sql: 'SELECT count() FROM orders WHERE day = today() AND shop = {shop:String}',
  database: 'default',
  parameters: { shop: 'berlin' },
  roles: ['sql_console_read_only'],
  allowedOrigins: [],
} as const

export const queryApiEndpoints: Model<QueryApiEndpoint, 'queryApiEndpoint'> = {
  name: 'queryApiEndpoint',
  within: services,
  record: recordSchema(recordFields),
  /** A query that a user made in the console. */
  *seed(serviceId, { seed, world, isNew }) {
    const [key] = world.list(keys)
    if (isNew || !key) return
    const id = createRandom(seedOf(seed, 'query API endpoints', serviceId)).uuid()
    yield { ...sample, id, apiKeyIds: [key.id], ownerType: 'user' }
  },
  defaults: (_place, _at, world) => ({ ...sample, id: world.newUuid(), apiKeyIds: [], ownerType: 'queryApiEndpoint' }),
}

export const models = [queryApiEndpoints]

const presentWith =
  (fields: Fields) =>
  (endpoint: QueryApiEndpoint, { origin }: Request) =>
    pick({ ...endpoint, url: `${origin}/run/${endpoint.id}` }, fields)
const { find, get, create, replace, remove } = serve(queryApiEndpoints, presentWith(queryApiEndpoint.fields))

function findOwn(request: Request): QueryApiEndpoint {
  const endpoint = find(request)
  if (endpoint.ownerType === 'user') throw conflict('The query belongs to a user and can not be managed via this API')
  return endpoint
}

function readEndpoint(request: Request, body: BodyOf<'queryApiEndpoint.create'>, id: string): QueryApiEndpoint {
  const { organizationId } = request.ids
  const wrongId = body.apiKeyIds.find(one => request.in(keys).get(one.toLowerCase())?.organizationId !== organizationId)
  if (wrongId !== undefined) throw refused(`OpenAPI key ${wrongId} does not belong to the organization`)
  return { id, parameters: {}, allowedOrigins: [], ...body, ownerType: 'queryApiEndpoint' }
}

export const handlers = {
  'queryApiEndpoint.list': serve(queryApiEndpoints, presentWith(listedQueryApiEndpoint.fields)).list,
  'queryApiEndpoint.create': request => create(request, readEndpoint(request, request.body, request.world.newUuid())),
  'queryApiEndpoint.get': get,
  'queryApiEndpoint.update': request => replace(request, readEndpoint(request, request.body, findOwn(request).id)),
  'queryApiEndpoint.delete': request => remove(request, findOwn(request)),
} as const satisfies Handlers

export const faults = {
  'queryApiEndpoint/user-owned-stays': () => async (call, next, context) => {
    const answer = await next(call)
    return context.operation === 'queryApiEndpoint.delete' && answer.status === 409
      ? answerWithoutWriting(call, next)
      : answer
  },
} as const satisfies Faults
