import type { Check } from '../../engine/check.ts'
import { listIn } from '../../engine/pages.ts'
import { visit } from '../../visits/visit.ts'
import { changesNothing, sendUnchanged } from '../calls.ts'

export const checks = {
  'organization/update-answers': changesNothing('organization'),
} as const satisfies Record<string, Check>

export const { steps } = visit('cloud', 'organization', run => {
  const got = run.call('organization.get')
  run.call('organizationPrivateEndpointConfig.get', {
    from: ['cloud:service.list-before'],
    query: context => {
      const [service] = listIn(context.exchange('cloud:service.list-before'), 'service') ?? []
      const { provider, region } = service ?? {}
      return provider && region ? { cloud_provider: String(provider), region_id: String(region) } : undefined
    },
    skipReason: 'no list shows a service with its provider and region',
  })
  sendUnchanged(run, 'organization.update', got, ({ name }) => ({ name }))
})
