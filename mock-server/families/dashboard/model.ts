import { dashboard } from '../../../fixtures/contract/dashboard.ts'
import type { Dashboard } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordWith } from '../../world/record.ts'
import { planStack } from '../observability/stack-plan.ts'

export const dashboards: Model<Dashboard, 'dashboard'> = {
  name: 'dashboard',
  within: 'stack',
  documents: true,
  // What only requests have is translated before it is kept.
  record: recordWith(dashboard.fields, {}, undefined, 'answer'),
  key: ({ id }) => id,
  seed: (stackId, from) => planStack(stackId, from).dashboards,
}
