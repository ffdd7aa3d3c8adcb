import { region } from '../../../../fixtures/contract/service/fields.ts'
import type { Faults } from '../../../faults/fault.ts'
import { asGet, inCalls, succeeds } from '../../../faults/rewrite.ts'
import { invalidAt, Refusal } from '../../../words/refusal.ts'
import { answerList, type Handlers } from '../../family.ts'
import { byocInfrastructures } from '../../organization/byoc-infrastructure/index.ts'

/** What replicas can run on: cores and gigabytes of memory. The figures are the mock's. */
export const highMemory = [
  { profile: 'v1-highmem-xs', cpuCores: 2, memoryGi: 16 },
  { profile: 'v1-highmem-s', cpuCores: 4, memoryGi: 32 },
  { profile: 'v1-highmem-m', cpuCores: 8, memoryGi: 64 },
  { profile: 'v1-highmem-l', cpuCores: 16, memoryGi: 128 },
  { profile: 'v1-highmem-xl', cpuCores: 32, memoryGi: 256 },
] as const

/** Those of infrastructure of the customer, whose sizes are fixed. */
export const ofCustomers = [
  { profile: 'v1-standard-byoc-12', cpuCores: 12, memoryGi: 48 },
  { profile: 'v1-standard-byoc-29', cpuCores: 29, memoryGi: 116 },
  { profile: 'v1-standard-byoc-43', cpuCores: 43, memoryGi: 172 },
  { profile: 'v1-standard-byoc-58', cpuCores: 58, memoryGi: 232 },
] as const

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
  'serviceProfile/unlisted-is-refused': inCalls('service.create', call =>
    call.body.includes('v1-of-nobody') ? asGet(call) : call,
  ),
} as const satisfies Faults
