import { byocInfrastructure } from '../../../fixtures/contract/organization/byoc-infrastructure.ts'
import { regionsOf } from '../../../fixtures/contract/service/fields.ts'
import { conflict, Refusal } from '../../words/refusal.ts'
import { pick } from '../../world/record.ts'
import type { Handlers, Request } from '../family.ts'
import { answerObject, recordAt } from '../records.ts'
import { services } from '../service/model.ts'
import { type ByocInfrastructure, byocInfrastructures, lasts } from './model.ts'

export const models = [byocInfrastructures]

const present = (infrastructure: ByocInfrastructure) => pick(infrastructure, byocInfrastructure.fields)
const answer = (infrastructure: ByocInfrastructure) => answerObject(present(infrastructure))

/** What was removed is shown for a while, and is nothing to work with. */
function find(request: Request): ByocInfrastructure {
  const infrastructure = recordAt(request, byocInfrastructures, 'byocInfrastructureId')
  if (infrastructure.state === 'infra-terminated') throw new Refusal('unknownId', infrastructure.id)
  return infrastructure
}

type Region = ByocInfrastructure['regionId']
const providerOf = (region: Region) =>
  (['aws', 'gcp', 'azure'] as const).find(one => (regionsOf[one] as readonly Region[]).includes(region))!

export const handlers = {
  'byocInfrastructure.create': request => {
    const { regionId, accountId, displayName = accountId } = request.body
    const infrastructure: ByocInfrastructure = {
      id: request.world.newUuid(),
      state: 'infra-provisioning',
      accountName: accountId,
      regionId,
      cloudProvider: providerOf(regionId),
      displayName,
      changesAt: request.now + lasts.provisioning,
    }
    request.in(byocInfrastructures).create(infrastructure)
    return answer(infrastructure)
  },
  'byocInfrastructure.update': request => {
    const changed = { ...find(request), displayName: request.body.displayName }
    request.in(byocInfrastructures).replace(changed)
    return answer(changed)
  },
  'byocInfrastructure.delete': request => {
    const infrastructure = find(request)
    const used = request
      .in(services)
      .list()
      .find(one => one.byocId === infrastructure.id)
    if (used) throw conflict(`The service ${used.id} runs on it`)
    const changesAt = request.now + lasts.terminated
    request.in(byocInfrastructures).replace({ ...infrastructure, state: 'infra-terminated', changesAt })
    return { kind: 'deleted' }
  },
} as const satisfies Handlers
