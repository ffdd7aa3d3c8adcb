import { z } from 'zod/v3'
import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { byocInfrastructure } from '../../../fixtures/contract/organization/byoc-infrastructure.ts'
import type { Model } from '../../world/collection.ts'
import { recordWith } from '../../world/record.ts'
import { organizations } from '../organization/model.ts'

/** Infrastructure in an account of the customer; `changesAt` is when its state ends by itself, and is not answered. */
export type ByocInfrastructure = ValuesOf<typeof byocInfrastructure.fields> & { readonly changesAt?: number }

const minute = 60_000
/** How long it is set up, and how long it is shown after it was removed. */
export const lasts = { provisioning: 20 * minute, terminated: 60 * minute }

export const byocInfrastructures: Model<ByocInfrastructure, 'byocInfrastructure'> = {
  name: 'byocInfrastructure',
  within: organizations,
  record: recordWith(byocInfrastructure.fields, {
    changesAt: z.number().optional(),
  }),
  key: ({ id }) => id,
  next: ({ changesAt }) => changesAt,
  elapse: ({ changesAt: _, ...rest }) =>
    rest.state === 'infra-terminated' ? undefined : { ...rest, state: 'infra-ready' },
}
