import type { Check } from '../../engine/check.ts'
import { listIn } from '../../engine/pages.ts'
import type { Step } from '../../engine/step.ts'
import { neverSucceeds } from '../../rules/observations.ts'
import { asking, call } from '../calls.ts'

const nowhere = 'cloud:serviceProfile-of-nowhere'
const list = call('serviceProfile.list')
const { operation: _, ...probe } = { ...list, name: nowhere, why: 'asks for the profiles of no region' }

export const checks = { 'serviceProfile/needs-a-place': neverSucceeds([nowhere]) } as const satisfies Record<
  string,
  Check
>

export const steps: readonly Step[] = [
  {
    ...list,
    phase: 1,
    from: ['cloud:service.list-before'],
    draft(past) {
      const [service] = listIn(past.exchange('cloud:service.list-before'), 'service') ?? []
      if (!service?.region) return { skip: 'no list shows a service with its region' }
      return asking(list, () => `region_id=${service.region}`).draft(past)
    },
  },
  probe,
]
