import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { replicaAwareRouting } from '../../../fixtures/contract/service/replica-aware-routing.ts'
import { Refusal, refused } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { recordSchema } from '../../world/record.ts'
import { type Handlers, serve } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { services } from './model.ts'

const routings: Model<ValuesOf<typeof replicaAwareRouting.fields>, 'replicaAwareRouting'> = {
  name: 'replicaAwareRouting',
  within: services,
  isSingleton: true,
  record: recordSchema(replicaAwareRouting.fields),
  seed: () => [{ httpEnabled: false, nativeEnabled: false }],
}

export const models = [routings]
const { find, get, replace } = serve(routings, replicaAwareRouting.fields)

export const handlers = {
  'replicaAwareRouting.get': get,
  'replicaAwareRouting.update': request => {
    const { features = [] } = request.in(organizations).get(request.ids.organizationId!) ?? {}
    if (!features.includes('replica-aware-routing'))
      throw new Refusal('malformed', 'Replica-aware routing is not enabled for the organization', {
        gap: 'replicaAwareRouting/not-entitled',
      })
    if (Object.keys(request.body).length === 0) throw refused('request body: Expected httpEnabled or nativeEnabled')
    return replace(request, { ...find(request), ...request.body })
  },
} as const satisfies Handlers
