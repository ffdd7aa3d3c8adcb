import type { Check } from '../../engine/check.ts'
import { neverSucceeds } from '../../rules/steps.ts'
import { nameOf } from '../../visits/life.ts'
import { type CreatedObject, visit } from '../../visits/visit.ts'

/** Infrastructure in an example account, on a mock only, so that no real account gets a request for permissions. */

const onMock = { mockOnly: 'the account is only an example' } as const
const plan = { regionId: 'eu-central-1', accountId: '957102927053' }

export const { steps, lines } = visit('cloud', 'BYOC', run => {
  run.call('byocInfrastructure.validate', { ...onMock, body: plan })
  const ofTwoNetworks = run.call('byocInfrastructure.validate', {
    name: 'byocInfrastructure.of-two-networks',
    why: 'validates a plan with two networks',
    notJudgedByOperation: true,
    ...onMock,
    body: { ...plan, vpcCidrRange: '10.0.0.0/16', vpcId: 'vpc-1', privateSubnetIds: ['subnet-1'] },
  })
  const created = run.call('byocInfrastructure.create', {
    ...onMock,
    creates: 'byocInfrastructure',
    body: context => ({ ...plan, displayName: nameOf(context, 'byocInfrastructure', 'main') }),
  })
  const on: CreatedObject = { line: created, resource: 'byocInfrastructure' }
  run.call('byocInfrastructure.get', { on })
  run.call('byocProgress.get', { within: on })
  run.call('byocTags.get', { within: on })
  const updated = run.call('byocInfrastructure.update', {
    on,
    // A document without private links still has names.
    body: context => ({ displayName: nameOf(context, 'byocInfrastructure', 'main'), enablePrivateLink: true }),
  })
  run.call('byocInfrastructure.get', { on, name: 'byocInfrastructure.get-after-update', from: [updated] })
  run.call('byocPrivateEndpointConfig.get', { within: on, from: [updated] })
  const deleted = run.call('byocInfrastructure.delete', {
    on,
    deletes: { resource: 'byocInfrastructure', step: created },
  })
  run.call('byocInfrastructure.get', { on, name: 'byocInfrastructure.get-after-delete', from: [deleted] })
  return { ofTwoNetworks }
})

export const checks = {
  'byocInfrastructure/has-one-network': neverSucceeds([lines.ofTwoNetworks]),
} as const satisfies Record<string, Check>
