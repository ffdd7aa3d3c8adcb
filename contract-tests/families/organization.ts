import type { Form } from '../../fixtures/contract/index.ts'
import type { Check } from '../engine/check.ts'
import { listIn } from '../engine/pages.ts'
import { lacksPath, pathOf, pathValues } from '../engine/paths.ts'
import type { Step } from '../engine/step.ts'
import { answersAsDocumented } from '../rules/documented.ts'
import { changesNothing, listAgreesWithGet, read, rewrite } from './reads.ts'

const endpoint = 'organizationPrivateEndpointConfig.get'

export const checks = {
  'organization/list-answers': answersAsDocumented('organization.list'),
  'organization/get-answers': answersAsDocumented('organization.get'),
  'organization/list-agrees-with-get': listAgreesWithGet('organization'),
  'organization/update-answers': changesNothing('organization'),
  'organizationPrivateEndpointConfig/get-answers': answersAsDocumented(endpoint),
} as const satisfies Record<string, Check>

/** Asks for the region of the first service that is listed. */
const askForRegion: Step = {
  ...read(endpoint, 'service.list'),
  draft({ target, exchange }) {
    const [service] = listIn(exchange('cloud:service.list-before'), 'service') ?? []
    const { provider, region } = service ?? {}
    if (!provider || !region) return { skip: 'no list shows a service with its provider and region' }
    const path = pathOf(endpoint, 'cloud', pathValues(target))
    return path
      ? { path: `${path}?cloud_provider=${provider}&region_id=${region}` }
      : lacksPath(endpoint, 'cloud', target)
  },
}

export const steps = (form: Form): readonly Step[] =>
  form === 'cloud'
    ? [
        read('organization.list'),
        read('organization.get'),
        askForRegion,
        rewrite('organization.update', ({ name }) => ({ name })),
      ]
    : []
