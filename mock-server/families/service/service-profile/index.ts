import { region } from '../../../../fixtures/contract/service/fields.ts'
import type { Faults } from '../../../faults/fault.ts'
import { asGet, inCalls, succeeds } from '../../../faults/rewrite.ts'
import { invalidAt, Refusal } from '../../../words/refusal.ts'
import { answerList, type Handlers } from '../../family.ts'
import { byocInfrastructures } from '../../organization/byoc-infrastructure/index.ts'

/** The profiles (sizes of a replica) in regions of ClickHouse. The figures are invented. */
export const highMemoryProfiles = [
  { profile: 'v1-highmem-xs', cpuCores: 2, memoryGi: 16 },
  { profile: 'v1-highmem-s', cpuCores: 4, memoryGi: 32 },
  { profile: 'v1-highmem-m', cpuCores: 8, memoryGi: 64 },
  { profile: 'v1-highmem-l', cpuCores: 16, memoryGi: 128 },
  { profile: 'v1-highmem-xl', cpuCores: 32, memoryGi: 256 },
] as const

/** The profiles on infrastructure of the customer (BYOC). */
export const byocProfiles = [
  { profile: 'v1-standard-byoc-12', cpuCores: 12, memoryGi: 48 },
  { profile: 'v1-standard-byoc-29', cpuCores: 29, memoryGi: 116 },
  { profile: 'v1-standard-byoc-43', cpuCores: 43, memoryGi: 172 },
  { profile: 'v1-standard-byoc-58', cpuCores: 58, memoryGi: 232 },
] as const

const invalidQuery = (name: string, sentence: string, received?: string) =>
  invalidAt([name], sentence, received, 'Query')

const regions: readonly string[] = region.values

export const handlers = {
  'serviceProfile.list': request => {
    const regionId = request.query.get('region_id') ?? undefined
    const byocId = request.query.get('byoc_id') ?? undefined
    if (byocId !== undefined) {
      const infrastructure = request.in(byocInfrastructures).get(byocId.toLowerCase())
      if (!infrastructure) throw new Refusal('unknownId', byocId)
      if (regionId !== undefined && regionId !== infrastructure.regionId)
        throw invalidQuery(
          'region_id',
          `Expected ${infrastructure.regionId}, the region of the infrastructure`,
          regionId,
        )
      return answerList(byocProfiles)
    }
    if (regionId === undefined) throw invalidQuery('region_id', 'Required without byoc_id')
    if (!regions.includes(regionId)) throw invalidQuery('region_id', `Expected one of ${regions.join(', ')}`, regionId)
    return answerList(highMemoryProfiles)
  },
} as const satisfies Handlers

export const faults = {
  'serviceProfile/needs-a-place': () => async (call, next, context) => {
    const answer = await next(call)
    if (context.operation !== 'serviceProfile.list' || succeeds(answer)) return answer
    return next({ ...call, query: `region_id=${regions[0]}` })
  },
  // The suite sends a profile that is not listed: answers a list, which succeeds, instead of the refusal.
  'serviceProfile/unlisted-is-refused': inCalls('service.create', call =>
    call.body.includes('v1-of-nobody') ? asGet(call) : call,
  ),
} as const satisfies Faults
