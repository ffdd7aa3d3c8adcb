import type { Check } from '../../engine/check.ts'
import { listIn } from '../../engine/pages.ts'
import { neverSucceeds } from '../../rules/steps.ts'
import { visit } from '../../visits/visit.ts'

export const { steps, lines } = visit('cloud', 'service profile', run => {
  const services = 'cloud:service.list-before'
  run.call('serviceProfile.list', {
    from: [services],
    query: context => {
      const [service] = listIn(context.exchange(services), 'service') ?? []
      return service?.region ? { region_id: String(service.region) } : undefined
    },
    skipReason: 'no list shows a service with its region',
  })
  return {
    unlisted: run.call('service.create', {
      name: 'service.with-unlisted-profile',
      why: 'creates a service with a profile that is not listed',
      notJudgedByOperation: true,
      mockOnly: 'a deployment that creates the service would charge for it',
      body: { name: 'Shop', provider: 'aws', region: 'us-east-1', ipAccessList: [], profile: 'v1-of-nobody' },
    }),
    nowhere: run.call('serviceProfile.list', {
      name: 'serviceProfile.without-region',
      why: 'asks for profiles without naming a region',
      notJudgedByOperation: true,
    }),
  }
})

export const checks = {
  'serviceProfile/needs-a-place': neverSucceeds([lines.nowhere]),
  'serviceProfile/unlisted-is-refused': neverSucceeds([lines.unlisted]),
} as const satisfies Record<string, Check>
