import type { ValuesOf } from '../../../fixtures/contract/index.ts'
import { byocInfrastructure } from '../../../fixtures/contract/organization/byoc-infrastructure.ts'
import { minute } from '../../words/durations.ts'
import type { Model } from '../../world/collection.ts'
import { recordWith } from '../../world/record.ts'
import { organizations } from '../organization/model.ts'
import { type Timed, timed } from '../timed.ts'

/** Infrastructure in an account of the customer. */
export type ByocInfrastructure = ValuesOf<typeof byocInfrastructure.fields> & Timed

/** How long it is set up, and how long it is shown after it was removed. */
export const lasts = { provisioning: 20 * minute, terminated: 60 * minute }

export const byocInfrastructures: Model<ByocInfrastructure, 'byocInfrastructure'> = {
  name: 'byocInfrastructure',
  within: organizations,
  record: recordWith(byocInfrastructure.fields, timed),
  key: ({ id }) => id,
  next: ({ changesAt }) => changesAt,
  elapse: ({ changesAt: _, ...rest }) =>
    rest.state === 'infra-terminated' ? undefined : { ...rest, state: 'infra-ready' },
}
