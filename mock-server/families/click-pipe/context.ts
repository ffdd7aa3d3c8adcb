import { createRandom, seedOf } from '../../world/random.ts'
import { answerObject, type Handlers } from '../family.ts'

export const contextHandlers = {
  'clickPipeContext.get': ({ ids }) => {
    // The same in every world, so that a captured service signs in as before.
    const account = createRandom(seedOf(0, 'pipes', ids.serviceId!)).hex(8)
    const principal = `ch-${account}@clickpipes-production.iam.gserviceaccount.com`
    return answerObject({ gcpWorkloadIdentity: { supported: true, ready: true, principal } })
  },
} as const satisfies Handlers
