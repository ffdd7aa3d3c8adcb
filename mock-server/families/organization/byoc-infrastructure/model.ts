import { z } from 'zod/v3'
import type { ValuesOf } from '../../../../fixtures/contract/index.ts'
import { byocInfrastructureDetails, byocTags } from '../../../../fixtures/contract/organization/byoc-infrastructure.ts'
import { minute } from '../../../words/durations.ts'
import type { Model } from '../../../world/collection.ts'
import { recordSchema } from '../../../world/record.ts'
import { type Timed, timed } from '../../timed.ts'
import { organizations } from '../model.ts'

const recordFields = { ...byocInfrastructureDetails.fields, ...byocTags.fields }

/** Infrastructure in an account of the customer. */
export type ByocInfrastructure = ValuesOf<typeof recordFields> &
  Timed & {
    /** When its setting up began; it is not answered. */
    readonly beganAt: string
  }

/** Durations of the set-up, and of the listing after the removal. */
export const durations = { provisioning: 20 * minute, terminated: 60 * minute }

export const byocInfrastructures: Model<ByocInfrastructure, 'byocInfrastructure'> = {
  name: 'byocInfrastructure',
  within: organizations,
  record: recordSchema(recordFields, { ...timed, beganAt: z.string() }),
  defaults: (_, at, world) => ({
    ...usual,
    id: world.newUuid(),
    state: 'infra-ready',
    accountId: '957102927053',
    regionId: 'eu-central-1',
    cloudProvider: 'aws',
    displayName: 'Own account',
    vpcCidrRange: '10.0.0.0/16',
    vpcAvailabilityZoneList: ['eu-central-1a', 'eu-central-1b', 'eu-central-1c'],
    isByoVpc: false,
    beganAt: new Date(at).toISOString(),
  }),
  nextChangeAt: ({ changesAt }) => changesAt,
  applyChange: ({ changesAt: _, ...rest }) =>
    rest.state === 'infra-terminated' ? undefined : { ...rest, state: 'infra-ready' },
}

/** The defaults of infrastructure. */
export const usual = {
  enablePrivateLink: false,
  enablePrivateLoadBalancer: false,
  enablePublicLoadBalancer: true,
  tags: {},
} as const
