import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { replicaAwareRouting } from '../../../fixtures/contract/service/replica-aware-routing.ts'
import { Refusal, refused } from '../../words/refusal.ts'
import type { Model } from '../../world/collection.ts'
import { recordWith } from '../../world/record.ts'
import type { Handlers } from '../family.ts'
import { organizations } from '../organization/model.ts'
import { answerObject } from '../records.ts'
import { services } from '../service/model.ts'

const name = 'replicaAwareRouting'

const routings: Model<ValuesOf<typeof replicaAwareRouting.fields>, typeof name> = {
  name,
  within: services,
  one: true,
  record: recordWith(replicaAwareRouting.fields),
  seed: () => [{ httpEnabled: false, nativeEnabled: false }],
}

export const models = [routings]

export const handlers = {
  'replicaAwareRouting.get': request => answerObject(request.in(routings).get(name)!),
  'replicaAwareRouting.update': request => {
    const { features = [] } = request.in(organizations).get(request.ids.organizationId!) ?? {}
    if (!features.includes('replica-aware-routing'))
      throw new Refusal('malformed', 'Replica-aware routing is not enabled for the organization', {
        gap: 'replicaAwareRouting/not-entitled',
      })
    if (Object.keys(request.body).length === 0) throw refused('request body: Expected httpEnabled or nativeEnabled')
    const changed = { ...request.in(routings).get(name)!, ...request.body }
    request.in(routings).replace(changed)
    return answerObject(changed)
  },
} as const satisfies Handlers
