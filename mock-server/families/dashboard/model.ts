import { z } from 'zod/v3'
import type { Dashboard } from '../../words/resources.ts'
import type { Model } from '../../world/collection.ts'
import { recordOf } from '../../world/record.ts'
import { planStack } from '../observability/stack-plan.ts'

export const dashboards: Model<Dashboard, 'dashboard'> = {
  name: 'dashboard',
  within: 'stack',
  documents: true,
  record: recordOf({
    name: z.string(),
    tiles: z.array(z.object({ id: z.string(), config: z.object({}).passthrough() }).passthrough()),
    tags: z.array(z.unknown()),
    filters: z.array(z.unknown()),
  }),
  key: ({ id }) => id,
  seed: (stackId, from) => planStack(stackId, from).dashboards,
}
