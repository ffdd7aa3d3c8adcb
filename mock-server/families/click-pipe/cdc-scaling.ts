import type { cdcScaling } from '../../../fixtures/contract/click-pipe/scaling.ts'
import type { OperationId, ValuesOf } from '../../../fixtures/contract/index.ts'
import { invalid, Refusal } from '../../words/refusal.ts'
import type { Handler, Request } from '../family.ts'
import { services } from '../service/model.ts'
import { isOfDatabase } from './kind.ts'
import { refuseUnlessRunning } from './life.ts'
import { cdcScalings, clickPipes, isProvisioned } from './model.ts'

/** What the database pipes of a service run on together. There is none before the first of them is provisioned. */
function find(request: Request) {
  if (
    request
      .in(clickPipes)
      .list()
      .some(pipe => isOfDatabase(pipe) && isProvisioned(pipe))
  )
    return request.in(cdcScalings).get('clickPipeCdcScaling')!
  throw new Refusal('unknownId', 'No database ClickPipe of the service is provisioned')
}

const minute = 60_000

export const cdcScalingHandlers = {
  'clickPipeCdcScaling.get': request => {
    const { replicaCpuMillicores, replicaMemoryGb } = find(request)
    return { kind: 'object', json: JSON.stringify({ replicaCpuMillicores, replicaMemoryGb }) }
  },
  'clickPipeCdcScaling.update': request => {
    refuseUnlessRunning('update', request.in(services).get(request.ids.serviceId!)?.state)
    const { asked: _, ...before } = find(request)
    const { replicaCpuMillicores, replicaMemoryGb } = request.body as ValuesOf<typeof cdcScaling.fields>
    const wanted = (4 * replicaCpuMillicores) / 1000
    if (replicaMemoryGb !== wanted) {
      const says = `Expected ${wanted}, which is four for each core`
      throw invalid([{ part: 'Body', path: ['replicaMemoryGb'], says, received: replicaMemoryGb }])
    }
    const asked = { replicaCpuMillicores, replicaMemoryGb }
    request.in(cdcScalings).replace({ ...before, asked, changesAt: request.now + minute })
    return { kind: 'object', json: JSON.stringify(asked) }
  },
} as const satisfies Partial<Record<OperationId, Handler>>
