import { region } from '../../../../fixtures/contract/service/fields.ts'
import type { Faults } from '../../../faults/fault.ts'
import { succeeds } from '../../../faults/rewrite.ts'
import { invalidAt, Refusal } from '../../../words/refusal.ts'
import { answerList, type Handlers } from '../../family.ts'
import { byocInfrastructures } from '../../organization/byoc-infrastructure/model.ts'
import { highMemory, ofCustomers } from './profiles.ts'

const refuse = (name: string, sentence: string, received?: string) => invalidAt([name], sentence, received, 'Query')

const regions: readonly string[] = region.values

export const handlers = {
  'serviceProfile.list': request => {
    const regionId = request.query.get('region_id') ?? undefined
    const byocId = request.query.get('byoc_id') ?? undefined
    if (byocId !== undefined) {
      const infrastructure = request.in(byocInfrastructures).get(byocId.toLowerCase())
      if (!infrastructure) throw new Refusal('unknownId', byocId)
      if (regionId !== undefined && regionId !== infrastructure.regionId)
        throw refuse('region_id', `Expected ${infrastructure.regionId}, the region of the infrastructure`, regionId)
      return answerList(ofCustomers)
    }
    if (regionId === undefined) throw refuse('region_id', 'Required without byoc_id')
    if (!regions.includes(regionId)) throw refuse('region_id', `Expected one of ${regions.join(', ')}`, regionId)
    return answerList(highMemory)
  },
} as const satisfies Handlers

export const faults = {
  'serviceProfile/needs-a-place': () => async (call, next, context) => {
    const answer = await next(call)
    if (context.operation !== 'serviceProfile.list' || succeeds(answer)) return answer
    return next({ ...call, query: `region_id=${regions[0]}` })
  },
  'serviceProfile/unlisted-is-refused': () => async (call, next, context) => {
    const isUnlisted = context.operation === 'service.create' && call.body.includes('v1-of-nobody')
    return next(isUnlisted ? { ...call, method: 'GET', body: '' } : call)
  },
} as const satisfies Faults
