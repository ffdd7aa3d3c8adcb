import { minute } from '../../words/durations.ts'
import { invalidAt, Refusal } from '../../words/refusal.ts'
import { createRandom, seedOf } from '../../world/random.ts'
import { answerObject, type Handlers, type Request } from '../family.ts'
import { services } from '../service/model.ts'
import { isOfDatabase } from './kind.ts'
import { refuseUnlessRunning } from './life.ts'
import { cdcScalings, clickPipes, isProvisioned } from './model.ts'

/** The common scaling of the database pipes of a service, which exists once one of them is provisioned. */
function find(request: Request) {
  if (request.list(clickPipes).some(pipe => isOfDatabase(pipe) && isProvisioned(pipe)))
    return request.in(cdcScalings).get('clickPipeCdcScaling')!
  throw new Refusal('unknownId', 'No database ClickPipe of the service is provisioned')
}

export const cdcScalingHandlers = {
  'clickPipeCdcScaling.get': request => {
    const { replicaCpuMillicores, replicaMemoryGb } = find(request)
    return answerObject({ replicaCpuMillicores, replicaMemoryGb })
  },
  'clickPipeCdcScaling.update': request => {
    refuseUnlessRunning('update', request.in(services).get(request.ids.serviceId!)?.state)
    const { asked: _, ...before } = find(request)
    const { replicaCpuMillicores, replicaMemoryGb } = request.body
    const wanted = (4 * replicaCpuMillicores) / 1000
    if (replicaMemoryGb !== wanted)
      throw invalidAt(['replicaMemoryGb'], `Expected ${wanted}, which is four for each core`, replicaMemoryGb)
    const asked = { replicaCpuMillicores, replicaMemoryGb }
    request.in(cdcScalings).replace({ ...before, asked, changesAt: request.now + minute })
    return answerObject(asked)
  },
} as const satisfies Handlers

export const contextHandlers = {
  'clickPipeContext.get': ({ ids }) => {
    // The same in every world, so that a captured service has the same principal.
    const account = createRandom(seedOf(0, 'pipes', ids.serviceId!)).hex(8)
    const principal = `ch-${account}@clickpipes-production.iam.gserviceaccount.com`
    return answerObject({ gcpWorkloadIdentity: { supported: true, ready: true, principal } })
  },
} as const satisfies Handlers
