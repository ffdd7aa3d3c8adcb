import type { Check } from '../engine/check.ts'
import { listIn } from '../engine/pages.ts'
import type { Step } from '../engine/step.ts'
import { asking, call, changesNothing, rewrite } from './calls.ts'

export const checks = {
  'organization/update-answers': changesNothing('organization'),
} as const satisfies Record<string, Check>

const endpoint = call('organizationPrivateEndpointConfig.get')

/** Asks for the region of the first service that is listed. */
const askForRegion: Step = {
  ...endpoint,
  phase: 1,
  from: ['cloud:service.list-before'],
  draft(past) {
    const [service] = listIn(past.exchange('cloud:service.list-before'), 'service') ?? []
    const { provider, region } = service ?? {}
    if (!provider || !region) return { skip: 'no list shows a service with its provider and region' }
    return asking(endpoint, () => `cloud_provider=${provider}&region_id=${region}`).draft(past)
  },
}

export const steps: readonly Step[] = [
  call('organization.list'),
  call('organization.get'),
  askForRegion,
  rewrite('organization.update', ({ name }) => ({ name })),
]
