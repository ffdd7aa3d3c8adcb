import { organization as organizationResource } from '../../../fixtures/contract/organization/organization.ts'
import type { Faults } from '../../faults/fault.ts'
import { wrongField } from '../../faults/rewrite.ts'
import { Refusal } from '../../words/refusal.ts'
import { pick } from '../../world/record.ts'
import { answerList, answerObject, changeList, type Family, type Handlers, serve } from '../family.ts'
import { type Service, services } from '../service/model.ts'
import { endpointServiceIdOf } from '../service/private-endpoint.ts'
import { byocInfrastructures, present as presentInfrastructure } from './byoc-infrastructure/index.ts'
import { organizations } from './model.ts'

export const models = [organizations]

export const refusalsBelow: Family['refusalsBelow'] = {
  organizationId: ({ world, ids: { organizationId = '' } }) =>
    world.in(organizations).get(organizationId)
      ? new Refusal('forbidden', 'The key belongs to another organization', { gap: 'auth/key-of-another-organization' })
      : new Refusal('unknownId', organizationId, { gap: 'path/unknown-organization' }),
}

const { present, find, get, replace } = serve(organizations, (organization, { in: records }) => {
  const infrastructure = records(byocInfrastructures, organization.id).list()
  const byocConfig = infrastructure.map(presentInfrastructure)
  return { ...pick(organization, organizationResource.fields), ...(byocConfig.length > 0 && { byocConfig }) }
})

const activityOfField = [
  ['name', 'organization_update_name'],
  ['enableCoreDumps', 'organization_update_core_dumps'],
  ['privateEndpoints', 'organization_update_private_endpoints'],
] as const

export const handlers = {
  'organization.list': request => {
    const { list, actor } = request
    const own = list(organizations).filter(({ id }) => actor.kind === 'key' && id === actor.organizationId)
    return answerList(own.map(one => present(one, request)))
  },
  'organization.get': get,
  'organization.update': request => {
    const before = find(request)
    const { privateEndpoints, ...sent } = request.body
    const endpoints = changeList(before.privateEndpoints, privateEndpoints, ({ id }) => id)
    const changed = { ...before, ...sent, privateEndpoints: endpoints }
    for (const [field, type] of activityOfField)
      if (JSON.stringify(changed[field]) !== JSON.stringify(before[field])) request.log({ type })
    return replace(request, changed)
  },
  'organizationPrivateEndpointConfig.get': request => {
    const { query, world } = request
    const [provider, region] = [query.get('cloud_provider') as Service['provider'], query.get('region_id') ?? '']
    const hasServices = request.list(services).some(one => one.provider === provider && one.region === region)
    if (!hasServices)
      throw new Refusal('malformed', `organization has no created instances in ${provider} ${region}`, {
        observed: 'Reported of the live API in 2024.',
      })
    const endpointServiceId = endpointServiceIdOf(world.seed, provider, region)
    return answerObject({ endpointServiceId })
  },
} as const satisfies Handlers

export const faults = {
  'organization/list-agrees-with-get': wrongField('organization.list', 'name', 'Another one'),
} as const satisfies Faults
